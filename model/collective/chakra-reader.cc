/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-reader.h"

#include "chakra-trace.h"
#include "workload-check.h"
#include "workload-text.h"

#include "ns3/table-reader.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

namespace fs = std::filesystem;

constexpr int64_t PS_PER_US = 1'000'000; //!< picoseconds of a microsecond
constexpr std::size_t MAX_SHOWN = 6;     //!< nodes of a circle that a message names
const char* const ALL = "all";           //!< the group of all ranks
const char* const SUFFIX = ".et";        //!< how names of traces end

/// Numbers of comm_type, from the schema.
const std::map<int64_t, CollectiveKind> KINDS = {{0, CollectiveKind::ALL_REDUCE},
                                                 {2, CollectiveKind::ALL_GATHER},
                                                 {5, CollectiveKind::BROADCAST},
                                                 {6, CollectiveKind::ALL_TO_ALL},
                                                 {7, CollectiveKind::REDUCE_SCATTER},
                                                 {8, CollectiveKind::REDUCE_SCATTER}};
constexpr int64_t BARRIER = 9; //!< comm_type of a barrier, from the schema

/// @return the file of a rank  @param prefix how its name begins  @param rank the rank
std::string
FileOf(const std::string& prefix, uint64_t rank)
{
    return prefix + "." + std::to_string(rank) + SUFFIX;
}

/// @return the rank whose trace a file is, if it is one  @param name the file's name  @param prefix
/// how names of traces begin
std::optional<uint64_t>
RankOf(const std::string& name, const std::string& prefix)
{
    const std::string suffix = SUFFIX;
    const bool mayBe = name.size() > prefix.size() + 1 + suffix.size() &&
                       name.compare(0, prefix.size() + 1, prefix + ".") == 0 &&
                       name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
    if (!mayBe)
    {
        return std::nullopt;
    }
    const auto length = name.size() - prefix.size() - 1 - suffix.size();
    return ParseDigits(std::string_view(name).substr(prefix.size() + 1, length));
}

/// @return the number of traces  @param prefix how their names begin  @param hosts number of hosts
uint32_t
CountRanks(const std::string& prefix, uint32_t hosts)
{
    const fs::path path(prefix);
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    std::set<uint64_t> ranks;
    std::error_code error;
    for (fs::directory_iterator i(folder, error), end; !error && i != end; i.increment(error))
    {
        const auto rank = RankOf(i->path().filename().string(), path.filename().string());
        if (rank)
        {
            ranks.insert(*rank);
        }
    }
    if (ranks.empty())
    {
        throw std::invalid_argument(FileOf(prefix, 0) + ": there is no such file");
    }
    const uint64_t last = *ranks.rbegin();
    if (last >= hosts)
    {
        throw std::invalid_argument(FileOf(prefix, last) + ": there is no host for this rank (0.." +
                                    std::to_string(hosts - 1) + ")");
    }
    for (uint64_t rank = 0; rank < last; ++rank)
    {
        if (ranks.count(rank) == 0)
        {
            throw std::invalid_argument(FileOf(prefix, rank) + ": is missing, and " +
                                        FileOf(prefix, last) + " is there");
        }
    }
    return static_cast<uint32_t>(last + 1);
}

/// Makes the program of a rank from its trace.
class RankReader
{
  public:
    /**
     * @param file name of the trace
     * @param rank the rank
     * @param ranks number of ranks
     * @param communicators the groups; the first is all ranks; must outlive the reader
     */
    RankReader(std::string file,
               uint32_t rank,
               uint32_t ranks,
               const std::vector<Communicator>& communicators)
        : m_file(std::move(file)),
          m_rank(rank),
          m_ranks(ranks),
          m_communicators(communicators)
    {
    }

    /// @return the program
    WorkloadProgram Read()
    {
        std::ifstream input = OpenTable(m_file);
        const std::string bytes{std::istreambuf_iterator<char>(input),
                                std::istreambuf_iterator<char>()};
        m_nodes = ParseChakraTrace(bytes, m_file);
        std::stable_sort(m_nodes.begin(), m_nodes.end(), [](const auto& a, const auto& b) {
            return a.id < b.id;
        });
        CheckDependencies();
        WorkloadProgram program;
        for (std::size_t i = 0; i < m_nodes.size(); ++i)
        {
            const ChakraNode& node = m_nodes[i];
            if (i > 0 && m_nodes[i - 1].id == node.id)
            {
                Fail(node, "another node has the same id");
            }
            program.push_back(Convert(node));
            program.back().dependencies = DependenciesOf(node);
        }
        CheckCycle(program);
        return program;
    }

  private:
    /// @return what a node is called  @param node the node
    static std::string NameOfNode(const ChakraNode& node)
    {
        return "node " + std::to_string(node.id) + " " + Quoted(node.name);
    }

