/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aggregation-rates.h"
#include "option-sections.h"
#include "option-value.h"
#include "policy-kinds.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/buffer-admission.h"
#include "ns3/clos-forwarder.h"
#include "ns3/csv-writer.h"
#include "ns3/double.h"
#include "ns3/fabric-graph.h"
#include "ns3/host-balancer.h"
#include "ns3/link-finder.h"
#include "ns3/loss-recovery.h"
#include "ns3/message-steering.h"
#include "ns3/mrc-queue-pair.h"
#include "ns3/pause-monitor.h"
#include "ns3/pause-storm.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/process-cost.h"
#include "ns3/queue-monitor.h"
#include "ns3/queue-pair.h"
#include "ns3/reachability-prober.h"
#include "ns3/shared-buffer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <ctime>
#include <iomanip>
#include <optional>
#include <sstream>
#include <unistd.h>

namespace ns3
{
namespace aifabric
{

namespace
{

const OptionWhen WITH_LOSSLESS_CLASSES = {
    "only with --admission=shared and a lossless class "
    "(--ns3::aifabric::SharedBuffer::LosslessClasses=8)",
    [](const FabricScenario& scenario) { return scenario.losslessClasses != 0; }};

} // namespace

/// The options of pauses, and of what is recorded.
// clang-format off
const OptionGroup PAUSE_ROWS = {"Pauses (PFC)", {
    {"watchdog", NONE, Choice({"drop", "forward"}),
     "what switches do about a queue that PFC blocks for too long: drop its frames (drop), or "
     "ignore the pause (forward); none: they wait",
     To(&FabricScenario::watchdog), WITH_LOSSLESS_CLASSES, {"ns3::aifabric::PfcWatchdog::Action"}},
    {"pauseStorm", NONE, Plain("list"),
     "hosts whose NIC keeps its lossless classes paused, whatever it has room for, such as "
     "host-3@1ms-5ms or host-3@1ms, separated by commas",
     {}, WITH_LOSSLESS_CLASSES,
     {"ns3::aifabric::PauseStorm::Class", "ns3::aifabric::PauseStorm::Start",
      "ns3::aifabric::PauseStorm::Stop"}},
}};

const OptionGroup OBSERVATION_ROWS = {"Results, and what is recorded", {
    {"pcap", NONE, Plain("list"),
     "ports to capture, separated by commas: host-0, a switch, or switch:port"},
    {"out", AUTO, Plain("folder"),
     "folder for the results (auto: a new one in results, named after the time, to which the "
     "symbolic link results/latest leads)", To(&FabricScenario::out)},
    {"sample", "100ns", Duration(0),
     "time between two samples of the queues; a long run doubles it when it has too many samples "
     "(0: no samples)", To(&FabricScenario::samplePs)},
    {"prober", NONE, Duration(1),
     "time between two probes over each link between tiers 0 and 1, such as 10us; they find what "
     "has failed, and deny entropy values that cross it (with MRC)",
     To(&FabricScenario::proberPs), {}, {"ns3::aifabric::FabricProber::Interval"}},
    {"denylist", NONE, Plain("list"),
     "links, switches or hosts, separated by commas and named as in --fail, whose links no "
     "entropy value may cross (with MRC)"},
    {"planeSeries", NONE, Duration(1),
     "interval of planes.csv, such as 5us, which has the bytes that NICs send into each plane "
     "and, with MRC, the states of entropy values (changes in evs.csv); a long run doubles it "
     "when there are too many", To(&FabricScenario::planeSeriesPs)},
    {"planeHosts", NONE, Plain("list"),
     "hosts of plane-hosts.csv, such as 0-3,8, or all, which has the bytes that their NICs send "
     "into each plane (with --planeSeries)", {}, OnlyWith("planeSeries")},
    {"linkSeries", NONE, Duration(1),
     "interval of link-series.csv, such as 1ms, which has the use of each link over time, and of "
     "the series that other options write with it; a long run doubles it when there are too many",
     To(&FabricScenario::linkSeriesPs)},
    {"nodeTimes", "false", Flag(),
     "write nodes.csv: when each host began and ended each node of a training iteration, that is, "
     "compute, collectives, and messages to and from other hosts", To(&FabricScenario::nodeTimes)},
    {"nicCounters", "false", Flag(),
     "write nic-counters.csv: the counters of each NIC, by names of mlx5 NICs",
     To(&FabricScenario::nicCounters)},
    {"nicSeries", NONE, Duration(1),
     "interval of nic-series.csv, such as 1ms, which has the same counters over time; a long run "
     "doubles it when there are too many", To(&FabricScenario::nicSeriesPs)},
    {"queuePeaks", "false", Flag(),
     "write queue-peaks.csv and buffers.csv: the most that waited in each queue and buffer; an "
     "event says when a buffer passes 75 % of its size; the queues over time are in "
     "queue-series.csv, with --linkSeries", To(&FabricScenario::queuePeaks)},
    {"hopLatency", "false", Flag(),
     "write hop-latency.csv: how long frames stay in each switch; the same over time is in "
     "hop-series.csv, with --linkSeries", To(&FabricScenario::hopLatency)},
    {"reachability", NONE, Duration(1),
     "time between two probes of each NIC to each rack, such as 100us; reachability.csv has their "
     "losses and round-trip times; the same over time is in reachability-series.csv, with "
     "--linkSeries",
     To(&FabricScenario::reachabilityPs), {}, {"ns3::aifabric::ReachabilityProber::Interval"}},
    {"period", AUTO, Duration(1),
     "period over which sending_queue_packets is averaged (auto: the time that the busiest NIC "
     "takes to send its data)", To(&FabricScenario::periodPs)},
    {"stallTime", AUTO, Duration(1),
     "simulated time without progress after which a run has stalled: no packet was newly "
     "acknowledged, no queue pair gave up, and no link is down that will return (auto: twice the "
     "time that a queue pair retries)", To(&FabricScenario::stallPs)},
    {"progress", AUTO, Flag(),
     "report the progress of the run on stderr (auto: if that is a terminal, unless --quiet is "
     "given)", To(&FabricScenario::progress)},
    {"quiet", "false", Flag(),
     "print no summary, which is in run.json; errors still go to stderr",
     To(&FabricScenario::quiet)},
    {"json", "false", Flag(),
     "print the summary as one JSON object in a line: folder, notes, summary and results, the last "
     "two as in run.json", To(&FabricScenario::json)},
    {"check", "false", Flag(),
     "check the options, print the size of the run, and do not run it", To(&FabricScenario::check)},
}};

// clang-format on

namespace
{

/// Reads what is recorded of a run, and what watches pauses.
class ObservationOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// Read what is observed, and when a run has stalled.
    void ReadObservation()
    {
        ReadCaptures();
        ReadTimeout(m_table, m_scenario);
        ReadPatience();
        Read("out", NameFolder());
        m_scenario.hasNewFolder = m_table.Get("out") == AUTO;
        Read("sample");
        ReadProber();
        ReadDenylist();
        Read("planeSeries");
        RefuseUnmeant({"planeHosts"});
        if (IsMeant("planeHosts") && !IsNone("planeHosts"))
        {
            const std::set<uint32_t> hosts = ReadHosts();
            m_scenario.planeHosts.assign(hosts.begin(), hosts.end());
        }
        ReadPauses();
        ReadTelemetry();
        if (m_table.Get("period") != AUTO)
        {
            Read("period");
        }
        ReadPrinting();
    }

