/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_PERMUTED_BALANCER_H
#define HOST_PERMUTED_BALANCER_H

#include "entropy-balancer.h"
#include "permuted-walk.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Oblivious packet spraying by the host that uses each of its labels once a round, in another order
 * each round (PermutedWalk). The labels of a queue pair share their upper bits, which are random
 * (uet-htsim, UecMpOblivious).
 */
class HostPermutedBalancer : public EntropyBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Start(const FabricFacts& facts, int64_t stream) override;

  private:
    uint16_t NextLabel(int64_t now) override;

    uint32_t m_logEntropies{0};         //!< logarithm of the number of labels
    uint16_t m_upperBits{0};            //!< what all labels have in common
    std::optional<PermutedWalk> m_walk; //!< goes round the labels
};

} // namespace aifabric
} // namespace ns3

#endif /* HOST_PERMUTED_BALANCER_H */
