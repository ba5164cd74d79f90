/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HPCC_WINDOW_H
#define HPCC_WINDOW_H

#include "path-comparison.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The window of HPCC (Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019,
 * algorithm 1). Telemetry of the path says how many bytes the busiest port has in flight, as a
 * share of what it can have without a queue: U = queue / (B T) + rate / B. The window of a round
 * trip ago, the reference, is divided by U / eta, or, below eta and for some round trips, only
 * grows by a constant. Each acknowledgement computes the window from the reference, which itself
 * changes once a round trip: so no packet is reacted to twice.
 */
class HpccWindow
{
  public:
    /// What does not change.
    struct Parameters
    {
        double target{0.95};   //!< share of a port's rate to be used (eta)
        uint32_t mostStage{5}; //!< round trips in a row that only add (maxStage)
        double baseRtt{0};     //!< round trip without queues, in nanoseconds (T)
        double increase{0};    //!< what is added, in bytes (W_AI)
        double mostWindow{0};  //!< the first and largest window, in bytes: line rate times T
    };

    /// Begin with the largest window.
    explicit HpccWindow(const Parameters& parameters);

    /**
     * An acknowledgement has come.
     *
     * @param path what switches wrote into the packet
     * @param sentAt when that was sent, in nanoseconds; a report that is too old to be compared
     * with (PathTelemetry::Follows) counts for nothing, as if this one were of another path
     * @param isNewRound whether the packet was sent after the reference changed last
     * @return whether the reference changes; the first report of a path sets it, too
     */
    bool Acked(const PathTelemetry& path, double sentAt, bool isNewRound);

    /// Change the largest window.  @param bytes the window
    void SetMostWindow(double bytes);

    /// @return the window, in bytes
    double GetWindow() const
    {
        return m_window;
    }

    /// @return bytes in flight through the busiest port, as a share of its rate times T
    double GetUtilization() const
    {
        return m_utilization;
    }

  private:
    /// Average what the busiest port has in flight, over T.
    void Smooth(const PathComparison::Busiest& busiest);

    /// Set the window from the reference.  @param isNewRound whether it becomes the reference
    void ComputeWindow(bool isNewRound);

    Parameters m_parameters; //!< what does not change
    double m_window;         //!< in bytes
    double m_reference;      //!< window of the last round trip, in bytes (W^c)
    double m_utilization{1}; //!< U
    uint32_t m_stage{0};     //!< round trips in a row that only added (incStage)
    PathComparison m_paths;  //!< compares reports
};

} // namespace aifabric
} // namespace ns3

#endif /* HPCC_WINDOW_H */
