/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef THETA_POWER_TCP_CONTROL_H
#define THETA_POWER_TCP_CONTROL_H

#include "power-tcp-control.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Theta-PowerTCP (NSDI 2022, algorithm 2): PowerTCP that takes the power from round-trip times, for
 * switches without telemetry.
 */
class ThetaPowerTcpControl : public PowerTcpControl
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<CongestionControl> Fork() const override;
    bool NeedsTelemetry() const override;
    bool Acknowledged(uint32_t bytes, const AckReport& report, int64_t now) override;
};

} // namespace aifabric
} // namespace ns3

#endif /* THETA_POWER_TCP_CONTROL_H */
