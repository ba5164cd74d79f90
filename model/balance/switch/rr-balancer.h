/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RR_BALANCER_H
#define RR_BALANCER_H

#include "simple-rr-balancer.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Round robin with reshuffle: as simple round robin, with a new random order after some rounds
 * (arXiv 2507.21372, table 2, "Switch Pkt").
 */
class RrBalancer : public SimpleRrBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();
};

} // namespace aifabric
} // namespace ns3

#endif /* RR_BALANCER_H */
