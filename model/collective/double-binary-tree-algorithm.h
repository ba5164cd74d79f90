/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DOUBLE_BINARY_TREE_ALGORITHM_H
#define DOUBLE_BINARY_TREE_ALGORITHM_H

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
 * Two binary trees, each for half of the data (P. Sanders, J. Speck, J. L. Traff, "Two-tree
 * algorithms for full bandwidth broadcast, reduction and scan", 2009; NCCL since 2.4). Each rank
 * has children in at most one of them, so that a rank sends and receives no more than twice the
 * data in an all-reduce: up to the root of the tree, and down again. Chunks pipeline it; without
 * them a rank waits for all of its half.
 *
 * The first tree numbers its places in order: the place with number v (from 1) is a leaf if v is
 * odd, and otherwise as many levels above as v has trailing zero bits. The second is the mirror
 * image of it if the number of places is even, and the same with all ranks one place further if it
 * is odd.
 *
 * In an all-reduce the places are the ranks. In a broadcast and a reduce they are the ranks behind
 * the root, in ring order; the root sends to the roots of both trees, or receives from them.
 */
class DoubleBinaryTreeAlgorithm : public TreeAlgorithm
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    uint32_t CountLanes() const override;
    std::optional<uint32_t> GetParent(uint32_t rank, uint32_t lane) const override;
    std::vector<uint32_t> GetChildren(uint32_t rank, uint32_t lane) const override;

  private:
    /// @return whether a rank is above the trees: the root of a broadcast or reduce
    bool IsAbove(uint32_t rank) const;

    /// @return places of a tree
    uint32_t CountPlaces() const;

    /// @return the place of a rank, from 1
    uint32_t PlaceOf(uint32_t rank, uint32_t lane) const;

    /// @return the rank of a place
    uint32_t RankOf(uint32_t place, uint32_t lane) const;

    uint32_t m_trees{2}; //!< number of trees
};

} // namespace aifabric
} // namespace ns3

#endif /* DOUBLE_BINARY_TREE_ALGORITHM_H */
