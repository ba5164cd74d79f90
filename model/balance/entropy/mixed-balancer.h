/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MIXED_BALANCER_H
#define MIXED_BALANCER_H

#include "bitmap-balancer.h"
#include "label-fifo.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The default of uet-htsim (UecMpMixed): a label whose packet was acknowledged without a mark is
 * used once more (LabelFifo); if there is none, BitmapBalancer chooses.
 */
class MixedBalancer : public BitmapBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<HostBalancer> Fork() const override;
    void Start(const FabricFacts& facts, int64_t stream) override;
    void Feedback(uint32_t entropy, PathEvent event, int64_t delay, int64_t now) override;
    void Count(PolicyCounters& counters) const override;

  private:
    uint16_t NextLabel(int64_t now) override;

    LabelFifo m_good; //!< good labels
};

} // namespace aifabric
} // namespace ns3

#endif /* MIXED_BALANCER_H */
