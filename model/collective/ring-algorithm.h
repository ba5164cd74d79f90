/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RING_ALGORITHM_H
#define RING_ALGORITHM_H

#include "collective-algorithm.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Each rank sends to the next one only, and the last to the first. An all-reduce is N-1 steps in
 * which sums of blocks go round, and N-1 in which the sums are handed on: each step is one block of
 * N. A broadcast is a chain from the root on, and a reduce one that ends at the root; chunks
 * pipeline them.
 */
class RingAlgorithm : public CollectiveAlgorithm
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool Supports(CollectiveKind kind) const override;
    bool IsChunked() const override;
    uint64_t CountBlocks() const override;
    uint32_t CountSteps(uint32_t rank, uint32_t lane) const override;
    CollectiveStep GetStep(uint32_t rank, uint32_t lane, uint32_t step) const override;

  private:
    /// @return how many ranks are before a rank in the chain
    uint32_t PlaceOf(uint32_t rank) const;

    /// @return a step of a chain
    CollectiveStep Hand(uint32_t rank, uint32_t step) const;

    /// @return the rank that stands a number of places before another
    /// @param distance the number of places, at most twice the ranks
    uint32_t Before(uint32_t rank, uint32_t distance) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* RING_ALGORITHM_H */
