/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-parts.h"

#include "ns3/part-of.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

/// The collectives of a rank, in order.
using Collectives = std::vector<WorkloadNode*>;

/// @return whether a node sends nothing, as far as its rank knows
bool
IsEmpty(const WorkloadNode* node)
{
    return node->bytes == 0;
}

/// Let a node be a delay of 0.
void
LeaveOut(WorkloadNode& node, ChakraOmissions& omissions)
{
    WorkloadNode delay;
    delay.name = node.name;
    delay.dependencies = node.dependencies;
    node = delay;
    ++omissions.empty;
}

/// Joins the parts of the ranks of one communicator.
class PartJoiner
{
  public:
    /// @param omissions where nodes that send nothing are counted; must outlive the joiner
    explicit PartJoiner(ChakraOmissions& omissions)
        : m_omissions(omissions)
    {
    }

    /// Take the collectives of the next rank.
    void Add(Collectives collectives)
    {
        m_ranks.push_back(std::move(collectives));
    }

    /// Join them. Ranks that do not issue the same collectives may do so without the empty ones.
    void Join()
    {
        if (!std::all_of(m_ranks.begin(), m_ranks.end(), [this](const Collectives& other) {
                return AreAlike(m_ranks[0], other);
            }))
        {
            LeaveOutEmpty();
        }
        for (std::size_t place = 0; place < m_ranks[0].size(); ++place)
        {
            Collectives parts;
            for (const Collectives& own : m_ranks)
            {
                if (place < own.size() && own[place]->collective == CollectiveKind::ALL_TO_ALL)
                {
                    parts.push_back(own[place]);
                }
            }
            if (parts.size() == m_ranks.size())
            {
                JoinOne(parts);
            }
        }
    }

  private:
    /// @return whether two ranks issue collectives of the same kinds  @param b those of the other
    static bool AreAlike(const Collectives& a, const Collectives& b)
    {
        return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto* x, const auto* y) {
            return x->collective == y->collective;
        });
    }

    /// Leave out the nodes that send nothing.
    void LeaveOutEmpty()
    {
        for (Collectives& own : m_ranks)
        {
            const auto empty = std::stable_partition(own.begin(), own.end(), [](const auto* node) {
                return !IsEmpty(node);
            });
            std::for_each(empty, own.end(), [this](auto* node) { LeaveOut(*node, m_omissions); });
            own.erase(empty, own.end());
        }
    }

    /// Join the parts of an all-to-all.  @param nodes its node on each rank
    void JoinOne(const Collectives& nodes)
    {
        const bool isEven = std::all_of(nodes.begin(), nodes.end(), [&nodes](const auto* node) {
            return !node->parts && node->bytes == nodes[0]->bytes;
        });
        if (isEven && nodes[0]->bytes > 0)
        {
            return;
        }
        std::vector<uint64_t> bytes;
        for (const WorkloadNode* node : nodes)
        {
            const std::vector<uint64_t> own = PartsOf(*node, nodes.size());
            bytes.insert(bytes.end(), own.begin(), own.end());
        }
        const auto parts = std::make_shared<const PartSizes>(nodes.size(), std::move(bytes));
        for (WorkloadNode* node : nodes)
        {
            if (parts->GetSize() == 0)
            {
                LeaveOut(*node, m_omissions);
                continue;
            }
            node->parts = parts;
            node->bytes = parts->GetSize();
        }
    }

    /// @return bytes of the parts of a rank
    static std::vector<uint64_t> PartsOf(const WorkloadNode& node, std::size_t ranks)
    {
        if (node.parts)
        {
            return node.parts->GetBytes();
        }
        std::vector<uint64_t> bytes;
        for (std::size_t i = 0; i < ranks; ++i)
        {
            bytes.push_back(PartBegin(node.bytes, ranks, i + 1) - PartBegin(node.bytes, ranks, i));
        }
        return bytes;
    }

    ChakraOmissions& m_omissions;     //!< what is left out
    std::vector<Collectives> m_ranks; //!< by rank
};

/// @return the collectives of each communicator, in order  @param communicators their number
std::vector<Collectives>
ListCollectives(WorkloadProgram& program, std::size_t communicators)
{
    std::vector<Collectives> lists(communicators);
    for (WorkloadNode& node : program)
    {
        if (node.kind == WorkloadNode::Kind::COLLECTIVE)
        {
            lists[node.communicator].push_back(&node);
        }
    }
    return lists;
}

} // namespace

void
SetOwnParts(const ChakraNode& node, uint32_t ranks, WorkloadNode& made)
{
    const std::vector<uint64_t>& splits = node.splits;
    if (splits.empty())
    {
        return; // the parts are alike
    }
    if (splits.size() != ranks)
    {
        throw std::invalid_argument("in_split_size has " + std::to_string(splits.size()) +
                                    " numbers, and the group has " + std::to_string(ranks) +
                                    " ranks");
    }
    uint64_t whole = 0;
    for (const uint64_t split : splits)
    {
        whole = std::min<uint64_t>(whole + std::min<uint64_t>(split, UINT32_MAX), UINT32_MAX);
    }
    if (whole == UINT32_MAX)
    {
        throw std::invalid_argument("the numbers of in_split_size together are too large (0.." +
                                    std::to_string(UINT32_MAX - 1) + ")");
    }
    std::vector<uint64_t> bytes;
    uint64_t end = 0;
    for (const uint64_t split : splits)
    {
        const uint64_t begin = end;
        end += split;
        bytes.push_back(whole == 0 ? 0
                                   : PartBegin(made.bytes, whole, end) -
                                         PartBegin(made.bytes, whole, begin));
    }
    made.parts = std::make_shared<const PartSizes>(ranks, std::move(bytes));
    made.bytes = whole == 0 ? 0 : made.bytes;
}

void
JoinParts(TrainingWorkload& workload, ChakraOmissions& omissions)
{
    std::vector<std::vector<Collectives>> lists; // by program and communicator
    for (WorkloadProgram& program : workload.programs)
    {
        lists.push_back(ListCollectives(program, workload.communicators.size()));
    }
    for (std::size_t i = 0; i < workload.communicators.size(); ++i)
    {
        PartJoiner joiner(omissions);
        for (const uint32_t host : workload.communicators[i].hosts)
        {
            joiner.Add(lists[workload.programOf[host]][i]);
        }
        joiner.Join();
    }
}

} // namespace aifabric
} // namespace ns3