    /// Refuse a node.  @param node the node  @param why what is wrong
    [[noreturn]] void Fail(const ChakraNode& node, const std::string& why) const
    {
        throw std::invalid_argument(m_file + ": " + NameOfNode(node) + ": " + why);
    }

    /// Refuse a trace whose order would not be followed.
    void CheckDependencies() const
    {
        const auto called = std::find_if(m_nodes.begin(), m_nodes.end(), [](const auto& node) {
            return node.isCalled;
        });
        const bool hasOrder = std::any_of(m_nodes.begin(), m_nodes.end(), [](const auto& node) {
            return !node.dependencies.empty();
        });
        if (called != m_nodes.end() && !hasOrder)
        {
            Fail(*called,
                 "the trace has only control dependencies, that is, who called whom; what is "
                 "followed "
                 "are data dependencies, which Chakra's converter adds");
        }
    }

    /// @return where a node is, if it is there  @param id its id
    std::optional<uint32_t> Find(uint64_t id) const
    {
        const auto found =
            std::lower_bound(m_nodes.begin(), m_nodes.end(), id, [](const auto& node, uint64_t i) {
                return node.id < i;
            });
        if (found == m_nodes.end() || found->id != id)
        {
            return std::nullopt;
        }
        return static_cast<uint32_t>(found - m_nodes.begin());
    }

    /// @return indices of the nodes that a node depends on, none twice  @param node the node
    std::vector<uint32_t> DependenciesOf(const ChakraNode& node) const
    {
        std::vector<uint32_t> indices;
        for (const uint64_t id : node.dependencies)
        {
            const auto index = Find(id);
            if (!index)
            {
                Fail(node, "depends on node " + std::to_string(id) + ", which is not there");
            }
            indices.push_back(*index);
        }
        std::sort(indices.begin(), indices.end());
        indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
        return indices;
    }

    /// Refuse nodes that depend on each other in a circle.  @param program the program
    void CheckCycle(const WorkloadProgram& program) const
    {
        const std::vector<uint32_t> cycle = FindCycle(program);
        if (cycle.empty())
        {
            return;
        }
        std::string names;
        for (std::size_t i = 0; i < std::min(cycle.size(), MAX_SHOWN); ++i)
        {
            names += (i == 0 ? "" : ", ") + NameOfNode(m_nodes[cycle[i]]);
        }
        throw std::invalid_argument(m_file + ": " + std::to_string(cycle.size()) +
                                    " nodes depend on each other in a circle: " + names +
                                    (cycle.size() > MAX_SHOWN ? ", ..." : ""));
    }

    /// @return a node of the workload, without its dependencies  @param node of the trace
    WorkloadNode Convert(const ChakraNode& node) const
    {
        WorkloadNode made;
        made.name = node.name.empty() ? std::to_string(node.id) : node.name;
        switch (node.type)
        {
        case ChakraNode::COLLECTIVE:
            if (IsLaunch(node))
            {
                made.durationPs = DelayOf(node);
                break;
            }
            ConvertCollective(node, made);
            break;
        case ChakraNode::SEND:
            made.kind = WorkloadNode::Kind::SEND;
            ConvertMessage(node, "comm_src", "comm_dst", made);
            break;
        case ChakraNode::RECEIVE:
            made.kind = WorkloadNode::Kind::RECEIVE;
            ConvertMessage(node, "comm_dst", "comm_src", made);
            break;
        case ChakraNode::INVALID:
        case ChakraNode::METADATA:
            break; // takes no time
        default:
            if (node.type > ChakraNode::CHECKPOINT)
            {
                Fail(node, "type " + std::to_string(node.type) + " is not known (0..10)");
            }
            made.durationPs = DelayOf(node);
        }
        return made;
    }

    /// @return whether a collective is only what a processor does to start one  @param node the
    /// node
    static bool IsLaunch(const ChakraNode& node)
    {
        const auto onProcessor = node.numbers.find("is_cpu_op");
        return onProcessor != node.numbers.end() && onProcessor->second != 0 &&
               node.numbers.count("comm_type") == 0;
    }

    /// @return how long a node takes, in picoseconds  @param node the node
    int64_t DelayOf(const ChakraNode& node) const
    {
        constexpr uint64_t MOST = MAX_WORKLOAD_DELAY_PS / PS_PER_US;
        if (node.durationMicros > MOST)
        {
            Fail(node,
                 std::to_string(node.durationMicros) + " us are no duration (0.." +
                     std::to_string(MOST) + ")");
        }
        return static_cast<int64_t>(node.durationMicros) * PS_PER_US;
    }

