/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef POWER_TCP_WINDOW_H
#define POWER_TCP_WINDOW_H

#include "path-comparison.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The window of PowerTCP (Addanki, Michel, Schmid, "PowerTCP: Pushing the Performance Limits of
 * Datacenter Networks", NSDI 2022). Power is current times voltage: what arrives at a port, which
 * is the growth of its queue and what it sends, times what is in flight, which is the queue and the
 * bandwidth-delay product; here as a share of what it is without a queue at full rate, averaged
 * over a base round trip. The window goes towards that of a round trip ago divided by the power,
 * and some bytes more.
 */
class PowerTcpWindow
{
  public:
    /// What does not change.
    struct Parameters
    {
        double gain{0.9};         //!< weight of the new window (gamma)
        double leastCurrent{0.5}; //!< share of a port's rate, so that the window stays below twice
                                  //!< the noted one where senders pause; not in the paper, but in
                                  //!< the authors' simulator (inet-tub/ns3-datacenter, rdma-hw.cc)
        double target{1};         //!< power at which the window stays, but for the increase; 0.95
                                  //!< in that simulator
        double baseRtt{0};        //!< round trip without queues, in nanoseconds (tau)
        double increase{0};       //!< what is added, in bytes (beta)
        double mostWindow{0};     //!< the first and largest window, in bytes: line rate times tau
        bool weighsNoted{false};  //!< the rest of the weight has the noted window, as in that
                                  //!< simulator, not the last one
    };

    /// Begin with the largest window.
    explicit PowerTcpWindow(const Parameters& parameters);

    /**
     * An acknowledgement has come (algorithm 1).
     *
     * @param path what switches wrote into the packet
     * @param sentAt when that was sent, in nanoseconds; a report that is too old to be compared
     * with (PathTelemetry::Follows) counts for nothing, as if this one were of another path
     * @param isNewRound whether the packet was sent after the window was noted last
     * @return whether the window is noted; the first report of a path notes it, too
     */
    bool Acked(const PathTelemetry& path, double sentAt, bool isNewRound);

    /**
     * An acknowledgement has come, without telemetry (algorithm 2, theta-PowerTCP): the growth of
     * the round trip is that of the queue. The power is averaged at each acknowledgement, the
     * window changes once a round trip.
     *
     * @param roundTrip of the packet, in nanoseconds
     * @param now the current time, in nanoseconds
     * @return whether the window is noted
     */
    bool Acked(double roundTrip, double now, bool isNewRound);

    /// Change the largest window.  @param bytes the window
    void SetMostWindow(double bytes);

    /// @return the window, in bytes
    double GetWindow() const
    {
        return m_window;
    }

    /// @return the average power, as a share of that at full rate without a queue
    double GetPower() const
    {
        return m_power;
    }

  private:
    /// Average the power.  @param power of a time  @param time how long, in nanoseconds
    void Smooth(double power, double time);

    /// Set the window.
    void Update();

    Parameters m_parameters; //!< what does not change
    double m_window;         //!< in bytes
    double m_noted;          //!< window of the last round trip, in bytes (cwnd_old)
    double m_power{1};       //!< average power
    double m_roundTrip{0};   //!< the last one, in nanoseconds; 0: none
    double m_measuredAt{0};  //!< when it was measured, in nanoseconds
    PathComparison m_paths;  //!< compares reports
};

} // namespace aifabric
} // namespace ns3

#endif /* POWER_TCP_WINDOW_H */
