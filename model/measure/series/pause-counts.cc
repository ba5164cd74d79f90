/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pause-counts.h"

#include "ns3/byte-reader.h"
#include "ns3/byte-writer.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr const char* COUNTS_TAG = "PauseCounts 1"; //!< the number is the version

/// Add counts.  @param [in,out] sum where  @param entry what is added
void
Add(PauseCounts::Entry& sum, const PauseCounts::Entry& entry)
{
    sum.sent += entry.sent;
    sum.received += entry.received;
    sum.pauses += entry.pauses;
    sum.pausedPs += entry.pausedPs;
    sum.longestPs = std::max(sum.longestPs, entry.longestPs);
    sum.storms += entry.storms;
    sum.watchdogStorms += entry.watchdogStorms;
    sum.watchdogDrops += entry.watchdogDrops;
}

} // namespace

PauseCounts::Entry
PauseCounts::Sum() const
{
    Entry sum;
    for (const Entry& entry : entries)
    {
        Add(sum, entry);
    }
    return sum;
}

void
PauseCounts::Merge(const PauseCounts& other)
{
    if (classes != other.classes || entries.size() != other.entries.size())
    {
        throw std::invalid_argument("pauses of different classes or ports cannot be merged");
    }
    for (std::size_t i = 0; i < entries.size(); ++i)
    {
        Add(entries[i], other.entries[i]);
    }
}

std::string
PauseCounts::Write() const
{
    ByteWriter writer(COUNTS_TAG);
    writer.WriteRecords(std::vector<uint64_t>(classes.begin(), classes.end()));
    writer.WriteRecords(entries);
    return writer.Finish();
}

PauseCounts
PauseCounts::Read(const std::string& bytes)
{
    ByteReader reader(COUNTS_TAG, bytes);
    PauseCounts counts;
    const auto classes = reader.ReadRecords<uint64_t>();
    counts.classes.assign(classes.begin(), classes.end());
    counts.entries = reader.ReadRecords<Entry>();
    reader.Finish();
    if (counts.classes.empty() ? !counts.entries.empty()
                               : counts.entries.size() % counts.classes.size() != 0)
    {
        throw std::invalid_argument("counts of pauses are damaged");
    }
    return counts;
}

} // namespace aifabric
} // namespace ns3