    /**
     * @param node a node
     * @param name name of an attribute
     * @param least the least that is allowed
     * @param most the most
     * @return its value
     */
    uint64_t GetNumber(const ChakraNode& node,
                       const std::string& name,
                       uint64_t least,
                       uint64_t most) const
    {
        const std::string range = " (" + std::to_string(least) + ".." + std::to_string(most) + ")";
        const auto found = node.numbers.find(name);
        if (found == node.numbers.end())
        {
            Fail(node, "has no attribute " + name + range);
        }
        const auto value = static_cast<uint64_t>(found->second); // too large if it is negative
        if (value < least || value > most)
        {
            Fail(node, name + " is " + std::to_string(found->second) + range);
        }
        return value;
    }

    /// Convert a collective.  @param node of the trace  @param made of the workload
    void ConvertCollective(const ChakraNode& node, WorkloadNode& made) const
    {
        made.kind = WorkloadNode::Kind::COLLECTIVE;
        made.communicator = GroupOf(node);
        const uint64_t ranks = m_communicators[made.communicator].hosts.size();
        const auto type = static_cast<int64_t>(GetNumber(node, "comm_type", 0, BARRIER));
        if (type == BARRIER)
        {
            made.bytes = ranks; // an all-reduce of a byte a rank: all wait for all
            return;
        }
        const auto kind = KINDS.find(type);
        if (kind == KINDS.end())
        {
            Fail(node,
                 "comm_type " + std::to_string(type) +
                     " is not simulated (0 all-reduce, 2 all-gather, 5 broadcast, 6 all-to-all, 7 "
                     "and 8 "
                     "reduce-scatter, 9 barrier are)");
        }
        made.collective = kind->second;
        const bool isPart = made.collective == CollectiveKind::ALL_GATHER; // that of one rank
        const uint64_t most = MAX_WORKLOAD_BYTES / (isPart ? ranks : 1);
        made.bytes = GetNumber(node, "comm_size", 1, most) * (isPart ? ranks : 1);
        if (node.leavesOutDimension)
        {
            Fail(node,
                 "involved_dim leaves out a dimension, and fabrics have none here: name a group by "
                 "pg_name");
        }
    }

    /// @return index of the group of a collective  @param node the node
    uint32_t GroupOf(const ChakraNode& node) const
    {
        const auto named = node.texts.find("pg_name");
        const std::string name = named == node.texts.end() ? "" : named->second;
        std::vector<std::string> known;
        for (uint32_t i = 1; i < m_communicators.size(); ++i)
        {
            if (m_communicators[i].name == name)
            {
                return i;
            }
            known.push_back(m_communicators[i].name);
        }
        if (!name.empty() && name != "0" && name != ALL)
        {
            Fail(node,
                 "pg_name " + Quoted(name) + " is no group" +
                     (known.empty() ? " (there is only the one of all ranks)"
                                    : " (there are " + Listed(known) + ")"));
        }
        return 0;
    }

    /**
     * Convert a send or receive.
     *
     * @param node of the trace
     * @param own attribute that names this rank, if it is there
     * @param other attribute that names the other rank
     * @param made of the workload
     */
    void ConvertMessage(const ChakraNode& node,
                        const std::string& own,
                        const std::string& other,
                        WorkloadNode& made) const
    {
        if (node.numbers.count(own) > 0)
        {
            GetNumber(node, own, m_rank, m_rank);
        }
        made.peer = static_cast<uint32_t>(GetNumber(node, other, 0, m_ranks - 1));
        made.bytes = GetNumber(node, "comm_size", 1, MAX_WORKLOAD_BYTES);
        if (node.numbers.count("comm_tag") > 0)
        {
            made.tag = static_cast<uint32_t>(GetNumber(node, "comm_tag", 0, UINT32_MAX));
        }
        if (made.peer == m_rank)
        {
            Fail(node, other + " is this rank itself");
        }
    }

    std::string m_file;                               //!< name of the trace
    uint32_t m_rank;                                  //!< the rank
    uint32_t m_ranks;                                 //!< number of ranks
    const std::vector<Communicator>& m_communicators; //!< the groups
    std::vector<ChakraNode> m_nodes;                  //!< of the trace, by id
};

} // namespace

TrainingWorkload
ReadChakraTraces(const std::string& prefix, uint32_t hosts, const std::vector<Communicator>& groups)
{
    const uint32_t ranks = CountRanks(prefix, hosts);
    TrainingWorkload workload;
    workload.communicators.push_back({ALL, std::vector<uint32_t>(ranks)});
    auto& all = workload.communicators.front().hosts;
    std::iota(all.begin(), all.end(), 0);
    workload.communicators.insert(workload.communicators.end(), groups.begin(), groups.end());
    workload.programOf.resize(hosts, TrainingWorkload::NO_PROGRAM);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        RankReader reader(FileOf(prefix, rank), rank, ranks, workload.communicators);
        workload.programs.push_back(reader.Read());
        workload.programOf[rank] = rank;
    }
    try
    {
        CheckWorkload(workload, hosts);
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(prefix + ".*" + SUFFIX + ": " + error.what());
    }
    return workload;
}

} // namespace aifabric
} // namespace ns3