    /// @return the folder of a run for which none is given
    static std::string NameFolder()
    {
        const std::time_t now = std::time(nullptr);
        std::ostringstream name;
        name << std::put_time(std::localtime(&now), "results/run-%Y%m%d-%H%M%S");
        return name.str();
    }

    /// Read what is printed.
    void ReadPrinting()
    {
        Read("check");
        Read("quiet");
        Read("json");
        RefuseIf(m_scenario.json && m_scenario.quiet, "json", "false with --quiet");
        RefuseIf(m_scenario.json && m_scenario.check, "json", "false with --check");
        Read("progress", !m_scenario.quiet && isatty(STDERR_FILENO) == 1);
    }

    /// Read what is captured.
    void ReadCaptures()
    {
        if (IsNone("pcap"))
        {
            return;
        }
        RefuseIf(m_scenario.telemetry,
                 "pcap",
                 "none with --rateControl=" + m_table.Get("rateControl") +
                     ": captures do not show telemetry (INT)");
        uint64_t files = 0;
        for (const std::string& item : ReadList("pcap"))
        {
            m_scenario.captures.push_back(ReadCapture(item));
            const CaptureSpec& capture = m_scenario.captures.back();
            files += capture.isHost || capture.port
                         ? 1
                         : m_scenario.graph->Switches()[capture.id].portCount;
        }
        constexpr uint64_t OTHERS = 32; // files that a run has open beside its captures
        const uint64_t most = ProcessCost::RaiseOpenFiles(files + OTHERS);
        RefuseIf(files + OTHERS > most,
                 "pcap",
                 "captures in " + std::to_string(files) + " files, and a process may have only " +
                     std::to_string(most) + " open (ulimit -n)");
    }

