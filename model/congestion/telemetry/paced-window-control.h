/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PACED_WINDOW_CONTROL_H
#define PACED_WINDOW_CONTROL_H

#include "ns3/congestion-control.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A control by window that paces: its rate is the window a base round trip. A packet may be sent
 * while less than the window is unacknowledged, so that the window is rounded up to whole packets,
 * and the rate does the rest; as in the simulator of HPCC's authors.
 */
class PacedWindowControl : public CongestionControl
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    uint64_t GetWindow() const override;
    DataRate GetRate() const override;
    bool MovesWaiting() const override;

  protected:
    /// The queue pair starts.
    void Begin(const FabricFacts& facts);

    /// @return the base round trip, in nanoseconds: that of the fabric unless one is set
    double FindRoundTrip(const FabricFacts& facts) const;

    /// @return what a rate sends in the base round trip since Begin(), in bytes
    double GetProduct(DataRate rate) const;

    /// @return what a rate sends in a time, in bytes  @param nanoseconds the time
    static double BytesIn(DataRate rate, double nanoseconds);

    /// @return what a window is derived from, as text  @param roundTrip in nanoseconds
    /// @param window the first one, in bytes  @param increase what a round trip adds, in bytes
    static std::string DescribeWindow(double roundTrip, double window, double increase);

  private:
    /// @return the window, in bytes
    virtual double GetBytes() const = 0;

    Time m_baseRtt;        //!< base round trip; 0: that of the fabric
    bool m_moves{true};    //!< a new rate holds for the packet that waits, too
    uint32_t m_mtu{0};     //!< payload bytes of a full packet
    double m_roundTrip{0}; //!< base round trip, in nanoseconds
};

} // namespace aifabric
} // namespace ns3

#endif /* PACED_WINDOW_CONTROL_H */
