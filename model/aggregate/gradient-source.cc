/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gradient-source.h"

#include "wide-vectors.h"

#include <algorithm>
#include <cstring>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t STRIDE = 0x9E3779B9; //!< from one place to the next, before the hash

/// @return what the lower half of a key and a place become before the hash; the next place is at a
/// distance of STRIDE  @param key of the places  @param place lower bits of the place
uint32_t
Start(uint64_t key, uint32_t place)
{
    return place * STRIDE + static_cast<uint32_t>(key);
}

/// The finalizer of MurmurHash3 for 32 bits. Half of the key is added before it and half within it,
/// so that two workers' numbers are not those of each other at a distance.
/// @return 32 random bits as an integer  @param start of the place  @param key its upper half
int32_t
Mix(uint32_t start, uint32_t key)
{
    uint32_t hash = (start ^ start >> 16) * 0x85EBCA6B + key;
    hash = (hash ^ hash >> 13) * 0xC2B2AE35;
    return static_cast<int32_t>(hash ^ hash >> 16);
}

/// @return a number  @param draw its random bits  @param step distance of neighbouring numbers
double
ToNumber(int32_t draw, double step)
{
    return (draw + 0.5) * step; // the middle of one of 2^32 equal parts
}

/// Compute numbers in fixed point that fit, rounded to the nearest, whose places have equal upper
/// bits.  @param key of the places  @param first the place of the first one
/// @param step distance of neighbouring numbers  @param groups how many, in GradientVector::LANES
AIFABRIC_WIDE_VECTORS void
ComputeFitting(uint64_t key,
               uint32_t first,
               double step,
               FixedPoint fixed,
               uint32_t groups,
               int32_t* values)
{
    uint32_t start = Start(key, first); // grows by additions: SSE2 has no product of 32 bits
    for (uint32_t v = 0; v < groups * GradientVector::LANES; ++v, start += STRIDE)
    {
        values[v] = fixed.ConvertFitting(ToNumber(Mix(start, key >> 32), step));
    }
}

/// The same, and add them to others.  @param [in,out] sums as many
AIFABRIC_WIDE_VECTORS void
AddFitting(uint64_t key,
           uint32_t first,
           double step,
           FixedPoint fixed,
           uint32_t groups,
           int32_t* __restrict values,
           int32_t* __restrict sums)
{
    uint32_t start = Start(key, first);
    for (uint32_t v = 0; v < groups * GradientVector::LANES; ++v, start += STRIDE)
    {
        values[v] = fixed.ConvertFitting(ToNumber(Mix(start, key >> 32), step));
        sums[v] += values[v];
    }
}

/// @return the bits of a float  @param value the float
int32_t
ToBits(float value)
{
    int32_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
}

/// @return the float that has some bits
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
      m_step(magnitude / TWO_TO_31),
      m_fixed(scale),
      m_fits(m_fixed.Fits(magnitude)),
      m_roundsRandomly(roundsRandomly)
{
}

double
GradientSource::GetReal(uint32_t worker, uint64_t place) const
{
    return ToReal(Draw(MakeKey(worker, place, REAL), static_cast<uint32_t>(place)));
}

std::vector<int32_t>
GradientSource::GetFixed(uint32_t worker, uint64_t first, uint32_t count) const
{
    GradientVector values(std::vector<int32_t>(count, 0));
    ComputeFixed(worker, first, values);
    return {values.begin(), values.end()};
}

void
GradientSource::ComputeFixed(uint32_t worker, uint64_t first, GradientVector& values) const
{
    if (!IsFitting(first, values))
    {
        ComputeEach(worker, first, values);
        return;
    }
    const uint32_t groups = values.GetRoom() / GradientVector::LANES;
    ComputeFitting(MakeKey(worker, first, REAL), first, m_step, m_fixed, groups, values.Edit());
}

void
GradientSource::ComputeFixed(uint32_t worker,
                             uint64_t first,
                             GradientVector& values,
                             GradientVector& sums) const
{
    if (!IsFitting(first, values))
    {
        ComputeEach(worker, first, values);
        FixedPoint::AddTo(sums, values);
        return;
    }
    AddFitting(MakeKey(worker, first, REAL),
               first,
               m_step,
               m_fixed,
               values.GetRoom() / GradientVector::LANES,
               values.Edit(),
               sums.Edit());
}

void
GradientSource::ComputeEach(uint32_t worker, uint64_t first, GradientVector& values) const
{
    int32_t* value = values.Edit();
    for (uint64_t place = first; place < first + values.GetSize(); ++place, ++value)
    {
        const double real = GetReal(worker, place);
        if (m_roundsRandomly)
        {
            const uint64_t key = MakeKey(worker, place, ROUNDING);
            const double draw = Draw(key, static_cast<uint32_t>(place)) + TWO_TO_31;
            *value = m_fixed.ConvertRandomly(real, draw / (2 * TWO_TO_31));
        }
        else
        {
            *value = m_fixed.Convert(real);
        }
    }
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

GradientSource::Sums
GradientSource::GetSums(uint32_t workers, uint64_t first, uint32_t count) const
{
    std::vector<int64_t> highest(count); // of the sums of some workers' numbers
    std::vector<int64_t> lowest(count);
    bool fits = true;
    for (uint32_t worker = 0; worker < workers; ++worker)
    {
        const std::vector<int32_t> values = GetFixed(worker, first, count);
        fits &= std::none_of(values.begin(), values.end(), FixedPoint::IsSaturated);
        for (uint32_t v = 0; v < count; ++v)
        {
            highest[v] += std::max(values[v], 0);
            lowest[v] += std::min(values[v], 0);
        }
    }
    Sums sums;
    bool saturates = false;
    for (uint32_t v = 0; v < count; ++v)
    {
        saturates |= !FixedPoint::HasRoomFor(highest[v]) || !FixedPoint::HasRoomFor(lowest[v]);
        fits &= FixedPoint::HasRoomFor(highest[v] + lowest[v]);
        sums.fixed.push_back(highest[v] + lowest[v]);
    }
    if (!fits)
    {
        sums.fixed.clear();
    }
    if (saturates)
    {
        std::vector<std::vector<int32_t>> floats;
        for (uint32_t worker = 0; worker < workers; ++worker)
        {
            floats.push_back(GetFloats(worker, first, count));
        }
        sums.bits = AddFloats(floats);
    }
    return sums;
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
GradientSource::MakeKey(uint32_t worker, uint64_t place, Use use) const
{
    // The finalizer of SplitMix64, as in FrameCodec::FlowHash().
    uint64_t hash = ((place >> 32) * 2 + use) * 0x9E3779B97F4A7C15 +
                    (uint64_t{m_seed} << 32 | worker) * 0xD6E8FEB86659FD93;
    hash = (hash ^ hash >> 30) * 0xBF58476D1CE4E5B9;
    hash = (hash ^ hash >> 27) * 0x94D049BB133111EB;
    return hash ^ hash >> 31;
}

int32_t
GradientSource::Draw(uint64_t key, uint32_t place)
{
    return Mix(Start(key, place), key >> 32);
}

double
GradientSource::ToReal(int32_t draw) const
{
    return ToNumber(draw, m_step);
}

} // namespace aifabric
} // namespace ns3
