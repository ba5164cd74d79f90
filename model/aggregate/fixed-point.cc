/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fixed-point.h"

#include "wide-vectors.h"

#include "ns3/assert.h"

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
/// @param groups how many, in GradientVector::LANES
AIFABRIC_WIDE_VECTORS bool
AddSmall(int32_t* __restrict sums, const int32_t* __restrict values, uint32_t groups)
{
    uint32_t largest = 0; // its sign bit: one is not small
    for (uint32_t v = 0; v < groups * GradientVector::LANES; ++v)
    {
        const auto a = static_cast<uint32_t>(sums[v]);
        const auto b = static_cast<uint32_t>(values[v]);
        largest |= (a + LARGE) | (b + LARGE);
        sums[v] = static_cast<int32_t>(a + b);
    }
    return largest >> 31 == 0;
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
FixedPoint::AddTo(GradientVector& sums, const GradientVector& values)
{
    NS_ASSERT_MSG(sums.GetSize() == values.GetSize(), "FixedPoint: sums of as many values");
    int32_t* sum = sums.Edit();
    // Almost always all integers are small: one loop without branches adds them and finds out.
    if (AddSmall(sum, values.begin(), sums.GetRoom() / GradientVector::LANES))
    {
        return;
    }
    for (uint32_t v = 0; v < sums.GetSize(); ++v)
    {
        const auto b = static_cast<uint32_t>(values[v]);
        const auto a = static_cast<uint32_t>(sum[v]) - b; // before the addition
        sum[v] = Add(static_cast<int32_t>(a), values[v]);
    }
}

bool
FixedPoint::HasSaturated(const GradientVector& values)
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
