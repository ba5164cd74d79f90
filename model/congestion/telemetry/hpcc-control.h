/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HPCC_CONTROL_H
#define HPCC_CONTROL_H

#include "hpcc-window.h"
#include "paced-window-control.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * HPCC (HpccWindow) as a congestion control. It needs the telemetry of all switches
 * (TelemetryStage), and one path a queue pair. It does not react to losses: it is meant for fabrics
 * that are lossless (PFC).
 */
class HpccControl : public PacedWindowControl
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Ptr<CongestionControl> Fork() const override;
    void Start(const FabricFacts& facts) override;
    void LineRateChanged(DataRate lineRate) override;
    bool Acknowledged(uint32_t bytes, const AckReport& report, int64_t now) override;
    bool NeedsTelemetry() const override;
    void TelemetryReceived(const PathTelemetry& telemetry, int64_t sentAt, int64_t now) override;
    std::string Describe(const FabricFacts& facts) const override;

  private:
    double GetBytes() const override;

    /// @return the parameters of the window
    HpccWindow::Parameters GetParameters(const FabricFacts& facts) const;

    double m_target{0};                 //!< eta
    uint32_t m_mostStage{0};            //!< maxStage
    uint64_t m_increase{0};             //!< W_AI, in bytes; 0: by m_flows
    uint32_t m_flows{0};                //!< flows that may share a port without a queue
    int64_t m_updatedAt{0};             //!< when the reference changed last, in picoseconds
    std::optional<HpccWindow> m_window; //!< the window
};

} // namespace aifabric
} // namespace ns3

#endif /* HPCC_CONTROL_H */