    /// @return ports  @param item their name
    CaptureSpec ReadCapture(const std::string& item) const
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
        OptionError::ThrowIf(
            (!capture.isHost && ports == 0) || (colon != std::string::npos && !isPort),
            "pcap",
            item,
            "host-0 to host-" + std::to_string(graph.HostCount() - 1) + ", a switch such as " +
                graph.SwitchName(0) + ", or " + graph.SwitchName(0) + ":0");
        if (isPort)
        {
            capture.port = *port;
        }
        return capture;
    }

    /// Read after which time without an acknowledgement the run has stalled.
    void ReadPatience()
    {
        const bool backsOff = MakePolicy<LossRecovery>(m_scenario.recovery)->GetTraits().backsOff;
        constexpr int64_t TIMEOUTS = 20; // even if a queue pair survives fewer
        constexpr int64_t MOST_PS =
            2'000'000'000'000'000; // ns-3 counts up to 9223 s in femtoseconds
        const int64_t timeoutsPs = TIMEOUTS * std::min(m_scenario.ackTimeoutPs, MOST_PS / TIMEOUTS);
        const auto queuePair = MakePolicy<QueuePair>(m_scenario.transport);
        const Time budget =
            queuePair->GetRetryBudget(PicoSeconds(m_scenario.ackTimeoutPs), backsOff)
                .value_or(queuePair->GetRetryTime());
        // First the queue pair has to fail.
        m_scenario.stallPs = std::min(std::max(timeoutsPs, 2 * budget.GetPicoSeconds()), MOST_PS);
        if (m_scenario.aggregation)
        {
            const double links = 4.0 * m_scenario.graph->Tiers(); // up and down, there and back
            const int64_t sumsPs = AggregationRates::FindPatiencePs(*m_scenario.aggregation,
                                                                    links * m_scenario.delayPs);
            m_scenario.stallPs =
                m_scenario.HasSumsAlone() ? sumsPs : std::max(m_scenario.stallPs, sumsPs);
        }
        Read("stallTime", m_scenario.stallPs);
    }

    /// Refuse an option about entropy values, unless hosts choose among some.  @param option its
    /// name
    void RefuseWithoutEvs(const std::string& option) const
    {
        const bool hasEvs = AskPolicy(m_scenario.balancer, &HostBalancer::HasEvStates);
        RefuseIf(!hasEvs || m_scenario.upgrade,
                 option,
                 "only with --balancer=mrc, and without --upgrade");
    }

