/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SCENARIO_RUN_H
#define SCENARIO_RUN_H

#include "aggregation-run.h"
#include "fabric-scenario.h"
#include "fatal-error-line.h"
#include "option-value.h"
#include "policy-kinds.h"
#include "program-version.h"
#include "run-end.h"
#include "run-files.h"
#include "run-results.h"
#include "run-traffic.h"
#include "simulated-fabric.h"
#include "telemetry-watch.h"

#include "ns3/event-log.h"
#include "ns3/fabric-clock.h"
#include "ns3/fabric-pcap-helper.h"
#include "ns3/heartbeat.h"
#include "ns3/measure-run.h"
#include "ns3/output-folder.h"
#include "ns3/progress-reporter.h"
#include "ns3/rank-transport.h"
#include "ns3/rho-max.h"
#include "ns3/simulator.h"
#include "ns3/stall-watch.h"
#include "ns3/switch-balancer.h"
#include "ns3/window-simulator.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <ostream>
#include <set>
#include <sstream>
#include <unistd.h>
#include <utility>

namespace ns3
{
namespace aifabric
{

/// One run of a FabricScenario: it builds the fabric, sends the traffic, and leaves the results.
///
/// Random streams are fixed by what they are for, so runs that differ in policies only have the
/// same traffic, starts and losses. There may be one run a process.
class ScenarioRun
{
  public:
    /// Make the folder for the results, and build what the scenario describes.  @param scenario the
    /// scenario; must outlive the run  @param messages where progress and reports of a stall go
    /// @throws OptionError if the folder cannot be written
    ScenarioRun(const FabricScenario& scenario, std::ostream& messages)
        : m_scenario(scenario),
          m_messages(messages),
          m_traffic(scenario)
    {
        try
        {
            SetUp();
        }
        catch (const std::exception&)
        {
            RankTransport::SelectErrorReporter(true);
            throw;
        }
        m_isSetUp = true;
        RankTransport::SelectErrorReporter(false);
    }

    ~ScenarioRun()
    {
        FatalErrorLine::SetCleanup(nullptr);
        TearDown();
    }

    /// Refuse what the run would refuse when it builds its fabric, as it would. Larger fabrics than
    /// take a moment are not built.
    static void Check(const FabricScenario& scenario)
    {
        constexpr std::size_t MOST_LINKS = 20000;
        const std::string fault = OutputFolder::FindFault(scenario.out);
        if (!fault.empty())
        {
            throw OptionError("out", scenario.out, fault);
        }
        if (scenario.graph->Links().size() <= MOST_LINKS)
        {
            SimulatedFabric fabric(scenario, 1);
            fabric.InitializeNodes();
            fabric.Dispose();
            Simulator::Destroy();
        }
    }

    /// How a run ends. Unless all is completed, it reports why.
    enum class End
    {
        COMPLETED, //!< all messages were acknowledged
        FAILED,    //!< all but those of queue pairs that have given up
        STALLED    //!< there are no results
    };

    /// Run it.  @return how it ends
    End Run()
    {
        if (GetBuildProfile() == "debug")
        {
            m_messages
                << "ai-fabric-run: this is a debug build, which is several times slower than a "
                   "release build"
                << std::endl;
        }
        m_heartbeat.Start();
        const WindowSimulator* const windows = WindowSimulator::Get();
        m_facts.usesWindows = windows;
        m_facts.control = DescribeControl();
        m_facts.threads = windows ? windows->GetThreads() : 1;
        const ProcessCost loop;
        Simulator::Run();
        m_facts.loopSeconds = loop.GetWallSeconds();
        if (m_progress)
        {
            m_progress->Finish();
        }
        const MessageService& service = m_traffic.GetService();
        const std::size_t pending = service.GetExpected() - service.GetCompleted();
        const uint64_t allPending = RankTransport::Sum(pending);
        const bool hasFailed = m_watch->HasFailed();
        const bool hasStalled = m_watch->HasStalled() || (allPending > 0 && !hasFailed);
        if (hasStalled || hasFailed) // the last message may have come in between
        {
            ReportStall(pending > 0 || (allPending == 0 && RankTransport::GetRank() == 0));
        }
        if (hasStalled)
        {
            return End::STALLED;
        }
        if (hasFailed)
        {
            m_traffic.EndByFailure();
        }
        const uint64_t observing = m_heartbeat.GetEvents() + m_end->GetEvents();
        m_facts.events = RankTransport::Sum(Simulator::GetEventCount() - observing);
        return hasFailed ? End::FAILED : End::COMPLETED;
    }

