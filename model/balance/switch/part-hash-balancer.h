/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PART_HASH_BALANCER_H
#define PART_HASH_BALANCER_H

#include "path-label-balancer.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The sender names an uplink for each switch on the way up by a part of the path label
 * (PathLabelBalancer), and the switch takes a hash of that part and of its own salt instead. Two
 * parts may have the same uplink. On the way down, and for frames without a label, it is
 * EcmpBalancer.
 *
 * PrimeBalancer::Forwarding names it, to measure what the direct use of parts gains. It is not
 * listed among the balancers to choose from.
 */
class PartHashBalancer : public PathLabelBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    int Predict(const FabricFrame& frame, const EgressGroup& group) const override;
};

} // namespace aifabric
} // namespace ns3

#endif /* PART_HASH_BALANCER_H */
