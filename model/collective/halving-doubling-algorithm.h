/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HALVING_DOUBLING_ALGORITHM_H
#define HALVING_DOUBLING_ALGORITHM_H

#include "folding-algorithm.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Recursive halving, then recursive doubling (R. Rabenseifner, 2004). In the halving, which is a
 * reduce-scatter, a participant exchanges half of what is left with one partner after another:
 * first half of the vector, then a quarter, and so on. The doubling, which is an all-gather, is the
 * same backwards: the last partner first.
 *
 * With Order NearestFirst the distances of the halving are 1, 2, 4, ..., P/2: this is what
 * arXiv 2407.00550 calls recursive doubling, and most bytes remain near. With FarthestFirst they
 * are P/2, ..., 2, 1, as Rabenseifner has it.
 */
class HalvingDoublingAlgorithm : public FoldingAlgorithm
{
  public:
    /// In which order the partners of the halving come.
    enum Order : uint8_t
    {
        NEAREST_FIRST,  //!< distances 1, 2, 4, ...
        FARTHEST_FIRST, //!< distances ..., 4, 2, 1
    };

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    bool Supports(CollectiveKind kind) const override;

  private:
    uint32_t GetPosition(uint32_t participant) const override;
    uint32_t CountExchanges() const override;
    Exchange GetExchange(uint32_t participant, uint32_t exchange) const override;

    Order m_order{NEAREST_FIRST}; //!< in which order the partners come
};

} // namespace aifabric
} // namespace ns3

#endif /* HALVING_DOUBLING_ALGORITHM_H */
