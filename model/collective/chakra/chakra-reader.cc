/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-reader.h"

#include "chakra-communicators.h"
#include "chakra-converter.h"
#include "chakra-parts.h"
#include "chakra-trace.h"

#include "ns3/message-text.h"
#include "ns3/program-order.h"
#include "ns3/table-reader.h"
#include "ns3/workload-check.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
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

constexpr std::size_t MAX_NAMED = 6;             //!< nodes of a circle that a message names
constexpr uint64_t MAX_TRACE_BYTES = 1ULL << 30; //!< of a trace: 1 GiB
const char* const SUFFIX = ".et";                //!< how names of traces end

/// @return the file of a rank  @param prefix how its name begins
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

/// @return the number of traces  @param prefix how their names begin
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

/// @return the bytes of a trace  @param file its name
std::string
ReadBytes(const std::string& file)
{
    std::ifstream input = OpenTable(file);
    std::error_code error;
    if (fs::file_size(file, error) > MAX_TRACE_BYTES)
    {
        throw std::invalid_argument(file + ": is longer than 1 GiB");
    }
    return {std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
}

/// Makes the program of a rank from its trace.
class RankReader
{
  public:
    /**
     * @param file name of the trace
     * @param options how traces are read; must outlive the reader
     * @param communicators where groups become communicators; likewise
     * @param omissions where to count what is left out; likewise
     */
    RankReader(std::string file,
               uint32_t rank,
               const ChakraOptions& options,
               ChakraCommunicators& communicators,
               ChakraOmissions& omissions)
        : m_file(std::move(file)),
          m_options(options),
          m_omissions(omissions),
          m_converter(rank, options, communicators, omissions)
    {
    }

    /// @return the program
    WorkloadProgram Read()
    {
        m_nodes = ParseChakraTrace(ReadBytes(m_file), m_file);
        std::stable_sort(m_nodes.begin(), m_nodes.end(), [](const auto& a, const auto& b) {
            return a.id < b.id;
        });
        CheckDependencies();
        for (const ChakraNode& node : m_nodes)
        {
            ReadGroups(node);
        }
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
        return OrderByDependencies(program);
    }

  private:
    /// @return what a node is called
    static std::string NameOfNode(const ChakraNode& node)
    {
        return "node " + std::to_string(node.id) + " " + Quoted(node.name);
    }

    /// Refuse a node.  @param why what is wrong
    [[noreturn]] void Fail(const ChakraNode& node, const std::string& why) const
    {
        throw std::invalid_argument(m_file + ": " + NameOfNode(node) + ": " + why);
    }

    /// Take the groups that a node makes.
    void ReadGroups(const ChakraNode& node)
    {
        try
        {
            m_converter.ReadGroups(node);
        }
        catch (const std::invalid_argument& error)
        {
            Fail(node, error.what());
        }
    }

    /// @return a node of the workload  @param node of the trace
    WorkloadNode Convert(const ChakraNode& node)
    {
        try
        {
            return m_converter.Convert(node);
        }
        catch (const ChakraGroupsError&)
        {
            throw; // the fault is not the trace's
        }
        catch (const std::invalid_argument& error)
        {
            Fail(node, error.what());
        }
    }

    /// Refuse a trace whose order would not be followed.
    void CheckDependencies() const
    {
        const auto called = std::find_if(m_nodes.begin(), m_nodes.end(), [](const auto& node) {
            return !node.callers.empty();
        });
        const bool hasOrder = std::any_of(m_nodes.begin(), m_nodes.end(), [](const auto& node) {
            return !node.dependencies.empty();
        });
        if (called != m_nodes.end() && !hasOrder && !m_options.followsControl)
        {
            Fail(*called,
                 "the trace has only control dependencies, that is, who called whom; what is "
                 "followed are data dependencies, which Chakra's converter adds "
                 "(--chakraControl=follow follows both)");
        }
    }

    /// @return where a node is, if it is there
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

    /// @return indices of the nodes that a node depends on, none twice
    std::vector<uint32_t> DependenciesOf(const ChakraNode& node)
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
        AddCallers(node, indices);
        std::sort(indices.begin(), indices.end());
        indices.erase(std::unique(indices.begin(), indices.end()), indices.end());
        return indices;
    }

    /// Add the control dependencies of a node, or count them.  @param indices where to add them
    void AddCallers(const ChakraNode& node, std::vector<uint32_t>& indices)
    {
        if (!m_options.followsControl)
        {
            m_omissions.control += node.callers.size();
            return;
        }
        for (const uint64_t id : node.callers)
        {
            const auto index = Find(id);
            if (index)
            {
                indices.push_back(*index);
            }
            m_omissions.strangers += index ? 0 : 1; // callers that a converter left out
        }
    }

    /// Refuse nodes that depend on each other in a circle.
    void CheckCycle(const WorkloadProgram& program) const
    {
        const std::vector<uint32_t> cycle = FindCycle(program);
        if (cycle.empty())
        {
            return;
        }
        std::vector<std::string> names;
        for (std::size_t i = 0; i < std::min(cycle.size(), MAX_NAMED + 1); ++i)
        {
            names.push_back(NameOfNode(m_nodes[cycle[i]]));
        }
        throw std::invalid_argument(
            m_file + ": " + std::to_string(cycle.size()) +
            " nodes depend on each other in a circle: " + Listed(names, MAX_NAMED));
    }

    std::string m_file;              //!< name of the trace
    const ChakraOptions& m_options;  //!< how traces are read
    ChakraOmissions& m_omissions;    //!< what is left out
    ChakraConverter m_converter;     //!< makes the nodes
    std::vector<ChakraNode> m_nodes; //!< of the trace, by id
};

