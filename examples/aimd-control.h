/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AIMD_CONTROL_H
#define AIMD_CONTROL_H

#include "ns3/congestion-control.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Additive increase, multiplicative decrease: a window that grows by a packet each round trip, and
 * is halved when an acknowledgement is marked or a packet is lost. It is halved once a round trip
 * at most: marks and losses of packets that were sent before the last decrease say nothing about
 * the new window.
 */
class AimdControl : public CongestionControl
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
    bool Acknowledged(uint32_t bytes, const AckReport& report, int64_t now) override;
    void Lost(const LossSample& loss, int64_t now) override;
    void Count(PolicyCounters& counters) const override;

  private:
    /// Multiply the window, at least one packet is left.  @param factor by what
    /// @param now the current time, in picoseconds
    void Decrease(double factor, int64_t now);

    uint32_t m_firstPackets{0}; //!< initial window, in packets
    double m_increase{0};       //!< packets a round trip
    double m_decrease{0};       //!< what is left of the window
    DataRate m_lineRate;        //!< the rate of the port
    uint32_t m_mtu{0};          //!< payload bytes of a packet
    double m_window{0};         //!< in bytes
    int64_t m_decreasedAt{0};   //!< time of the last decrease, in picoseconds
    int64_t m_roundTrip{0};     //!< last measured round-trip time, in picoseconds
    uint64_t m_decreases{0};    //!< how many there were
};

} // namespace aifabric
} // namespace ns3

#endif /* AIMD_CONTROL_H */
