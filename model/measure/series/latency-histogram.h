/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LATENCY_HISTOGRAM_H
#define LATENCY_HISTOGRAM_H

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How often latencies occurred: buckets whose width grows with the latency, STEPS of them each time
 * it doubles, so that a percentile is at most 1 / STEPS too large. Least, largest and sum are
 * exact.
 */
class LatencyHistogram
{
  public:
    static constexpr uint32_t STEPS = 64; //!< buckets from a latency to twice as much

    /// Count a latency.  @param latency the latency, in picoseconds, at least 0
    void Add(int64_t latency);

    /// Count what another histogram has counted.
    void Merge(const LatencyHistogram& other);

    /// @return how many were counted
    uint64_t GetCount() const
    {
        return m_count;
    }

    /// @return the least, in picoseconds; 0: none was counted
    int64_t GetLeast() const
    {
        return m_least;
    }

    /// @return the largest, in picoseconds; 0: none was counted
    int64_t GetLargest() const
    {
        return m_largest;
    }

    /// @return the mean, in picoseconds; 0: none was counted
    double GetMean() const;

    /// @return the least latency that at least a part of all do not exceed, or up to 1 / STEPS
    /// more; in picoseconds; 0: none was counted  @param percent the part
    int64_t GetPercentile(double percent) const;

    /// Write it.  @param writer where
    void Write(ByteWriter& writer) const;

    /// @return what Write() wrote  @param reader where
    /// @throws std::invalid_argument if that is damaged
    static LatencyHistogram Read(ByteReader& reader);

  private:
    uint64_t m_count{0};             //!< latencies counted
    int64_t m_sum{0};                //!< their sum, in picoseconds
    int64_t m_least{0};              //!< the least, in picoseconds
    int64_t m_largest{0};            //!< the largest, in picoseconds
    std::vector<uint64_t> m_buckets; //!< latencies by bucket; the last one has some
};

} // namespace aifabric
} // namespace ns3

#endif /* LATENCY_HISTOGRAM_H */
