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
    Line& line = m_lines[delayPs];
    const int64_t ps = FabricClock::Now() + delayPs;
    if (line.entries.empty() || line.entries.back().ps != ps)
    {
        line.events.push_back(
            Simulator::Schedule(FabricClock::Until(ps), &FluidDelays::Expire, this, delayPs));
    }
    line.entries.push_back({ps, item});
}

void
FluidDelays::Clear()
{
    for (auto& [delayPs, line] : m_lines)
    {
        for (EventId& event : line.events)
        {
            event.Cancel();
        }
        line.events.clear();
        line.entries.clear();
    }
}

void
FluidDelays::Expire(int64_t delayPs)
{
    const int64_t now = FabricClock::Now();
    Line& line = m_lines[delayPs];
    line.events.pop_front();
    while (!line.entries.empty() && line.entries.front().ps == now) // a callback may clear all
    {
        const uint32_t item = line.entries.front().item;
        line.entries.pop_front();
        m_due(item);
    }
}

} // namespace aifabric
} // namespace ns3
