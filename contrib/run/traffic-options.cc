/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"
#include "option-value.h"

#include "ns3/collective-kind.h"
#include "ns3/config.h"
#include "ns3/flow-list.h"
#include "ns3/message-text.h"
#include "ns3/random-variable-stream.h"
#include "ns3/rank-transport.h"
#include "ns3/receiver-admission.h"
#include "ns3/time-units.h"
#include "ns3/uinteger.h"
#include "ns3/workload-check.h"

#include <algorithm>
#include <iterator>
#include <map>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr int64_t MILLISECOND = 1'000'000'000; //!< in picoseconds

/// Flows that do not wait for each other; an all-to-all also has an algorithm.
const std::vector<std::string> FLOW_KINDS =
    {"permutation", "tornado", "all-to-all", "incast", "poisson", "flows"};

const OptionWhen POISSON = Only("workload", "poisson");
const OptionWhen RESTART = Only("onFailure", "restart");
const OptionType LOAD = Number(
    "a decimal number above 0 and at most 1",
    [](double load) { return load > 0 && load <= 1; },
    0.6);

} // namespace

const std::vector<std::string> PROGRAM_FILES = {"training", "chakra", "goal", "cluster"};

/// The options that say what is sent.
// clang-format off
const OptionGroup WORKLOAD_ROWS = {"Workload", {
    {"workload", AUTO, Plain("workload"),
     "traffic: flows that do not wait for each other (" + Listed(FLOW_KINDS) + "), a collective (" +
     ListCollectiveKinds() +
     "), a training iteration (training, chakra, goal), or jobs (cluster); the messages of an "
     "all-to-all start at once, or in the order of its algorithm where an option of collectives "
     "is given (auto: the workload of the file that is given, else permutation)"},
    {"flows", NONE, Plain("file"),
     "file with the flows, whose first line is start_ns,source,destination,bytes in any order, and "
     "perhaps class, the traffic class (0 to 7), and operation (write or read); flows.csv of a "
     "run, too"},
    {"training", NONE, Plain("file"), "TOML file with a training iteration"},
    {"chakra", NONE, Plain("traces"),
     "Chakra execution traces of a training iteration: FILE stands for FILE.0.et, FILE.1.et, ..., "
     "one a rank"},
    {"goal", NONE, Plain("file"),
     "file with a schedule in GOAL, text or binary, as LogGOPSim and ATLAHS read them"},
    {"cluster", NONE, Plain("file"),
     "file with jobs that share the fabric, whose first line is "
     "name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns in any order, and "
     "perhaps program (in its folder: a .toml, .goal or .bin file, or traces; instead of "
     "collective, bytes and compute_ns) and after (a job of a line before)"},
    {"onlyJob", NONE, Plain("text"),
     "cluster: the one job that runs, on the hosts that it has among all",
     {}, Only("workload", "cluster")},
}};
// clang-format on

/// The options that say how much is sent, and when.
// clang-format off
const OptionGroup TRAFFIC_ROWS = {"Flows", {
    {"cdf", NONE, Plain("file"),
     "poisson: file with the distribution of message lengths, whose first line is "
     "bytes,probability", {}, POISSON},
    {"load", AUTO, LOAD,
     "poisson: payload of the messages that start per second, as a share of the line rate of the "
     "hosts (above 0, at most 1; auto: 0.6)", {}, POISSON},
    {"duration", AUTO, Duration(1, MILLISECOND),
     "poisson: time from the start of the run within which messages start (auto: 1ms)",
     {}, POISSON},
    {"senders", AUTO, Whole(1, 0),
     "incast: hosts that send to host 0 (auto: 16, or all others)",
     To(&FabricScenario::senders), Only("workload", "incast")},
    {"operation", "write", Choice({"write", "read"}),
     "of flows but those of a file: writes by their sources, or RDMA reads, for which destinations "
     "ask; the bytes go from source to destination either way (write or read)"},
    {"jitter", AUTO, Duration(0),
     "upper limit of the random delay after which each host starts its flows (auto: the time of "
     "one packet, or 0 with flows of a file)", To(&FabricScenario::jitterPs)},
    {"queuePairPerFlow", "false", Flag(),
     "whether each flow has queue pairs of its own, which it shares with no other flow between its "
     "hosts: a short message does not wait behind a long one",
     To(&FabricScenario::queuePairPerFlow)},
    {"receiverAdmission", "0", Whole(0, 1 << 20),
     "slots that a receiver has for each channel of each sender: a sender sends a chunk only when "
     "the receiver has allowed it by a clear-to-send (CTS), as in collective libraries (0: "
     "senders send at once)",
     To(&FabricScenario::receiverSlots), {}, {"ns3::aifabric::ReceiverAdmission::Slots"}},
    {"acks", "fabric", Choice({"fabric", "bypass"}),
     "whether acknowledgements cross the fabric, or bypass it and occupy no port and no buffer "
     "(fabric or bypass)"},
}};
// clang-format on

