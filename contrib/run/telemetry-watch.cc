/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "telemetry-watch.h"

#include "option-value.h"

#include "ns3/csv-writer.h"
#include "ns3/function-callback.h"

#include <string>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr int64_t PROBER_STREAMS = int64_t{1} << 36; //!< beside those of SimulatedFabric

} // namespace

TelemetryWatch::TelemetryWatch(const FabricScenario& scenario,
                               const SimulatedFabric& fabric,
                               EventLog& events,
                               const PauseReader& pauses)
    : m_scenario(scenario),
      m_fabric(fabric),
      m_pauses(pauses)
{
    if (scenario.linkSeriesPs > 0)
    {
        m_links =
            std::make_unique<LinkSampler>(fabric.GetCatalog(), PicoSeconds(scenario.linkSeriesPs));
    }
    if (scenario.nicSeriesPs > 0)
    {
        m_nics = std::make_unique<NicSampler>(
            fabric.GetCatalog(),
            [this]() { return MeasureAllNics(); },
            PicoSeconds(scenario.nicSeriesPs));
    }
    if (scenario.hopLatency)
    {
        InstallHopMonitor();
    }
    if (scenario.queuePeaks)
    {
        InstallQueueMonitor(events);
    }
    if (scenario.reachabilityPs > 0)
    {
        InstallProber(events);
    }
}

void
TelemetryWatch::InstallQueueMonitor(EventLog& events)
{
    m_queues = CreateObject<QueueMonitor>();
    m_queues->TraceConnectWithoutContext(
        "Threshold",
        FunctionCallback<void, const QueuePeaks::Buffer&, uint64_t, bool>(
            [this, &events](const QueuePeaks::Buffer& buffer, uint64_t bytes, bool isHigh) {
                events.Write(isHigh ? "buffer_high" : "buffer_low",
                             QueuePeaks::GetName(buffer, *m_scenario.graph, m_fabric.GetCatalog()),
                             "bytes=" + std::to_string(bytes) +
                                 " size=" + std::to_string(buffer.size));
            }));
    m_queues->Install(*m_scenario.graph, m_fabric.GetCatalog(), m_fabric.GetParts().switches);
    if (m_scenario.linkSeriesPs > 0)
    {
        m_queueSampler = std::make_unique<IntervalSampler<QueuePeak>>(
            m_fabric.GetCatalog(),
            m_queues->GetPeaks().queues.size(),
            [this]() { return m_queues->TakeRecent(); },
            PicoSeconds(m_scenario.linkSeriesPs));
    }
}

void
TelemetryWatch::InstallHopMonitor()
{
    m_hops = std::make_unique<HopLatencyMonitor>(m_fabric.GetParts().switches);
    if (m_scenario.linkSeriesPs > 0)
    {
        m_hopSampler = std::make_unique<IntervalSampler<HopTimes>>(
            m_fabric.GetCatalog(),
            m_fabric.GetParts().switches.size(),
            [this]() { return m_hops->TakeRecent(); },
            PicoSeconds(m_scenario.linkSeriesPs));
    }
}

void
TelemetryWatch::InstallProber(EventLog& events)
{
    const Time interval = PicoSeconds(m_scenario.reachabilityPs);
    const Time roundTrip = m_fabric.GetParts().fabric->GetRoundTripTime(m_scenario.mtu);
    OptionError::ThrowIf(interval < roundTrip + roundTrip,
                         "reachability",
                         FormatNs(m_scenario.reachabilityPs) + "ns",
                         "at least two round-trip times, which are " +
                             FormatNs(2 * roundTrip.GetPicoSeconds()) + "ns");
    m_prober = CreateObject<ReachabilityProber>();
    m_prober->SetAttribute("Interval", TimeValue(interval));
    TimeValue timeout;
    m_prober->GetAttribute("Timeout", timeout);
    OptionError::ThrowIf(timeout.Get() > interval,
                         "ns3::aifabric::ReachabilityProber::Timeout",
                         FormatNs(timeout.Get().GetPicoSeconds()) + "ns",
                         "at most the interval of --reachability");
    m_prober->TraceConnectWithoutContext(
        "RackState",
        FunctionCallback<void, uint32_t, uint32_t, bool>(
            [this, &events](uint32_t host, uint32_t rack, bool isReachable) {
                events.Write(isReachable ? "rack_reachable" : "rack_unreachable",
                             "host-" + std::to_string(host),
                             "rack=" + m_scenario.graph->SwitchName(rack));
            }));
    m_prober->Install(*m_scenario.graph, m_fabric.GetParts().nics, PROBER_STREAMS);
}

NicCounters
TelemetryWatch::MeasureAllNics() const
{
    const std::optional<PauseCounts> pauses = m_pauses();
    return MeasureNics(m_fabric.GetParts().nics,
                       m_fabric.GetCatalog(),
                       pauses ? &*pauses : nullptr);
}

void
TelemetryWatch::AddSamplers(const AddSampler& add)
{
    if (m_links)
    {
        add([this]() { return m_links->Sample(); });
    }
    if (m_nics)
    {
        add([this]() { return m_nics->Sample(); });
    }
    if (m_queueSampler)
    {
        add([this]() { return m_queueSampler->Sample(); });
    }
    if (m_hopSampler)
    {
        add([this]() { return m_hopSampler->Sample(); });
    }
}

TelemetrySamples
TelemetryWatch::Take()
{
    TelemetrySamples samples;
    if (m_links)
    {
        m_links->Close();
        samples.links = m_links->GetSeries();
    }
    if (m_nics)
    {
        m_nics->Close();
        samples.nicSeries = m_nics->GetSeries();
    }
    if (m_scenario.nicCounters)
    {
        samples.nics = MeasureAllNics();
    }
    if (m_hops)
    {
        samples.hops = m_hops->GetLatencies();
    }
    if (m_queues)
    {
        samples.peaks = m_queues->GetPeaks();
    }
    if (m_queueSampler)
    {
        m_queueSampler->Close();
        samples.queueSeries = m_queueSampler->GetSeries();
    }
    if (m_hopSampler)
    {
        m_hopSampler->Close();
        samples.hopSeries = m_hopSampler->GetSeries();
    }
    if (m_prober)
    {
        samples.reachability = m_prober->GetResults();
    }
    return samples;
}

void
TelemetryWatch::Count(PolicyCounters& counters) const
{
    if (m_prober)
    {
        m_prober->Count(counters);
    }
}

void
TelemetryWatch::Dispose()
{
    if (m_prober)
    {
        m_prober->Dispose();
        m_prober = nullptr;
    }
}

} // namespace aifabric
} // namespace ns3
