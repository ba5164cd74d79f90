/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-sampler.h"

#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

#include <algorithm>

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
    const uint32_t layers = m_catalog.GetLayerCount();
    if (m_times.size() == MAX_TIMES)
    {
        Thin();
    }
    const int64_t now = FabricClock::Now();
    const std::size_t first = m_states.size();
    m_times.push_back(Simulator::Now().GetPicoSeconds());
    m_states.resize(first + layers);
    for (const PortCatalog::Entry& entry : m_catalog.GetPorts())
    {
        FabricTransmitter& transmitter = entry.port->GetTransmitter();
        transmitter.Advance(now - 1);
        const uint32_t frames = transmitter.GetWaitingFrames() + (transmitter.GetFreeAt() > now);
        LayerState& state = m_states[first + entry.layer];
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
    const uint32_t layers = m_catalog.GetLayerCount();
    for (std::size_t kept = 0; 2 * kept < m_times.size(); ++kept)
    {
        m_times[kept] = m_times[2 * kept];
        std::copy_n(m_states.begin() + 2 * kept * layers, layers, m_states.begin() + kept * layers);
    }
    m_times.resize((m_times.size() + 1) / 2);
    m_states.resize(m_times.size() * layers);
    m_interval = m_interval + m_interval;
}

std::vector<std::string>
QueueSampler::GetColumns()
{
    return {"time_ns",
            "layer",
            "mean_queue_packets",
            "max_queue_packets",
            "waiting_bytes",
            "paused_ports"};
}

void
QueueSampler::Write(CsvWriter& csv) const
{
    const uint32_t layers = m_catalog.GetLayerCount();
    for (std::size_t i = 0; i < m_states.size(); ++i)
    {
        const uint32_t layer = i % layers;
        const LayerState& state = m_states[i];
        csv.Write(FormatNs(m_times[i / layers]),
                  m_catalog.GetLayerName(layer),
                  static_cast<double>(state.frames) / m_catalog.GetLayerSize(layer),
                  state.maxFrames,
                  state.bytes,
                  state.pausedPorts);
    }
}

} // namespace aifabric
} // namespace ns3
