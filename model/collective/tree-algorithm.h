/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TREE_ALGORITHM_H
#define TREE_ALGORITHM_H

#include "collective-algorithm.h"

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
 * Base of the algorithms in which the ranks of each lane form a tree. A rank adds up what its
 * children send it and sends the sum to its parent (all-reduce, reduce); it hands what its parent
 * sends it to its children (all-reduce, broadcast). Chunks pipeline it.
 */
class TreeAlgorithm : public CollectiveAlgorithm
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool Supports(CollectiveKind kind) const override;
    bool IsChunked() const override;
    bool IsTree() const override;
    uint64_t CountBlocks() const override;
    uint32_t CountSteps(uint32_t rank, uint32_t lane) const override;
    CollectiveStep GetStep(uint32_t rank, uint32_t lane, uint32_t step) const override;

    /// @return the rank that is above it in the tree of that lane; none if it is the root
    virtual std::optional<uint32_t> GetParent(uint32_t rank, uint32_t lane) const = 0;

    /// @return the ranks below a rank
    virtual std::vector<uint32_t> GetChildren(uint32_t rank, uint32_t lane) const = 0;

  private:
    /// @return the step in which a rank exchanges data with its parent
    uint32_t StepDown(uint32_t rank, uint32_t lane) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* TREE_ALGORITHM_H */
