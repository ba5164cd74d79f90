/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JSQ_BALANCER_H
#define JSQ_BALANCER_H

#include "least-choice.h"
#include "switch-balancer.h"

#include "ns3/random-variable-stream.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Join the shortest queue: each packet takes the next hop at which the fewest bytes have not been
 * sent yet, those of the packet in transmission included; a random one of those that are equally
 * short (arXiv 2507.21372, section 6).
 */
class JsqBalancer : public SwitchBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    JsqBalancer();

    uint32_t Choose(const FabricFrame& frame, const EgressGroup& group, int64_t now) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    Ptr<UniformRandomVariable> m_random; //!< breaks ties
    LeastChoice m_shortest;              //!< the shortest queues
};

} // namespace aifabric
} // namespace ns3

#endif /* JSQ_BALANCER_H */
