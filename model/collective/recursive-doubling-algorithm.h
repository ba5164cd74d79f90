/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RECURSIVE_DOUBLING_ALGORITHM_H
#define RECURSIVE_DOUBLING_ALGORITHM_H

#include "folding-algorithm.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Recursive doubling as in the textbook: participants that are 1, 2, 4, ... apart exchange all they
 * have. In an all-reduce that is the whole vector each time, in an all-gather twice as much as the
 * time before (R. Thakur, R. Rabenseifner, W. Gropp, 2005). What arXiv 2407.00550 calls recursive
 * doubling is HalvingDoublingAlgorithm.
 */
class RecursiveDoublingAlgorithm : public FoldingAlgorithm
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool Supports(CollectiveKind kind) const override;

  private:
    uint32_t GetPosition(uint32_t participant) const override;
    uint32_t CountExchanges() const override;
    Exchange GetExchange(uint32_t participant, uint32_t exchange) const override;
};

} // namespace aifabric
} // namespace ns3

#endif /* RECURSIVE_DOUBLING_ALGORITHM_H */
