/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOST_RANDOM_BALANCER_H
#define HOST_RANDOM_BALANCER_H

#include "entropy-balancer.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Oblivious packet spraying by the host: each packet gets an entropy drawn uniformly at random
 * (arXiv 2507.21372, "Host Pkt").
 */
class HostRandomBalancer : public EntropyBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<HostBalancer> Fork() const override;
    std::optional<PathChoice> Choose(const PathRequest& request) override;

  private:
    uint16_t NextLabel(int64_t now) override;

    uint32_t m_entropies{0}; //!< how many entropies there are
    bool m_anyPlane{true};   //!< a packet takes the first port that can send it
};

} // namespace aifabric
} // namespace ns3

#endif /* HOST_RANDOM_BALANCER_H */
