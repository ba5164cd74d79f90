/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RSQ_BALANCER_H
#define RSQ_BALANCER_H

#include "switch-balancer.h"

#include "ns3/random-variable-stream.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Random packet spraying in the switch: each packet takes a next hop drawn uniformly at random. The
 * load-balancing study (arXiv 2507.21372, section 6) calls it RSQ, random switch queue.
 */
class RsqBalancer : public SwitchBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    RsqBalancer();

    uint32_t Choose(const FabricFrame& frame, const EgressGroup& group, int64_t now) override;
    int64_t AssignStreams(int64_t stream) override;

  private:
    Ptr<UniformRandomVariable> m_random; //!< draws the next hops
};

} // namespace aifabric
} // namespace ns3

#endif /* RSQ_BALANCER_H */
