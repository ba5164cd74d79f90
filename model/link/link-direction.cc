/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-direction.h"

#include "fabric-port.h"
#include "wire-end.h"

#include "ns3/fabric-clock.h"

namespace ns3
{
namespace aifabric
{

LinkDirection::LinkDirection(FabricPort* sender)
    : m_sender(sender)
{
}

void
LinkDirection::SetUp(bool up, WireEnd& wire, int64_t now)
{
    m_isUp = up;
    wire.SetDirect(IsDirect());
    if (up)
    {
        return;
    }
    m_cutAt = now;
    while (wire.First())
    {
        const Ptr<FabricFrame> lost(wire.Pop(), false);
        if (!m_isGhost) // or else the port that sent it counts it
        {
            Lose(lost, now);
        }
    }
    while (Ptr<FabricFrame> lost = m_carrier ? m_carrier->TakeLost(now) : nullptr)
    {
        Lose(lost, now);
    }
}

void
LinkDirection::SendElsewhere(const Ptr<FabricFrame>& frame, int64_t start, int64_t arrival)
{
    if (m_isUp)
    {
        m_carrier->Carry(frame, start, arrival);
    }
    else
    {
        Lose(frame, start);
    }
}

void
LinkDirection::Lose(const Ptr<FabricFrame>& frame, int64_t ps)
{
    ++m_lostFrames;
    m_lostBytes += frame->wireBytes;
    m_sender->ObserveLoss(frame, ps);
}

uint32_t
LinkDirection::CountFrames(const WireEnd& wire) const
{
    if (m_carrier)
    {
        return m_carrier->CountFrames(FabricClock::Now());
    }
    return m_isGhost ? 0 : wire.CountFrames();
}

uint64_t
LinkDirection::CountBytes(const WireEnd& wire) const
{
    if (m_carrier)
    {
        return m_carrier->CountBytes(FabricClock::Now());
    }
    return m_isGhost ? 0 : wire.CountBytes();
}

} // namespace aifabric
} // namespace ns3
