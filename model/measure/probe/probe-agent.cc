/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "probe-agent.h"

#include "fabric-prober.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/frame-codec.h"
#include "ns3/host-balancer.h"
#include "ns3/roce-net-device.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(ProbeAgent);

TypeId
ProbeAgent::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::ProbeAgent")
                            .SetParent<Endpoint>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<ProbeAgent>()
                            .HideFromDocumentation();
    return tid;
}

ProbeAgent::ProbeAgent()
{
}

ProbeAgent::ProbeAgent(FabricProber* prober)
    : m_prober(prober)
{
}

void
ProbeAgent::Install(EndpointNic* nic, uint32_t number, int64_t)
{
    m_nic = RoceNetDevice::From(nic);
    m_number = number;
}

void
ProbeAgent::Send(const Probe& probe)
{
    constexpr uint8_t EV_PROBE = 1; // the operation of an endpoint request
    const int64_t now = FabricClock::Now();
    m_nic->BeginChange(now); // packets that started before now count as sent
    Ptr<FabricFrame> frame = m_nic->CreateFrame();
    frame->opcode = MRC_REQUEST;
    frame->syndrome = EV_PROBE;
    frame->psn = probe.round;
    frame->source = m_nic->GetHost();
    frame->destination = probe.destination;
    frame->destinationQp = m_number;
    frame->flags = m_nic->GetIpFlags();
    frame->SetTos(probe.dscp << 2 | ECN_NOT_ECT);
    frame->sentAt = now;
    frame->wireBytes = m_nic->GetWireBytes(MRC_REQUEST, 0);
    FrameCodec::SetFlow(*frame, PathChoice::FIRST_PORT + probe.label);
    m_nic->SendAnswer(std::move(frame), probe.plane, now);
}

Endpoint::Reception
ProbeAgent::Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox)
{
    if (!m_prober || frame->opcode != MRC_REQUEST || frame->source != m_nic->GetHost())
    {
        return Reception::UNKNOWN;
    }
    const uint32_t label = frame->GetSourcePort() - PathChoice::FIRST_PORT;
    m_prober->Returned(frame->source, outbox.GetPort(), label, frame->psn);
    return Reception::REPORT;
}

bool
ProbeAgent::CanSend() const
{
    return false; // probes wait in the queues of ports, as acknowledgements do
}

int64_t
ProbeAgent::GetNextTime() const
{
    return 0;
}

uint8_t
ProbeAgent::GetClass() const
{
    return 0;
}

uint64_t
ProbeAgent::GetTurn() const
{
    return 0;
}

uint32_t
ProbeAgent::GetPacketBytes() const
{
    return m_nic->GetWireBytes(MRC_REQUEST, 0);
}

void
ProbeAgent::Fill(FabricFrame&, int64_t)
{
    NS_ABORT_MSG("ProbeAgent: it has no packets");
}

bool
ProbeAgent::IsPending() const
{
    return false;
}

uint64_t
ProbeAgent::GetProgress() const
{
    return 0;
}

bool
ProbeAgent::HasFailed() const
{
    return false;
}

void
ProbeAgent::Describe(std::ostream& os) const
{
    os << "sends probes";
}

} // namespace aifabric
} // namespace ns3
