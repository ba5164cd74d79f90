/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TELEMETRY_WATCH_H
#define TELEMETRY_WATCH_H

#include "fabric-scenario.h"
#include "pause-watch.h"
#include "policy-kinds.h"
#include "simulated-fabric.h"

#include "ns3/csv-writer.h"
#include "ns3/dispose-of.h"
#include "ns3/event-log.h"
#include "ns3/function-callback.h"
#include "ns3/hop-latency-monitor.h"
#include "ns3/host-balancer.h"
#include "ns3/interval-sampler.h"
#include "ns3/link-sampler.h"
#include "ns3/nic-sampler.h"
#include "ns3/plane-sampler.h"
#include "ns3/queue-monitor.h"
#include "ns3/queue-sampler.h"
#include "ns3/reachability-prober.h"

#include <bitset>
#include <functional>
#include <memory>
#include <optional>

namespace ns3
{
namespace aifabric
{

/// What was seen on a rank, or on all, while a run went on; each if that was asked for.
struct RunSamples
{
    QueueSamples queues;                                  //!< of the queues; always there
    std::optional<PlaneSeries> planes;                    //!< of the planes
    std::optional<PauseCounts> pauses;                    //!< of the pauses, if a class is lossless
    std::optional<LinkSeries> links;                      //!< of the links
    std::optional<NicCounters> nics;                      //!< of the NICs
    std::optional<NicSeries> nicSeries;                   //!< of the NICs over time
    std::optional<QueuePeaks> peaks;                      //!< of queues and buffers
    std::optional<HopLatencies> hops;                     //!< of switches
    std::optional<Reachability> reachability;             //!< of probes
    std::optional<IntervalSeries<QueuePeak>> queueSeries; //!< of queues over time
    std::optional<IntervalSeries<LatencySums>> hopSeries; //!< of switches over time
    std::optional<IntervalSeries<PauseSums>> pauseSeries; //!< of pauses over time
    std::optional<IntervalSeries<ProbeSums>> probeSeries; //!< of probes over time

    /// Call a function with each part that may have been asked for.
    template <typename F>
    void ForEach(F function)
    {
        const auto each = [&function](auto&... parts) { (function(parts), ...); };
        each(planes, pauses, links, nics, nicSeries, peaks, hops, reachability);
        each(queueSeries, hopSeries, pauseSeries, probeSeries);
    }
};

/// What a run has beside its fabric for the tables by which a fabric is run. Nothing exists that
/// was not asked for.
class TelemetryWatch
{
  public:
    /// Has a sampler called, from the start of the first message on.
    using AddSampler = std::function<void(const std::function<Time()>&)>;

    /// Watch a fabric whose NICs have no queue pair yet.  @param scenario the scenario; must
    /// outlive this  @param fabric its fabric; must outlive this, up to Dispose()  @param events
    /// who writes down what happens; must outlive the simulation
    TelemetryWatch(const FabricScenario& scenario, const SimulatedFabric& fabric, EventLog& events)
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
            m_links = std::make_unique<LinkSampler>(fabric.GetCatalog(),
                                                    PicoSeconds(scenario.linkSeriesPs));
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

    /// Have samplers called. To be called when all NICs have their queue pairs.
    void AddSamplers(const AddSampler& add)
    {
        const PortCatalog& catalog = m_fabric.GetCatalog();
        m_ports = std::make_unique<QueueSampler>(catalog, PicoSeconds(m_scenario.samplePs));
        if (m_scenario.samplePs > 0)
        {
            add([this]() { return m_ports->Sample(); });
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
        }
        ForEachSampler([&add](const auto& sampler, auto) {
            if (sampler)
            {
                add([one = sampler.get()]() { return one->Sample(); });
            }
        });
    }

