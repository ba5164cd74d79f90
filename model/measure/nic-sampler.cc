/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nic-sampler.h"

#include "ns3/fabric-clock.h"

namespace ns3
{
namespace aifabric
{

NicSampler::NicSampler(const PortCatalog& catalog,
                       const std::function<NicCounters()>& measure,
                       Time interval)
    : ThinningSampler(catalog, interval),
      m_measure(measure)
{
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
        SetRoom(MAX_STATES, m_series.nics, MAX_TIMES);
    }
    m_series.times.push_back(FabricClock::Now());
    m_series.states.insert(m_series.states.end(), counters.nics.begin(), counters.nics.end());
}

} // namespace aifabric
} // namespace ns3
