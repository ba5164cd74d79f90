/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reachability-agent.h"

#include "reachability-prober.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/frame-codec.h"
#include "ns3/roce-aeth-header.h"
#include "ns3/roce-net-device.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(ReachabilityAgent);

TypeId
ReachabilityAgent::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::ReachabilityAgent")
                            .SetParent<Endpoint>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<ReachabilityAgent>()
                            .HideFromDocumentation();
    return tid;
}

ReachabilityAgent::ReachabilityAgent()
{
}

ReachabilityAgent::ReachabilityAgent(ReachabilityProber* prober)
    : m_prober(prober)
{
}

void
ReachabilityAgent::Install(EndpointNic* nic, uint32_t number, int64_t)
{
    m_nic = RoceNetDevice::From(nic);
    m_number = number;
}

void
ReachabilityAgent::Address(FabricFrame& frame,
                           uint32_t host,
                           uint32_t number,
                           uint32_t entropy) const
{
    frame.source = m_nic->GetHost();
    frame.destination = host;
    frame.destinationQp = number;
    frame.wireBytes = m_nic->GetWireBytes(frame.opcode, 0);
    FrameCodec::SetFlow(frame, entropy);
}

void
ReachabilityAgent::Send(const Probe& probe)
{
    const int64_t now = FabricClock::Now();
    m_nic->BeginChange(now); // packets that started before now count as sent
    Ptr<FabricFrame> frame = m_nic->CreateFrame();
    frame->opcode = RC_SEND_ONLY;
    frame->psn = probe.round;
    frame->flags = m_nic->GetIpFlags() | BTH_MIG_REQ | BTH_ACK_REQ;
    frame->SetTos(probe.dscp << 2 | ECN_NOT_ECT);
    frame->sentAt = now;
    Address(*frame, probe.host, probe.number, probe.entropy);
    m_nic->SendAnswer(std::move(frame), probe.plane, now);
}

Endpoint::Reception
ReachabilityAgent::Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox)
{
    if (frame->flags & FRAME_TRIMMED)
    {
        return Reception::TRIMMED;
    }
    if (frame->opcode == RC_ACK && m_prober)
    {
        m_prober->Answered(m_nic->GetHost(),
                           frame->source,
                           frame->psn,
                           outbox.GetNow() - frame->sentAt);
        return Reception::REPORT;
    }
    if (frame->opcode != RC_SEND_ONLY)
    {
        return Reception::UNKNOWN;
    }
    Ptr<FabricFrame> answer = outbox.CreateFrame();
    answer->opcode = RC_ACK;
    answer->syndrome = AETH_ACK;
    answer->psn = frame->psn;
    answer->flags = BTH_MIG_REQ | m_nic->GetIpFlags();
    answer->SetTos(frame->GetTos());
    answer->sentAt = frame->sentAt;
    Address(*answer, frame->source, m_prober->GetNumber(frame->source), frame->entropy);
    outbox.Send(std::move(answer));
    return Reception::DATA;
}

bool
ReachabilityAgent::CanSend() const
{
    return false; // probes wait in the queues of ports, as acknowledgements do
}

int64_t
ReachabilityAgent::GetNextTime() const
{
    return 0;
}

uint8_t
ReachabilityAgent::GetClass() const
{
    return 0;
}

uint64_t
ReachabilityAgent::GetTurn() const
{
    return 0;
}

uint32_t
ReachabilityAgent::GetPacketBytes() const
{
    return m_nic->GetWireBytes(RC_SEND_ONLY, 0);
}

void
ReachabilityAgent::Fill(FabricFrame&, int64_t)
{
    NS_ABORT_MSG("ReachabilityAgent: it has no packets");
}

bool
ReachabilityAgent::IsPending() const
{
    return false;
}

uint64_t
ReachabilityAgent::GetProgress() const
{
    return 0;
}

bool
ReachabilityAgent::HasFailed() const
{
    return false;
}

void
ReachabilityAgent::Describe(std::ostream& os) const
{
    os << "sends reachability probes";
}

} // namespace aifabric
} // namespace ns3
