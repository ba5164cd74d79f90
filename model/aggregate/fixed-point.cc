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
FixedPoint::Convert(double value) const
{
    return Saturate(std::round(value * m_scale));
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

int32_t
FixedPoint::Saturate(double value)
{
    return value >= MOST ? MOST : value > LEAST ? static_cast<int32_t>(value) : LEAST;
}

void
FixedPoint::AddTo(std::vector<int32_t>& sums, const std::vector<int32_t>& values)
{
    for (std::size_t v = 0; v < sums.size(); ++v)
    {
        sums[v] = Add(sums[v], values[v]);
    }
}

} // namespace aifabric
} // namespace ns3
