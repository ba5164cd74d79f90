/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LATENCY_SUMS_H
#define LATENCY_SUMS_H

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// How many latencies there were, and their sum, least and largest.  @ingroup ai-fabric
struct LatencySums
{
    static constexpr const char* TAG = "LatencySums 1"; //!< the number is the version

    uint64_t count{0};  //!< how many there were
    int64_t sum{0};     //!< their sum, in picoseconds
    int64_t least{0};   //!< the least, in picoseconds; 0: there was none
    int64_t largest{0}; //!< the largest, in picoseconds; 0: there was none

    /// @return whether there was none
    bool IsEmpty() const
    {
        return count == 0;
    }

    /// Add a latency.  @param latency the latency, in picoseconds
    void Add(int64_t latency)
    {
        Join({1, latency, latency, latency});
    }

    /// Add those of another interval, or what another part of the run has seen.
    void Join(const LatencySums& other)
    {
        if (other.count == 0)
        {
            return;
        }
        least = count > 0 ? std::min(least, other.least) : other.least;
        largest = std::max(largest, other.largest);
        sum += other.sum;
        count += other.count;
    }
};

} // namespace aifabric
} // namespace ns3

#endif /* LATENCY_SUMS_H */
