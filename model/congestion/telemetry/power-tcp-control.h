/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef POWER_TCP_CONTROL_H
#define POWER_TCP_CONTROL_H

#include "paced-window-control.h"
#include "power-tcp-window.h"

#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * PowerTCP (PowerTcpWindow) as a congestion control. As HpccControl it needs the telemetry of all
 * switches and one path a queue pair, and does not react to losses.
 */
class PowerTcpControl : public PacedWindowControl
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

  protected:
    /// @return the window
    PowerTcpWindow& GetState()
    {
        return *m_window;
    }

    /// @return whether a packet was sent after the window was noted last  @param sentAt when it was
    bool IsNewRound(int64_t sentAt) const
    {
        return sentAt >= m_notedAt;
    }

    /// The window may have been noted.  @param isNoted whether it was
    /// @param now the current time, in picoseconds
    void Note(bool isNoted, int64_t now)
    {
        m_notedAt = isNoted ? now : m_notedAt;
    }

  private:
    double GetBytes() const override;

    /// @return the parameters of the window
    PowerTcpWindow::Parameters GetParameters(const FabricFacts& facts) const;

    double m_gain{0};                       //!< gamma
    double m_leastCurrent{0};               //!< share of the rate of a port
    double m_target{0};                     //!< power at which the window stays
    bool m_weighsNoted{false};              //!< the noted window has the rest of the weight
    uint64_t m_increase{0};                 //!< beta, in bytes; 0: by m_flows
    uint32_t m_flows{0};                    //!< flows that share a port
    int64_t m_notedAt{0};                   //!< when the window was noted last, in picoseconds
    std::optional<PowerTcpWindow> m_window; //!< the window
};

} // namespace aifabric
} // namespace ns3

#endif /* POWER_TCP_CONTROL_H */