    /// Leave the results in the scenario's folder. To be called after Run().
    void WriteResults()
    {
        m_traffic.CheckQueues();
        m_events->Close();
        RunMeasures measures = MeasureRun(m_fabric->GetCatalog(),
                                          m_fabric->GetParts().switches,
                                          m_fabric->GetParts().nics,
                                          m_traffic.GetService());
        m_traffic.CountLinks(m_fabric->GetBoundParameters(), measures);
        // There may be no queue pair that counts.
        const bool sendsNothing =
            !m_scenario.HasSumsAlone() && m_traffic.GetService().GetExpected() == 0;
        if (m_scenario.nodes.GetGpus() > 1 || sendsNothing || m_scenario.isFluid)
        {
            AddZeros(measures);
        }
        m_traffic.KeepCompleted(measures.flows);
        if (m_fabric->GetProber())
        {
            m_fabric->GetProber()->Count(measures.policies);
        }
        if (m_fabric->GetEngineer() && RankTransport::GetRank() == 0) // all ranks have the same one
        {
            m_fabric->GetEngineer()->Count(measures.policies);
        }
        m_telemetry->Count(measures.policies);
        RunSamples samples = m_telemetry->Take();
        const BoundParameters bound = m_fabric->GetBoundParameters();
        TrafficOutcome outcome = m_traffic.TakeOutcome(bound);
        if (m_scenario.HasSumJobs())
        {
            outcome.iteration = m_aggregation->GetTimes();
        }
        if (m_aggregation)
        {
            outcome.aggregation = m_aggregation->Summarize(outcome.iteration->endPs);
        }
        m_facts.endPs = FabricClock::Now();
        m_facts.convergences = m_fabric->GetConvergence().GetConvergences();
        m_facts.updatedSwitches = m_fabric->GetConvergence().GetUpdatedSwitches();
        TearDown(); // closes the captures
        Gather(measures, samples, outcome.mostActive);
        if (RankTransport::GetRank() > 0)
        {
            m_files->GetFolder().Discard();
            return;
        }
        m_results = std::make_unique<RunResults>(m_scenario,
                                                 m_fabric->GetCatalog(),
                                                 m_facts,
                                                 std::move(outcome),
                                                 std::move(measures),
                                                 bound);
        m_results->Write(m_files->GetFolder(), samples);
    }

    /// Print the results, shortly, in the form that was asked for. To be called after
    /// WriteResults().
    void PrintSummary(std::ostream& os) const
    {
        if (m_results && m_scenario.json)
        {
            m_results->PrintJson(os);
        }
        else if (m_results && !m_scenario.quiet)
        {
            m_results->Print(os);
        }
    }

  private:
    /// @return what the congestion control derives from the fabric
    std::string DescribeControl() const
    {
        const FabricFacts facts = m_fabric->GetParts().nics[0]->GetFacts(m_scenario.mtu);
        return MakePolicy<CongestionControl>(m_scenario.rateControl)->Describe(facts);
    }