    /// Read how often probes are sent.
    void ReadProber()
    {
        if (IsNone("prober"))
        {
            return;
        }
        const FabricGraph& graph = *m_scenario.graph;
        RefuseWithoutEvs("prober");
        RefuseIf(m_scenario.stage.has_value(), "prober", "not with --stage");
        RefuseIf(m_scenario.convergencePs || m_scenario.detectionPs,
                 "prober",
                 "only with static routes: --convergence=never or --forwarding=srv6");
        RefuseIf(graph.Tiers() < 2 || graph.Switches()[0].forwarding.hostCount == graph.HostCount(),
                 "prober",
                 "only with several leaves");
        RefuseIf(!m_scenario.acksInFabric, "prober", "only with --acks=fabric");
        ReadProbeInterval("prober");
    }

    /// Read which links MRC's paths avoid.
    void ReadDenylist()
    {
        if (IsNone("denylist"))
        {
            return;
        }
        RefuseWithoutEvs("denylist");
        RefuseIf(m_scenario.proberPs > 0, "denylist", "not with --prober, which has its own");
        const LinkFinder finder(*m_scenario.graph, m_scenario.opticPorts);
        for (const std::string& item : ReadList("denylist"))
        {
            const std::vector<uint32_t> links = finder.Find(item);
            RefuseIf(links.empty(), "denylist", "there is no such link, port or node: " + item);
            m_scenario.denied.insert(links.begin(), links.end());
        }
    }

    /// @return hosts that have rows of their own
    std::set<uint32_t> ReadHosts() const
    {
        const int64_t count = m_scenario.graph->HostCount();
        const std::vector<std::string> all{"0-" + std::to_string(count - 1)};
        std::set<uint32_t> hosts;
        for (const std::string& item :
             m_table.Get("planeHosts") == "all" ? all : ReadList("planeHosts"))
        {
            const std::size_t dash = item.find('-');
            const std::optional<int64_t> first = ParseInteger(item.substr(0, dash));
            const std::optional<int64_t> last =
                dash == std::string::npos ? first : ParseInteger(item.substr(dash + 1));
            RefuseIf(!first || !last || *first < 0 || *last >= count || *first > *last,
                     "planeHosts",
                     "all, or hosts from 0 to " + std::to_string(count - 1) + ", such as 0-3,8");
            for (int64_t host = *first; host <= *last; ++host)
            {
                hosts.insert(hosts.end(), host);
            }
        }
        return hosts;
    }

    /// Read the options. To be called after the fabric and its buffers have been read.
    void ReadPauses()
    {
        m_scenario.losslessClasses = FindLosslessClasses(m_scenario.admission);
        RefuseUnmeant({"watchdog", "pauseStorm"});
        if (m_scenario.losslessClasses == 0)
        {
            RefuseAttributes(PauseMonitor::GetTypeId().GetName(), WITH_LOSSLESS_CLASSES.words);
            RefuseAttributes(SharedBuffer::GetTypeId().GetName(),
                             {"ReserveBytes",
                              "IngressAlpha",
                              "ResumeOffset",
                              "HeadroomBytes",
                              "ResponseTime",
                              "PauseQuanta"},
                             WITH_LOSSLESS_CLASSES.words);
        }
        Read("watchdog");
        if (IsNone("watchdog"))
        {
            RefuseAttributes(PfcWatchdog::GetTypeId().GetName(), "only with --watchdog");
        }
        if (IsNone("pauseStorm"))
        {
            RefuseAttributes(PauseStorm::GetTypeId().GetName(), "only with --pauseStorm");
            return;
        }
        for (const std::string& item : ReadList("pauseStorm"))
        {
            ReadStorm(item);
        }
    }