/// The options of a job.
// clang-format off
const OptionGroup JOB_ROWS = {"Iterations and failed queue pairs", {
    {"iterations", "1", Whole(1, 1000000),
     "number of times that the whole traffic is sent, one after the other, as the iterations of a "
     "job", To(&FabricScenario::job, &JobSpec::iterations)},
    {"onFailure", "continue", Choice({"continue", "stop", "abort", "restart"}),
     "what happens when a queue pair fails: continue sends the other messages, and ends with "
     "results and exit status 3; stop ends the run without results; abort ends it with the "
     "results of the completed iterations; restart begins the iteration again"},
    {"restartCost", AUTO, Duration(0, MILLISECOND),
     "time from the failure of a queue pair until a restarted iteration begins (auto: 1ms)",
     To(&FabricScenario::job, &JobSpec::restartCostPs), RESTART},
    {"restartLimit", AUTO, Whole(1, 1000000, 10),
     "restarts in a row without a completed iteration after which the job is aborted (auto: 10)",
     To(&FabricScenario::job, &JobSpec::restartLimit), RESTART},
}};

// clang-format on

namespace
{

/// Reads what is sent, and when; and what happens when a queue pair fails.
class TrafficOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    void ReadTraffic()
    {
        ReadWorkload();
        if (HasSumJobs(m_table))
        {
            ReadAggregation(m_table, m_scenario);
            RefuseIf(m_table.At("receiverAdmission").isGiven,
                     "receiverAdmission",
                     "not with in-network aggregation");
        }
        else
        {
            if (!ReadCollectives(m_table, m_scenario))
            {
                ReadMessages();
            }
            ReadReceiverAdmission();
        }
        const bool isUsual = m_scenario.fileFlows.empty() && !m_scenario.training;
        Read("jitter", isUsual ? FullPacketPs(m_scenario.rate) : 0);
        m_scenario.reads = Read("operation") == "read";
        RefuseIf(m_scenario.reads && m_scenario.workload == "flows",
                 "operation",
                 "write with --flows=FILE, which has a column for it");
        ReadQueuePairs();
        RefuseIf(m_scenario.receiverSlots > 0 && FindFlowClasses(m_scenario) > 0,
                 "receiverAdmission",
                 "0 with classes of flows: chunks and their clear-to-send have classes of their "
                 "own");
        m_scenario.acksInFabric = Read("acks") == "fabric";
        RefuseIf(!m_scenario.acksInFabric && m_scenario.fabricRate != m_scenario.rate,
                 "acks",
                 "fabric, where --fabricRate is not --rate");
    }

    /// Read whether flows share queue pairs.
    void ReadQueuePairs()
    {
        const std::string option = "queuePairPerFlow";
        if (!Read(option))
        {
            return;
        }
        RefuseIf(m_scenario.training || m_scenario.aggregation || m_scenario.workload == "cluster",
                 option,
                 "false with --workload=" + m_scenario.workload + ": it is for flows");
        try
        {
            PartQueuePairs(m_scenario.fileFlows);
        }
        catch (const std::invalid_argument& error)
        {
            Refuse(option, std::string("false: ") + error.what());
        }
    }