/// @return the host of each rank  @param prefix how names of traces begin
/// @param options how traces are read
std::vector<uint32_t>
PlacementOf(const std::string& prefix, uint32_t ranks, const ChakraOptions& options)
{
    std::vector<uint32_t> placement = options.placement;
    if (placement.empty())
    {
        placement.resize(ranks);
        std::iota(placement.begin(), placement.end(), 0);
    }
    if (placement.size() < ranks)
    {
        throw std::invalid_argument(FileOf(prefix, ranks - 1) + ": the placement is of " +
                                    std::to_string(placement.size()) + " ranks");
    }
    placement.resize(ranks);
    return placement;
}

/// @return what is left out, a line each
std::vector<std::string>
NotesOf(const ChakraOmissions& omissions)
{
    std::vector<std::string> notes;
    const auto add = [&notes](uint64_t count, const std::string& what) {
        if (count > 0)
        {
            notes.push_back(std::to_string(count) + " " + what);
        }
    };
    add(omissions.control, "control dependencies are ignored (--chakraControl=follow: waited for)");
    add(omissions.strangers, "control dependencies on nodes that are not there are ignored");
    add(omissions.memory,
        "memory nodes have a tensor_size and no duration and take no time (--memoryBandwidth: they "
        "do)");
    add(omissions.alone, "collectives of groups of one rank take no time");
    add(omissions.empty, "collectives of 0 bytes take no time");
    return notes;
}

/// Make the priorities of communication its traffic classes. Where none is above 0, the default of
/// the schema, there are no priorities; else a node without one has 0.
void
SetClasses(TrainingWorkload& workload)
{
    constexpr uint8_t NO_PRIORITY = 1; // class 0
    const bool hasPriorities = workload.FindClasses() > NO_PRIORITY;
    for (WorkloadProgram& program : workload.programs)
    {
        for (WorkloadNode& node : program)
        {
            const bool isSent = node.kind == WorkloadNode::Kind::COLLECTIVE ||
                                node.kind == WorkloadNode::Kind::SEND;
            if (!hasPriorities || !isSent)
            {
                node.trafficClass = Flow::USUAL_CLASS;
            }
            else if (node.trafficClass == Flow::USUAL_CLASS)
            {
                node.trafficClass = 0;
            }
        }
    }
}

} // namespace

ChakraWorkload
ReadChakraTraces(const std::string& prefix, uint32_t hosts, const ChakraOptions& options)
{
    const uint32_t ranks = CountRanks(prefix, hosts);
    ChakraCommunicators communicators(PlacementOf(prefix, ranks, options), options.groups);
    ChakraOmissions omissions;
    TrainingWorkload workload;
    workload.programOf.resize(hosts, TrainingWorkload::NO_PROGRAM);
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        RankReader reader(FileOf(prefix, rank), rank, options, communicators, omissions);
        workload.programs.push_back(reader.Read());
        workload.programOf[communicators.HostOf(rank)] = rank;
    }
    workload.communicators = communicators.Get();
    JoinParts(workload, omissions);
    SetClasses(workload);
    try
    {
        CheckWorkload(workload, hosts);
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(prefix + ".*" + SUFFIX + ": " + error.what());
    }
    return {std::move(workload), NotesOf(omissions)};
}

} // namespace aifabric
} // namespace ns3
