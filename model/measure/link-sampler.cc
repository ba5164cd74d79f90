/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-sampler.h"

#include "ns3/fabric-clock.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

LinkSampler::LinkSampler(const PortCatalog& catalog, Time interval)
    : ThinningSampler(catalog, interval)
{
    m_series.ports = catalog.GetPorts().size();
    SetRoom(MAX_STATES, m_series.ports, MAX_TIMES);
}

void
LinkSampler::Add()
{
    const int64_t now = FabricClock::Now();
    const bool isFirst = m_series.times.empty();
    m_series.times.push_back(now);
    for (const PortCatalog::Entry& entry : m_catalog.GetPorts())
    {
        const FabricTransmitter& transmitter = entry.port->GetTransmitter();
        LinkSeries::State state;
        if (!isFirst) // the first frames may have begun already: they are of the first interval
        {
            const int64_t unsent = std::max<int64_t>(0, transmitter.GetFreeAt() - now);
            state.bytes = transmitter.GetCounters().sentBytes;
            state.busyPs = transmitter.GetBusyTime() - unsent;
            state.waiting = transmitter.GetWaitingBytes();
        }
        m_series.states.push_back(state);
    }
}

} // namespace aifabric
} // namespace ns3
