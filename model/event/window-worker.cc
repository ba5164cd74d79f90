/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "window-worker.h"

#include "ns3/event-impl.h"

namespace ns3
{
namespace aifabric
{

void
WindowWorker::RunFirst(WindowRooms::Events& events)
{
    const Scheduler::Event event = events.top();
    events.pop();
    m_now = event.key.m_ts;
    m_uid = event.key.m_uid;
    m_context = event.key.m_context;
    ++m_eventCount;
    event.impl->Invoke();
    event.impl->Unref();
}

void
WindowWorker::RunEventsUntil(uint64_t ts)
{
    const uint32_t node = m_context;
    while (!m_events->empty() && m_events->top().key.m_ts <= ts)
    {
        RunFirst(*m_events);
    }
    Enter(node);
}

void
WindowWorker::RunEvents()
{
    while (!m_events->empty() && m_events->top().key < m_end)
    {
        RunFirst(*m_events);
    }
}

void
WindowWorker::RunAlone(WindowRooms::Events& events)
{
    m_room = m_rooms->RoomOf(events.top().key.m_context);
    RunFirst(events);
    m_room = NO_NODE;
    m_context = NO_NODE;
}

void
WindowWorker::Call(const Report& report)
{
    m_now = report.ts;
    m_context = report.node;
    m_room = m_rooms->RoomOf(report.node);
    report.call();
    m_room = NO_NODE;
    m_context = NO_NODE;
}

void
WindowWorker::SetPresent(uint64_t ts, uint32_t uid)
{
    m_now = ts;
    m_uid = uid;
}

void
WindowWorker::TakeOver(WindowWorker& other)
{
    for (const Notice& notice : other.m_notices[m_number])
    {
        notice.node->TakeOver(notice.place);
    }
    other.m_notices[m_number].clear();
}

void
WindowWorker::Run(uint64_t begin,
                  const Scheduler::EventKey& end,
                  bool shuffled,
                  std::vector<uint64_t>& work)
{
    m_current = this;
    m_begin = begin;
    m_end = end;
    m_latest = begin;
    const uint64_t last = end.m_uid > 0 ? end.m_ts : end.m_ts - 1;
    m_rooms->TakeDue(m_number, last, m_active);
    if (shuffled)
    {
        std::shuffle(m_active.begin(), m_active.end(), m_random);
    }
    for (std::size_t i = 0; i < m_active.size(); ++i)
    {
        const uint64_t before = m_eventCount;
        PrefetchRoom(i + 2, 0);
        PrefetchRoom(i + 1, 1);
        RunRoom(m_active[i]);
        work[m_active[i]] += m_eventCount - before;
        m_latest = std::max(m_latest, m_now);
    }
    m_context = NO_NODE;
    m_room = NO_NODE;
    m_events = nullptr;
    m_current = nullptr;
}

void
WindowWorker::PrefetchRoom(std::size_t active, uint32_t step) const
{
    if (active < m_active.size())
    {
        if (const WindowNode* const node = m_rooms->GetNode(m_active[active]))
        {
            node->Prefetch(step);
        }
    }
}

void
WindowWorker::RunRoom(uint32_t room)
{
    m_context = room;
    m_room = room;
    m_events = &m_rooms->EventsOf(room);
    m_now = m_begin;
    m_uid = 0;
    uint64_t next = WindowNode::NEVER;
    if (WindowNode* const node = m_rooms->GetNode(room))
    {
        next = node->Run(*this, m_end.m_ts);
    }
    else
    {
        RunEvents();
    }
    m_rooms->SetNext(room, next);
}

} // namespace aifabric
} // namespace ns3
