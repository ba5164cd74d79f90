/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fixed-point.h"

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
    // Almost always all integers are so small that neither they are saturated nor their sum is. One
    // loop without branches adds them and finds out, several values at a time.
    constexpr uint32_t LARGE = 1U << 30; // integers from -LARGE to below LARGE are small
    const std::size_t count = sums.size();
    int32_t* sum = sums.data();
    const int32_t* value = values.data();
    uint32_t largest = 0; // its sign bit: one is not small
    for (std::size_t v = 0; v < count; ++v)
    {
        const auto a = static_cast<uint32_t>(sum[v]);
        const auto b = static_cast<uint32_t>(value[v]);
        largest |= (a + LARGE) | (b + LARGE);
        sum[v] = static_cast<int32_t>(a + b);
    }
    if (largest >> 31 == 0)
    {
        return;
    }
    for (std::size_t v = 0; v < count; ++v)
    {
        const auto b = static_cast<uint32_t>(value[v]);
        const auto a = static_cast<uint32_t>(sum[v]) - b; // before the addition
        sum[v] = Add(static_cast<int32_t>(a), value[v]);
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
