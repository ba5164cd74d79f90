/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "nic-series.h"

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"
#include "ns3/keep-every-other.h"

#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr const char* NIC_SERIES = "NicSeries 1"; //!< the number is the version

} // namespace

void
NicSeries::Thin()
{
    const std::size_t count = times.size();
    KeepEveryOther(times, 1, count);
    KeepEveryOther(states, nics, count);
}

void
NicSeries::Merge(const NicSeries& other)
{
    if (times != other.times || nics != other.nics)
    {
        throw std::invalid_argument("series of other times or other NICs cannot be merged");
    }
    for (std::size_t i = 0; i < states.size(); ++i)
    {
        for (const NicCounters::Field& field : NicCounters::GetFields())
        {
            states[i].*field.counter += other.states[i].*field.counter;
        }
    }
}

NicCounters::Entry
NicSeries::GetChange(std::size_t interval, std::size_t nic) const
{
    NicCounters::Entry change = states.at(interval * nics + nic);
    const NicCounters::Entry& before = states.at((interval - 1) * nics + nic);
    for (const NicCounters::Field& field : NicCounters::GetFields())
    {
        change.*field.counter -= before.*field.counter;
    }
    return change;
}

std::string
NicSeries::Write() const
{
    ByteWriter writer(NIC_SERIES);
    writer.WriteNumber(nics);
    writer.WriteRecords(times);
    writer.WriteRecords(states);
    return writer.Finish();
}

NicSeries
NicSeries::Read(const std::string& bytes)
{
    ByteReader reader(NIC_SERIES, bytes);
    NicSeries series;
    series.nics = reader.ReadNumber();
    series.times = reader.ReadRecords<int64_t>();
    series.states = reader.ReadRecords<NicCounters::Entry>();
    reader.Finish();
    if (series.states.size() != series.times.size() * series.nics)
    {
        throw std::invalid_argument("a series of NICs is damaged");
    }
    return series;
}

} // namespace aifabric
} // namespace ns3