    /// Make everything.
    void SetUp()
    {
        OpenFolder();
        Simulator::SetScheduler(ObjectFactory(m_scenario.scheduler.GetName()));
        if (m_scenario.graph->IsClos())
        {
            m_facts.rhoMax = RhoMax(*m_scenario.graph,
                                    m_scenario.alive,
                                    m_traffic.GetFlows(),
                                    static_cast<double>(m_scenario.fabricRate) / m_scenario.rate);
        }
        m_facts.rho = m_scenario.rho.value_or(m_facts.rhoMax);
        m_fabric = std::make_unique<SimulatedFabric>(m_scenario, m_facts.rho);
        m_fabric->AssignStreams();
        m_events = std::make_unique<EventLog>(m_files->GetEventPath(),
                                              RankTransport::GetRank() == 0,
                                              std::max<int64_t>(m_scenario.delayPs, 1));
        m_events->WatchLinks(m_fabric->GetCatalog());
        m_events->Watch(m_fabric->GetParts().nics);
        m_fabric->InstallFaults(
            *m_events); // what is dead at the start is dead for the first packet
        m_fabric->InstallProber(*m_events);
        m_fabric->InstallDenylist();
        m_telemetry = std::make_unique<TelemetryWatch>(m_scenario, *m_fabric, *m_events);
        InstallTraffic();
        if (AskPolicy(m_scenario.balancer, &SwitchBalancer::IsCentral))
        {
            const BoundParameters bound = m_fabric->GetBoundParameters();
            m_fabric->InstallEngineer(m_traffic.GetDemands(bound), *m_events);
        }
        m_fabric->InstallBypass();
        InstallCaptures();
        InstallObservers();
        m_fabric->InitializeNodes();
    }

    /// Make the folder for the results.
    void OpenFolder()
    {
        m_files = std::make_unique<RunFiles>(m_scenario.out,
                                             m_scenario.hasNewFolder ? OutputFolder::Kind::NEW
                                                                     : OutputFolder::Kind::ANY);
        FatalErrorLine::SetCleanup([this]() {
            m_files->GetFolder().Discard();
            if (!m_isSetUp)
            {
                RankTransport::SelectErrorReporter(true);
            }
        });
    }

    /// Make who carries the messages, and who starts them.
    void InstallTraffic()
    {
        m_end = std::make_unique<RunEnd>(m_scenario.delayPs);
        const auto complete = MakeCallback(&RunEnd::Complete, m_end.get());
        if (m_scenario.aggregation)
        {
            m_aggregation = CreateObject<AggregationRun>();
        }
        if (m_scenario.aggregation && !m_scenario.HasSumJobs())
        {
            m_traffic.SetCarrier(
                m_aggregation->InstallGroups(*m_scenario.aggregation, m_fabric->GetParts().fabric));
        }
        m_traffic.Install(m_fabric->GetParts(), m_fabric->GetBoundParameters(), complete);
        m_traffic.FollowFaults(m_fabric->GetFaults());
        if (m_scenario.HasSumJobs())
        {
            m_aggregation->Install(*m_scenario.aggregation, m_fabric->GetParts().fabric, complete);
        }
        else if (!m_scenario.training && m_traffic.GetService().GetExpected() == 0)
        {
            Simulator::Schedule(Time(0), &RunEnd::Complete, m_end.get(), 0);
        }
    }

    void InstallCaptures()
    {
        FabricPcapHelper helper;
        std::set<std::string> names;
        for (const CaptureSpec& capture : m_scenario.captures)
        {
            const std::string node = capture.isHost ? "host-" + std::to_string(capture.id)
                                                    : m_scenario.graph->SwitchName(capture.id);
            const Ptr<Node> owner =
                capture.isHost ? m_fabric->GetParts().fabric->GetHosts().Get(capture.id)
                               : m_fabric->GetParts().fabric->GetSwitchNodes().Get(capture.id);
            for (uint32_t device = 0; device < owner->GetNDevices(); ++device)
            {
                const std::string name =
                    node + (capture.isHost ? "" : "-" + std::to_string(device)) + ".pcap";
                const bool wanted = capture.isHost || capture.port.value_or(device) == device;
                if (wanted && names.insert(name).second)
                {
                    const std::string path = m_files->AddCapture(name, owner->GetSystemId());
                    if (RankTransport::IsHere(owner))
                    {
                        helper.EnablePcap(path, owner->GetDevice(device), true, true);
                    }
                }
            }
        }
    }