    /// Find what the traffic is called, and refuse the files of other traffic.
    void ReadWorkload()
    {
        const std::string given = m_table.Get("workload");
        std::string workload = given != AUTO ? given : "permutation";
        std::vector<std::string> files{"flows"};
        files.insert(files.end(), PROGRAM_FILES.begin(), PROGRAM_FILES.end());
        for (const std::string& file : files)
        {
            workload = given == AUTO && !IsNone(file) ? file : workload;
        }
        workload = given == AUTO && !IsNone("cdf") ? "poisson" : workload;
        for (const std::string& file : files)
        {
            RefuseIf(file != workload && !IsNone(file), file, "not with --workload=" + workload);
        }
        m_scenario.workload = workload;
        m_scenario.options["workload"] = workload;
        RefuseUnmeant({"cdf", "load", "duration", "onlyJob"});
        RefuseUnmeant(TRACE_OPTIONS);
    }

    /// Read flows that start by themselves.
    void ReadMessages()
    {
        constexpr uint64_t SIZE = 1048576;
        const std::string& workload = m_scenario.workload;
        std::vector<std::string> known;
        std::remove_copy_if(FLOW_KINDS.begin(),
                            FLOW_KINDS.end(),
                            std::back_inserter(known),
                            &FindCollectiveKind);
        known.insert(known.end(), PROGRAM_FILES.begin(), PROGRAM_FILES.end());
        std::transform(COLLECTIVE_KINDS.begin(),
                       COLLECTIVE_KINDS.end(),
                       std::back_inserter(known),
                       NameOf);
        const std::string& given = m_table.Get("workload");
        RefuseIf(given != AUTO && !std::count(known.begin(), known.end(), given),
                 "workload",
                 OptionError::OneOf(given, known, AUTO));
        RefuseUnmeant({"senders"});
        if (workload == "poisson")
        {
            RefuseGiven({"size"}, "not with --workload=poisson, which has --cdf");
            ReadPoisson();
            return;
        }
        if (workload == "flows")
        {
            RefuseGiven({"size"}, "not with --workload=flows, whose file has the sizes");
            ReadFlows();
            return;
        }
        m_scenario.size = Read("size", workload == "all-to-all" ? ALL_TO_ALL_SIZE : SIZE);
        RefuseIf(m_scenario.size > MAX_FLOW_BYTES,
                 "size",
                 "at most " + std::to_string(MAX_FLOW_BYTES) + " bytes");
        if (workload == "incast")
        {
            const int64_t others = m_scenario.graph->HostCount() - 1;
            Read("senders", Whole(1, others, std::min<int64_t>(16, others)));
        }
    }

    void ReadFlows()
    {
        const std::string path = m_table.Get("flows");
        RefuseIf(IsNone("flows"), "workload", "needs --flows=FILE");
        try
        {
            m_scenario.fileFlows = ReadFlowCsvFile(path, m_scenario.graph->HostCount());
        }
        catch (const std::invalid_argument& error)
        {
            const std::string what = error.what();
            const std::string prefix = path + ":";
            const bool named = what.compare(0, prefix.size(), prefix) == 0;
            const bool numbered =
                named && what.size() > prefix.size() && what[prefix.size()] != ' ';
            Refuse("flows",
                   !named ? what
                          : (numbered ? "line " : "") +
                                what.substr(prefix.size() + (numbered ? 0 : 1)));
        }
    }

