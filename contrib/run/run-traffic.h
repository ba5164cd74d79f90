/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_TRAFFIC_H
#define RUN_TRAFFIC_H

#include "fabric-scenario.h"
#include "fluid-faults.h"
#include "job-run.h"
#include "simulated-fabric.h"

#include "ns3/callback.h"
#include "ns3/collective-report.h"
#include "ns3/config.h"
#include "ns3/demand-collector.h"
#include "ns3/flow-list.h"
#include "ns3/fluid-carrier.h"
#include "ns3/fluid-free-fabric.h"
#include "ns3/fluid-hash-fabric.h"
#include "ns3/fluid-spray-fabric.h"
#include "ns3/link-fault.h"
#include "ns3/loss-oracle.h"
#include "ns3/message-service.h"
#include "ns3/node-fabric.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rank-transport.h"
#include "ns3/receiver-admission.h"
#include "ns3/run-measures.h"
#include "ns3/time-units.h"
#include "ns3/traffic-demand.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What came of the messages of a run.
struct TrafficOutcome
{
    std::vector<Flow> flows;                       //!< the messages of completed iterations
    std::vector<FlowRecord> background;            //!< flows beside them that have started
    std::vector<MessageOrigin> origins;            //!< which messages of collectives they are
    std::optional<IterationTimes> iteration;       //!< of collectives and training iterations
    std::unique_ptr<CollectiveReport> collectives; //!< the results of these
    std::vector<NodeRecord> nodes;                 //!< what hosts did, if it was asked for
    nlohmann::ordered_json aggregation;            //!< results of aggregation in switches, or null
    std::vector<ClusterReport::Times> jobTimes;    //!< by host: when its job began and ended
    std::optional<JobOutcome> job;                 //!< iterations and failures, if asked for
    int64_t periodPs{0};                           //!< the sending period
    uint32_t mostActive{0};                        //!< queue pairs of a host that send, at most
};

/// The messages of a FabricScenario, and who starts and carries them.
class RunTraffic
{
  public:
    /// Make the messages that are known beforehand.  @param scenario the scenario; must outlive
    /// this
    explicit RunTraffic(const FabricScenario& scenario)
        : m_scenario(scenario),
          m_job(scenario, m_flows)
    {
        if (!scenario.training)
        {
            m_flows = MakeFlows(scenario);
            if (scenario.reads)
            {
                MakeReads(m_flows);
            }
            AddJitter(m_flows, scenario);
            if (scenario.queuePairPerFlow)
            {
                PartQueuePairs(m_flows);
            }
            if (scenario.ordered > 0)
            {
                OrderEach(m_flows, scenario.ordered);
            }
            for (Flow& flow : m_flows)
            {
                flow.inNode = scenario.nodes.Joins(flow.source, flow.destination);
            }
        }
    }

    /// @param carrier carries collectives that are no messages; must outlive this. To be called
    /// before Install()
    void SetCarrier(CollectiveCarrier& carrier)
    {
        m_job.SetCarrier(carrier);
    }

    /// Make who carries the messages, and who starts them.
    /// @param bound what is known of links, frames and NICs
    /// @param complete called when all is done, with the time, in ps
    void Install(const FabricParts& fabric,
                 const BoundParameters& bound,
                 const Callback<void, int64_t>& complete)
    {
        m_oracle = CreateObject<LossOracle>();
        m_oracle->Prepare(fabric.nics, fabric.switches, fabric.channels);
        if (RankTransport::GetRanks() > 1)
        {
            m_oracle->Start(); // on all ranks; on one, the first queue pair that needs it starts it
        }
        Config::SetDefault("ns3::aifabric::MessageService::SteeringType",
                           TypeIdValue(m_scenario.steering));
        m_service = CreateObject<MessageService>();
        if (m_scenario.receiverSlots > 0)
        {
            m_service->SetCarrier(CreateObject<ReceiverAdmission>());
        }
        else if (m_scenario.isFluid)
        {
            m_fluid = CreateObject<FluidCarrier>(*m_scenario.graph,
                                                 bound,
                                                 MakeFluidFabric(fabric, bound),
                                                 m_scenario.steering);
            m_service->SetCarrier(m_fluid);
        }
        m_service->Install(fabric.nics);
        if (m_scenario.nodes.GetGpus() > 1)
        {
            m_service->SetNodeFabric(CreateObject<NodeFabric>(), m_scenario.nodes);
        }
        m_service->AssignStreams(STEERING_STREAMS);
        InstallBackground();
        m_job.Install(m_service, complete);
    }