    /// @return what was seen; to be called once, when the run is over
    RunSamples Take()
    {
        RunSamples samples;
        samples.queues = m_ports->GetSamples();
        ForEachSampler([&samples](const auto& sampler, auto series) {
            if (sampler)
            {
                sampler->Close();
                samples.*series = sampler->GetSeries();
            }
        });
        m_planes = nullptr;
        if (m_pauses)
        {
            samples.pauses = m_pauses->GetCounts();
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
        if (m_prober)
        {
            samples.reachability = m_prober->GetResults();
        }
        return samples;
    }

    /// Add what was counted, by its name in run.json.  @param counters where
    void Count(PolicyCounters& counters) const
    {
        if (m_prober)
        {
            m_prober->Count(counters);
        }
    }

    /// The simulation ends.
    void Dispose()
    {
        m_planes = nullptr;
        DisposeOf(m_prober);
        if (m_pauses)
        {
            m_pauses->Dispose();
            m_pauses = nullptr;
        }
    }

  private:
    static constexpr int64_t PROBER_STREAMS = int64_t{1} << 36; //!< beside those of SimulatedFabric

    /// Call a function with each sampler, which may be null, and where its series belongs.
    template <typename F>
    void ForEachSampler(F function)
    {
        function(m_planes, &RunSamples::planes);
        function(m_links, &RunSamples::links);
        function(m_nics, &RunSamples::nicSeries);
        function(m_queueSampler, &RunSamples::queueSeries);
        function(m_hopSampler, &RunSamples::hopSeries);
        function(m_pauseSampler, &RunSamples::pauseSeries);
        function(m_probeSampler, &RunSamples::probeSeries);
    }

    /// Watch queues and buffers.  @param events who writes down what happens
    void InstallQueueMonitor(EventLog& events)
    {
        m_queues = CreateObject<QueueMonitor>();
        m_queues->TraceConnectWithoutContext(
            "Threshold",
            FunctionCallback<void, const QueuePeaks::Buffer&, uint64_t, bool>(
                [this, &events](const QueuePeaks::Buffer& buffer, uint64_t bytes, bool isHigh) {
                    events.Write(
                        isHigh ? "buffer_high" : "buffer_low",
                        QueuePeaks::GetName(buffer, *m_scenario.graph, m_fabric.GetCatalog()),
                        "bytes=" + std::to_string(bytes) + " size=" + std::to_string(buffer.size));
                }));
        m_queues->Install(*m_scenario.graph, m_fabric.GetCatalog(), m_fabric.GetParts().switches);
        Sample(m_queueSampler, m_queues->GetPeaks().queues.size(), *m_queues);
    }

    /// Send probes from rack to rack.  @param events who writes down what happens
    void InstallProber(EventLog& events)
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

    /// Sample what a monitor sees, if series were asked for.  @tparam T what it sees
    /// @param sampler who samples  @param width how many queues, switches or the like there are
    /// @param monitor who sees it
    template <typename T, typename Monitor>
    void Sample(std::unique_ptr<IntervalSampler<T>>& sampler, std::size_t width, Monitor& monitor)
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

    /// @return what the NICs have counted so far
    NicCounters MeasureAllNics() const
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

    const FabricScenario& m_scenario;          //!< the scenario
    const SimulatedFabric& m_fabric;           //!< its fabric
    std::unique_ptr<QueueSampler> m_ports;     //!< who looks at the queues of ports
    std::unique_ptr<PlaneSampler> m_planes;    //!< who looks at the planes, or nobody
    std::unique_ptr<PauseWatch> m_pauses;      //!< who counts what PFC does, if a class is lossless
    std::unique_ptr<LinkSampler> m_links;      //!< who looks at the links, or nobody
    std::unique_ptr<NicSampler> m_nics;        //!< who looks at the NICs, or nobody
    std::unique_ptr<HopLatencyMonitor> m_hops; //!< who looks at frames in switches, or nobody
    Ptr<QueueMonitor> m_queues;                //!< who looks at the queues, or nobody
    std::unique_ptr<IntervalSampler<QueuePeak>> m_queueSampler; //!< of m_queues, or nobody
    std::unique_ptr<IntervalSampler<LatencySums>> m_hopSampler; //!< of m_hops, or nobody
    std::unique_ptr<IntervalSampler<PauseSums>> m_pauseSampler; //!< of m_pauses, or nobody
    std::unique_ptr<IntervalSampler<ProbeSums>> m_probeSampler; //!< of m_prober, or nobody
    Ptr<ReachabilityProber> m_prober; //!< who sends probes from rack to rack, or nobody
};

} // namespace aifabric
} // namespace ns3

#endif /* TELEMETRY_WATCH_H */
