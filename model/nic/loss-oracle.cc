/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "loss-oracle.h"

#include "ns3/frame-codec.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(LossOracle);

TypeId
LossOracle::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::LossOracle")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<LossOracle>()
            .AddAttribute("RoundTripTime",
                          "Time between a packet and its acknowledgement where nothing waits. The "
                          "default is that of a three-tier fat-tree with links of 0.5 us at "
                          "800 Gb/s.",
                          TimeValue(NanoSeconds(6254)),
                          MakeTimeAccessor(&LossOracle::m_roundTrip),
                          MakeTimeChecker(Time(0)));
    return tid;
}

LossOracle::LossOracle()
{
}

LossOracle::~LossOracle()
{
}

void
LossOracle::Install(const std::vector<Ptr<RoceNetDevice>>& nics,
                    const std::vector<Ptr<FabricSwitch>>& switches,
                    const std::vector<Ptr<FabricChannel>>& channels)
{
    m_nics = nics;
    for (const Ptr<FabricSwitch>& fabricSwitch : switches)
    {
        fabricSwitch->TraceConnectWithoutContext("Drop",
                                                 MakeCallback(&LossOracle::FrameDropped, this));
    }
    for (const Ptr<FabricChannel>& channel : channels)
    {
        for (std::size_t end = 0; end < 2; ++end)
        {
            channel->GetPort(end)->TraceConnectWithoutContext(
                "Loss",
                MakeCallback(&LossOracle::FrameLost, this));
        }
    }
}

void
LossOracle::FrameDropped(Ptr<const FabricFrame> frame, FabricSwitch::DropReason)
{
    FrameLost(frame);
}

void
LossOracle::FrameLost(Ptr<const FabricFrame> frame)
{
    uint32_t host = 0;
    const RoceQueuePair* sender = FindSender(*frame, host);
    if (!sender)
    {
        return;
    }
    const Time now = Simulator::Now();
    Simulator::ScheduleWithContext(m_nics[host]->GetNode()->GetId(),
                                   Max(TimeStep(frame->sentAt) + m_roundTrip, now) - now,
                                   &LossOracle::Tell,
                                   this,
                                   host,
                                   sender->GetNumber(),
                                   frame->psn,
                                   frame->sourcePort);
}

RoceQueuePair*
LossOracle::FindSender(const FabricFrame& frame, uint32_t& host) const
{
    if (frame.kind != FrameKind::ROCE || frame.destination >= m_nics.size())
    {
        return nullptr;
    }
    RoceQueuePair* receiver = m_nics[frame.destination]->FindQueuePair(frame.destinationQp);
    if (!receiver || frame.opcode == RC_ACK)
    {
        host = frame.destination;
        return receiver;
    }
    host = frame.source;
    return m_nics[host]->FindQueuePair(receiver->GetPeerNumber());
}

void
LossOracle::Tell(uint32_t host, uint32_t number, uint32_t psn, uint16_t sourcePort)
{
    const int64_t now = Simulator::Now().GetTimeStep();
    RoceNetDevice& nic = *m_nics[host];
    RoceQueuePair* sender = nic.FindQueuePair(number);
    nic.BeginChange(now);
    sender->ReportLoss(psn, sourcePort, now);
    nic.EndChange(sender, now);
}

void
LossOracle::DoDispose()
{
    m_nics.clear();
    Object::DoDispose();
}

} // namespace aifabric
} // namespace ns3
