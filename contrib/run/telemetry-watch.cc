/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "telemetry-watch.h"

#include "policy-kinds.h"

#include "ns3/csv-writer.h"
#include "ns3/function-callback.h"
#include "ns3/host-balancer.h"

#include <bitset>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr int64_t PROBER_STREAMS = int64_t{1} << 36; //!< beside those of SimulatedFabric

/// Have a sampler called, if there is one.  @tparam T of the sampler  @param sampler the sampler,
/// or nobody  @param add calls it at its times
template <typename T>
void
Add(const std::unique_ptr<T>& sampler, const TelemetryWatch::AddSampler& add)
{
    if (sampler)
    {
        add([one = sampler.get()]() { return one->Sample(); });
    }
}

/// Take what a sampler has seen, if there is one.  @tparam T of the sampler  @tparam Series of what
/// it has seen  @param sampler the sampler, or nobody  @param [out] series what it has seen
template <typename T, typename Series>
void
TakeSeries(const std::unique_ptr<T>& sampler, std::optional<Series>& series)
{
    if (sampler)
    {
        sampler->Close();
        series = sampler->GetSeries();
    }
}

} // namespace

TelemetryWatch::TelemetryWatch(const FabricScenario& scenario,
                               const SimulatedFabric& fabric,
                               EventLog& events)
    : m_scenario(scenario),
      m_fabric(fabric)
{
    if (scenario.losslessClasses > 0)
    {
        events.WatchPauses(fabric.GetCatalog());
        m_pauses = std::make_unique<PauseWatch>(scenario, fabric, events);
    }
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
        m_hops = std::make_unique<HopLatencyMonitor>(fabric.GetParts().switches);
        Sample(m_hopSampler, fabric.GetParts().switches.size(), *m_hops);
    }
    if (scenario.queuePeaks)
    {
        InstallQueueMonitor(events);
    }
    if (scenario.reachabilityPs > 0)
    {
        InstallProber(events);
    }
    if (m_pauses)
    {
        const std::size_t classes = std::bitset<8>(scenario.losslessClasses).count();
        Sample(m_pauseSampler, fabric.GetCatalog().GetPorts().size() * classes, *m_pauses);
    }
}

template <typename T, typename Monitor>
void
TelemetryWatch::Sample(std::unique_ptr<IntervalSampler<T>>& sampler,
                       std::size_t width,
                       Monitor& monitor)
{
    if (m_scenario.linkSeriesPs > 0)
    {
        sampler = std::make_unique<IntervalSampler<T>>(
            m_fabric.GetCatalog(),
            width,
            [&monitor]() { return monitor.TakeRecent(); },
            PicoSeconds(m_scenario.linkSeriesPs));
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
    Sample(m_queueSampler, m_queues->GetPeaks().queues.size(), *m_queues);
}

void
TelemetryWatch::InstallProber(EventLog& events)
{
    m_prober = CreateObject<ReachabilityProber>();
    m_prober->SetAttribute("Interval", TimeValue(PicoSeconds(m_scenario.reachabilityPs)));
    m_prober->TraceConnectWithoutContext(
        "RackState",
        FunctionCallback<void, uint32_t, uint32_t, bool>(
            [this, &events](uint32_t host, uint32_t rack, bool isReachable) {
                events.Write(isReachable ? "rack_reachable" : "rack_unreachable",
                             "host-" + std::to_string(host),
                             "rack=" + m_scenario.graph->SwitchName(rack));
            }));
    m_prober->Install(*m_scenario.graph, m_fabric.GetParts().nics, PROBER_STREAMS);
    Sample(m_probeSampler, m_prober->GetResults().pairs.size(), *m_prober);
}

NicCounters
TelemetryWatch::MeasureAllNics() const
{
    std::optional<PauseCounts> pauses;
    if (m_pauses)
    {
        pauses = m_pauses->GetCounts();
    }
    return MeasureNics(m_fabric.GetParts().nics,
                       m_fabric.GetCatalog(),
                       pauses ? &*pauses : nullptr);
}

void
TelemetryWatch::AddSamplers(const AddSampler& add)
{
    const PortCatalog& catalog = m_fabric.GetCatalog();
    m_ports = std::make_unique<QueueSampler>(catalog, PicoSeconds(m_scenario.samplePs));
    if (m_scenario.samplePs > 0)
    {
        Add(m_ports, add);
    }
    if (m_scenario.planeSeriesPs > 0)
    {
        m_planes = std::make_unique<PlaneSampler>(m_fabric.GetParts().nics,
                                                  m_scenario.planeHosts,
                                                  PicoSeconds(m_scenario.planeSeriesPs));
        if (AskPolicy(m_scenario.balancer, &HostBalancer::HasEvStates))
        {
            m_planes->WatchEvs();
        }
        Add(m_planes, add);
    }
    Add(m_links, add);
    Add(m_nics, add);
    Add(m_queueSampler, add);
    Add(m_hopSampler, add);
    Add(m_pauseSampler, add);
    Add(m_probeSampler, add);
}

RunSamples
TelemetryWatch::Take()
{
    RunSamples samples;
    samples.queues = m_ports->GetSamples();
    TakeSeries(m_planes, samples.planes);
    m_planes = nullptr;
    if (m_pauses)
    {
        samples.pauses = m_pauses->GetCounts();
    }
    TakeSeries(m_links, samples.links);
    TakeSeries(m_nics, samples.nicSeries);
    TakeSeries(m_queueSampler, samples.queueSeries);
    TakeSeries(m_hopSampler, samples.hopSeries);
    TakeSeries(m_pauseSampler, samples.pauseSeries);
    TakeSeries(m_probeSampler, samples.probeSeries);
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
    m_planes = nullptr;
    if (m_prober)
    {
        m_prober->Dispose();
        m_prober = nullptr;
    }
    if (m_pauses)
    {
        m_pauses->Dispose();
        m_pauses = nullptr;
    }
}

} // namespace aifabric
} // namespace ns3
