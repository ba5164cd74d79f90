/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUEUE_PEAK_H
#define QUEUE_PEAK_H

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// The most that waited in a queue in an interval.  @ingroup ai-fabric
struct QueuePeak
{
    static constexpr const char* TAG = "QueuePeak 1"; //!< the number is the version

    uint64_t maxBytes{0};  //!< the most bytes that waited
    uint64_t maxFrames{0}; //!< the most frames that waited

    /// @return whether no frame waited
    bool IsEmpty() const
    {
        return maxFrames == 0;
    }

    /// Add another interval, or what another part of the run has seen.
    void Join(const QueuePeak& other)
    {
        maxBytes = std::max(maxBytes, other.maxBytes);
        maxFrames = std::max(maxFrames, other.maxFrames);
    }
};

} // namespace aifabric
} // namespace ns3

#endif /* QUEUE_PEAK_H */
