/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FIXED_CONTROL_H
#define FIXED_CONTROL_H

#include "congestion-control.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A fixed rate and a static window: the ideal congestion control of the load-balancing study
 * (arXiv 2507.21372, section 4), which knows the fair rate and never reacts.
 */
class FixedControl : public CongestionControl
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<CongestionControl> Fork() const override;
    void Start(const FabricFacts& facts) override;
    void LineRateChanged(DataRate lineRate) override;
    uint64_t GetWindow() const override;
    DataRate GetRate() const override;
    bool Adapts() const override;

  private:
    double m_fraction{1}; //!< fraction of the line rate
    uint64_t m_window{0}; //!< bytes; 0: unlimited
    DataRate m_rate;      //!< the rate
};

} // namespace aifabric
} // namespace ns3

#endif /* FIXED_CONTROL_H */
