/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROBE_SUMS_H
#define PROBE_SUMS_H

#include "latency-sums.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// What became of the probes from one rack to another in an interval.  @ingroup ai-fabric
struct ProbeSums
{
    static constexpr const char* TAG = "ProbeSums 1"; //!< the number is the version

    uint64_t sent{0};       //!< probes sent in the interval
    uint64_t lost{0};       //!< probes found to be lost in the interval, which may be older
    LatencySums roundTrips; //!< of the probes that were answered in the interval

    /// @return whether no probe was sent, lost or answered
    bool IsEmpty() const
    {
        return sent == 0 && lost == 0 && roundTrips.IsEmpty();
    }

    /// Add another interval, or what another part of the run has seen.
    void Join(const ProbeSums& other)
    {
        sent += other.sent;
        lost += other.lost;
        roundTrips.Join(other.roundTrips);
    }
};

} // namespace aifabric
} // namespace ns3

#endif /* PROBE_SUMS_H */
