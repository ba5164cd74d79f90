/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fixed-point.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

FixedPoint::FixedPoint(double scale)
    : m_scale(scale)
{
}

int32_t
FixedPoint::ConvertRandomly(double value, double draw) const
{
    return Saturate(std::floor(value * m_scale + draw));
}

double
FixedPoint::ToReal(int64_t value) const
{
    return static_cast<double>(value) / m_scale;
}

void
FixedPoint::AddTo(std::vector<int32_t>& sums, const std::vector<int32_t>& values)
{
    // Almost never is anything saturated. Two loops without branches find out and add, several
    // values at a time.
    uint32_t unusual = 0;
    for (std::size_t v = 0; v < sums.size(); ++v)
    {
        const auto a = static_cast<uint32_t>(sums[v]);
        const auto b = static_cast<uint32_t>(values[v]);
        const uint32_t sum = a + b;
        unusual |= ((a ^ sum) & (b ^ sum)) >> 31; // the sign of both is not that of the sum
        unusual |= uint32_t{IsSaturated(sums[v])};
        unusual |= uint32_t{IsSaturated(values[v])};
    }
    if (unusual)
    {
        std::transform(sums.begin(), sums.end(), values.begin(), sums.begin(), Add);
        return;
    }
    for (std::size_t v = 0; v < sums.size(); ++v)
    {
        sums[v] += values[v];
    }
}

bool
FixedPoint::HasSaturated(const std::vector<int32_t>& values)
{
    uint32_t saturated = 0;
    for (const int32_t value : values)
    {
        saturated |= IsSaturated(value) ? 1U : 0U;
    }
    return saturated > 0;
}

} // namespace aifabric
} // namespace ns3
