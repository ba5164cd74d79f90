/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plane-times.h"

#include <cstdlib>

namespace ns3
{
namespace aifabric
{

void
PlaneTimes::Start(int64_t baseRtt, int64_t slack)
{
    m_planes.clear();
    m_baseRtt = baseRtt;
    m_slack = slack;
    m_leastSlack = slack;
    m_leastRtt = baseRtt > 0 ? baseRtt : FAR;
}

void
PlaneTimes::AddSample(uint16_t plane, int64_t rtt)
{
    constexpr int64_t SMOOTHING = 8;           // RFC 6298
    constexpr int64_t VARIATION_SMOOTHING = 4; // the same
    Plane& times = m_planes[plane];
    const int64_t difference = rtt - times.smoothed;
    times.vanished = 0;
    if (!times.isSampled)
    {
        times.isSampled = true; // a better estimate than the RTT of the empty fabric
        times.variation = m_baseRtt > 0 ? std::abs(difference) : 0;
        times.smoothed = rtt;
        return;
    }
    times.variation += (std::abs(difference) - times.variation) / VARIATION_SMOOTHING;
    times.smoothed += difference / SMOOTHING;
}

bool
PlaneTimes::NoteVanished(uint16_t plane, int64_t start)
{
    constexpr uint32_t ENOUGH = 8; // packets that are not lost in a row by chance
    Plane& times = m_planes[plane];
    times.silentSince = times.vanished == 0 ? start : times.silentSince;
    return ++times.vanished >= ENOUGH && start - times.silentSince >= m_baseRtt;
}

void
PlaneTimes::ShortenSlack()
{
    constexpr int64_t SLACK_DECAY = 8; // share of a longer slack that a loss takes back
    m_slack -= (m_slack - m_leastSlack) / SLACK_DECAY;
}

int64_t
PlaneTimes::GetVariation(const Plane& plane) const
{
    return static_cast<int64_t>(static_cast<double>(m_variationFactor) * plane.variation);
}

int64_t
PlaneTimes::GetPatience(const Plane& plane) const
{
    if (plane.smoothed == 0)
    {
        return FAR / 2; // nothing is known; twice that is a time, too
    }
    return plane.smoothed + m_slack + GetVariation(plane);
}

int64_t
PlaneTimes::GetShortestPatience() const
{
    int64_t shortest = FAR;
    for (const Plane& plane : m_planes)
    {
        shortest = std::min(shortest, GetPatience(plane));
    }
    return shortest;
}

int64_t
PlaneTimes::GetLongestPatience() const
{
    int64_t longest = m_planes.empty() ? m_baseRtt + m_slack : 0;
    for (const Plane& plane : m_planes)
    {
        longest = std::max(longest, GetPatience(plane));
    }
    return longest;
}

int64_t
PlaneTimes::GetSlowness() const
{
    int64_t longest = m_baseRtt;
    for (const Plane& plane : m_planes)
    {
        longest = std::max(longest, plane.smoothed);
    }
    return longest - m_baseRtt;
}

int64_t
PlaneTimes::GetSackPatience() const
{
    int64_t longest = m_planes.empty() ? m_baseRtt + m_leastSlack : 0;
    for (const Plane& plane : m_planes)
    {
        const int64_t more = plane.isSampled ? GetVariation(plane) : m_leastSlack;
        longest = std::max(longest, plane.smoothed + more);
    }
    return longest;
}

} // namespace aifabric
} // namespace ns3