    /// Have messages that are carried by rates suffer from faults that begin or end.
    /// @param faults those of the scenario
    void FollowFaults(const std::vector<Ptr<LinkFault>>& faults)
    {
        if (m_fluid && m_scenario.fluidClass.hasChanges)
        {
            m_faults = std::make_unique<FluidFaults>(m_scenario, faults, m_fluid);
        }
    }

    /// @return who carries them
    const MessageService& GetService() const
    {
        return *m_service;
    }

    /// @return the messages that are known beforehand
    const std::vector<Flow>& GetFlows() const
    {
        return m_flows;
    }

    /// @return what hosts send to each other in an iteration, acknowledgements included
    /// @param bound what is known of links, frames and NICs
    std::vector<TrafficDemand> GetDemands(const BoundParameters& bound) const
    {
        DemandCollector collector;
        if (m_scenario.training)
        {
            collector.Add(*m_scenario.training, m_scenario.collectives);
        }
        else
        {
            collector.Add(m_flows);
        }
        const double packet = bound.payloadBytes + bound.headerBytes + bound.gapBytes;
        const double ack = bound.ackBytes + bound.gapBytes;
        return collector.GetDemands(bound.acksInFabric ? bound.packetsPerAck * ack / packet : 0);
    }

    /// @return when the first message starts, in ps
    int64_t FirstStart() const
    {
        if (m_service->GetRecords().empty())
        {
            return 0; // messages are sent as the run goes on
        }
        int64_t first = std::numeric_limits<int64_t>::max();
        for (const FlowRecord& record : m_service->GetRecords())
        {
            first = std::min(first, record.flow.startPs);
        }
        return first;
    }

    /// End with the messages that have come: failed queue pairs keep the others.
    void EndByFailure()
    {
        m_job.EndByFailure();
    }

    /// Add what has crossed links by rates.  @param bound what is known of links and frames
    /// @param [out] measures where it is added
    void CountLinks(const BoundParameters& bound, RunMeasures& measures) const
    {
        if (!m_fluid)
        {
            return;
        }
        const std::vector<FluidTraffic::Amount> amounts = m_fluid->GetTraffic();
        for (std::size_t link = 0; link < amounts.size(); ++link)
        {
            const bool isHost = m_scenario.graph->Links()[link / 2].a.isHost;
            const std::vector<double>& speeds = m_scenario.fluidClass.speeds;
            const double rate = static_cast<double>(isHost ? bound.linkRate : bound.fabricRate) *
                                (speeds.empty() ? 1 : speeds[link]);
            RunMeasures::Port& port = measures.ports[link];
            port.sentFrames = std::llround(amounts[link].frames);
            port.sentBytes = std::llround(amounts[link].bytes);
            const double bytes = amounts[link].bytes + amounts[link].frames * bound.gapBytes;
            port.busyTime = rate > 0 ? std::llround(bytes * BIT_PS_PER_BYTE / rate) : 0;
        }
    }

    /// Refuse a run by rates in which packets would be lost, or may be; unless it is unchecked.
    void CheckQueues() const
    {
        constexpr uint32_t PACKETS = 4; // that may come at once, beside what rates bring
        // Packets of collectives that do not wait for each other meet more often than rates.
        const double margin = m_scenario.fluidClass.isMixed ? 1.5 : 1;
        const bool isSpine = m_scenario.spineBufferBytes < m_scenario.bufferBytes;
        const uint64_t room = isSpine ? m_scenario.spineBufferBytes : m_scenario.bufferBytes;
        const auto queued = m_fluid ? static_cast<uint64_t>(margin * m_fluid->GetMostQueued()) : 0;
        const uint64_t needed = m_fluid ? queued + PACKETS * m_scenario.mtu : 0;
        OptionError::ThrowIf(needed > room && !m_scenario.isUnchecked,
                             isSpine ? "spineBuffer" : "buffer",
                             std::to_string(room),
                             "at least " + std::to_string(needed) +
                                 " bytes with --fidelity=fluid, as fewer lose packets" +
                                 (needed > UINT32_MAX ? ", which no buffer has" : ""));
    }

