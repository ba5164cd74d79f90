/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-sections.h"
#include "option-value.h"

#include "ns3/chakra-reader.h"
#include "ns3/goal-reader.h"
#include "ns3/printable.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

const OptionWhen CHAKRA = {"only with Chakra traces", [](const FabricScenario& scenario) {
                               const auto& workload = scenario.options.at("workload");
                               return workload == "chakra" || workload == "cluster";
                           }};

} // namespace

const std::vector<std::string> TRACE_OPTIONS = {"chakraGroups",
                                                "chakraControl",
                                                "chakraStreams",
                                                "peakPerf",
                                                "memoryBandwidth"};

/// How Chakra traces are read.
// clang-format off
const OptionGroup CHAKRA_ROWS = {"Execution traces", {
    {"chakraGroups", NONE, Plain("file"),
     "JSON file of the process groups that traces name: {\"1\": [0, 1], \"2\": [2, 3]}; a group "
     "of the file replaces a group of the same name of a trace", {}, CHAKRA},
    {"chakraControl", AUTO, Choice({"ignore", "follow"}),
     "control dependencies of traces (who called whom): ignore, or follow, that is, a node waits "
     "for them as for data dependencies (auto: ignore)", {}, CHAKRA},
    {"chakraStreams", AUTO, Choice({"serial", "parallel"}),
     "what a host executes at a time: serial, that is, one operation on its processor and one "
     "kernel, copy, collective or send on each stream, or parallel, that is, all nodes that are "
     "ready (auto: serial)", {}, CHAKRA},
    {"peakPerf", NONE, Plain("text"),
     "operations a second of a host's device, such as 312TFLOPS: gives the time of nodes that "
     "have num_ops and no duration", {}, CHAKRA},
    {"memoryBandwidth", NONE, Plain("text"),
     "bytes a second of the memory of a host's device, such as 2TB/s: gives the time of memory "
     "nodes that have tensor_size and no duration, and with --peakPerf the least time of others",
     {}, CHAKRA},
}};

// clang-format on

namespace
{

/// Reads Chakra traces, and schedules in GOAL.
class TraceOptions : public OptionSection
{
  public:
    using OptionSection::OptionSection;

    /// @return what traces say  @param prefix how their names begin
    TrainingWorkload ReadTraces(const std::string& prefix)
    {
        ChakraOptions options = ReadHow();
        options.placement = ReadRanks();
        ChakraWorkload workload;
        try
        {
            workload = ReadFiles(prefix, m_scenario.graph->HostCount(), options);
        }
        catch (const ChakraGroupsError&)
        {
            throw;
        }
        catch (const std::invalid_argument& error)
        {
            throw std::invalid_argument(std::string("--chakra: ") + error.what());
        }
        const std::vector<uint32_t>& programs = workload.training.programOf;
        const int64_t idle =
            std::count(programs.begin(), programs.end(), TrainingWorkload::NO_PROGRAM);
        const int64_t ranks = static_cast<int64_t>(programs.size()) - idle;
        CheckRanks(ranks, "the number of traces");
        m_scenario.notes = std::move(workload.notes);
        return std::move(workload.training);
    }

    /// @return what the traces of a job of several say  @param prefix how their names begin
    /// @param ranks of the job
    ChakraWorkload ReadJobTraces(const std::string& prefix, uint32_t ranks)
    {
        return ReadFiles(prefix, ranks, ReadHow());
    }

    /// @return what a schedule in GOAL says  @param path its file
    TrainingWorkload ReadGoal(const std::string& path)
    {
        const std::vector<uint32_t> placement = ReadRanks();
        GoalWorkload workload = ReadFile("goal", [this, &path, &placement]() {
            return ReadGoalFile(path, m_scenario.graph->HostCount(), placement);
        });
        CheckRanks(workload.ranks, "num_ranks of the file");
        m_scenario.notes = std::move(workload.notes);
        return std::move(workload.training);
    }

  private:
    /// @return what traces say; a wrong group names the file of groups  @param prefix how their
    /// names begin  @param hosts how many there are  @param options how they are read
    ChakraWorkload ReadFiles(const std::string& prefix,
                             uint32_t hosts,
                             const ChakraOptions& options) const
    {
        try
        {
            return ReadChakraTraces(prefix, hosts, options);
        }
        catch (const ChakraGroupsError& error)
        {
            throw ChakraGroupsError("--chakraGroups: " + Printable(m_table.Get("chakraGroups")) +
                                    ": " + error.what());
        }
    }

    /// @return host by rank; empty: rank r runs on host r
    std::vector<uint32_t> ReadRanks() const
    {
        return IsNone("placement") ? std::vector<uint32_t>() : ReadPlacement(m_table, m_scenario);
    }

    /// Refuse another number of ranks than that of the file.  @param what where the file has it
    void CheckRanks(int64_t ranks, const std::string& what) const
    {
        RefuseIf(IsGiven("jobRanks") && ParseWhole(m_table.Get("jobRanks")) != ranks,
                 "jobRanks",
                 std::to_string(ranks) + ", " + what + ", or auto");
    }

    /// @return how Chakra traces are read, but where ranks are
    ChakraOptions ReadHow()
    {
        ChakraOptions options;
        options.followsControl = Read("chakraControl") == "follow";
        options.hasStreams = Read("chakraStreams") == "serial";
        options.operationsPerSecond = ReadRate(
            "peakPerf",
            ParseOperationRate,
            "operations a second, above 0 and at most 1e18, with k, M, G, T, P or E and FLOPS, "
            "FLOP/s or op/s, such as 312TFLOPS; or none");
        options.memoryBytesPerSecond = ReadRate(
            "memoryBandwidth",
            ParseByteRate,
            "bytes a second, above 0 and at most 1e18, with k, M, G, T, P or E and B/s, such as "
            "2TB/s, or bits, such as 8Tb/s; or none");
        if (!IsNone("chakraGroups"))
        {
            options.groups = ReadFile("chakraGroups", [this]() {
                return ReadChakraGroupsFile(m_table.Get("chakraGroups"));
            });
        }
        return options;
    }

    /// @return the value of an option that is a rate, 0 if it is not given  @param name of the
    /// option  @param parse reads a rate  @param allowed what is allowed
    double ReadRate(const std::string& name,
                    std::optional<double> (*parse)(const std::string&),
                    const std::string& allowed) const
    {
        const std::optional<double> rate = IsNone(name) ? 0 : parse(m_table.Get(name));
        RefuseIf(!IsNone(name) && (!rate || *rate <= 0), name, allowed);
        return *rate;
    }
};

} // namespace

TrainingWorkload
ReadTraces(const OptionTable& table, FabricScenario& scenario, const std::string& prefix)
{
    return TraceOptions(table, scenario).ReadTraces(prefix);
}

ChakraWorkload
ReadJobTraces(const OptionTable& table,
              FabricScenario& scenario,
              const std::string& prefix,
              uint32_t ranks)
{
    return TraceOptions(table, scenario).ReadJobTraces(prefix, ranks);
}

TrainingWorkload
ReadGoal(const OptionTable& table, FabricScenario& scenario, const std::string& path)
{
    return TraceOptions(table, scenario).ReadGoal(path);
}

} // namespace aifabric
} // namespace ns3
