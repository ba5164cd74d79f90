/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_RESULTS_H
#define RUN_RESULTS_H

#include "fabric-scenario.h"
#include "program-version.h"
#include "run-facts.h"
#include "run-notes.h"
#include "run-summary.h"
#include "run-traffic.h"
#include "telemetry-watch.h"

#include "ns3/csv-writer.h"
#include "ns3/json-file.h"
#include "ns3/node-table.h"
#include "ns3/output-folder.h"
#include "ns3/pause-counts.h"
#include "ns3/pause-table.h"
#include "ns3/plane-series.h"
#include "ns3/plane-tables.h"
#include "ns3/printable.h"
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
          m_reports(Report(scenario, m_outcome)),
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
        if (m_reports.jobs)
        {
            m_reports.jobs->Write(folder.Add("jobs.csv"));
        }
        if (m_reports.background)
        {
            m_reports.background->Write(folder.Add("background.csv"));
        }
        if (m_reports.job)
        {
            m_reports.job->WriteIterations(folder.Add("iterations.csv"));
        }
        if (!m_scenario.isFluid || m_scenario.fluidClass.hasLinks)
        {
            m_report.WriteLinks(folder.Add("links.csv"), !m_scenario.isFluid);
        }
        if (!m_scenario.isFluid)
        {
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

    /// Print the results, shortly. To be called after Write().
    void Print(std::ostream& os) const
    {
        Summary(m_summary["results"]).Print(os);
        os << "results          " << OneLine(m_folder)
           << (m_link.empty() ? "" : " (" + OneLine(m_link) + ")") << "\n";
        for (const std::string& note : m_scenario.notes)
        {
            os << std::left << std::setw(RunSummary::LABEL) << m_scenario.workload << note << "\n";
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
    /// @return what is printed  @param results those of run.json
    RunSummary Summary(const nlohmann::ordered_json& results) const
    {
        return {m_scenario, m_facts, m_outcome, m_report, m_reports, results};
    }

    /// @return what came of jobs and of flows beside them
    static RunReports Report(const FabricScenario& scenario, const TrafficOutcome& outcome)
    {
        RunReports reports;
        if (!scenario.jobs.empty())
        {
            reports.jobs.emplace(scenario.jobs, *outcome.collectives, [&outcome](uint32_t host) {
                return outcome.jobTimes[host];
            });
        }
        if (scenario.background.kind != BackgroundSpec::Kind::NONE)
        {
            const std::size_t listed = scenario.background.flows.size();
            const std::size_t started = outcome.background.size();
            reports.background.emplace(outcome.background, listed > started ? listed - started : 0);
        }
        if (outcome.job)
        {
            reports.job.emplace(scenario.job, *outcome.job);
        }
        return reports;
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
        nlohmann::ordered_json results;
        m_report.AddResults(results);
        if (m_scenario.isFluid)
        {
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
        if (m_reports.jobs)
        {
            m_reports.jobs->AddResults(results["jobs"]);
        }
        if (m_reports.background)
        {
            m_reports.background->AddResults(results["background"]);
        }
        if (!m_outcome.aggregation.is_null())
        {
            results["aggregation"] = m_outcome.aggregation;
        }
        if (m_reports.job)
        {
            m_reports.job->AddResults(results["job"]);
        }
        AddFailures(results);
        results["events"] = m_facts.events;
        AddCost(results);
        json["results"] = results;
        if (m_scenario.isFluid)
        {
            AddFidelity(json["fidelity"]);
        }
        json["summary"] = Summary(results).ToJson();
        json["files"] = folder.GetNames();
        return json;
    }

    /// Add how closely rates give the results of packets.  @param json the object that is to hold
    /// it
    void AddFidelity(nlohmann::ordered_json& json) const
    {
        const FluidClass& fluid = m_scenario.fluidClass;
        json["checked"] = !m_scenario.isUnchecked;
        if (m_scenario.isUnchecked)
        {
            return;
        }
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
    RunReports m_reports;             //!< of jobs and other flows
    RunReport m_report;               //!< the numbers
    nlohmann::ordered_json m_summary; //!< run.json
    std::string m_folder;             //!< where it is
    std::string m_link;               //!< a link to the folder; empty: none
};

} // namespace aifabric
} // namespace ns3

#endif /* RUN_RESULTS_H */
