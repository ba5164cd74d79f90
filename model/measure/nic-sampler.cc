/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nic-sampler.h"

#include "ns3/fabric-clock.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NicSampler::NicSampler(const PortCatalog& catalog,
                       const std::function<NicCounters()>& measure,
                       Time interval)
    : m_catalog(catalog),
      m_measure(measure),
      m_interval(interval)
{
}

Time
NicSampler::Sample()
{
    constexpr std::size_t LEAST_TIMES = 11;
    const std::size_t most =
        std::clamp(MAX_STATES / std::max<std::size_t>(1, m_series.nics), LEAST_TIMES, MAX_TIMES);
    if (m_series.times.size() >= most)
    {
        m_series.Thin();
        m_interval = m_interval + m_interval;
    }
    const int64_t now = FabricClock::Now();
    for (const PortCatalog::Entry& entry : m_catalog.GetPorts())
    {
        entry.port->GetTransmitter().Advance(now);
    }
    Add();
    return m_interval;
}

void
NicSampler::Close()
{
    if (m_series.times.empty() || m_series.times.back() < FabricClock::Now())
    {
        Add();
    }
}

void
NicSampler::Add()
{
    const bool isFirst = m_series.times.empty();
    NicCounters counters = m_measure();
    if (isFirst) // the first packets may have begun already: they are of the first interval
    {
        m_series.nics = counters.nics.size();
        counters.nics.assign(m_series.nics, {});
    }
    m_series.times.push_back(FabricClock::Now());
    m_series.states.insert(m_series.states.end(), counters.nics.begin(), counters.nics.end());
}

} // namespace aifabric
} // namespace ns3
