/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OFFLOADED_COLLECTIVE_H
#define OFFLOADED_COLLECTIVE_H

#include "collective-algorithm.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What ranks send to each other in an all-reduce that a CollectiveCarrier does: nothing. Its name
 * does not end with Algorithm, so that no option offers it.
 */
class OffloadedCollective : public CollectiveAlgorithm
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
};

} // namespace aifabric
} // namespace ns3

#endif /* OFFLOADED_COLLECTIVE_H */
