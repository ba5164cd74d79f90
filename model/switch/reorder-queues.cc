/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reorder-queues.h"

#include "fabric-switch.h"

#include "ns3/fabric-net-device.h"
#include "ns3/fabric-transmitter.h"
#include "ns3/node.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

ReorderQueues::ReorderQueues(FabricSwitch& owner)
    : m_switch(owner)
{
}

void
ReorderQueues::Hold(const Ptr<FabricFrame>& frame,
                    uint32_t queue,
                    FabricTransmitter& egress,
                    int64_t now)
{
    if (queue >= m_queues.size())
    {
        m_queues.resize(queue + 1);
    }
    m_queues[queue].push_back({frame, &egress});
    egress.BeginHold(frame->wireBytes, now);
    ++m_frames;
    m_bytes += frame->wireBytes;
    m_maxBytes = std::max(m_maxBytes, m_bytes);
}

void
ReorderQueues::Originate(const Ptr<FabricFrame>& frame, int64_t now)
{
    m_switch.Originate(frame, now);
}

void
ReorderQueues::Release(uint32_t queue, int64_t now)
{
    if (queue >= m_queues.size())
    {
        return; // all frames for it were dropped
    }
    GrowingRing<Held>& held = m_queues[queue];
    while (!held.empty())
    {
        const Held first = held.front();
        held.pop_front();
        --m_frames;
        m_bytes -= first.frame->wireBytes;
        first.egress->EndHold(first.frame->wireBytes, now);
        m_switch.SendHeld(first.frame, *first.egress, now);
    }
}

uint32_t
ReorderQueues::GetNode() const
{
    return m_switch.GetPort(0)->GetDevice()->GetNode()->GetId();
}

uint64_t
ReorderQueues::GetMaxHeldBytes() const
{
    return m_maxBytes;
}

} // namespace aifabric
} // namespace ns3
