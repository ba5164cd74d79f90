/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-series.h"

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"
#include "ns3/keep-every-other.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr const char* LINK_SERIES = "LinkSeries 1"; //!< the number is the version

} // namespace

void
LinkSeries::Thin()
{
    const std::size_t count = times.size();
    KeepEveryOther(times, 1, count);
    KeepEveryOther(states, ports, count);
}

void
LinkSeries::Merge(const LinkSeries& other)
{
    if (times != other.times || ports != other.ports)
    {
        throw std::invalid_argument("series of links at other times or of other ports cannot be "
                                    "merged");
    }
    for (std::size_t i = 0; i < states.size(); ++i)
    {
        states[i].bytes += other.states[i].bytes;
        states[i].busyPs += other.states[i].busyPs;
        states[i].waiting += other.states[i].waiting;
    }
}

std::string
LinkSeries::Write() const
{
    ByteWriter writer(LINK_SERIES);
    writer.WriteNumber(ports);
    writer.WriteRecords(times);
    writer.WriteRecords(states);
    return writer.Finish();
}

LinkSeries
LinkSeries::Read(const std::string& bytes)
{
    ByteReader reader(LINK_SERIES, bytes);
    LinkSeries series;
    series.ports = reader.ReadNumber();
    series.times = reader.ReadRecords<int64_t>();
    series.states = reader.ReadRecords<State>();
    reader.Finish();
    if (series.states.size() != series.times.size() * series.ports)
    {
        throw std::invalid_argument("a series of links is damaged");
    }
    return series;
}

} // namespace aifabric
} // namespace ns3
