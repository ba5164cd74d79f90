/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "heartbeat.h"

#include "ns3/fabric-clock.h"
#include "ns3/rank-transport.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

Heartbeat::~Heartbeat()
{
    Stop();
}

void
Heartbeat::Add(Beat beat)
{
    m_observers.push_back(Observer{std::move(beat), true, 0});
}

void
Heartbeat::SetDryCallback(std::function<void()> dry)
{
    m_dry = std::move(dry);
}

void
Heartbeat::Start()
{
    for (Observer& observer : m_observers)
    {
        observer.due = FabricClock::Now();
    }
    Schedule();
}

void
Heartbeat::Stop()
{
    m_event.Cancel();
    m_observers.clear();
}

uint64_t
Heartbeat::GetEvents() const
{
    return m_events;
}

void
Heartbeat::Schedule()
{
    bool any = false;
    int64_t next = 0;
    for (const Observer& observer : m_observers)
    {
        if (observer.live && (!any || observer.due < next))
        {
            next = observer.due;
            any = true;
        }
    }
    if (any)
    {
        const Time wait = FabricClock::Until(next, FabricClock::REVIEW_TURN);
        m_event = Simulator::Schedule(wait, &Heartbeat::Fire, this);
    }
}

void
Heartbeat::Fire()
{
    ++m_events;
    // Where there are other ranks, events may come from them.
    const bool dry = RankTransport::GetRanks() == 1 && Simulator::IsFinished();
    const int64_t now = FabricClock::Now();
    for (Observer& observer : m_observers)
    {
        if (observer.live && observer.due <= now)
        {
            const Time delay = observer.beat();
            observer.live = delay.IsStrictlyPositive();
            observer.due = now + delay.GetPicoSeconds();
        }
    }
    if (!dry)
    {
        Schedule();
    }
    else if (m_dry)
    {
        m_dry();
    }
}

} // namespace aifabric
} // namespace ns3
