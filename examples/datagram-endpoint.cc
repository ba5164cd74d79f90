/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "datagram-endpoint.h"

#include "ns3/boolean.h"
#include "ns3/fabric-clock.h"
#include "ns3/frame-codec.h"
#include "ns3/host-balancer.h"
#include "ns3/pacing.h"
#include "ns3/psn-window.h"
#include "ns3/roce-net-device.h"
#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

// The page: registration
NS_OBJECT_ENSURE_REGISTERED(DatagramEndpoint);

TypeId
DatagramEndpoint::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::DatagramEndpoint")
            .SetParent<Endpoint>()
            .SetGroupName("AiFabric")
            .AddConstructor<DatagramEndpoint>()
            .AddAttribute("Payload",
                          "Length of a datagram (bytes).",
                          UintegerValue(4096),
                          MakeUintegerAccessor(&DatagramEndpoint::m_payload),
                          MakeUintegerChecker<uint32_t>(1, 32768))
            .AddAttribute("Rate",
                          "Rate at which datagrams are sent, headers and gaps included (bit/s).",
                          DataRateValue(DataRate("100Gb/s")),
                          MakeDataRateAccessor(&DatagramEndpoint::m_rate),
                          MakeDataRateChecker())
            .AddAttribute("Dscp",
                          "DSCP of datagrams.",
                          UintegerValue(26),
                          MakeUintegerAccessor(&DatagramEndpoint::m_dscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("Spray",
                          "Whether each datagram takes another UDP source port.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DatagramEndpoint::m_sprays),
                          MakeBooleanChecker());
    return tid;
}

void
DatagramEndpoint::Install(RoceNetDevice* nic, uint32_t number, int64_t)
{
    m_nic = nic;
    m_number = number;
    m_turn = nic->TakeTurn();
}

void
DatagramEndpoint::Connect(uint32_t host, uint32_t number)
{
    m_peerHost = host;
    m_peerNumber = number;
}

// The page: a change
void
DatagramEndpoint::Send(uint64_t datagrams)
{
    const int64_t now = FabricClock::Now();
    m_nic->BeginChange(now);
    m_posted += datagrams;
    m_nic->EndChange(this, now);
}

// The page: sending
bool
DatagramEndpoint::CanSend() const
{
    return m_sent < m_posted;
}

int64_t
DatagramEndpoint::GetNextTime() const
{
    return m_nextTime;
}

uint8_t
DatagramEndpoint::GetClass() const
{
    return m_nic->GetClass(m_dscp);
}

uint64_t
DatagramEndpoint::GetTurn() const
{
    return m_turn;
}

uint32_t
DatagramEndpoint::GetPacketBytes() const
{
    return m_nic->GetWireBytes(RC_SEND_ONLY, m_payload);
}

void
DatagramEndpoint::Fill(FabricFrame& frame, int64_t start)
{
    const uint16_t spread = m_sprays ? m_sent % HostBalancer::ENTROPIES : m_number;
    frame.opcode = RC_SEND_ONLY;
    frame.flags = m_nic->GetIpFlags();
    frame.payload = m_payload;
    frame.wireBytes = GetPacketBytes();
    frame.SetTos(m_dscp << 2 | ECN_ECT0);
    frame.source = m_nic->GetHost();
    frame.destination = m_peerHost;
    frame.destinationQp = m_peerNumber;
    frame.psn = m_sent & PsnWindow::PSN_MASK;
    FrameCodec::SetFlow(frame, HostBalancer::FIRST_PORT + spread);
    frame.sentAt = start;
    ++m_sent;
    m_nextTime = start + Pacing::Spread(frame.wireBytes + m_nic->GetGap(), Pacing::Of(m_rate));
}

// The page: receiving
Endpoint::Reception
DatagramEndpoint::Receive(const Ptr<FabricFrame>& frame, const Outbox&)
{
    if (frame->flags & FRAME_TRIMMED)
    {
        return Reception::TRIMMED;
    }
    if (frame->opcode != RC_SEND_ONLY)
    {
        return Reception::UNKNOWN;
    }
    const uint64_t number = PsnWindow::Unwrap(frame->psn, m_expected);
    ++m_received;
    m_reordered += number < m_expected ? 1 : 0;
    m_expected = number < m_expected ? m_expected : number + 1;
    return Reception::DATA;
}

// The page: state
bool
DatagramEndpoint::IsPending() const
{
    return m_sent < m_posted;
}

uint64_t
DatagramEndpoint::GetProgress() const
{
    return m_sent;
}

bool
DatagramEndpoint::HasFailed() const
{
    return false;
}

void
DatagramEndpoint::Describe(std::ostream& os) const
{
    os << "to host-" << m_peerHost << ": " << m_sent << " of " << m_posted << " datagrams sent";
}

// The page: end
uint64_t
DatagramEndpoint::GetSent() const
{
    return m_sent;
}

uint64_t
DatagramEndpoint::GetReceived() const
{
    return m_received;
}

uint64_t
DatagramEndpoint::GetMissing() const
{
    return m_expected - m_received;
}

uint64_t
DatagramEndpoint::GetReordered() const
{
    return m_reordered;
}

} // namespace aifabric
} // namespace ns3
