/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-options.h"

#include "aggregation-options.h"
#include "option-value.h"
#include "pause-options.h"
#include "plane-options.h"
#include "policy-kinds.h"
#include "telemetry-options.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/csv-writer.h"
#include "ns3/loss-recovery.h"
#include "ns3/message-steering.h"
#include "ns3/process-cost.h"
#include "ns3/queue-pair.h"
#include "ns3/rank-plan-csv.h"
#include "ns3/rank-transport.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr const char* GRANTED = "granted";           //!< an engine
constexpr const char* NULL_MESSAGE = "null-message"; //!< an engine

/// @return the TypeId of ns-3's simulator for an engine, if there is such an engine
/// @param engine its name, or auto
std::optional<std::string>
FindEngine(const std::string& engine)
{
    if (engine == GRANTED || engine == "auto")
    {
        return "ns3::DistributedSimulatorImpl";
    }
    if (engine == NULL_MESSAGE)
    {
        return "ns3::NullMessageSimulatorImpl";
    }
    return std::nullopt;
}

} // namespace

void
RunOptions::Enable(int* argc, char*** argv)
{
    const std::string ranksOption = "--ranks=";
    const std::string engineOption = "--engine=";
    std::string ranks = "1";
    std::string engine = GRANTED;
    for (int i = 1; i < *argc; ++i)
    {
        const std::string argument = (*argv)[i];
        if (argument.compare(0, ranksOption.size(), ranksOption) == 0)
        {
            ranks = argument.substr(ranksOption.size());
        }
        if (argument.compare(0, engineOption.size(), engineOption) == 0)
        {
            engine = argument.substr(engineOption.size());
        }
    }
    if (ranks != "1" && RankTransport::IsAvailable())
    {
        RankTransport::Enable(argc, argv, FindEngine(engine).value_or(*FindEngine(GRANTED)));
        std::atexit(&RankTransport::Disable); // where help ends the program
        if (RankTransport::GetRank() > 0)
        {
            const FILE* nowhere = std::freopen("/dev/null", "w", stdout); // rank 0 says the same
            NS_ABORT_MSG_IF(!nowhere, "/dev/null cannot be written");
        }
    }
}

void
RunOptions::Declare(OptionTable& table)
{
    table.Add("scheduler", "monotone", "event scheduler, or help");
    table.Add("ranks",
              "1",
              "number of processes of the run, which mpiexec starts; ./fabric run --ranks=N "
              "starts them by itself");
    table.AddAuto("engine",
                  "synchronization of the ranks: granted (DistributedSimulatorImpl) or "
                  "null-message (NullMessageSimulatorImpl) (auto: granted)");
    table.AddAuto("plan",
                  "partition of the fabric among the ranks: auto, or a file with the lines "
                  "node,rank for all switches; a host is on the rank of its leaf");
    table.Reserve("SchedulerType", "scheduler");
    table.AddNone("pcap",
                  "ports to capture, separated by commas: host-0, a switch, or switch:port");
    table.Add("out",
              "results/run",
              "folder for the results; unless it is given, those of an earlier run are kept in "
              "results/run-1, results/run-2, ...");
    table.Add("sample",
              "100ns",
              "time between two samples of the queues; a long run doubles it when it has too "
              "many samples (0: no samples)");
    PlaneOptions::Declare(table);
    PauseOptions::Declare(table);
    TelemetryOptions::Declare(table);
    table.AddAuto("period",
                  "period over which sending_queue_packets is averaged (auto: the time that the "
                  "busiest NIC takes to send its data)");
    table.AddAuto("stallTime",
                  "simulated time without progress after which a run has stalled: no packet was "
                  "newly acknowledged, no queue pair gave up, and no link is down that will return "
                  "(auto: twice the time that a queue pair retries)");
    table.AddFlag("progress", "report the progress of the run on stderr");
    table.AddFlag("check", "check the options, print the size of the run, and do not run it");
}

void
RunOptions::ReadCaptures()
{
    if (IsNone("pcap"))
    {
        return;
    }
    uint64_t files = 0;
    for (const std::string& item : ReadList("pcap"))
    {
        m_scenario.captures.push_back(ReadCapture(item));
        const CaptureSpec& capture = m_scenario.captures.back();
        files +=
            capture.isHost || capture.port ? 1 : m_scenario.graph->Switches()[capture.id].portCount;
    }
    constexpr uint64_t OTHERS = 32; // files that a run has open beside its captures
    const uint64_t most = ProcessCost::RaiseOpenFiles(files + OTHERS);
    RefuseIf(files + OTHERS > most,
             "pcap",
             "captures in " + std::to_string(files) + " files, and a process may have only " +
                 std::to_string(most) + " open (ulimit -n)");
}

CaptureSpec
RunOptions::ReadCapture(const std::string& item) const
{
    const FabricGraph& graph = *m_scenario.graph;
    const std::size_t colon = item.find(':');
    const std::string node = item.substr(0, colon);
    const std::optional<int64_t> port =
        ParseInteger(colon == std::string::npos ? "" : item.substr(colon + 1));
    const std::optional<uint32_t> host = ParseHost(node, graph.HostCount());
    CaptureSpec capture;
    capture.isHost = host.has_value();
    int64_t ports = graph.Planes() == 1 ? 1 : 0; // a NIC of several ports is captured whole
    if (capture.isHost)
    {
        capture.id = *host;
    }
    else
    {
        while (capture.id < graph.Switches().size() && graph.SwitchName(capture.id) != node)
        {
            ++capture.id;
        }
        const bool found = capture.id < graph.Switches().size();
        ports = found ? graph.Switches()[capture.id].portCount : 0;
    }
    const bool isPort = port && *port >= 0 && *port < ports;
    OptionError::ThrowIf((!capture.isHost && ports == 0) || (colon != std::string::npos && !isPort),
                         "pcap",
                         item,
                         "host-0 to host-" + std::to_string(graph.HostCount() - 1) +
                             ", a switch such as " + graph.SwitchName(0) + ", or " +
                             graph.SwitchName(0) + ":0");
    if (isPort)
    {
        capture.port = *port;
    }
    return capture;
}

