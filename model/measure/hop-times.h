/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HOP_TIMES_H
#define HOP_TIMES_H

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// How long the frames that left a switch in an interval had stayed there.  @ingroup ai-fabric
struct HopTimes
{
    static constexpr const char* TAG = "HopTimes 1"; //!< the number is the version

    uint64_t frames{0}; //!< how many frames
    int64_t sum{0};     //!< the sum of their times, in picoseconds
    int64_t least{0};   //!< the least time, in picoseconds; 0: there was no frame
    int64_t largest{0}; //!< the largest time, in picoseconds; 0: there was no frame

    /// Add another interval, or what another part of the run has seen.
    void Join(const HopTimes& other)
    {
        if (other.frames == 0)
        {
            return;
        }
        least = frames > 0 ? std::min(least, other.least) : other.least;
        largest = std::max(largest, other.largest);
        sum += other.sum;
        frames += other.frames;
    }
};

} // namespace aifabric
} // namespace ns3

#endif /* HOP_TIMES_H */
