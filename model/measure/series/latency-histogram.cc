/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "latency-histogram.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t STEP_BITS = 6;     //!< 2 to this power are the steps
constexpr uint64_t MOST_BUCKETS = 64; //!< times the steps

static_assert(LatencyHistogram::STEPS == 1 << STEP_BITS);

/// @return the bucket of a latency  @param latency the latency, in picoseconds
std::size_t
BucketOf(uint64_t latency)
{
    if (latency < LatencyHistogram::STEPS)
    {
        return latency;
    }
    const uint32_t shift = 63 - __builtin_clzll(latency) - STEP_BITS;
    return (std::size_t{shift} << STEP_BITS) + (latency >> shift);
}

/// @return the largest latency of a bucket, in picoseconds  @param bucket its number
int64_t
EndOf(std::size_t bucket)
{
    if (bucket < LatencyHistogram::STEPS)
    {
        return bucket;
    }
    const std::size_t shift = (bucket >> STEP_BITS) - 1;
    const std::size_t step = bucket - (shift << STEP_BITS);
    return ((step + 1) << shift) - 1;
}

} // namespace

void
LatencyHistogram::Add(int64_t latency)
{
    const std::size_t bucket = BucketOf(latency);
    m_buckets.resize(std::max(m_buckets.size(), bucket + 1));
    ++m_buckets[bucket];
    m_least = m_count > 0 ? std::min(m_least, latency) : latency;
    m_largest = std::max(m_largest, latency);
    m_sum += latency;
    ++m_count;
}

void
LatencyHistogram::Merge(const LatencyHistogram& other)
{
    if (other.m_count == 0)
    {
        return;
    }
    m_buckets.resize(std::max(m_buckets.size(), other.m_buckets.size()));
    for (std::size_t i = 0; i < other.m_buckets.size(); ++i)
    {
        m_buckets[i] += other.m_buckets[i];
    }
    m_least = m_count > 0 ? std::min(m_least, other.m_least) : other.m_least;
    m_largest = std::max(m_largest, other.m_largest);
    m_sum += other.m_sum;
    m_count += other.m_count;
}

double
LatencyHistogram::GetMean() const
{
    return m_count > 0 ? static_cast<double>(m_sum) / static_cast<double>(m_count) : 0;
}

int64_t
LatencyHistogram::GetPercentile(double percent) const
{
    const auto wanted = static_cast<uint64_t>(std::ceil(m_count * percent / 100));
    uint64_t seen = 0;
    for (std::size_t i = 0; i < m_buckets.size(); ++i)
    {
        seen += m_buckets[i];
        if (seen > 0 && seen >= wanted)
        {
            return std::clamp(EndOf(i), m_least, m_largest);
        }
    }
    return 0;
}

void
LatencyHistogram::Write(ByteWriter& writer) const
{
    writer.WriteNumber(m_count);
    writer.WriteNumber(m_sum);
    writer.WriteNumber(m_least);
    writer.WriteNumber(m_largest);
    writer.WriteRecords(m_buckets);
}

LatencyHistogram
LatencyHistogram::Read(ByteReader& reader)
{
    LatencyHistogram histogram;
    histogram.m_count = reader.ReadNumber();
    histogram.m_sum = reader.ReadNumber();
    histogram.m_least = reader.ReadNumber();
    histogram.m_largest = reader.ReadNumber();
    histogram.m_buckets = reader.ReadRecords<uint64_t>();
    if (histogram.m_buckets.size() > MOST_BUCKETS * STEPS)
    {
        throw std::invalid_argument("a histogram of latencies is damaged");
    }
    return histogram;
}

} // namespace aifabric
} // namespace ns3
