/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "alternation-bound.h"

/*
 * The notation is that of lower-bound.cc.
 *
 * 5. ACKs amid data. Let each packet have its own ACK, let the host have one port, and let no
 * data frame follow another one directly while an ACK waits. Take any set of the host's outgoing
 * full frames, n of them, none before r0, of flows that complete at least L after a frame begins;
 * and any set of incoming full frames, N of them, of flows that complete at least K after a frame
 * is received, none received before r0. Let X be when the last of the n begins. Let t be the last
 * time up to X when a data frame begins while no ACK waits, R how many of the N had been received
 * by then, and D how many of the n have begun up to and including t.
 *   - All R ACKs were sent between r0 and t, and after t each data frame follows an ACK. So in
 *     [r0, X] the host sent at least R + n - D ACKs.
 *   - D - 1 data frames and R ACKs fit between r0 and t: t >= r0 + (D - 1) d + R a.
 *   - Together, with y = t - R d, the number of ACKs is at least n - 1 - (y - r0) / d. Hence
 *     completion >= f(y) = r0 + (n - 1)(d + a) - a (y - r0) / d + L.
 *   - The other N - R frames are received after t, d apart. Hence, if R < N,
 *     completion >= g(y) = y + (N - 1) d + K.
 * f falls and g grows with y, so whatever y is, completion is not before the value where they meet,
 *     (F d + E a) / (d + a) with F = f(0) and E = g(0).
 * Exceptions: if t is before r0, or there is no such t, then n - 1 ACKs are sent between the n
 * frames, and completion >= f(r0). If R = N, the host sent at least N ACKs, and
 * completion >= r0 + (n - 1) d + N a + L. The least of the three is the bound: AlternationBound().
 * Other frames that the host sends or receives only add to the times above.
 */

namespace ns3
{
namespace aifabric
{

namespace
{

/**
 * @param i a set of the frames sent
 * @param j a set of the frames received
 * @return completion is no earlier, by these two sets, in ps; the others are as of
 * AlternationBound()
 */
double
BoundOf(const FramesByDistance& sent,
        uint32_t i,
        const FramesByDistance& received,
        uint32_t j,
        double slot,
        double ack)
{
    auto start = sent.earliest[i];
    if (sent.count[i] == 0 || received.count[j] == 0 || received.earliest[j] < start)
    {
        return 0;
    }
    auto dataOnly = start + (sent.count[i] - 1) * slot + sent.leastTail[i];
    auto startValue = dataOnly + (sent.count[i] - 1) * ack;                      // f(r0)
    auto fallingAtZero = startValue + ack * start / slot;                        // F
    auto growingAtZero = (received.count[j] - 1) * slot + received.leastTail[j]; // E
    auto meeting = (fallingAtZero * slot + growingAtZero * ack) / (slot + ack);
    return std::min({meeting, startValue, dataOnly + received.count[j] * ack});
}

} // namespace

double
AlternationBound(const FramesByDistance& sent,
                 const FramesByDistance& received,
                 double slot,
                 double ack)
{
    double bound = 0;
    for (uint32_t i = 0; i < FramesByDistance::LENGTHS; ++i)
    {
        for (uint32_t j = 0; j < FramesByDistance::LENGTHS; ++j)
        {
            bound = std::max(bound, BoundOf(sent, i, received, j, slot, ack));
        }
    }
    return bound;
}

} // namespace aifabric
} // namespace ns3
