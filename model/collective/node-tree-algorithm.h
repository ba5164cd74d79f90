/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NODE_TREE_ALGORITHM_H
#define NODE_TREE_ALGORITHM_H

#include "double-binary-tree-algorithm.h"
#include "rank-nodes.h"
#include "tree-algorithm.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * All-reduce by trees, as NCCL's: in each node a chain of its ranks, and between nodes a double
 * binary tree of the heads of the chains (DoubleBinaryTreeAlgorithm). With G ranks in the smallest
 * node there are G channels of two trees, each channel for an equal part of the data. In channel c
 * the chain of each node begins at its rank c, so that channels cross the network by other NICs.
 *
 * A rank has at most 16 chunks of a tree on the way to its parent, as NCCL's buffers have slots:
 * otherwise all chunks would pass a link of the chain before the first one passes the next link.
 */
class NodeTreeAlgorithm : public TreeAlgorithm
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool Supports(CollectiveKind kind) const override;
    uint32_t CountLanes() const override;
    uint32_t GetWindow() const override;
    std::optional<uint32_t> GetParent(uint32_t rank, uint32_t lane) const override;
    std::vector<uint32_t> GetChildren(uint32_t rank, uint32_t lane) const override;

  private:
    void DoPrepare() override;

    /// @return the channel of a lane
    uint32_t ChannelOf(uint32_t lane) const;

    /// @return how many ranks are before a rank in the chain of its node
    uint32_t PlaceOf(uint32_t rank, uint32_t lane) const;

    /// @return the rank in a place of the chain of a node
    uint32_t RankAt(uint32_t node, uint32_t place, uint32_t lane) const;

    RankNodes m_nodes;                      //!< the ranks by node
    Ptr<DoubleBinaryTreeAlgorithm> m_trees; //!< of nodes
};

} // namespace aifabric
} // namespace ns3

#endif /* NODE_TREE_ALGORITHM_H */
