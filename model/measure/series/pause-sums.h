/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAUSE_SUMS_H
#define PAUSE_SUMS_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// How a traffic class of a port was paused in an interval.  @ingroup ai-fabric
struct PauseSums
{
    static constexpr const char* TAG = "PauseSums 1"; //!< the number is the version

    uint64_t received{0}; //!< PFC frames for the class that have arrived
    uint64_t pauses{0};   //!< pauses that have begun
    int64_t pausedPs{0};  //!< how long the class was paused, in picoseconds

    /// @return whether no frame came and the class was not paused
    bool IsEmpty() const
    {
        return received == 0 && pausedPs == 0;
    }

    /// Add another interval, or what another part of the run has seen.
    void Join(const PauseSums& other)
    {
        received += other.received;
        pauses += other.pauses;
        pausedPs += other.pausedPs;
    }
};

} // namespace aifabric
} // namespace ns3

#endif /* PAUSE_SUMS_H */
