/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BITMAP_BALANCER_H
#define BITMAP_BALANCER_H

#include "exclusion-balancer.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Spraying over labels, of which those are skipped for some rounds whose packets were marked or
 * lost (uet-htsim, UecMpBitmap); with ExcludedRtts for some time instead (Ultra Ethernet).
 */
class BitmapBalancer : public ExclusionBalancer
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
    double GetExcludedRtts() const override;

    uint32_t m_logEntropies{0}; //!< logarithm of the number of labels
    uint8_t m_markSkips{0};     //!< rounds that a mark costs a label
    uint8_t m_lossSkips{0};     //!< rounds that a loss costs a label
    uint8_t m_timeoutSkips{0};  //!< rounds that a timeout costs a label
    uint8_t m_maxSkips{0};      //!< most rounds that a label is skipped
    double m_excludedRtts{0};   //!< base RTTs for which a label is skipped; 0: rounds
};

} // namespace aifabric
} // namespace ns3

#endif /* BITMAP_BALANCER_H */
