/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAT_ALGORITHM_H
#define PAT_ALGORITHM_H

#include "collective-algorithm.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Parallel aggregated trees, which NCCL has for all-gather and reduce-scatter since version 2.23
 * (S. Jeaugey, arXiv 2506.20252): each rank is the root of a binomial tree, and all trees advance
 * together, in as many steps as the number of ranks has bits, for any number of ranks.
 *
 * In an all-gather the distances are ..., 4, 2, 1, so that few bytes go far: the rank at a distance
 * of p behind the root has its block from the one at p without its lowest bit. A reduce-scatter
 * goes the other way, from 1 on. Here a rank sends all blocks of a step at once, as NCCL does where
 * they fit into its buffer. Their numbers are such that they are one message if the number of ranks
 * is a power of two, and else mostly several.
 */
class PatAlgorithm : public CollectiveAlgorithm
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool Supports(CollectiveKind kind) const override;
    uint64_t CountBlocks() const override;
    BlockRange GetHome(uint32_t rank) const override;
    uint32_t CountSteps(uint32_t rank, uint32_t lane) const override;
    CollectiveStep GetStep(uint32_t rank, uint32_t lane, uint32_t step) const override;

  private:
    void DoPrepare() override;

    /// @return the number of the block of a root
    uint64_t BlockOf(uint32_t root) const;

    /**
     * @param upper the rank of the two that is nearer to the roots
     * @param distance to the other one, a power of two
     * @param message what all messages have in common
     * @return the messages between the two
     */
    std::vector<CollectiveMessage> GetMessages(uint32_t upper,
                                               uint32_t distance,
                                               const CollectiveMessage& message) const;

    uint32_t m_steps{0}; //!< bits of the largest distance
};

} // namespace aifabric
} // namespace ns3

#endif /* PAT_ALGORITHM_H */