    /// @return what came of the messages, to be taken once  @param bound what is known of links,
    /// frames and NICs
    TrafficOutcome TakeOutcome(const BoundParameters& bound)
    {
        TrafficOutcome outcome;
        outcome.periodPs = GetPeriodPs(bound);
        outcome.mostActive = m_service->GetMostActive();
        outcome.background = GetBackground();
        if (m_scenario.job.IsReported())
        {
            outcome.job = m_job.GetOutcome();
            outcome.iteration = m_job.GetTimes(); // when messages start is a result
        }
        else if (!m_scenario.training)
        {
            outcome.flows = std::move(m_flows);
            return outcome;
        }
        for (const FlowRecord& record : m_service->GetRecords())
        {
            outcome.flows.push_back(record.flow);
        }
        Keep(outcome.flows);
        if (!m_scenario.training)
        {
            return outcome;
        }
        outcome.origins = m_job.GetOrigins();
        outcome.nodes = m_job.GetNodes();
        outcome.jobTimes = m_job.GetJobTimes();
        outcome.iteration = m_job.GetTimes();
        outcome.collectives = std::make_unique<CollectiveReport>(
            m_job.GetCollectives(),
            *outcome.iteration,
            bound,
            m_scenario.graph->Planes(),
            [&scenario = m_scenario](TypeId type) { return scenario.algorithms.at(type); });
        return outcome;
    }

    /// Leave only the messages of completed iterations, in the order of results.
    /// @param [in,out] flows all messages, by number
    void KeepCompleted(std::vector<RunMeasures::FlowTimes>& flows) const
    {
        if (m_scenario.job.IsReported() || m_scenario.training)
        {
            Keep(flows);
            return;
        }
        std::size_t message = 0;
        const auto isBackground = [this, &message](const RunMeasures::FlowTimes&) {
            return m_service->GetRecords()[message++].flow.isBackground;
        };
        flows.erase(std::remove_if(flows.begin(), flows.end(), isBackground), flows.end());
    }

    /// Take it down.
    void Dispose()
    {
        m_job.Dispose();
        for (const Ptr<Object>& object :
             {Ptr<Object>(m_background), Ptr<Object>(m_service), Ptr<Object>(m_oracle)})
        {
            if (object)
            {
                object->Dispose();
            }
        }
        m_background = nullptr;
        m_service = nullptr;
        m_fluid = nullptr;
        m_oracle = nullptr;
    }

  private:
    // Random streams, by what they are for.
    static constexpr int64_t WORKLOAD_STREAM = 1;
    static constexpr int64_t JITTER_STREAM = 2;
    static constexpr int64_t BACKGROUND_STREAMS = int64_t{1} << 46;
    static constexpr int64_t STEERING_STREAMS = int64_t{1} << 47;

    /// @return what is behind the hosts of messages that are carried by rates
    /// @param bound what is known of links, frames and NICs
    std::unique_ptr<FluidFabric> MakeFluidFabric(const FabricParts& fabric,
                                                 const BoundParameters& bound) const
    {
        const FluidClass& fluid = m_scenario.fluidClass;
        const FabricGraph& graph = *m_scenario.graph;
        if (fluid.isHashed)
        {
            return std::make_unique<FluidHashFabric>(graph,
                                                     bound,
                                                     fluid.speeds,
                                                     fabric.switches,
                                                     fluid.hasChanges);
        }
        if (fluid.hasQueues)
        {
            return std::make_unique<FluidSprayFabric>(graph,
                                                      bound,
                                                      fluid.speeds,
                                                      fluid.hasChanges,
                                                      fluid.isMixed);
        }
        return std::make_unique<FluidFreeFabric>(graph, bound, fluid.isUneven);
    }

    /// Start flows beside the messages, for which the run does not wait.
    void InstallBackground()
    {
        const BackgroundSpec& spec = m_scenario.background;
        if (spec.kind == BackgroundSpec::Kind::NONE)
        {
            return;
        }
        m_background = CreateObject<FlowDriver>();
        if (spec.kind == BackgroundSpec::Kind::LIST)
        {
            m_background->Install(m_service, spec.flows);
            return;
        }
        const uint32_t hosts = m_scenario.graph->HostCount();
        m_background->Install(m_service, MakeBackgroundSource(spec, hosts, BACKGROUND_STREAMS));
    }

