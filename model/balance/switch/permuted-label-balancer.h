/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PERMUTED_LABEL_BALANCER_H
#define PERMUTED_LABEL_BALANCER_H

#include "path-label-balancer.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Path labels for senders that need not know which path a label names, such as PrimeBalancer: each
 * switch numbers its uplinks in a fixed random order of its own. So the hosts of different switches
 * that charge the same value of a part do not charge the same path. Frames whose uplink is known to
 * be dead take the others in turn: PRIME has one label a path, so a hash would put all these frames
 * of a queue pair on one other uplink.
 */
class PermutedLabelBalancer : public PathLabelBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    uint32_t Choose(const FabricFrame& frame, const EgressGroup& group, int64_t now) override;
    int Predict(const FabricFrame& frame, const EgressGroup& group) const override;

  protected:
    void DoInitialize() override;

  private:
    std::vector<uint16_t> m_order; //!< uplinks by their numbers in labels
    uint32_t m_turn{0};            //!< frames so far whose uplink was dead
};

} // namespace aifabric
} // namespace ns3

#endif /* PERMUTED_LABEL_BALANCER_H */
