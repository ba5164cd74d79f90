/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "datagram-endpoint.h"

#include "ns3/fabric-clock.h"
#include "ns3/frame-codec.h"
#include "ns3/host-balancer.h"
#include "ns3/pacing.h"
#include "ns3/psn-window.h"
#include "ns3/roce-net-device.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(DatagramEndpoint);

TypeId
DatagramEndpoint::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::DatagramEndpoint")
            .SetParent<Endpoint>()
            .SetGroupName("AiFabric")
            .AddConstructor<DatagramEndpoint>()
            .AddAttribute("Rate",
                          "Rate at which datagrams are sent, headers and gaps included (bit/s).",
                          DataRateValue(DataRate("100Gb/s")),
                          MakeDataRateAccessor(&DatagramEndpoint::m_rate),
                          MakeDataRateChecker());
    return tid;
}

// The page: install
void
DatagramEndpoint::Install(EndpointNic* nic, uint32_t, int64_t)
{
    m_nic = RoceNetDevice::From(nic);
    m_turn = nic->TakeTurn();
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
uint8_t
DatagramEndpoint::GetClass() const
{
    return m_nic->GetClass(DSCP);
}

uint32_t
DatagramEndpoint::GetPacketBytes() const
{
    return m_nic->GetWireBytes(RC_SEND_ONLY, PAYLOAD);
}

void
DatagramEndpoint::Fill(FabricFrame& frame, int64_t start)
{
    frame.opcode = RC_SEND_ONLY;
    frame.flags = m_nic->GetIpFlags();
    frame.payload = PAYLOAD;
    frame.wireBytes = GetPacketBytes();
    frame.SetTos(DSCP << 2 | ECN_ECT0);
    frame.source = m_nic->GetHost();
    frame.destination = m_peerHost;
    frame.destinationQp = m_peerNumber;
    frame.psn = sent & PsnWindow::PSN_MASK;
    FrameCodec::SetFlow(frame, PathChoice::FIRST_PORT + sent % HostBalancer::ENTROPIES);
    frame.sentAt = start;
    ++sent;
    m_nextTime = start + Pacing::Spread(frame.wireBytes + m_nic->GetGap(), Pacing::Of(m_rate));
}

// The page: receiving
Endpoint::Reception
DatagramEndpoint::Receive(const Ptr<FabricFrame>& frame, const Outbox&)
{
    if (frame->opcode != RC_SEND_ONLY || frame->flags & FRAME_TRIMMED)
    {
        return frame->flags & FRAME_TRIMMED ? Reception::TRIMMED : Reception::UNKNOWN;
    }
    const uint64_t number = PsnWindow::Unwrap(frame->psn, m_expected);
    ++received;
    reordered += number < m_expected ? 1 : 0;
    m_expected = std::max(m_expected, number + 1);
    missing = m_expected - received;
    return Reception::DATA;
}

// The page: state
void
DatagramEndpoint::Describe(std::ostream& os) const
{
    os << "to host-" << m_peerHost << ": " << sent << " of " << m_posted << " datagrams sent";
}

// The page: end

} // namespace aifabric
} // namespace ns3
