/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gradient-source.h"

#include <cstring>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return a number from 0 to below 1  @param bits 64 random bits
double
ToUnit(uint64_t bits)
{
    constexpr double TWO_TO_53 = 9007199254740992.0;
    return static_cast<double>(bits >> 11) / TWO_TO_53;
}

/// @return the bits of a float  @param value the float
int32_t
ToBits(float value)
{
    int32_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/// @return the float that has some bits  @param bits the bits
float
FromBits(int32_t bits)
{
    float value = 0;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

} // namespace

GradientSource::GradientSource(uint32_t seed, double magnitude, double scale, bool roundsRandomly)
    : m_seed(seed),
      m_magnitude(magnitude),
      m_fixed(scale),
      m_roundsRandomly(roundsRandomly)
{
}

double
GradientSource::GetReal(uint32_t worker, uint64_t place) const
{
    return m_magnitude * (2 * ToUnit(Hash(worker, place, 0)) - 1);
}

std::vector<int32_t>
GradientSource::GetFixed(uint32_t worker, uint64_t first, uint32_t count) const
{
    std::vector<int32_t> values(count);
    for (uint32_t v = 0; v < count; ++v)
    {
        const double real = GetReal(worker, first + v);
        values[v] = m_roundsRandomly
                        ? m_fixed.ConvertRandomly(real, ToUnit(Hash(worker, first + v, 1)))
                        : m_fixed.Convert(real);
    }
    return values;
}

std::vector<int32_t>
GradientSource::GetFloats(uint32_t worker, uint64_t first, uint32_t count) const
{
    std::vector<int32_t> bits(count);
    for (uint32_t v = 0; v < count; ++v)
    {
        bits[v] = ToBits(static_cast<float>(GetReal(worker, first + v)));
    }
    return bits;
}

std::vector<int32_t>
GradientSource::GetSum(uint32_t workers, uint64_t first, uint32_t count) const
{
    std::vector<int32_t> sum(count);
    for (uint32_t worker = 0; worker < workers; ++worker)
    {
        FixedPoint::AddTo(sum, GetFixed(worker, first, count));
    }
    bool isSaturated = false;
    for (const int32_t value : sum)
    {
        isSaturated |= FixedPoint::IsSaturated(value);
    }
    if (!isSaturated)
    {
        return sum;
    }
    std::vector<std::vector<int32_t>> floats;
    for (uint32_t worker = 0; worker < workers; ++worker)
    {
        floats.push_back(GetFloats(worker, first, count));
    }
    return AddFloats(floats);
}

std::vector<int32_t>
GradientSource::AddFloats(const std::vector<std::vector<int32_t>>& floats)
{
    std::vector<int32_t> bits(floats.front().size());
    for (std::size_t v = 0; v < bits.size(); ++v)
    {
        double sum = 0;
        for (const std::vector<int32_t>& values : floats)
        {
            sum += FromBits(values[v]);
        }
        bits[v] = ToBits(static_cast<float>(sum));
    }
    return bits;
}

uint64_t
GradientSource::Hash(uint32_t worker, uint64_t place, uint32_t use) const
{
    // The finalizer of SplitMix64, as in FrameCodec::FlowHash().
    uint64_t hash = (place * 2 + use) * 0x9E3779B97F4A7C15 +
                    (uint64_t{m_seed} << 32 | worker) * 0xD6E8FEB86659FD93;
    hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9;
    hash = (hash ^ hash >> 27) * 0x94D049BB133111EB;
    return hash ^ hash >> 31;
}

} // namespace aifabric
} // namespace ns3
