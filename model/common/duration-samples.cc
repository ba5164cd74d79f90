/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "duration-samples.h"

#include "percentile.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace aifabric
{

void
DurationSamples::Add(int64_t ps)
{
    constexpr int64_t PS_PER_NS = 1000;
    m_ns.push_back(static_cast<uint32_t>(
        std::min<int64_t>(ps / PS_PER_NS, std::numeric_limits<uint32_t>::max())));
}

uint32_t
DurationSamples::GetPercentile99() const
{
    if (m_ns.empty())
    {
        return 0;
    }
    std::vector<uint32_t> samples = m_ns;
    const auto place = samples.begin() + static_cast<std::ptrdiff_t>(PlaceOf99(samples.size()));
    std::nth_element(samples.begin(), place, samples.end());
    return *place;
}

} // namespace aifabric
} // namespace ns3
