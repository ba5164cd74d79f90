/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "traffic-options.h"

#include "aggregation-options.h"
#include "collective-options.h"
#include "option-value.h"
#include "trace-options.h"

#include "ns3/collective-kind.h"
#include "ns3/config.h"
#include "ns3/csv-writer.h"
#include "ns3/flow-list.h"
#include "ns3/random-variable-stream.h"
#include "ns3/receiver-admission.h"
#include "ns3/uinteger.h"
#include "ns3/workload-check.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Declare the options of random arrivals.
void
DeclarePoisson(OptionTable& table)
{
    table.AddNone("cdf",
                  "poisson: file with the distribution of message lengths, whose first line is "
                  "bytes,probability");
    table.AddAuto("load",
                  "poisson: payload of the messages that start per second, as a share of the line "
                  "rate of the hosts (above 0, at most 1; auto: 0.6)");
    table.AddAuto(
        "duration",
        "poisson: time from the start of the run within which messages start (auto: 1ms)");
}

} // namespace

void
TrafficOptions::Declare(OptionTable& table)
{
    table.AddAuto(
        "workload",
        "traffic: flows that do not wait for each other (permutation, tornado, all-to-all, incast, "
        "poisson, flows), "
        "a collective (" +
            ListCollectiveKinds() +
            "), a training iteration (training, chakra), or jobs (cluster); the messages of an "
            "all-to-all start at once, or in the order of its algorithm where an option of "
            "collectives is given (auto: the workload of the file that is given, else "
            "permutation)");
    table.AddNone(
        "flows",
        "file with the flows, whose first line is start_ns,source,destination,bytes in any order; "
        "flows.csv of a run, too");
    table.AddNone("training", "TOML file with a training iteration");
    table.AddNone("chakra",
                  "Chakra execution traces of a training iteration: FILE stands for FILE.0.et, "
                  "FILE.1.et, ..., one a rank");
    table.AddNone("cluster",
                  "file with jobs that share the fabric, whose first line is "
                  "name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns");
    table.AddNone("onlyJob", "cluster: the one job that runs, on the hosts that it has among all");
    TraceOptions::Declare(table);
    table.AddAuto("size",
                  "bytes of each message (auto: 1MiB); all-to-all: bytes from each rank to each "
                  "other (auto: 64KiB); other collectives: bytes of a rank, as nccl-tests counts "
                  "them (auto: 16MiB)");
    CollectiveOptions::Declare(table);
    AggregationOptions::Declare(table);
    DeclarePoisson(table);
    table.AddAuto("senders", "incast: hosts that send to host 0 (auto: 16, or all others)");
    table.AddAuto("jitter",
                  "upper limit of the random delay after which each host starts its flows (auto: "
                  "the time of one packet, or 0 with flows of a file)");
    table.Add("receiverAdmission",
              "0",
              "slots that a receiver has for each channel of each sender: a sender sends a chunk "
              "only when the receiver has allowed it by a clear-to-send (CTS), as in collective "
              "libraries (0: senders send at once)");
    table.Reserve("ns3::aifabric::ReceiverAdmission::Slots", "receiverAdmission");
    table.Add("acks",
              "fabric",
              "whether acknowledgements cross the fabric, or bypass it and occupy no port and "
              "no buffer (fabric or bypass)");
}

void
TrafficOptions::Read()
{
    ReadWorkload();
    const std::string& workload = m_scenario.workload;
    AggregationOptions aggregation(m_table, m_scenario);
    CollectiveOptions collectives(m_table, m_scenario);
    const std::optional<CollectiveKind> kind = FindCollectiveKind(workload);
    if (aggregation.IsChosen())
    {
        aggregation.Read();
        RefuseIf(m_table.IsGiven("receiverAdmission"),
                 "receiverAdmission",
                 "not with in-network aggregation");
        ReadJitter();
        ReadAcks();
        return;
    }
    aggregation.RefuseAll();
    if (aggregation.HasJobFile())
    {
        RefuseIf(kind != CollectiveKind::ALL_REDUCE, "jobs", "only with --workload=all-reduce");
        collectives.ReadJobs(aggregation.ReadJobFile());
    }
    else if (kind && (kind != CollectiveKind::ALL_TO_ALL || collectives.IsAnyChanged()))
    {
        collectives.ReadCollective(*kind);
    }
    else if (workload == "training" || workload == "chakra" || workload == "cluster")
    {
        collectives.ReadTraining(workload);
    }
    else
    {
        collectives.RefuseAll();
        ReadMessages();
    }
    ReadReceiverAdmission();
    ReadJitter();
    ReadAcks();
}