void
RunOptions::ReadObservation()
{
    ReadPatience();
    m_scenario.out = m_table.Get("out");
    m_scenario.keepsEarlier = !m_table.IsGiven("out");
    m_scenario.samplePs = ReadTime("sample", 0);
    PlaneOptions(m_table, m_scenario).Read();
    PauseOptions(m_table, m_scenario).Read();
    TelemetryOptions(m_table, m_scenario).Read();
    if (m_table.Get("period") != AUTO)
    {
        m_scenario.periodPs = ReadTime("period", 1);
    }
    m_scenario.progress = ReadFlag("progress");
    m_scenario.options["progress"] = m_scenario.progress;
    m_scenario.check = ReadFlag("check");
    m_scenario.options["check"] = m_scenario.check;
}

void
RunOptions::ReadPatience()
{
    const bool backsOff = MakePolicy<LossRecovery>(m_scenario.recovery)->BacksOff();
    constexpr int64_t TIMEOUTS = 20;                   // even if a queue pair survives fewer
    constexpr int64_t MOST_PS = 2'000'000'000'000'000; // ns-3 counts up to 9223 s in femtoseconds
    const int64_t timeoutsPs = TIMEOUTS * std::min(m_scenario.ackTimeoutPs, MOST_PS / TIMEOUTS);
    const auto queuePair = MakePolicy<QueuePair>(m_scenario.transport);
    const Time budget = queuePair->GetRetryBudget(PicoSeconds(m_scenario.ackTimeoutPs), backsOff)
                            .value_or(queuePair->GetRetryTime());
    // First the queue pair has to fail.
    m_scenario.stallPs = std::min(std::max(timeoutsPs, 2 * budget.GetPicoSeconds()), MOST_PS);
    if (m_scenario.aggregation)
    {
        const double links = 4.0 * m_scenario.graph->Tiers(); // up and down, there and back
        m_scenario.stallPs =
            AggregationOptions::FindPatiencePs(*m_scenario.aggregation, links * m_scenario.delayPs);
    }
    if (m_table.Get("stallTime") != AUTO)
    {
        m_scenario.stallPs = ReadTime("stallTime", 1);
    }
    m_scenario.options["stallTime"] = FormatNs(m_scenario.stallPs) + "ns";
}

void
RunOptions::ReadRanks()
{
    constexpr int64_t MOST = 4096;
    m_scenario.scheduler = ReadPolicy("scheduler");
    const auto ranks = static_cast<uint32_t>(ReadInteger("ranks", 1, MOST));
    ReadChoice("engine", {GRANTED, NULL_MESSAGE});
    if (ranks == 1)
    {
        for (const std::string option : {"engine", "plan"})
        {
            RefuseIf(IsGiven(option), option, "only with several --ranks");
        }
        return;
    }
    CheckScenario();
    OptionError::ThrowIf(m_scenario.delayPs == 0,
                         "delay",
                         m_table.Get("delay"),
                         "above zero with several ranks");
    try
    {
        m_scenario.plan = MakeRankPlan(m_table.Get("plan"), *m_scenario.graph, ranks);
    }
    catch (const std::invalid_argument& error)
    {
        const std::string what = error.what();
        const bool isOfFile = what.rfind(m_table.Get("plan") + ":", 0) == 0; // which may be "plan"
        const bool isOfOption =
            !isOfFile && (what.rfind("ranks:", 0) == 0 || what.rfind("plan:", 0) == 0);
        throw std::invalid_argument((isOfOption ? "--" : "--plan: ") + what);
    }
    CheckRanks(ranks); // last: a build without MPI, too, says what is wrong with a plan
}

void
RunOptions::CheckScenario() const
{
    RefuseIf(m_scenario.training.has_value(), "ranks", "1 with --workload=" + m_scenario.workload);
    const auto steering = MakePolicy<MessageSteering>(m_scenario.steering);
    RefuseIf(!steering->WorksOnRanks(), "ranks", "1 with --steering=" + m_table.Get("steering"));
    RefuseIf(m_scenario.proberPs > 0, "ranks", "1 with --prober");
    RefuseIf(!m_scenario.denied.empty(), "ranks", "1 with --denylist");
    RefuseIf(m_scenario.receiverSlots > 0, "ranks", "1 with --receiverAdmission");
    BooleanValue renews;
    steering->GetAttribute("Renew", renews);
    RefuseIf(renews.Get(), "ranks", "1 with --ns3::aifabric::MessageSteering::Renew");
}

void
RunOptions::CheckRanks(uint32_t ranks) const
{
    if (RankTransport::GetRanks() != ranks)
    {
        Refuse("ranks",
               RankTransport::IsAvailable()
                   ? "the number of processes that mpiexec has started, which is " +
                         std::to_string(RankTransport::GetRanks())
                   : "1 in a build without MPI; ./fabric run --ranks=N makes one with it");
    }
}

} // namespace aifabric
} // namespace ns3
