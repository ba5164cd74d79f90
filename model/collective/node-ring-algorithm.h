/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NODE_RING_ALGORITHM_H
#define NODE_RING_ALGORITHM_H

#include "collective-algorithm.h"
#include "rank-nodes.h"
#include "ring-algorithm.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Rings over all ranks, node after node, as NCCL's: with G ranks in the smallest node there are G
 * rings, each for an equal part of the data. Ring c enters each node at its rank c and leaves it at
 * the rank before that, so that each ring crosses the network by other NICs. If nodes have equally
 * many ranks, all NICs are used.
 */
class NodeRingAlgorithm : public CollectiveAlgorithm
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool Supports(CollectiveKind kind) const override;
    bool IsChunked() const override;
    uint32_t CountLanes() const override;
    uint64_t CountBlocks() const override;
    uint32_t CountSteps(uint32_t rank, uint32_t lane) const override;
    CollectiveStep GetStep(uint32_t rank, uint32_t lane, uint32_t step) const override;

  private:
    void DoPrepare() override;

    /// @return the ring of a lane
    uint32_t RingOf(uint32_t lane) const;

    /// @return the place of a rank in a ring
    uint32_t PlaceOf(uint32_t rank, uint32_t ring) const;

    RankNodes m_nodes;                           //!< the ranks by node
    std::vector<std::vector<uint32_t>> m_rankAt; //!< by ring and place
    std::vector<Ptr<RingAlgorithm>> m_rings;     //!< whose ranks are the places of each ring
};

} // namespace aifabric
} // namespace ns3

#endif /* NODE_RING_ALGORITHM_H */
