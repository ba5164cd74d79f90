/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fixed-point.h"

#include "wide-vectors.h"

#include <cmath>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t LARGE = 1U << 30; // integers from -LARGE to below LARGE are small

/// Add integers to others, whatever becomes of those that do not fit.
/// @return whether all integers are so small that neither they are saturated nor a sum is
AIFABRIC_WIDE_VECTORS bool
AddSmall(int32_t* sums, const int32_t* values, std::size_t count)
{
    uint32_t largest = 0; // its sign bit: one is not small
    for (std::size_t v = 0; v < count; ++v)
    {
        const auto a = static_cast<uint32_t>(sums[v]);
        const auto b = static_cast<uint32_t>(values[v]);
        largest |= (a + LARGE) | (b + LARGE);
        sums[v] = static_cast<int32_t>(a + b);
    }
    return largest >> 31 == 0;
}

/// Add integers to others.
AIFABRIC_WIDE_VECTORS void
AddAll(int32_t* sums, const int32_t* values, std::size_t count)
{
    for (std::size_t v = 0; v < count; ++v)
    {
        sums[v] += values[v];
    }
}

} // namespace

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
    // Almost always all integers are small: one loop without branches adds them and finds out.
    if (AddSmall(sums.data(), values.data(), sums.size()))
    {
        return;
    }
    for (std::size_t v = 0; v < sums.size(); ++v)
    {
        const auto b = static_cast<uint32_t>(values[v]);
        const auto a = static_cast<uint32_t>(sums[v]) - b; // before the addition
        sums[v] = Add(static_cast<int32_t>(a), values[v]);
    }
}

void
FixedPoint::AddFitting(std::vector<int32_t>& sums, const std::vector<int32_t>& values)
{
    AddAll(sums.data(), values.data(), sums.size());
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