void
TrafficOptions::ReadWorkload()
{
    const std::string given = m_table.Get("workload");
    std::string workload = given != AUTO ? given : "permutation";
    for (const std::string file : {"flows", "training", "chakra", "cluster"})
    {
        workload = given == AUTO && !IsNone(file) ? file : workload;
    }
    workload = given == AUTO && !IsNone("cdf") ? "poisson" : workload;
    for (const std::string file : {"flows", "training", "chakra", "cluster"})
    {
        RefuseIf(file != workload && !IsNone(file), file, "not with --workload=" + workload);
    }
    m_scenario.workload = workload;
    m_scenario.options["workload"] = workload;
    if (workload != "poisson")
    {
        RefuseGiven({"cdf", "load", "duration"}, "only with --workload=poisson");
    }
    if (workload != "cluster")
    {
        RefuseGiven({"onlyJob"}, "only with --workload=cluster");
    }
    if (workload != "chakra")
    {
        TraceOptions(m_table, m_scenario).RefuseAll();
    }
}

void
TrafficOptions::ReadMessages()
{
    constexpr uint64_t SIZE = 1048576;
    constexpr int64_t SENDERS = 16;
    const std::string& workload = m_scenario.workload;
    std::vector<std::string> known =
        {"permutation", "tornado", "incast", "poisson", "flows", "training", "chakra", "cluster"};
    std::transform(COLLECTIVE_KINDS.begin(),
                   COLLECTIVE_KINDS.end(),
                   std::back_inserter(known),
                   NameOf);
    ReadChoice("workload", known);
    if (workload != "incast")
    {
        RefuseGiven({"senders"}, "only with --workload=incast");
    }
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
    m_scenario.size =
        ReadSize("size", 1, workload == "all-to-all" ? CollectiveOptions::ALL_TO_ALL_SIZE : SIZE);
    m_scenario.options["size"] = m_scenario.size;
    RefuseIf(m_scenario.size > MAX_FLOW_BYTES,
             "size",
             "at most " + std::to_string(MAX_FLOW_BYTES) + " bytes");
    if (workload == "incast")
    {
        const int64_t others = m_scenario.graph->HostCount() - 1;
        m_scenario.senders = ReadInteger("senders", 1, others, std::min(SENDERS, others));
        m_scenario.options["senders"] = m_scenario.senders;
    }
}

void
TrafficOptions::ReadFlows()
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
        const bool numbered = named && what.size() > prefix.size() && what[prefix.size()] != ' ';
        Refuse("flows",
               !named
                   ? what
                   : (numbered ? "line " : "") + what.substr(prefix.size() + (numbered ? 0 : 1)));
    }
}

void
TrafficOptions::ReadPoisson()
{
    constexpr double LOAD = 0.6;
    constexpr double MOST_MESSAGES = 1e7;
    constexpr double PS_BIT_PER_BYTE = 8e12;
    constexpr int64_t WORKLOAD_STREAM = 1;
    const int64_t duration =
        m_table.Get("duration") == AUTO ? int64_t{1'000'000'000} : ReadTime("duration", 1);
    const std::optional<double> load =
        m_table.Get("load") == AUTO ? LOAD : ParseNumber(m_table.Get("load"));
    RefuseIf(!load || !(*load > 0 && *load <= 1),
             "load",
             "a decimal number above 0 and at most 1, or auto");
    RefuseIf(IsNone("cdf"), "workload", "needs --cdf=FILE");
    const SizeDistribution sizes =
        ReadFile("cdf", [this]() { return ReadSizeDistributionFile(m_table.Get("cdf")); });
    const uint32_t hosts = m_scenario.graph->HostCount();
    const double rate = *load * static_cast<double>(m_scenario.rate) * m_scenario.graph->Planes();
    const double gapPs = sizes.GetMean() * PS_BIT_PER_BYTE / rate;
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
    m_scenario.options["load"] = *load;
    m_scenario.options["duration"] = FormatNs(duration) + "ns";
}

void
TrafficOptions::ReadReceiverAdmission()
{
    constexpr int64_t MOST_SLOTS = 1 << 20;
    constexpr uint16_t IMMEDIATE_BYTES = 4; // of the last packet of each chunk
    const std::string option = "receiverAdmission";
    m_scenario.receiverSlots = static_cast<uint32_t>(ReadInteger(option, 0, MOST_SLOTS));
    m_scenario.options[option] = m_scenario.receiverSlots;
    if (m_scenario.receiverSlots == 0)
    {
        RefuseAttributes(ReceiverAdmission::GetTypeId().GetName(), "only with --receiverAdmission");
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
        "within "
        "a second");
    m_scenario.deviceMtu += IMMEDIATE_BYTES;
}

void
TrafficOptions::ReadJitter()
{
    if (m_table.Get("jitter") != AUTO)
    {
        m_scenario.jitterPs = ReadTime("jitter", 0);
    }
    else if (m_scenario.fileFlows.empty() && !m_scenario.training)
    {
        m_scenario.jitterPs = static_cast<int64_t>(FullPacketPs(m_scenario.rate));
    }
    m_scenario.options["jitter"] = FormatNs(m_scenario.jitterPs) + "ns";
}

void
TrafficOptions::ReadAcks()
{
    m_scenario.acksInFabric = ReadChoice("acks", {"fabric", "bypass"}) == "fabric";
    RefuseIf(!m_scenario.acksInFabric && m_scenario.fabricRate != m_scenario.rate,
             "acks",
             "fabric, where --fabricRate is not --rate");
}

} // namespace aifabric
} // namespace ns3
