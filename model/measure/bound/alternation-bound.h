/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ALTERNATION_BOUND_H
#define ALTERNATION_BOUND_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

namespace ns3
{
namespace aifabric
{

/**
 * The full frames of a host, out or in, by the length of their paths: of those with at least
 * 2 (i + 1) links, entry i has the number, the earliest time and the least tail.
 */
struct FramesByDistance
{
    static constexpr uint32_t LENGTHS = 3; //!< paths have 2, 4 or 6 links

    /**
     * @param links links of the frames' path
     * @param number how many
     * @param time the earliest time of one
     * @param tail completion follows no earlier than this after it
     */
    void Add(uint32_t links, uint64_t number, double time, double tail)
    {
        for (uint32_t i = 0; i < LENGTHS && 2 * (i + 1) <= links; ++i)
        {
            count[i] += static_cast<double>(number);
            earliest[i] = std::min(earliest[i], time);
            leastTail[i] = std::min(leastTail[i], tail);
        }
    }

    static constexpr double INFINITE =
        std::numeric_limits<double>::infinity(); //!< later than any time

    std::array<double, LENGTHS> count{};                                 //!< number of frames
    std::array<double, LENGTHS> earliest{INFINITE, INFINITE, INFINITE};  //!< earliest time, in ps
    std::array<double, LENGTHS> leastTail{INFINITE, INFINITE, INFINITE}; //!< least tail, in ps
};

/**
 * A bound for a host that sends no data frame directly after another one while an acknowledgement
 * (ACK) waits, and each packet of which has an ACK of its own (proof 5, alternation-bound.cc).
 *
 * @param sent what the host sends
 * @param received what the host receives
 * @param slot time of a full data frame and its gap, in ps
 * @param ack time of an ACK and its gap, in ps
 * @return completion is no earlier, in ps
 */
double AlternationBound(const FramesByDistance& sent,
                        const FramesByDistance& received,
                        double slot,
                        double ack);

} // namespace aifabric
} // namespace ns3

#endif /* ALTERNATION_BOUND_H */
