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
    m_items.Add(item, FabricClock::Now() + delayPs);
    Schedule();
}

void
FluidDelays::Schedule()
{
    const int64_t first = m_items.GetFirstPs();
    if (first == FluidDues<>::NEVER || (!m_event.IsExpired() && m_eventPs <= first))
    {
        return;
    }
    m_event.Cancel();
    m_eventPs = first;
    m_event = Simulator::Schedule(FabricClock::Until(m_eventPs), &FluidDelays::Expire, this);
}

void
FluidDelays::Expire()
{
    m_items.TakeUntil(FabricClock::Now(), [this](uint32_t item) { m_due(item); });
    Schedule();
}

void
FluidDelays::Clear()
{
    m_event.Cancel();
    m_items.Clear();
}

} // namespace aifabric
} // namespace ns3