    /// @return the flows beside the messages that have started
    std::vector<FlowRecord> GetBackground() const
    {
        const std::vector<FlowRecord>& records = m_service->GetRecords();
        std::vector<FlowRecord> background;
        for (const std::size_t message : m_service->SortStarted(0, records.size()))
        {
            if (records[message].flow.isBackground)
            {
                background.push_back(records[message]);
            }
        }
        return background;
    }

    /// @return a random variable with a stream of its own
    static Ptr<UniformRandomVariable> MakeRandom(int64_t stream)
    {
        Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(stream);
        return random;
    }

    /// @return the messages of a scenario, all of them at their earliest
    static std::vector<Flow> MakeFlows(const FabricScenario& scenario)
    {
        const Ptr<UniformRandomVariable> random = MakeRandom(WORKLOAD_STREAM);
        const UniformInteger uniform = [random](uint32_t bound) {
            return random->GetInteger(0, bound - 1);
        };
        const uint32_t hosts = scenario.graph->HostCount();
        if (scenario.workload == "permutation")
        {
            return RandomPermutation(hosts, scenario.size, uniform);
        }
        if (scenario.workload == "all-to-all")
        {
            return AllToAll(hosts, scenario.size, uniform);
        }
        if (scenario.workload == "tornado")
        {
            return Tornado(hosts, scenario.size);
        }
        if (scenario.workload == "incast")
        {
            return Incast(hosts, scenario.senders, 0, scenario.size, uniform);
        }
        return scenario.fileFlows;
    }

    /// Delay the starts: those of a host all by the same time.  @param flows the messages
    static void AddJitter(std::vector<Flow>& flows, const FabricScenario& scenario)
    {
        const Ptr<UniformRandomVariable> random = MakeRandom(JITTER_STREAM);
        std::vector<int64_t> delays(scenario.graph->HostCount());
        for (int64_t& delay : delays)
        {
            delay = static_cast<int64_t>(random->GetValue(0, scenario.jitterPs));
        }
        for (Flow& flow : flows)
        {
            flow.startPs += delays[flow.GetStarter()];
        }
    }

    /// Leave only the entries of messages of completed iterations, in the order of results.
    /// @tparam T of an entry  @param [in,out] entries those of all messages, by number
    template <typename T>
    void Keep(std::vector<T>& entries) const
    {
        std::vector<T> kept;
        for (const std::size_t message : m_job.GetMessages())
        {
            kept.push_back(entries[message]);
        }
        entries = std::move(kept);
    }

    /// @return the sending period, in ps  @param bound what is known of links, frames and NICs
    int64_t GetPeriodPs(const BoundParameters& bound) const
    {
        if (m_scenario.periodPs)
        {
            return *m_scenario.periodPs;
        }
        const uint32_t mtu = m_scenario.mtu;
        std::vector<uint64_t> bytes(m_scenario.graph->HostCount());
        for (const FlowRecord& record : m_service->GetRecords())
        {
            const Flow& flow = record.flow;
            const uint64_t packets = (flow.bytes + mtu - 1) / mtu;
            const bool isCounted =
                !flow.inNode && !flow.isBackground && (record.started || !m_scenario.training);
            bytes[flow.source] +=
                !isCounted ? 0 : flow.bytes + packets * (bound.headerBytes + bound.gapBytes);
        }
        const double most = *std::max_element(bytes.begin(), bytes.end());
        const double rate = static_cast<double>(m_scenario.rate) * m_scenario.graph->Planes();
        return std::llround(most * BIT_PS_PER_BYTE / rate);
    }

    const FabricScenario& m_scenario;      //!< the scenario
    std::vector<Flow> m_flows;             //!< the messages
    Ptr<LossOracle> m_oracle;              //!< reports losses to senders
    Ptr<MessageService> m_service;         //!< who carries them
    Ptr<FluidCarrier> m_fluid;             //!< carries them by rates, or null
    std::unique_ptr<FluidFaults> m_faults; //!< of which it learns, or null
    Ptr<FlowDriver> m_background;          //!< who starts those for which the run does not wait
    JobRun m_job;                          //!< who starts them
};

} // namespace aifabric
} // namespace ns3

#endif /* RUN_TRAFFIC_H */