    /// Read a host that pauses its switch.  @param item what the option says of it
    void ReadStorm(const std::string& item)
    {
        const uint32_t hosts = m_scenario.graph->HostCount();
        const std::size_t at = item.find('@');
        const std::optional<uint32_t> host = ParseHost(item.substr(0, at), hosts);
        const std::optional<TimeRange> range =
            ParseTimeRange(at == std::string::npos ? "" : item.substr(at + 1));
        OptionError::ThrowIf(!host || !range,
                             "pauseStorm",
                             item,
                             "a host from host-0 to host-" + std::to_string(hosts - 1) +
                                 ", @, begin, and maybe - and a later end, such as host-0@1ms-5ms");
        for (const auto& storm : m_scenario.storms)
        {
            const bool isApart = (storm.stopPs && *storm.stopPs < range->startPs) ||
                                 (range->stopPs && *range->stopPs < storm.startPs);
            OptionError::ThrowIf(storm.host == *host && !isApart,
                                 "pauseStorm",
                                 item,
                                 "a begin after the end of the other storm of host-" +
                                     std::to_string(*host));
        }
        m_scenario.storms.push_back({*host, range->startPs, range->stopPs});
    }

    /// Refuse water marks of buffers that have no effect, and a low one above the high one.
    void CheckWaterMarks() const
    {
        const TypeId monitor = QueueMonitor::GetTypeId();
        if (!m_scenario.queuePeaks)
        {
            RefuseAttributes(monitor.GetName(), "only with --queuePeaks");
        }
        const std::string high = monitor.GetName() + "::HighWater";
        const std::string low = monitor.GetName() + "::LowWater";
        const double most = FindDefault<DoubleValue>(monitor, "HighWater").value();
        const double least = FindDefault<DoubleValue>(monitor, "LowWater").value();
        const bool isLow = IsAttributeGiven(low);
        OptionError::ThrowIf(least > most,
                             isLow ? low : high,
                             FormatNumber(isLow ? least : most),
                             isLow ? "at most " + high + ", which is " + FormatNumber(most)
                                   : "at least " + low + ", which is " + FormatNumber(least));
    }

    /// Read which tables are written.
    void ReadTelemetry()
    {
        Read("nodeTimes");
        RefuseIf(m_scenario.nodeTimes && !m_scenario.training,
                 "nodeTimes",
                 "only with collectives and training iterations");
        Read("linkSeries");
        Read("nicCounters");
        RefuseIf(m_scenario.nicCounters && m_scenario.HasSumsAlone(),
                 "nicCounters",
                 "not with in-network aggregation, which has no queue pairs");
        Read("nicSeries");
        Read("queuePeaks");
        CheckWaterMarks();
        Read("hopLatency");
        if (IsNone("reachability"))
        {
            RefuseAttributes(ReachabilityProber::GetTypeId().GetName(), "only with --reachability");
            return;
        }
        RefuseIf(m_scenario.forwarding != ClosForwarder::GetTypeId() ||
                     m_scenario.transport == MrcQueuePair::GetTypeId(),
                 "reachability",
                 "only with --forwarding=clos and without --transport=mrc, for which there is "
                 "--prober");
        RefuseIf(!m_scenario.acksInFabric, "reachability", "only with --acks=fabric");
        RefuseIf(m_scenario.aggregation.has_value(),
                 "reachability",
                 "not with in-network aggregation");
        ReadProbeInterval("reachability");
        const Time timeout =
            FindDefault<TimeValue>(ReachabilityProber::GetTypeId(), "Timeout").value();
        OptionError::ThrowIf(timeout.GetPicoSeconds() > m_scenario.reachabilityPs,
                             "ns3::aifabric::ReachabilityProber::Timeout",
                             FormatNs(timeout.GetPicoSeconds()) + "ns",
                             "at most the interval of --reachability");
    }
};

} // namespace

uint8_t
FindLosslessClasses(TypeId admission)
{
    UintegerValue classes;
    MakePolicy<BufferAdmission>(admission)->GetAttributeFailSafe("LosslessClasses", classes);
    return static_cast<uint8_t>(classes.Get());
}

void
ReadObservation(const OptionTable& table, FabricScenario& scenario)
{
    ObservationOptions(table, scenario).ReadObservation();
}

} // namespace aifabric
} // namespace ns3