    /// Make who watches the run.
    void InstallObservers()
    {
        m_watch = std::make_unique<StallWatch>(m_traffic.GetService(),
                                               m_fabric->GetParts().nics,
                                               m_fabric->GetParts().switches,
                                               m_fabric->GetCatalog(),
                                               PicoSeconds(m_scenario.stallPs));
        m_watch->SetTakesFailures(m_scenario.job.onFailure == JobSpec::OnFailure::CONTINUE);
        for (const FaultSpec& fault : m_scenario.faults)
        {
            if (fault.down && fault.stopPs)
            {
                m_watch->AddOutage(fault.startPs, *fault.stopPs);
            }
        }
        const bool ends = m_scenario.job.EndsIterations(); // JobRun sees to it
        const auto relevant = static_cast<uint8_t>(ends ? ~StallWatch::FAILED : UINT8_MAX);
        m_watch->SetStateReporter(
            [this, relevant](uint8_t state) { m_end->ReportState(state & relevant); },
            PicoSeconds(m_scenario.delayPs + 1));
        m_end->SetStatesCallback(
            [this](uint8_t states, int64_t age) { m_watch->ProcessStates(states, age); });
        m_telemetry->AddSamplers(
            [this](const std::function<Time()>& sample) { AddSampler(sample); });
        m_heartbeat.Add([this]() { return m_watch->Check(); });
        m_heartbeat.SetDryCallback([this]() { m_watch->RanDry(); });
        if (m_scenario.progress && RankTransport::GetRank() == 0)
        {
            m_progress = std::make_unique<ProgressReporter>(
                m_messages,
                isatty(STDERR_FILENO) == 1,
                m_traffic.GetService(),
                m_scenario.isFluid ? nullptr : &m_fabric->GetCatalog());
            m_heartbeat.Add([this]() { return m_progress->Check(); });
        }
    }

    /// Have someone take samples, from the start of the first message on.  @param sample takes one,
    /// and returns the time until the next one
    void AddSampler(const std::function<Time()>& sample)
    {
        const bool isProbed =
            m_scenario.reachabilityPs > 0; // there are frames before the first message
        const Time first = PicoSeconds(isProbed ? 0 : m_traffic.FirstStart());
        m_heartbeat.Add([first, sample]() {
            const Time wait = first - PicoSeconds(FabricClock::Now());
            return wait.IsStrictlyPositive() ? wait : sample();
        });
    }

    /// Take everything down; what files are open are closed.
    void TearDown()
    {
        m_heartbeat.Stop();
        m_watch = nullptr;
        if (m_telemetry)
        {
            m_telemetry->Dispose();
            m_telemetry = nullptr;
        }
        if (m_aggregation)
        {
            m_aggregation->Dispose();
        }
        m_traffic.Dispose();
        m_fabric->Dispose();
        Simulator::Destroy();
    }

    /// Say why the run will not end, on all ranks.  @param hasPart whether this one has a part in
    /// it
    void ReportStall(bool hasPart) const
    {
        std::ostringstream mine;
        if ((m_watch->HasStalled() || m_watch->HasFailed()) && hasPart)
        {
            m_watch->Print(mine);
        }
        const std::vector<std::string> all = RankTransport::Gather(mine.str());
        for (uint32_t rank = 0; rank < all.size(); ++rank)
        {
            if (!all[rank].empty())
            {
                const std::string who = all.size() > 1 ? "rank " + std::to_string(rank) + " " : "";
                m_messages << "ai-fabric-run: " << who << all[rank];
            }
        }
        m_messages << std::flush;
    }

