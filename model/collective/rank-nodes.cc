/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rank-nodes.h"

#include <algorithm>
#include <stdexcept>
#include <unordered_map>

namespace ns3
{
namespace aifabric
{

RankNodes::RankNodes(uint32_t ranks, const std::vector<uint32_t>& nodes)
    : m_least(ranks)
{
    std::unordered_map<uint32_t, uint32_t> numbers;
    for (uint32_t rank = 0; rank < ranks; ++rank)
    {
        const uint32_t node = nodes.empty() ? rank : nodes[rank];
        const auto [entry, isNew] = numbers.emplace(node, CountNodes());
        if (isNew)
        {
            m_ranks.emplace_back();
        }
        std::vector<uint32_t>& members = m_ranks[entry->second];
        m_places.push_back({entry->second, static_cast<uint32_t>(members.size())});
        members.push_back(rank);
    }
    uint32_t before = 0;
    for (uint32_t node = 0; node < CountNodes(); ++node)
    {
        m_before.push_back(before);
        before += CountRanks(node);
        m_least = std::min(m_least, CountRanks(node));
    }
}

void
RankNodes::RequireEqual(const std::string& name) const
{
    for (const std::vector<uint32_t>& node : m_ranks)
    {
        if (node.size() != m_ranks[0].size())
        {
            throw std::invalid_argument(
                name + ": the node of rank " + std::to_string(node[0]) + " has " +
                std::to_string(node.size()) + " ranks, and that of rank 0 has " +
                std::to_string(m_ranks[0].size()) + "; nodes need equally many");
        }
    }
}

RankShape
RankNodes::GetShape() const
{
    const auto ranks = static_cast<uint32_t>(m_places.size());
    return {CountNodes(), (ranks + CountNodes() - 1) / CountNodes()};
}

} // namespace aifabric
} // namespace ns3
