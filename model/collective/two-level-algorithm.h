/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TWO_LEVEL_ALGORITHM_H
#define TWO_LEVEL_ALGORITHM_H

#include "collective-algorithm.h"
#include "rank-nodes.h"

#include "ns3/type-id.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Collectives of ranks that share nodes: first within nodes, then between nodes, then within nodes
 * again. With G ranks in each of N nodes, the blocks are G *rails* of as many blocks as the inner
 * algorithm (attribute Inner) has for N ranks; rank l of each node works on rail l.
 *
 * - all-reduce: a direct reduce-scatter within the node gives rank l rail l of the node's sum; the
 *   inner all-reduce adds up rail l among the ranks l of all nodes; a direct all-gather within the
 *   node hands it to the others;
 * - reduce-scatter is the first two of these, all-gather the last two, with inner algorithms of
 *   these kinds;
 * - broadcast: the root hands rail l to rank l of its node, the inner broadcast takes it to the
 *   other nodes, and an all-gather within each node follows; reduce is the reverse;
 * - all-to-all, whatever Inner says: each rank gives rank l of its node what it has for the ranks l
 *   of all nodes, and rank l sends it there, so that what crosses the network stays on its rail.
 *
 * So each rank sends 1 / G of what a node has to send, by its own NIC.
 */
class TwoLevelAlgorithm : public CollectiveAlgorithm
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool Supports(CollectiveKind kind) const override;
    bool IsChunked() const override;
    bool IsTree() const override;
    uint32_t GetMostChunks() const override;
    void SetChunks(uint32_t chunks) override;
    uint32_t CountLanes() const override;
    uint64_t CountBlocks() const override;
    BlockRange GetHome(uint32_t rank) const override;
    uint32_t CountSteps(uint32_t rank, uint32_t lane) const override;
    CollectiveStep GetStep(uint32_t rank, uint32_t lane, uint32_t step) const override;

  protected:
    void NotifyConstructionCompleted() override;

    /// @return the algorithm between nodes
    virtual TypeId GetInnerType() const;

    /// @return the ranks by node
    const RankNodes& GetRankNodes() const
    {
        return m_nodes;
    }

    /// @return whether data cross nodes and the network, which chunks do at the same time
    bool HasStages() const;

  private:
    void DoPrepare() override;

    /// @return whether the algorithm between nodes is of any use
    bool HasInner() const;

    /// @return whether a rank has a step within its node before those between nodes
    bool HasFirst(uint32_t rank) const;

    /// @return whether a rank has a step within its node after those between nodes
    bool HasLast(uint32_t rank) const;

    /// @return a rank of the same node
    /// @param distance how far it is behind, the first one following the last
    uint32_t Behind(uint32_t rank, uint32_t distance) const;

    /// @return a message with the rail of a rank  @param owner the rank  @param peer the other end
    /// @param step the step of the receiver  @param reduces whether it is added
    CollectiveMessage Rail(uint32_t owner, uint32_t peer, uint32_t step, bool reduces) const;

    /// @return the step before those between nodes
    CollectiveStep First(uint32_t rank) const;

    /// @return a step between nodes  @param step the step of the inner algorithm
    CollectiveStep Across(uint32_t rank, uint32_t lane, uint32_t step) const;

    /// @return the step after those between nodes  @param step its number
    CollectiveStep Last(uint32_t rank, uint32_t step) const;

    /// @return the step of an all-to-all within a node
    CollectiveStep Collect(uint32_t rank) const;

    /// @return the step of an all-to-all between nodes  @param step its number
    CollectiveStep Exchange(uint32_t rank, uint32_t step) const;

    TypeId m_innerType;               //!< of the algorithm between nodes
    Ptr<CollectiveAlgorithm> m_inner; //!< the algorithm between nodes
    RankNodes m_nodes;                //!< the ranks by node
};

} // namespace aifabric
} // namespace ns3

#endif /* TWO_LEVEL_ALGORITHM_H */
