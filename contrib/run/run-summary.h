/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RUN_SUMMARY_H
#define RUN_SUMMARY_H

#include "fabric-scenario.h"
#include "job-report.h"
#include "option-sections.h"
#include "policy-kinds.h"
#include "run-facts.h"
#include "run-traffic.h"

#include "ns3/background-report.h"
#include "ns3/buffer-admission.h"
#include "ns3/cluster-report.h"
#include "ns3/congestion-control.h"
#include "ns3/loss-recovery.h"
#include "ns3/path-telemetry.h"
#include "ns3/printable.h"
#include "ns3/run-report.h"

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What came of jobs and of flows beside them, if there are such.
struct RunReports
{
    std::optional<ClusterReport> jobs;          //!< that share the fabric
    std::optional<BackgroundReport> background; //!< flows for which the run did not wait
    std::optional<JobReport> job;               //!< of repeated iterations
};

/// What is printed of the results of a run, a line each: a label and a text.
class RunSummary
{
  public:
    static constexpr int LABEL = 17; //!< characters of a label

    /// All must outlive this.  @param scenario what was asked for  @param facts what is known of
    /// the run  @param outcome what came of its messages  @param report the numbers  @param reports
    /// of jobs and other flows  @param results those of run.json
    RunSummary(const FabricScenario& scenario,
               const RunFacts& facts,
               const TrafficOutcome& outcome,
               const RunReport& report,
               const RunReports& reports,
               const nlohmann::ordered_json& results)
        : m_scenario(scenario),
          m_facts(facts),
          m_outcome(outcome),
          m_report(report),
          m_reports(reports),
          m_results(results)
    {
    }

    /// Print them.
    void Print(std::ostream& os) const
    {
        const RunReport::Results& results = m_report.GetResults();
        constexpr double PS_PER_US = 1e6;
        PrintNetwork(os);
        if (!m_scenario.HasSumsAlone())
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
        if (m_reports.background)
        {
            m_reports.background->Print(os);
        }
        PrintReads(os);
        PrintPackets(os);
        PrintControl(os);
        PrintSignals(os);
        PrintFaults(os);
        if (m_reports.job)
        {
            m_reports.job->Print(os);
        }
        PrintMarks(os);
        PrintWarning(os);
    }

