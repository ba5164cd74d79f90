/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plane-series.h"

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"
#include "ns3/keep-every-other.h"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr const char* PLANE_SERIES =
    "PlaneSeries 1"; //!< of strings of bytes; the number is the version

/// Add counts.  @param [in,out] sums where  @param counts what is added
void
AddAll(std::vector<uint64_t>& sums, const std::vector<uint64_t>& counts)
{
    for (std::size_t i = 0; i < sums.size(); ++i)
    {
        sums[i] += counts[i];
    }
}

} // namespace

void
PlaneSeries::Thin()
{
    const std::size_t count = times.size();
    KeepEveryOther(times, 1, count);
    KeepEveryOther(bytes, planes, count);
    KeepEveryOther(hostBytes, hosts.size() * planes, count);
    KeepEveryOther(evs, planes, count);
}

void
PlaneSeries::SortChanges()
{
    const auto key = [](const EvChange& change) {
        return std::make_tuple(change.timePs,
                               change.host,
                               change.queuePair,
                               change.plane,
                               change.path);
    };
    // Several changes of one EV at one time keep their order.
    std::stable_sort(changes.begin(), changes.end(), [&key](const EvChange& a, const EvChange& b) {
        return key(a) < key(b);
    });
}

void
PlaneSeries::Merge(const PlaneSeries& other)
{
    if (times != other.times)
    {
        throw std::invalid_argument("series that were taken at different times cannot be merged");
    }
    if (planes != other.planes || hosts != other.hosts || evs.size() != other.evs.size())
    {
        throw std::invalid_argument("series of different planes or hosts cannot be merged");
    }
    AddAll(bytes, other.bytes);
    AddAll(hostBytes, other.hostBytes);
    for (std::size_t i = 0; i < evs.size(); ++i)
    {
        evs[i].good += other.evs[i].good;
        evs[i].skip += other.evs[i].skip;
        evs[i].assumedBad += other.evs[i].assumedBad;
        evs[i].denied += other.evs[i].denied;
        evs[i].active += other.evs[i].active;
    }
    changes.insert(changes.end(), other.changes.begin(), other.changes.end());
    SortChanges();
}

std::string
PlaneSeries::Write() const
{
    ByteWriter writer(PLANE_SERIES);
    writer.WriteNumber(planes);
    writer.WriteNumber(hasEvs);
    writer.WriteRecords(std::vector<uint64_t>(hosts.begin(), hosts.end()));
    writer.WriteRecords(times);
    writer.WriteRecords(bytes);
    writer.WriteRecords(hostBytes);
    writer.WriteRecords(evs);
    writer.WriteRecords(changes);
    return writer.Finish();
}

PlaneSeries
PlaneSeries::Read(const std::string& bytes)
{
    ByteReader reader(PLANE_SERIES, bytes);
    PlaneSeries series;
    series.planes = static_cast<uint32_t>(reader.ReadNumber());
    series.hasEvs = reader.ReadNumber() != 0;
    const auto hosts = reader.ReadRecords<uint64_t>();
    series.hosts.assign(hosts.begin(), hosts.end());
    series.times = reader.ReadRecords<int64_t>();
    series.bytes = reader.ReadRecords<uint64_t>();
    series.hostBytes = reader.ReadRecords<uint64_t>();
    series.evs = reader.ReadRecords<EvCounts>();
    series.changes = reader.ReadRecords<EvChange>();
    reader.Finish();
    const std::size_t count = series.times.size() * series.planes;
    if (series.bytes.size() != count || series.hostBytes.size() != count * series.hosts.size() ||
        (!series.evs.empty() && series.evs.size() != count))
    {
        throw std::invalid_argument("a series of planes is damaged");
    }
    return series;
}

} // namespace aifabric
} // namespace ns3