    /// Bring what all ranks have measured to rank 0.
    /// @param [in,out] measures of this rank, and then of all  @param [in,out] samples the same
    /// @param [in,out] mostActive queue pairs of a host that send, at most; the same
    void Gather(RunMeasures& measures, RunSamples& samples, uint32_t& mostActive)
    {
        m_facts.cpuSeconds = ProcessCost::GetCpuSeconds();
        m_facts.peakBytes = ProcessCost::GetPeakResidentBytes();
        if (RankTransport::GetRanks() == 1)
        {
            return;
        }
        const std::string tag = "rank 5"; // the number is the version
        ByteWriter writer(tag);
        writer.WriteRecord(m_facts.cpuSeconds);
        writer.WriteNumber(m_facts.peakBytes);
        writer.WriteNumber(mostActive);
        writer.WriteText(measures.Write());
        writer.WriteText(samples.queues.Write());
        samples.ForEach([&writer](const auto& part) { WriteSamples(part, writer); });
        m_files->Write(writer);
        const std::vector<std::string> all = RankTransport::Gather(writer.Finish());
        for (uint32_t rank = 0; rank < all.size(); ++rank)
        {
            ByteReader reader(tag, all[rank]);
            const auto seconds = reader.ReadRecord<double>();
            m_facts.cpuSeconds += rank > 0 ? seconds : 0;
            m_facts.peakBytes = std::max(m_facts.peakBytes, reader.ReadNumber());
            mostActive = std::max(mostActive, static_cast<uint32_t>(reader.ReadNumber()));
            const std::string theirs = reader.ReadText();
            const std::string queues = reader.ReadText();
            if (rank > 0)
            {
                measures.Merge(RunMeasures::Read(theirs));
                samples.queues.Merge(QueueSamples::Read(queues));
            }
            samples.ForEach([&](auto& part) { MergeSamples(part, rank, reader); });
            m_files->Take(rank, reader);
        }
        if (!all.empty())
        {
            m_files->MergeEvents();
        }
    }

    const FabricScenario& m_scenario;             //!< the scenario
    std::ostream& m_messages;                     //!< where progress and reports go
    RunFacts m_facts;                             //!< what is known of the run
    std::unique_ptr<RunFiles> m_files;            //!< where the results go
    RunTraffic m_traffic;                         //!< the messages
    Ptr<AggregationRun> m_aggregation;            //!< jobs whose gradients switches add up; or null
    std::unique_ptr<SimulatedFabric> m_fabric;    //!< the fabric
    std::unique_ptr<EventLog> m_events;           //!< who writes down what happens
    std::unique_ptr<TelemetryWatch> m_telemetry;  //!< samples the telemetry that was asked for
    std::unique_ptr<StallWatch> m_watch;          //!< who notices a stall
    std::unique_ptr<RunEnd> m_end;                //!< who ends the run
    std::unique_ptr<ProgressReporter> m_progress; //!< who says how far it is
    Heartbeat m_heartbeat;                        //!< who calls them
    std::unique_ptr<RunResults> m_results;        //!< what came of it
    bool m_isSetUp{false};                        //!< everything is made, on all ranks

    /// Write what a rank has sampled.  @tparam T of it  @param samples it, if that was asked for
    /// @param writer where
    template <typename T>
    static void WriteSamples(const std::optional<T>& samples, ByteWriter& writer)
    {
        writer.WriteText(samples ? samples->Write() : "");
    }

    /// Add what a rank has written by WriteSamples().  @tparam T of it
    /// @param [in,out] samples all, if that was asked for; has those of rank 0 already
    /// @param reader what it has written
    template <typename T>
    static void MergeSamples(std::optional<T>& samples, uint32_t rank, ByteReader& reader)
    {
        const std::string bytes = reader.ReadText();
        if (samples && rank > 0)
        {
            samples->Merge(T::Read(bytes));
        }
    }

    /// Add the counters that no queue pair has counted.
    static void AddZeros(RunMeasures& measures)
    {
        for (const char* const name : {"data_packets",
                                       "retransmissions",
                                       "repair_packets",
                                       "discarded_packets",
                                       "out_of_sequence",
                                       "max_reordering_packets",
                                       "acks",
                                       "nacks",
                                       "timeouts"})
        {
            measures.totals.emplace(name, 0);
        }
    }
};

} // namespace aifabric
} // namespace ns3

#endif /* SCENARIO_RUN_H */