    /// Draw messages that arrive at random.
    void ReadPoisson()
    {
        constexpr double MOST_MESSAGES = 1e7;
        constexpr int64_t WORKLOAD_STREAM = 1;
        const int64_t duration = Read("duration");
        const double load = Read("load");
        RefuseIf(IsNone("cdf"), "workload", "needs --cdf=FILE");
        const SizeDistribution sizes =
            ReadFile("cdf", [this]() { return ReadSizeDistributionFile(m_table.Get("cdf")); });
        const uint32_t hosts = m_scenario.graph->HostCount();
        const double rate =
            load * static_cast<double>(m_scenario.rate) * m_scenario.graph->Planes();
        const double gapPs = sizes.GetMean() * BIT_PS_PER_BYTE / rate;
        RefuseIf(hosts * (static_cast<double>(duration) / gapPs) > MOST_MESSAGES,
                 "duration",
                 "so short that at most 10 million messages arrive");
        const Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(WORKLOAD_STREAM);
        m_scenario.fileFlows = PoissonArrivals(hosts, sizes, gapPs, duration, [random]() {
            return random->GetValue(0, 1);
        });
        RefuseIf(m_scenario.fileFlows.empty(),
                 "duration",
                 "long enough that at least one message arrives");
    }

    /// Read whether receivers admit what is sent to them.
    void ReadReceiverAdmission()
    {
        constexpr uint16_t IMMEDIATE_BYTES = 4; // of the last packet of each chunk
        const std::string option = "receiverAdmission";
        Read(option);
        if (m_scenario.receiverSlots == 0)
        {
            RefuseAttributes(ReceiverAdmission::GetTypeId().GetName(),
                             "only with --receiverAdmission");
            return;
        }
        Config::SetDefault("ns3::aifabric::ReceiverAdmission::Slots",
                           UintegerValue(m_scenario.receiverSlots));
        const Ptr<ReceiverAdmission> admission = CreateObject<ReceiverAdmission>();
        RefuseIf(
            !admission->IsPossible(),
            option,
            "at least SliceSteps of ns3::aifabric::ReceiverAdmission, whose chunks of SliceSteps * "
            "SlotBytes have at most GlobalGrant and at most 2^31 bytes, which GpuCopyRate copies "
            "within a second");
        m_scenario.deviceMtu += IMMEDIATE_BYTES;
    }

    /// Read the iterations, and what a failure does. To be called when the ranks are known.
    void ReadJob()
    {
        Read("iterations");
        RefuseIf(m_scenario.HasSumJobs() && m_scenario.job.iterations > 1,
                 "iterations",
                 "1 with in-network aggregation, whose --jobs=FILE has iterations");
        RefuseIf(!IsNone("cluster") && m_scenario.job.iterations > 1,
                 "iterations",
                 "1 with --cluster, whose file has iterations");
        RefuseIf(!m_scenario.jobs.empty() && m_scenario.job.iterations > 1,
                 "iterations",
                 "1 with --jobs=FILE, whose file has iterations");
        static const std::map<std::string, JobSpec::OnFailure> KINDS = {
            {"continue", JobSpec::OnFailure::CONTINUE},
            {"stop", JobSpec::OnFailure::STOP},
            {"abort", JobSpec::OnFailure::ABORT},
            {"restart", JobSpec::OnFailure::RESTART}};
        m_scenario.job.onFailure = KINDS.at(Read("onFailure"));
        ReadAll({"restartCost", "restartLimit"});
        RefuseIf(m_scenario.aggregation && m_scenario.job.EndsIterations(),
                 "onFailure",
                 "continue or stop with in-network aggregation");
        const bool isShared = RankTransport::GetRanks() > 1;
        RefuseIf(isShared && m_scenario.job.iterations > 1, "iterations", "1 with several --ranks");
        RefuseIf(isShared && m_scenario.job.EndsIterations(),
                 "onFailure",
                 "continue or stop with several --ranks");
    }
};

} // namespace

void
ReadTraffic(const OptionTable& table, FabricScenario& scenario)
{
    TrafficOptions(table, scenario).ReadTraffic();
}

void
ReadJob(const OptionTable& table, FabricScenario& scenario)
{
    TrafficOptions(table, scenario).ReadJob();
}

} // namespace aifabric
} // namespace ns3
