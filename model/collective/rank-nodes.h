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

/// How many nodes a collective has, and how many ranks a node.
struct RankShape
{
    uint32_t nodes{1};   //!< how many nodes there are
    uint32_t perNode{1}; //!< ranks of a node; the mean, rounded up
};

/**
 * @ingroup ai-fabric
 *
 * The ranks of a collective by node. Nodes are numbered in the order of their first ranks, and the
 * ranks of a node from 0 in their order.
 */
class RankNodes
{
  public:
    /// No ranks.
    RankNodes() = default;

    /**
     * @param ranks how many there are, at least 1
     * @param nodes by rank: numbers that are the same for ranks of one node; empty if no ranks
     * share a node
     */
    RankNodes(uint32_t ranks, const std::vector<uint32_t>& nodes);

    /// @param name who asks, for the message
    /// @throws std::invalid_argument with one line if a node has more ranks than another
    void RequireEqual(const std::string& name) const;

    /// @return number of nodes
    uint32_t CountNodes() const
    {
        return static_cast<uint32_t>(m_ranks.size());
    }

    /// @return ranks of the smallest node
    uint32_t CountPerNode() const
    {
        return m_least;
    }

    /// @return how many nodes there are, and ranks of a node
    RankShape GetShape() const;

    /// @return ranks of a node
    uint32_t CountRanks(uint32_t node) const
    {
        return static_cast<uint32_t>(m_ranks[node].size());
    }

    /// @return ranks of all nodes before a node
    uint32_t CountBefore(uint32_t node) const
    {
        return m_before[node];
    }

    /// @return the node of a rank
    uint32_t NodeOf(uint32_t rank) const
    {
        return m_places[rank].node;
    }

    /// @return the number of a rank within its node
    uint32_t IndexOf(uint32_t rank) const
    {
        return m_places[rank].index;
    }

    /// @return a rank  @param index its number there
    uint32_t RankOf(uint32_t node, uint32_t index) const
    {
        return m_ranks[node][index];
    }

  private:
    /// Where a rank is.
    struct Place
    {
        uint32_t node;  //!< its node
        uint32_t index; //!< its number there
    };

    uint32_t m_least{1};                        //!< ranks of the smallest node
    std::vector<Place> m_places;                //!< by rank
    std::vector<std::vector<uint32_t>> m_ranks; //!< by node and number there
    std::vector<uint32_t> m_before;             //!< by node: ranks of the nodes before it
};

} // namespace aifabric
} // namespace ns3

#endif /* RANK_NODES_H */
