/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TELEMETRY_WATCH_H
#define TELEMETRY_WATCH_H

#include "fabric-scenario.h"
#include "pause-watch.h"
#include "simulated-fabric.h"

#include "ns3/event-log.h"
#include "ns3/hop-latency-monitor.h"
#include "ns3/interval-sampler.h"
#include "ns3/link-sampler.h"
#include "ns3/nic-sampler.h"
#include "ns3/plane-sampler.h"
#include "ns3/queue-monitor.h"
#include "ns3/queue-sampler.h"
#include "ns3/reachability-prober.h"

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

/**
 * @ingroup ai-fabric
 *
 * What a run has beside its fabric for the tables by which a fabric is run. Nothing exists that was
 * not asked for.
 */
class TelemetryWatch
{
  public:
    /// Has a sampler called, from the start of the first message on.
    using AddSampler = std::function<void(const std::function<Time()>&)>;

    /// Watch a fabric whose NICs have no queue pair yet.  @param scenario the scenario; must
    /// outlive this  @param fabric its fabric; must outlive this, up to Dispose()  @param events
    /// who writes down what happens; must outlive the simulation
    TelemetryWatch(const FabricScenario& scenario, const SimulatedFabric& fabric, EventLog& events);

    /// Have samplers called. To be called when all NICs have their queue pairs.
    void AddSamplers(const AddSampler& add);

    /// @return what was seen; to be called once, when the run is over
    RunSamples Take();

    /// Add what was counted, by its name in run.json.  @param counters where
    void Count(PolicyCounters& counters) const;

    /// The simulation ends.
    void Dispose();

  private:
    /// Watch queues and buffers.  @param events who writes down what happens
    void InstallQueueMonitor(EventLog& events);

    /// Send probes from rack to rack.  @param events who writes down what happens
    void InstallProber(EventLog& events);

    /// Sample what a monitor sees, if series were asked for.  @tparam T what it sees
    /// @param sampler who samples  @param width how many queues, switches or the like there are
    /// @param monitor who sees it
    template <typename T, typename Monitor>
    void Sample(std::unique_ptr<IntervalSampler<T>>& sampler, std::size_t width, Monitor& monitor);

    /// @return what the NICs have counted so far
    NicCounters MeasureAllNics() const;

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
