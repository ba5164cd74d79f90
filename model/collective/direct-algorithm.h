/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DIRECT_ALGORITHM_H
#define DIRECT_ALGORITHM_H

#include "collective-algorithm.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Each rank sends to each other at once what that one needs, in ring order: rank i to i+1, i+2, ...
 * This is the all-to-all of arXiv 2407.00550. An all-reduce is a reduce-scatter, in which rank j
 * gets block j of all others, and then an all-gather.
 */
class DirectAlgorithm : public CollectiveAlgorithm
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool Supports(CollectiveKind kind) const override;
    uint64_t CountBlocks() const override;
    uint32_t CountSteps(uint32_t rank, uint32_t lane) const override;
    CollectiveStep GetStep(uint32_t rank, uint32_t lane, uint32_t step) const override;

  private:
    /// @return a reduce-scatter as a rank sees it
    CollectiveStep Scatter(uint32_t rank) const;

    /// @return an all-gather as a rank sees it
    CollectiveStep Gather(uint32_t rank, uint32_t step) const;

    /// @return an all-to-all as a rank sees it
    CollectiveStep Exchange(uint32_t rank) const;

    /// @return what a rank sends or receives if all comes from the root
    CollectiveStep Spread(uint32_t rank) const;

    /// @return what a rank sends or receives if all goes to the root
    CollectiveStep Collect(uint32_t rank) const;

    /// @return what a rank sends and receives if all goes one rank on
    CollectiveStep Pass(uint32_t rank) const;

    /// @return the block that a rank exchanges with the root
    uint64_t PartOf(uint32_t rank) const;

    /// @return ranks that get something of the root: all others, or the next one
    uint32_t CountReceivers() const;

    /// @return the rank that stands a number of places behind another, on a ring
    /// @param distance the number of places, less than there are ranks
    uint32_t Behind(uint32_t rank, uint32_t distance) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* DIRECT_ALGORITHM_H */
