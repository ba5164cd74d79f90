/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTERVAL_SERIES_H
#define INTERVAL_SERIES_H

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"
#include "ns3/keep-every-other.h"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What an IntervalSampler saw of each queue, switch or the like in each interval of a run, or of a
 * part of it (RunMeasures says what a part is): plain numbers, which outlive the simulation.
 *
 * @tparam T what was seen of one in one interval, in numbers of 8 bytes: T::TAG names it and its
 *         version, Join() adds what was seen of the same one in the next interval, or in the same
 *         interval by another part, and IsEmpty() says whether there was nothing to be seen
 */
template <typename T>
struct IntervalSeries
{
    uint64_t width{0};          //!< how many queues, switches or the like there are
    std::vector<int64_t> times; //!< begin of the first interval, ends of all, in picoseconds
    std::vector<T> seen;        //!< by interval, then queue or switch

    /**
     * Visit what was seen, but for what is empty.
     *
     * @param visit called with the end and the length of the interval, both in picoseconds, the
     *        number of the queue, switch or the like, and what was seen of it
     */
    template <typename F>
    void Visit(F visit) const
    {
        for (std::size_t i = 0; i < seen.size(); ++i)
        {
            if (!seen[i].IsEmpty())
            {
                const std::size_t end = i / width + 1;
                visit(times[end], times[end] - times[end - 1], i % width, seen[i]);
            }
        }
    }

    /// Join each two intervals. There must be an even number of them.
    void Thin()
    {
        const std::size_t intervals = seen.size() / width;
        for (std::size_t i = 0; i + 1 < intervals; i += 2)
        {
            for (std::size_t j = 0; j < width; ++j)
            {
                seen[i * width + j].Join(seen[(i + 1) * width + j]);
            }
        }
        KeepEveryOther(seen, width, intervals);
        KeepEveryOther(times, 1, times.size());
    }

    /**
     * Add what another part of the same run has seen in the same intervals.
     *
     * @param other the other series
     * @throws std::invalid_argument if it is of other intervals, queues or switches
     */
    void Merge(const IntervalSeries& other)
    {
        if (times != other.times || width != other.width)
        {
            throw std::invalid_argument("series of other intervals cannot be merged");
        }
        for (std::size_t i = 0; i < seen.size(); ++i)
        {
            seen[i].Join(other.seen[i]);
        }
    }

    /// @return all of it as a string of bytes, exactly
    std::string Write() const
    {
        ByteWriter writer(T::TAG);
        writer.WriteNumber(width);
        writer.WriteRecords(times);
        writer.WriteRecords(seen);
        return writer.Finish();
    }

    /**
     * @param bytes what Write() made, on a machine of the same kind
     * @return the series
     * @throws std::invalid_argument if it is damaged or something else
     */
    static IntervalSeries Read(const std::string& bytes)
    {
        ByteReader reader(T::TAG, bytes);
        IntervalSeries series;
        series.width = reader.ReadNumber();
        series.times = reader.ReadRecords<int64_t>();
        series.seen = reader.ReadRecords<T>();
        reader.Finish();
        const std::size_t intervals = series.times.empty() ? 0 : series.times.size() - 1;
        if (series.seen.size() != intervals * series.width)
        {
            throw std::invalid_argument("a series of intervals is damaged");
        }
        return series;
    }
};

} // namespace aifabric
} // namespace ns3

#endif /* INTERVAL_SERIES_H */
