/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_RESULTS_H
#define RUN_RESULTS_H

#include "fabric-scenario.h"
#include "job-report.h"
#include "option-sections.h"
#include "policy-kinds.h"
#include "program-version.h"
#include "run-notes.h"
#include "run-traffic.h"
#include "telemetry-watch.h"

#include "ns3/background-report.h"
#include "ns3/buffer-admission.h"
#include "ns3/cluster-report.h"
#include "ns3/congestion-control.h"
#include "ns3/csv-writer.h"
#include "ns3/json-file.h"
#include "ns3/loss-recovery.h"
#include "ns3/node-table.h"
#include "ns3/output-folder.h"
#include "ns3/pause-counts.h"
#include "ns3/pause-table.h"
#include "ns3/plane-series.h"
#include "ns3/plane-tables.h"
#include "ns3/printable.h"
#include "ns3/process-cost.h"
#include "ns3/rank-transport.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/run-report.h"
#include "ns3/telemetry-tables.h"

#include <algorithm>
#include <iomanip>
#include <optional>
#include <ostream>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace ns3
{
namespace aifabric
{

/// What is known of a run beside what was measured.
struct RunFacts
{
    ProcessCost cost;            //!< of this process, since the run was made
    double rhoMax{1};            //!< what the links can bear, of the line rate
    double rho{1};               //!< what hosts send, of the line rate
    uint64_t convergences{0};    //!< how often routing has converged
    uint64_t updatedSwitches{0}; //!< switches that had to change
    uint64_t events{0};          //!< of the run itself
    double cpuSeconds{0};        //!< of all ranks
    double loopSeconds{0};       //!< on the clock, of the event loop
    bool usesWindows{false};     //!< WindowSimulator ran it, instead of an event list
    uint32_t threads{1};         //!< that ran it
    uint64_t peakBytes{0};       //!< of the rank that needed most
    int64_t endPs{0};            //!< when measuring ended
};

/// The results of a run: its tables, run.json, and what is printed of them.
class RunResults
{
  public:
    /// @param scenario the scenario; must outlive this  @param catalog the ports; must outlive
    /// this  @param facts what is known of the run; must outlive this  @param outcome what came of
    /// its messages  @param measures what was measured on all ranks  @param bound what is known of
    /// links, frames and NICs
    RunResults(const FabricScenario& scenario,
               const PortCatalog& catalog,
               const RunFacts& facts,
               TrafficOutcome outcome,
               RunMeasures measures,
               const BoundParameters& bound)
        : m_scenario(scenario),
          m_catalog(catalog),
          m_facts(facts),
          m_outcome(std::move(outcome)),
          m_report({*scenario.graph,
                    catalog,
                    m_outcome.flows,
                    m_outcome.origins,
                    m_outcome.iteration,
                    facts.endPs},
                   std::move(measures),
                   bound,
                   GetMatrix(),
                   m_outcome.periodPs)
    {
    }

    /// Write all files.  @param folder where  @param samples what was seen while the run went on
    void Write(OutputFolder& folder, const RunSamples& samples)
    {
        m_folder = m_scenario.hasNewFolder ? folder.GetPath() : m_scenario.out;
        m_report.WriteFlows(folder.Add("flows.csv"));
        if (m_outcome.collectives)
        {
            m_outcome.collectives->WriteCollectives(folder.Add("collectives.csv"));
            m_outcome.collectives->WriteSteps(folder.Add("steps.csv"));
        }
        if (m_scenario.nodeTimes)
        {
            NodeTable(m_outcome.nodes).Write(folder.Add("nodes.csv"));
        }
        if (!m_scenario.jobs.empty())
        {
            ReportJobs().Write(folder.Add("jobs.csv"));
        }
        if (HasBackground())
        {
            ReportBackground().Write(folder.Add("background.csv"));
        }
        if (m_outcome.job)
        {
            JobReport(m_scenario.job, *m_outcome.job).WriteIterations(folder.Add("iterations.csv"));
        }
        if (!m_scenario.isFluid)
        {
            m_report.WriteLinks(folder.Add("links.csv"));
            m_report.WriteLayers(folder.Add("layers.csv"));
            m_report.WriteQueues(folder.Add("queues.csv"), samples.queues);
        }
        if (samples.planes)
        {
            WritePlanes(folder, *samples.planes);
        }
        if (samples.pauses)
        {
            const PauseTable table(*samples.pauses);
            table.Write(folder.Add("pfc.csv"), m_catalog);
            if (samples.pauseSeries)
            {
                table.WriteSeries(folder.Add("pfc-series.csv"), m_catalog, *samples.pauseSeries);
            }
        }
        WriteTelemetry(folder, samples);
        m_summary = Summarize(folder, samples);
        WriteJson(folder.Add("run.json"), m_summary);
        folder.Commit();
        m_link = m_scenario.hasNewFolder ? folder.LinkAs("latest") : "";
    }

    /// Print the results, shortly.
    void Print(std::ostream& os) const
    {
        PrintResults(os);
        os << "results          " << OneLine(m_folder)
           << (m_link.empty() ? "" : " (" + OneLine(m_link) + ")") << "\n";
        for (const std::string& note : m_scenario.notes)
        {
            os << std::left << std::setw(LABEL) << m_scenario.workload << note << "\n";
        }
    }

    /// Print the results as a line of JSON. To be called after Write().
    void PrintJson(std::ostream& os) const
    {
        os << DumpJson({{"folder", m_folder},
                        {"notes", m_scenario.notes},
                        {"summary", m_summary["summary"]},
                        {"results", m_summary["results"]}})
           << "\n";
    }

  private:
    static constexpr int LABEL = 17; //!< characters before what is said of the results

    /// Print the results, without where they are.
    void PrintResults(std::ostream& os) const
    {
        const RunReport::Results& results = m_report.GetResults();
        constexpr double PS_PER_US = 1e6;
        if (!m_scenario.aggregation)
        {
            os << "stack            " << DescribeStack(m_scenario) << "\n";
        }
        const std::vector<std::size_t>& failed = m_report.GetResults().failed;
        if (!failed.empty())
        {
            os << "failed           " << failed.size() << " of " << m_outcome.flows.size()
               << " messages: flows.csv has no completed_ns for them, and all times below are "
                  "of the others\n";
        }
        os << std::fixed << std::setprecision(3) << "completion time  " << results.cctPs / PS_PER_US
           << " us";
        if (results.boundPs > 0)
        {
            os << ", " << std::setprecision(2) << results.increasePercent
               << " % over the lower bound of " << std::setprecision(3)
               << results.boundPs / PS_PER_US << " us" << DescribeBound();
        }
        os << "\n";
        if (m_outcome.collectives)
        {
            m_outcome.collectives->Print(os);
        }
        if (HasBackground())
        {
            ReportBackground().Print(os);
        }
        PrintRate(os);
        PrintPackets(os);
        PrintFaults(os);
        if (m_outcome.job)
        {
            JobReport(m_scenario.job, *m_outcome.job).Print(os);
        }
        PrintMarks(os);
        PrintWarning(os);
    }

    /// @return what is printed of the results, for run.json: pairs of a label and a text
    nlohmann::ordered_json DescribeResults() const
    {
        std::stringstream printed;
        PrintResults(printed);
        nlohmann::ordered_json lines = nlohmann::ordered_json::array();
        for (std::string line; std::getline(printed, line);)
        {
            const std::string label = line.substr(0, LABEL);
            lines.push_back(
                nlohmann::ordered_json::array({label.substr(0, label.find_last_not_of(' ') + 1),
                                               line.size() > LABEL ? line.substr(LABEL) : ""}));
        }
        return lines;
    }

    /// @return what became of jobs that share the fabric
    ClusterReport ReportJobs() const
    {
        return {m_scenario.jobs, *m_outcome.collectives, [this](uint32_t host) {
                    return m_outcome.jobEnds[host];
                }};
    }

    /// @return whether there are flows for which the run did not wait
    bool HasBackground() const
    {
        return m_scenario.background.kind != BackgroundSpec::Kind::NONE;
    }

    /// @return what became of these
    BackgroundReport ReportBackground() const
    {
        const std::size_t listed = m_scenario.background.flows.size();
        const std::size_t started = m_outcome.background.size();
        return {m_outcome.background, listed > started ? listed - started : 0};
    }

    /// Print what became of packets, or that there were none.
    void PrintPackets(std::ostream& os) const
    {
        constexpr double NS_PER_US = 1e3;
        const RunReport::Results& results = m_report.GetResults();
        if (m_scenario.isFluid)
        {
            const FluidClass& fluid = m_scenario.fluidClass;
            os << "fidelity         fluid, no packets: " << std::defaultfloat << fluid.median
               << " % from packets in the median, " << fluid.most << " % at most, in "
               << fluid.scenarios << " scenarios of the class " << fluid.name << "\n"
               << std::fixed;
            return;
        }
        os << "switch queues    at most " << results.maxQueuePackets << " packets, "
           << std::setprecision(2) << results.meanQueuePackets << " on average\n"
           << "losses           " << results.drops << " packets dropped, ";
        if (results.trimmed > 0)
        {
            os << results.trimmed << " trimmed, ";
        }
        os << results.linkLosses << " lost on links, ";
        if (m_outcome.aggregation.is_null())
        {
            os << results.sentAgain << " retransmissions, " << results.timeouts << " timeouts\n";
        }
        else
        {
            const nlohmann::ordered_json& json = m_outcome.aggregation;
            os << json["retransmissions"] << " retransmissions\n"
               << "aggregation      " << std::setprecision(3)
               << json["jct_ns"].get<double>() / NS_PER_US << " us a job on average, "
               << std::setprecision(2) << 100 * json["hit_share"].get<double>()
               << " % of the packets added up, " << json["wrong_sums"] << " wrong sums\n";
        }
    }

    /// @return whether the rate of the hosts, and so the bound, takes a fault into account
    bool IsInRate(const FaultSpec& fault) const
    {
        return !m_scenario.rho && fault.IsDead();
    }

    /// @return what the bound is computed from, in brackets; empty: hosts send at line rate,
    /// and there are no faults
    std::string DescribeBound() const
    {
        const std::vector<FaultSpec>& faults = m_scenario.faults;
        const auto isInRate = [this](const FaultSpec& fault) { return IsInRate(fault); };
        std::string text;
        if (m_facts.rho < 1)
        {
            text = " (computed at the rate of the hosts";
        }
        if (!std::all_of(faults.begin(), faults.end(), isInRate))
        {
            const bool hasSome = std::any_of(faults.begin(), faults.end(), isInRate);
            text += text.empty() ? " (computed " : ", ";
            text += hasSome ? "without the other faults" : "without faults";
        }
        return text.empty() ? text : text + ")";
    }

    /// @return how often a fault has begun by the end of the run; one that flaps begins
    /// repeatedly
    uint64_t CountBegins(const FaultSpec& fault) const
    {
        const int64_t end = std::min(m_facts.endPs, fault.stopPs.value_or(m_facts.endPs));
        if (fault.startPs > 0 && fault.startPs >= end)
        {
            return 0;
        }
        if (fault.periodPs == 0)
        {
            return 1;
        }
        const int64_t begins = (end - fault.startPs - 1) / fault.periodPs + 1;
        return fault.count > 0 ? std::min(begins, fault.count) : begins;
    }

    /// @return whether a link was cut, and the run ended before all switches knew of any cut
    bool EndedBeforeConvergence() const
    {
        const auto isCut = [this](const FaultSpec& fault) {
            return fault.down && CountBegins(fault) > 0;
        };
        return m_scenario.convergencePs && m_facts.convergences == 0 &&
               std::any_of(m_scenario.faults.begin(), m_scenario.faults.end(), isCut);
    }

    /// Print how many faults began, what they have cost, and whether routing learned of cuts.
    void PrintFaults(std::ostream& os) const
    {
        if (m_scenario.faults.empty())
        {
            return;
        }
        uint64_t begins = 0;
        for (const FaultSpec& fault : m_scenario.faults)
        {
            begins += CountBegins(fault);
        }
        const uint64_t lost = m_report.GetResults().linkLosses + m_report.GetResults().noRoute;
        os << "faults           ";
        if (begins == 0)
        {
            os << "none had begun when the run ended\n";
        }
        else if (lost == 0)
        {
            os << begins << " began; no frame was lost\n";
        }
        else
        {
            os << begins << " began; " << lost << " frames were lost on links or had no route\n";
        }
        if (EndedBeforeConvergence())
        {
            os << "warning          the run ended before all switches knew of a cut "
                  "(--convergence="
               << m_scenario.options["convergence"].get<std::string>() << ")\n";
        }
    }

    /// Write the tables of telemetry.  @param folder where  @param samples what was seen
    void WriteTelemetry(OutputFolder& folder, const RunSamples& samples) const
    {
        const TelemetryTables tables(*m_scenario.graph, m_catalog);
        const auto write =
            [&](const char* name, auto table, const auto& part, const auto&... others) {
                if (part)
                {
                    (tables.*table)(folder.Add(name), *part, *others...);
                }
            };
        write("link-series.csv", &TelemetryTables::WriteLinks, samples.links);
        write("nic-counters.csv", &TelemetryTables::WriteNics, samples.nics);
        write("nic-series.csv", &TelemetryTables::WriteNicSeries, samples.nicSeries);
        write("queue-peaks.csv", &TelemetryTables::WriteQueues, samples.peaks);
        write("buffers.csv", &TelemetryTables::WriteBuffers, samples.peaks);
        write("queue-series.csv",
              &TelemetryTables::WriteQueueSeries,
              samples.queueSeries,
              samples.peaks);
        write("hop-latency.csv", &TelemetryTables::WriteHops, samples.hops);
        write("hop-series.csv", &TelemetryTables::WriteHopSeries, samples.hopSeries);
        write("reachability.csv", &TelemetryTables::WriteReachability, samples.reachability);
        write("reachability-series.csv",
              &TelemetryTables::WriteProbeSeries,
              samples.probeSeries,
              samples.reachability);
    }

    /// Write the tables of planes over time.  @param folder where  @param series what was seen
    static void WritePlanes(OutputFolder& folder, const PlaneSeries& series)
    {
        const PlaneTables tables(series);
        tables.WritePlanes(folder.Add("planes.csv"));
        if (!series.hosts.empty())
        {
            tables.WriteHosts(folder.Add("plane-hosts.csv"));
        }
        if (series.hasEvs)
        {
            tables.WriteChanges(folder.Add("evs.csv"));
        }
    }

    /// @return run.json  @param folder the folder with all other files
    /// @param samples what was seen while the run went on
    nlohmann::ordered_json Summarize(const OutputFolder& folder, const RunSamples& samples) const
    {
        nlohmann::ordered_json json;
        json["program"] = "ai-fabric-run";
        json["seed"] = RngSeedManager::GetSeed();
        json["run"] = RngSeedManager::GetRun();
        json["buildProfile"] = GetBuildProfile();
        for (const auto& [name, version] : GetVersions())
        {
            json["versions"][name] = version;
        }
        json["options"] = m_scenario.given;
        json["inputs"] = m_scenario.inputs;
        json["attributes"] = ListSetAttributes();
        nlohmann::ordered_json& scenario = json["scenario"];
        scenario = m_scenario.options;
        scenario["period"] = FormatNs(m_outcome.periodPs) + "ns";
        if (m_scenario.hasNewFolder)
        {
            scenario["out"] = m_folder;
        }
        nlohmann::ordered_json& results = json["results"];
        m_report.AddResults(results);
        if (m_scenario.isFluid)
        {
            AddFidelity(json["fidelity"]);
            RemovePackets(results);
        }
        if (samples.pauses)
        {
            PauseTable(*samples.pauses).AddResults(results);
        }
        results["max_active_queue_pairs"] = m_outcome.mostActive;
        if (m_outcome.collectives)
        {
            m_outcome.collectives->AddResults(results["collectives"]);
        }
        if (!m_scenario.jobs.empty())
        {
            ReportJobs().AddResults(results["jobs"]);
        }
        if (HasBackground())
        {
            ReportBackground().AddResults(results["background"]);
        }
        if (!m_outcome.aggregation.is_null())
        {
            results["aggregation"] = m_outcome.aggregation;
        }
        if (m_outcome.job)
        {
            JobReport(m_scenario.job, *m_outcome.job).AddResults(results["job"]);
        }
        AddFailures(results);
        results["events"] = m_facts.events;
        AddCost(results);
        json["summary"] = DescribeResults();
        json["files"] = folder.GetNames();
        return json;
    }

    /// Add how closely rates give the results of packets.  @param json the object that is to hold
    /// it
    void AddFidelity(nlohmann::ordered_json& json) const
    {
        const FluidClass& fluid = m_scenario.fluidClass;
        json["class"] = fluid.name;
        json["median_error_percent"] = fluid.median;
        json["max_error_percent"] = fluid.most;
        json["scenarios"] = fluid.scenarios;
    }

    /// Leave only results that need no packets: the others are null.  @param [in,out] results those
    /// of run.json
    static void RemovePackets(nlohmann::ordered_json& results)
    {
        const std::set<std::string> kept = {"cct_ns",
                                            "max_fct_ns",
                                            "p99_fct_ns",
                                            "mean_fct_ns",
                                            "measured_ns",
                                            "bound_ns",
                                            "increase_percent",
                                            "bound_formula",
                                            "completion_bound_ns",
                                            "line_rate_bound_ns",
                                            "published_bound_ns",
                                            "sending_period_ns",
                                            "messages",
                                            "message_bytes",
                                            "failed_messages",
                                            "failed_message_numbers"};
        for (const auto& [name, value] : results.items())
        {
            if (kept.count(name) == 0)
            {
                results[name] = nullptr;
            }
        }
    }

    /// Add what was known of failures.  @param results the object that is to hold it
    void AddFailures(nlohmann::ordered_json& results) const
    {
        std::vector<std::string> failed;
        for (uint32_t link = 0; link < m_scenario.alive.size(); ++link)
        {
            if (!m_scenario.alive[link])
            {
                failed.push_back(m_scenario.graph->LinkName(link));
            }
        }
        results["failed_links"] = failed;
        results["rho_max"] = m_scenario.graph->IsClos() ? nlohmann::ordered_json(m_facts.rhoMax)
                                                        : nlohmann::ordered_json();
        results["rho"] = m_facts.rho;
        results["convergences"] = m_facts.convergences;
        results["updated_switches"] = m_facts.updatedSwitches;
    }

    /// Add what the run has cost.  @param results the object that is to hold it
    void AddCost(nlohmann::ordered_json& results) const
    {
        results["ranks"] = RankTransport::GetRanks();
        results["simulator"] = m_facts.usesWindows ? "windows" : "events";
        results["threads"] = m_facts.threads;
        results["cpu_s"] = m_facts.cpuSeconds;
        results["wall_s"] = m_facts.cost.GetWallSeconds();
        results["loop_wall_s"] = m_facts.loopSeconds;
        results["peak_rss_bytes"] = m_facts.peakBytes;
        results["packet_hops_per_cpu_s"] =
            m_scenario.isFluid
                ? nlohmann::ordered_json()
                : nlohmann::ordered_json(m_report.GetResults().packetHops / m_facts.cpuSeconds);
    }

    /// Print from which queue on switches mark, if that was derived, and warn if none marks
    /// although the congestion control expects it.
    void PrintMarks(std::ostream& os) const
    {
        const nlohmann::ordered_json& options = m_scenario.options;
        if (options["trimmingSource"].is_string())
        {
            os << "trims            from queues of more than " << options["trimmingThreshold"]
               << " bytes, " << options["trimmingLastHop"] << " at the last hop ("
               << options["trimmingSource"].get<std::string>() << ")\n";
        }
        if (options["markingSource"].is_string())
        {
            os << "marks            in queues of more than " << options["markingThreshold"];
            if (options["markingCeiling"] > options["markingThreshold"])
            {
                os << " to " << options["markingCeiling"];
            }
            os << " bytes (" << options["markingSource"].get<std::string>() << ")\n";
        }
        const auto control = MakePolicy<CongestionControl>(m_scenario.rateControl);
        if (!m_scenario.marker && control->GetMarkingLaw({}))
        {
            os << "warning          --marker=none: no switch marks packets, and the congestion "
                  "control "
                  "expects marks\n";
        }
    }

    /// Print the rate at which hosts send, if they have several planes or send below line rate.
    void PrintRate(std::ostream& os) const
    {
        const uint32_t planes = m_scenario.graph->Planes();
        if (planes == 1 && m_facts.rho == 1)
        {
            return;
        }
        constexpr double GIGA = 1e9;
        constexpr double PERCENT = 100;
        const double rate = m_scenario.rate / GIGA;
        os << std::defaultfloat << std::setprecision(4) << "host rate        "
           << rate * planes * m_facts.rho << " Gb/s: ";
        if (m_facts.rho < 1)
        {
            os << PERCENT * m_facts.rho << " % (--rho) of ";
        }
        os << planes << (planes > 1 ? " planes of " : " port of ") << rate << " Gb/s\n"
           << std::fixed;
    }

    /// Warn of a completion time that only an ideal recovery reaches, because much was lost.
    void PrintWarning(std::ostream& os) const
    {
        if (m_scenario.aggregation)
        {
            return; // it has a recovery of its own
        }
        if (FindUsualAdmission(m_scenario.transport) &&
            !MakePolicy<BufferAdmission>(m_scenario.admission)->Trims())
        {
            os << "warning          switches do not trim, and "
               << m_scenario.options.at("transport").get<std::string>()
               << " takes drops for failed paths; --admission=trimming\n";
        }
        const bool isIdeal = MakePolicy<LossRecovery>(m_scenario.recovery)->GetTraits().isIdeal;
        const RunReport::Results& results = m_report.GetResults();
        const uint64_t lost = results.drops + results.linkLosses + results.trimmed;
        constexpr uint64_t PERCENT = 100;
        if (isIdeal && PERCENT * lost > results.framesSent)
        {
            const double percent = static_cast<double>(PERCENT * lost) / results.framesSent;
            os << "warning          " << std::fixed << std::setprecision(1) << percent
               << " % of all packets were lost, and this recovery is ideal: a real one, such as "
                  "--recovery=sack or go-back-n, may take much longer\n";
        }
        if (lost == 0 && results.sentAgain > 0 && !isIdeal)
        {
            os << "warning          no packet was lost, and " << results.sentAgain
               << " were sent again: the recovery takes reordered packets for lost ones; "
                  "--stack=uec has one that expects any order\n";
        }
        constexpr uint64_t MANY = 10; // percent
        if (PERCENT * results.trimmed > MANY * results.framesSent &&
            !MakePolicy<CongestionControl>(m_scenario.rateControl)->Adapts())
        {
            const double percent =
                static_cast<double>(PERCENT * results.trimmed) / results.framesSent;
            os << "warning          " << std::fixed << std::setprecision(1) << percent
               << " % of all packets were trimmed: a window that does not adapt sends each of them "
                  "again at once; --rateControl=nscc reduces it\n";
        }
    }

    /// @return the traffic, if it is regular
    RunReport::Matrix GetMatrix() const
    {
        const uint64_t others = m_scenario.graph->HostCount() - 1;
        if (m_scenario.training || m_outcome.job || m_scenario.nodes.GetGpus() > 1)
        {
            return {};
        }
        if (m_scenario.workload == "permutation" || m_scenario.workload == "tornado")
        {
            return {m_scenario.size, 1};
        }
        if (m_scenario.workload == "all-to-all")
        {
            return {m_scenario.size, others};
        }
        return {};
    }

    const FabricScenario& m_scenario; //!< the scenario
    const PortCatalog& m_catalog;     //!< the ports
    const RunFacts& m_facts;          //!< what is known of the run
    TrafficOutcome m_outcome;         //!< what came of its messages
    RunReport m_report;               //!< the numbers
    nlohmann::ordered_json m_summary; //!< run.json
    std::string m_folder;             //!< where it is
    std::string m_link;               //!< a link to the folder; empty: none
};

} // namespace aifabric
} // namespace ns3

#endif /* RUN_RESULTS_H */
