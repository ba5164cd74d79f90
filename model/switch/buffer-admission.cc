/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "buffer-admission.h"

#include "fabric-switch.h"

#include "ns3/abort.h"
#include "ns3/enum-accessor.h"
#include "ns3/fabric-transmitter.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(BufferAdmission);

TypeId
BufferAdmission::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::BufferAdmission")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddAttribute("Victim",
                          "Which frame is dropped or trimmed when a lossy queue has no room for "
                          "one that arrives: Arriving; Coin (half of the time the last frame of "
                          "the queue instead, as in NDP and htsim); or Even (of the frames that "
                          "arrived since one left, each has the same chance to stay).",
                          EnumValue(EVEN),
                          MakeEnumMemberAccessor<Victim>(&BufferAdmission::m_victim),
                          MakeEnumChecker(ARRIVING, "Arriving", COIN, "Coin", EVEN, "Even"));
    return tid;
}

BufferAdmission::BufferAdmission()
    : m_coin(CreateObject<UniformRandomVariable>())
{
}

void
BufferAdmission::DoDispose()
{
    m_switch = nullptr;
    Object::DoDispose();
}

void
BufferAdmission::Install(FabricSwitch& fabricSwitch)
{
    m_switch = &fabricSwitch;
}

bool
BufferAdmission::Displaces(const FabricFrame& frame, const FabricTransmitter& egress)
{
    constexpr double HALF = 0.5;
    const FrameLane& lane = egress.GetLane(frame.GetClass());
    if (m_victim == ARRIVING || lane.IsEmpty() || lane.Last().wireBytes < frame.wireBytes)
    {
        return false;
    }
    if (m_victim == COIN)
    {
        return m_coin->GetValue() < HALF;
    }
    const std::size_t queue =
        EgressQueues::CLASSES * egress.GetPort()->GetIndex() + frame.GetClass();
    if (queue >= m_overflows.size())
    {
        m_overflows.resize(EgressQueues::CLASSES * m_switch->GetPortCount());
    }
    return DrawsEvenly(lane, m_overflows[queue]);
}

bool
BufferAdmission::DrawsEvenly(const FrameLane& lane, Overflows& overflows)
{
    const uint32_t left = lane.GetEnqueuedFrames() - lane.GetFrames();
    if (left != overflows.left)
    {
        overflows = {left, 0};
    }
    ++overflows.count;
    const bool isDisplaced = m_coin->GetValue() * (overflows.count + 1) < 1;
    overflows.left += isDisplaced; // by which the last frame will have left
    return isDisplaced;
}

void
BufferAdmission::Release(const FabricFrame&, int64_t)
{
}

bool
BufferAdmission::Trims() const
{
    return false;
}

bool
BufferAdmission::WantsRelease() const
{
    return false;
}

uint64_t
BufferAdmission::GetLeastBytes(const FabricSwitch&) const
{
    return 0;
}

void
BufferAdmission::SetLeastFactor(double least)
{
    NS_ABORT_MSG_IF(least < 1,
                    GetInstanceTypeId().GetName()
                        << " cannot scale its queues, as degraded links need it");
}

uint64_t
BufferAdmission::GetLosslessDrops() const
{
    return 0;
}

void
BufferAdmission::Trim(FabricFrame&, const FabricTransmitter&)
{
}

void
BufferAdmission::Count(PolicyCounters&) const
{
}

int64_t
BufferAdmission::AssignStreams(int64_t stream)
{
    m_coin->SetStream(stream);
    return 1;
}

} // namespace aifabric
} // namespace ns3
