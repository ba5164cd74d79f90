/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MPRDMA_BALANCER_H
#define MPRDMA_BALANCER_H

#include "entropy-balancer.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Paths clocked by acknowledgements, as MP-RDMA does (Lu et al., NSDI 2018): a packet takes the
 * label of the packet that was acknowledged last, marked or not, and a random one until there is
 * such a packet. If a packet with this label times out, the label is forgotten. A window that
 * shrinks by marks lets fewer packets follow a marked one, so congested paths lose packets to the
 * others.
 */
class MprdmaBalancer : public EntropyBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<HostBalancer> Fork() const override;
    void Start(const FabricFacts& facts, int64_t stream) override;
    void Feedback(uint32_t entropy, PathEvent event, int64_t delay, int64_t now) override;
    double GetMarkingShare() const override;

  private:
    uint16_t NextLabel(int64_t now) override;

    double m_markingShare{0};       //!< queue that is marked, as a share of the buffer
    uint32_t m_entropies{0};        //!< how many labels there are
    std::optional<uint16_t> m_last; //!< label of the packet that was acknowledged last
};

} // namespace aifabric
} // namespace ns3

#endif /* MPRDMA_BALANCER_H */
