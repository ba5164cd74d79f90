/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-delays.h"

#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace aifabric
{

FluidDelays::FluidDelays(const Callback<void, uint32_t>& due)
    : m_due(due)
{
}

FluidDelays::~FluidDelays()
{
    Clear();
}

void
FluidDelays::Add(uint32_t item, int64_t delayPs)
{
    m_entries.push({FabricClock::Now() + delayPs, m_added, item});
    ++m_added;
    Schedule();
}

void
FluidDelays::Schedule()
{
    if (m_entries.empty() || (!m_event.IsExpired() && m_eventPs <= m_entries.top().ps))
    {
        return;
    }
    m_event.Cancel();
    m_eventPs = m_entries.top().ps;
    m_event = Simulator::Schedule(FabricClock::Until(m_eventPs), &FluidDelays::Expire, this);
}

void
FluidDelays::Expire()
{
    const int64_t now = FabricClock::Now();
    while (!m_entries.empty() && m_entries.top().ps <= now)
    {
        const uint32_t item = m_entries.top().item;
        m_entries.pop();
        m_due(item);
    }
    Schedule();
}

void
FluidDelays::Clear()
{
    m_event.Cancel();
    m_entries = {};
}

} // namespace aifabric
} // namespace ns3
