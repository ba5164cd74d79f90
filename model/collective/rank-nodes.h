/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANK_NODES_H
#define RANK_NODES_H

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The ranks of a collective by node, with equally many in each. Nodes are numbered in the order of
 * their first ranks, and the ranks of a node from 0 in their order.
 */
class RankNodes
{
  public:
    /// No ranks.
    RankNodes() = default;

    /**
     * @param name who asks, for messages
     * @param nodes by rank: numbers that are the same for ranks of one node; empty if no ranks
     * share a node
     * @throws std::invalid_argument with one line if a node has more ranks than another
     */
    RankNodes(const std::string& name, uint32_t ranks, const std::vector<uint32_t>& nodes);

    /// @return number of nodes
    uint32_t CountNodes() const
    {
        return static_cast<uint32_t>(m_ranks.size() / m_perNode);
    }

    /// @return ranks of a node
    uint32_t CountPerNode() const
    {
        return m_perNode;
    }

    /// @return the node of a rank
    uint32_t NodeOf(uint32_t rank) const
    {
        return m_places[rank] / m_perNode;
    }

    /// @return the number of a rank within its node
    uint32_t IndexOf(uint32_t rank) const
    {
        return m_places[rank] % m_perNode;
    }

    /// @return a rank  @param index its number there
    uint32_t RankOf(uint32_t node, uint32_t index) const
    {
        return m_ranks[node * m_perNode + index];
    }

  private:
    uint32_t m_perNode{1};          //!< ranks of a node
    std::vector<uint32_t> m_places; //!< by rank: node times ranks of a node, plus number there
    std::vector<uint32_t> m_ranks;  //!< by place
};

} // namespace aifabric
} // namespace ns3

#endif /* RANK_NODES_H */
