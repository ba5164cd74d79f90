/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-sampler.h"

#include "ns3/fabric-clock.h"
#include "ns3/keep-every-other.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <vector>

namespace ns3
{
namespace aifabric
{

QueueSampler::QueueSampler(const PortCatalog& catalog, Time interval)
    : m_catalog(catalog),
      m_interval(interval)
{
}

Time
QueueSampler::Sample()
{
    if (m_samples.times.size() == MAX_TIMES)
    {
        Thin();
    }
    const int64_t now = FabricClock::Now();
    const std::size_t first = m_samples.states.size();
    m_samples.times.push_back(Simulator::Now().GetPicoSeconds());
    m_samples.states.resize(first + m_catalog.GetLayerCount());
    for (const PortCatalog::Entry& entry : m_catalog.GetPorts())
    {
        FabricTransmitter& transmitter = entry.port->GetTransmitter();
        transmitter.Advance(now);
        const uint64_t frames = transmitter.GetWaitingFrames() + (transmitter.GetFreeAt() > now);
        QueueSamples::LayerState& state = m_samples.states[first + entry.layer];
        state.frames += frames;
        state.bytes += transmitter.GetWaitingBytes();
        state.maxFrames = std::max(state.maxFrames, frames);
        state.pausedPorts += transmitter.GetPaused() != 0;
    }
    return m_interval;
}

void
QueueSampler::Thin()
{
    const std::size_t count = m_samples.times.size();
    KeepEveryOther(m_samples.times, 1, count);
    KeepEveryOther(m_samples.states, m_catalog.GetLayerCount(), count);
    m_interval = m_interval + m_interval;
}

const QueueSamples&
QueueSampler::GetSamples() const
{
    return m_samples;
}

} // namespace aifabric
} // namespace ns3