    /// @return the same for run.json: pairs of a label and a text
    nlohmann::ordered_json ToJson() const
    {
        std::stringstream printed;
        Print(printed);
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

  private:
    /// @return the rate of the slowest port of a host, in bit/s
    double GetSlowestPort() const
    {
        uint64_t slowest = m_scenario.rate;
        for (const FabricLinkSpec& link : m_scenario.graph->Links())
        {
            slowest = link.a.isHost && link.rate > 0 ? std::min(slowest, link.rate) : slowest;
        }
        return static_cast<double>(slowest);
    }

    /// Print how many hosts there are, in which shape, and the rate at which they send.
    void PrintNetwork(std::ostream& os) const
    {
        constexpr double GIGA = 1e9;
        constexpr double PERCENT = 100;
        const uint32_t planes = m_scenario.graph->Planes();
        const double rate = m_scenario.rate / GIGA;
        const double slowest = GetSlowestPort() / GIGA;
        os << "network          " << m_scenario.graph->HostCount() << " hosts, "
           << OneLine(m_scenario.options.at("topology").get<std::string>()) << ", "
           << std::defaultfloat << std::setprecision(4);
        if (slowest < rate)
        {
            os << slowest * planes * m_facts.rho << " to ";
        }
        os << rate * planes * m_facts.rho << " Gb/s a host";
        if (const uint32_t gpus = m_scenario.nodes.GetGpusPerNic(); gpus > 1)
        {
            os << ", " << gpus << " of which share a NIC of "
               << static_cast<double>(m_scenario.fabricRate) / GIGA * planes << " Gb/s";
        }
        if (planes > 1)
        {
            os << ", " << planes << " planes of " << rate << " Gb/s";
        }
        if (m_facts.rho < 1)
        {
            os << ", " << PERCENT * m_facts.rho << " % (--rho) of its links";
        }
        os << "\n" << std::fixed;
    }

    /// Print how long reads took, if there are any, and how busy they kept the host that got most.
    void PrintReads(std::ostream& os) const
    {
        constexpr double PS_PER_US = 1e6;
        constexpr double PS_BIT_PERCENT = 8e14; // of a byte
        const RunReport::FctSummary& reads = m_report.GetResults().readFct;
        if (reads.messages == 0)
        {
            return;
        }
        std::map<uint32_t, double> bytes; // by host that reads
        double most = 0;
        for (const Flow& flow : m_outcome.flows)
        {
            double& sum = bytes[flow.destination];
            sum += flow.isRead ? static_cast<double>(flow.bytes) : 0;
            most = std::max(most, sum);
        }
        const double rate = static_cast<double>(m_scenario.rate) * m_scenario.graph->Planes();
        os << "reads            " << reads.messages << ": p50 " << std::setprecision(3)
           << reads.medianPs / PS_PER_US << " us, p99 " << reads.p99Ps / PS_PER_US << " us; "
           << std::setprecision(1)
           << most * PS_BIT_PERCENT / rate / static_cast<double>(m_report.GetResults().cctPs)
           << " % of the line rate of the host that reads most\n"
           << std::setprecision(3);
    }

    /// Print what became of packets, or that there were none.
    void PrintPackets(std::ostream& os) const
    {
        constexpr double NS_PER_US = 1e3;
        const RunReport::Results& results = m_report.GetResults();
        if (m_scenario.isFluid)
        {
            const FluidClass& fluid = m_scenario.fluidClass;
            os << "fidelity         fluid, no packets: ";
            if (m_scenario.isUnchecked)
            {
                os << "not compared with packets (--fidelity=fluid-unchecked)\n";
                return;
            }
            constexpr int DIGITS = 3;
            os << std::defaultfloat << std::setprecision(DIGITS) << fluid.median
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
        if (!m_scenario.HasSumsAlone())
        {
            os << results.sentAgain << " retransmissions, " << results.timeouts << " timeouts\n";
        }
        if (!m_outcome.aggregation.is_null())
        {
            const nlohmann::ordered_json& json = m_outcome.aggregation;
            const bool hasJobs = json.contains("jct_ns");
            if (m_scenario.HasSumsAlone())
            {
                os << json["retransmissions"] << " retransmissions\n";
            }
            os << "aggregation      " << std::setprecision(3);
            if (hasJobs)
            {
                os << json["jct_ns"].get<double>() / NS_PER_US << " us a job on average, ";
            }
            os << std::setprecision(2) << 100 * json["hit_share"].get<double>()
               << " % of the packets added up, " << json["wrong_sums"] << " wrong sums";
            if (hasJobs && !m_scenario.HasSumsAlone())
            {
                os << ", " << json["retransmissions"] << " retransmissions";
            }
            os << "\n"
               << "windows          " << json["window"] << " fragments a worker";
            if (json.value("server_packets_per_second", uint64_t{0}) > 0)
            {
                os << "; servers take " << json["server_packets_per_second"] << " packets a second";
            }
            os << '\n';
        }
    }

    /// @return whether the bound takes a fault into account: by the rate of the hosts, or by that
    /// of links
    bool IsInBound(const FaultSpec& fault) const
    {
        const bool isInRate = !m_scenario.rho && fault.IsDead();
        return isInRate || (fault.IsInSpeed() && m_scenario.graph->Planes() == 1);
    }

    /// @return what the bound is computed from, in brackets; empty: hosts send at line rate,
    /// and there are no faults
    std::string DescribeBound() const
    {
        const std::vector<FaultSpec>& faults = m_scenario.faults;
        const auto isIn = [this](const FaultSpec& fault) { return IsInBound(fault); };
        std::string text;
        if (m_facts.rho < 1)
        {
            text = " (computed at the rate of the hosts";
        }
        if (!std::all_of(faults.begin(), faults.end(), isIn))
        {
            const bool hasSome = std::any_of(faults.begin(), faults.end(), isIn);
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

    /// Print what the congestion control derived from the fabric, and what switches do for it.
    void PrintControl(std::ostream& os) const
    {
        if (!m_facts.control.empty())
        {
            os << "control          " << m_facts.control;
            os << (m_scenario.telemetry ? "; all switches write telemetry (INT), " +
                                              std::to_string(PathTelemetry::BYTES) +
                                              " bytes a packet and acknowledgement\n"
                                        : "\n");
        }
    }

    /// Print how often switches and NICs slowed senders down, if they did.
    void PrintSignals(std::ostream& os) const
    {
        const auto count = [this](const char* name) {
            const auto found = m_results.find(name);
            return found != m_results.end() && found->is_number() ? found->get<double>() : 0;
        };
        constexpr double NS_PER_US = 1e3;
        const double pauses = count("pauses");
        const double cnps = count("cnps");
        if (pauses + cnps == 0)
        {
            return;
        }
        os << "signals          " << std::setprecision(0);
        if (pauses > 0)
        {
            os << pauses << " pauses of ports, " << std::setprecision(3)
               << count("pause_ns") / NS_PER_US << " us in all" << (cnps > 0 ? ", " : "");
        }
        if (cnps > 0)
        {
            os << std::setprecision(0) << cnps << " CNPs";
        }
        os << "\n";
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

    /// Warn of a completion time that only an ideal recovery reaches, because much was lost.
    void PrintWarning(std::ostream& os) const
    {
        if (m_scenario.HasSumsAlone())
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

    const FabricScenario& m_scenario;        //!< the scenario
    const RunFacts& m_facts;                 //!< what is known of the run
    const TrafficOutcome& m_outcome;         //!< what came of its messages
    const RunReport& m_report;               //!< the numbers
    const RunReports& m_reports;             //!< of jobs and other flows
    const nlohmann::ordered_json& m_results; //!< those of run.json
};

} // namespace aifabric
} // namespace ns3

#endif /* RUN_SUMMARY_H */
