/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWIFT_WINDOW_H
#define SWIFT_WINDOW_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The congestion window of Swift (Kumar et al., "Swift: Delay is Simple and Effective for
 * Congestion Control in the Datacenter", SIGCOMM 2020, section 3): additive increase while the
 * delay is below a target, multiplicative decrease by how much it is above, at most once a round
 * trip. The target grows with the length of the path, and as the window gets smaller, so that flows
 * converge.
 *
 * Of delays in hosts it knows nothing; a second window may follow these (SwiftControl).
 *
 * Windows are in packets and may be fractions of one. Times are in any unit, the same for all.
 */
class SwiftWindow
{
  public:
    /// What does not change.
    struct Parameters
    {
        double baseTarget{0};      //!< target delay of a path without hops, in units of time
        double hopTarget{0};       //!< what each hop adds to it, in units of time
        uint32_t hops{0};          //!< hops of the path
        double scalingRange{0};    //!< the most that flow scaling adds, in units of time
        double scalingLeast{0.1};  //!< window at which flow scaling adds that, in packets
        double scalingMost{100};   //!< window from which on it adds nothing, in packets
        double increase{1};        //!< additive increase a round trip, in packets (ai)
        double decrease{0.8};      //!< multiplicative decrease for a delay far above target (beta)
        double mostDecrease{0.5};  //!< the most of the window that is taken away at once (max_mdf)
        double leastWindow{0.001}; //!< in packets
        double mostWindow{1000};   //!< in packets
        uint32_t resetTimeouts{5}; //!< timeouts in a row after which the window is the least
    };

    /**
     * @param parameters what does not change
     * @param window the first window, in packets
     */
    SwiftWindow(const Parameters& parameters, double window);

    /**
     * Packets were acknowledged.
     *
     * @param packets how many, for the first time
     * @param delay the delay that counts
     * @param roundTrip how often the window may shrink
     */
    void Acked(double packets, int64_t delay, int64_t roundTrip, int64_t now);

    /// Packets were acknowledged, and the delay that counts is the round trip.
    /// @param packets how many, for the first time
    void Acked(double packets, int64_t delay, int64_t now)
    {
        Acked(packets, delay, delay, now);
    }

    /**
     * Packets were lost.
     */
    void Lost(int64_t now);

    /**
     * The retransmission timer expired.
     */
    void TimedOut(int64_t now);

    /// @return the window, in packets
    double GetWindow() const
    {
        return m_window;
    }

    /// @return the last round trip; the target delay, at first
    int64_t GetRoundTrip() const
    {
        return m_roundTrip;
    }

    /// @param hops of the path from now on
    void SetHops(uint32_t hops)
    {
        m_parameters.hops = hops;
    }

    /// @return the target delay of a window  @param window the window, in packets
    double GetTarget(double window) const;

  private:
    /// Shrink the window, unless that happened less than a round trip ago.
    /// @param factor what is left of it
    void Shrink(double factor, int64_t now);

    Parameters m_parameters;     //!< what does not change
    double m_scale{0};           //!< flow scaling: alpha of the paper
    double m_window;             //!< in packets
    int64_t m_roundTrip;         //!< the last one; the target delay, at first
    int64_t m_shrunkAt{0};       //!< when the window shrank last
    bool m_hasShrunk{false};     //!< it has shrunk
    uint32_t m_timeoutsInRow{0}; //!< timeouts since the last acknowledgement
};

} // namespace aifabric
} // namespace ns3

#endif /* SWIFT_WINDOW_H */
