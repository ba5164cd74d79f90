/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "egress-queues.h"

#include "ns3/assert.h"

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the number of the lowest set bit  @param mask a mask that is not 0
int
LowestBit(uint8_t mask)
{
    return __builtin_ctz(mask);
}

} // namespace

void
EgressQueues::SetClasses(uint8_t classes, const QueueSize& size)
{
    int serving = LowestBit(classes);
    for (uint8_t c = 0; c < CLASSES; ++c)
    {
        serving = classes >> c & 1 ? c : serving;
        m_laneOf[c] = serving;
        m_lanes[serving].SetMaxSize(size);
    }
}

void
EgressQueues::SetQueue(uint8_t trafficClass, Ptr<FabricQueue> queue)
{
    const uint8_t serving = m_laneOf[trafficClass];
    m_queues[serving] = queue;
    queue->Bind(m_lanes[serving]);
}

bool
EgressQueues::IsWatched() const
{
    return std::any_of(m_lanes.begin(), m_lanes.end(), [](const FrameLane& lane) {
        return lane.IsWatched();
    });
}

uint64_t
EgressQueues::CountRefused() const
{
    uint64_t refused = 0;
    for (const Ptr<FabricQueue>& queue : m_queues)
    {
        refused += queue ? queue->GetTotalDroppedPackets() : 0;
    }
    return refused;
}

void
EgressQueues::SetScheduler(Ptr<EgressScheduler> scheduler)
{
    m_scheduler = scheduler;
    m_special = scheduler ? m_special | HAS_SCHEDULER : m_special & ~HAS_SCHEDULER;
}

void
EgressQueues::BeginHold(uint32_t bytes, int64_t now, bool isBusy)
{
    m_waitingTime -= now;
    m_waitingBytes += bytes;
    ++m_waitingFrames;
    NoteMost(m_waitingFrames + isBusy, m_waitingBytes);
}

void
EgressQueues::EndHold(uint32_t bytes, int64_t now)
{
    m_waitingTime += now;
    m_waitingBytes -= bytes;
    --m_waitingFrames;
}

void
EgressQueues::PushControl(const Ptr<FabricFrame>& frame)
{
    m_control.push_back(frame);
    m_special |= HAS_CONTROL;
}

Ptr<FabricFrame>
EgressQueues::TakeLast(uint8_t trafficClass, int64_t now)
{
    const uint8_t queue = m_laneOf[trafficClass];
    if (m_lanes[queue].IsEmpty())
    {
        return nullptr;
    }
    const FrameLane::Entry entry = m_lanes[queue].PopLast();
    CountRemoved(queue, entry.bytes, now);
    return Ptr<FabricFrame>(entry.frame, false);
}

FrameLane::Entry
EgressQueues::TakeSpecial(int64_t start, FabricTransmitter& port)
{
    if (!(m_special & HAS_CONTROL))
    {
        return TakeScheduled(start, port);
    }
    FabricFrame* frame = GetPointer(m_control.pop_front());
    if (m_control.empty())
    {
        m_special &= ~HAS_CONTROL;
    }
    return NoteMade(frame);
}

FrameLane::Entry
EgressQueues::TakeScheduled(int64_t start, FabricTransmitter& port)
{
    EgressHeads heads;
    heads.start = start;
    std::array<int, CLASSES> sources; // by queue: the highest class that the source has for it
    sources.fill(-1);
    int found = 0;
    for (uint8_t open = ~m_paused; m_source && found >= 0; open &= ~(1 << found))
    {
        found = m_source->GetReadyClass(open, start);
        if (found < 0)
        {
            break;
        }
        const uint8_t queue = m_laneOf[found];
        sources[queue] = std::max(sources[queue], found);
        heads.ready |= 1 << queue;
    }
    for (uint8_t waiting = m_backlog & ~m_paused; waiting; waiting &= waiting - 1)
    {
        const int queue = LowestBit(waiting);
        heads.ready |= 1 << queue;
        if (sources[queue] < 0 || m_queueTurns >> queue & 1)
        {
            heads.frames[queue] = m_lanes[queue].First();
        }
    }
    if (!heads.ready)
    {
        return {};
    }
    const uint8_t queue = m_scheduler->Choose(heads);
    NS_ASSERT_MSG(queue < CLASSES && heads.ready >> queue & 1,
                  "an EgressScheduler has chosen a queue that cannot send");
    const bool isMade = !heads.frames[queue];
    m_queueTurns = isMade ? m_queueTurns | 1 << queue : m_queueTurns & ~(1 << queue);
    const FrameLane::Entry entry = isMade
                                       ? NoteMade(GetPointer(m_source->Pull(sources[queue], start)))
                                       : TakeFromQueue(queue, start, port);
    m_scheduler->FrameDeparts(queue, *entry.frame);
    return entry;
}

void
EgressQueues::OpenGates(int64_t now)
{
    m_paused = m_gates.Open(m_paused, now);
}

int64_t
EgressQueues::GetOpeningOfClosed() const
{
    int64_t next = m_gates.GetOpening(m_backlog);
    if (m_source)
    {
        next = std::min(next, m_source->GetNextTime(~m_paused));
        for (uint8_t closed = m_paused; closed; closed &= closed - 1)
        {
            const uint8_t mask = closed & -closed;
            next = std::min(next, std::max(m_gates.GetOpening(mask), m_source->GetNextTime(mask)));
        }
    }
    return next;
}

void
EgressQueues::Pause(uint8_t classes, int64_t until, int64_t now)
{
    uint8_t queues = 0;
    for (uint8_t c = 0; c < CLASSES; ++c)
    {
        queues |= (classes >> c & 1) << m_laneOf[c];
    }
    uint8_t sharing = 0; // all classes of these queues
    for (uint8_t c = 0; c < CLASSES; ++c)
    {
        sharing |= (queues >> m_laneOf[c] & 1) << c;
    }
    m_gates.Close(sharing, until);
    m_paused = m_gates.Open(m_paused | sharing, now);
}

void
EgressQueues::Dispose()
{
    while (!m_control.empty())
    {
        m_control.pop_front();
    }
    m_special = 0;
    m_scheduler = nullptr;
    for (FrameLane& lane : m_lanes)
    {
        lane.Clear();
    }
    m_queues.fill(nullptr);
    m_backlog = 0;
    m_source = nullptr;
    m_hook = nullptr;
}

} // namespace aifabric
} // namespace ns3
