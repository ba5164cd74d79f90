/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BITMAP1_BALANCER_H
#define BITMAP1_BALANCER_H

#include "exclusion-balancer.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Spraying over labels with one bit a label: a label whose packet was marked or lost loses its next
 * turn (csg-htsim, EQDS).
 */
class Bitmap1Balancer : public ExclusionBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<HostBalancer> Fork() const override;

  private:
    Skips GetSkips() const override;
    ExclusionBitmap::Parameters GetParameters() const override;

    uint32_t m_logEntropies{0}; //!< logarithm of the number of labels
};

} // namespace aifabric
} // namespace ns3

#endif /* BITMAP1_BALANCER_H */
