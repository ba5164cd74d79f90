/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-nodes.h"

#include <stdexcept>
#include <unordered_map>

namespace ns3
{
namespace aifabric
{

RankNodes::RankNodes(const std::string& name, uint32_t ranks, const std::vector<uint32_t>& nodes)
{
    std::unordered_map<uint32_t, uint32_t> numbers;
    std::vector<std::vector<uint32_t>> members; // by node, in the order of ranks
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        const uint32_t node = nodes.empty() ? rank : nodes[rank];
        const auto number = static_cast<uint32_t>(members.size());
        const auto [entry, isNew] = numbers.emplace(node, number);
        if (isNew)
        {
            members.emplace_back();
        }
        members[entry->second].push_back(rank);
    }
    m_perNode = static_cast<uint32_t>(members[0].size());
    m_places.resize(ranks);
    for (const std::vector<uint32_t>& node : members)
    {
        if (node.size() != m_perNode)
        {
            throw std::invalid_argument(name + ": the node of rank " + std::to_string(node[0]) +
                                        " has " + std::to_string(node.size()) +
                                        " ranks, and that of rank 0 has " +
                                        std::to_string(m_perNode) + "; nodes need equally many");
        }
        for (const uint32_t rank : node)
        {
            m_places[rank] = static_cast<uint32_t>(m_ranks.size());
            m_ranks.push_back(rank);
        }
    }
}

} // namespace aifabric
} // namespace ns3
