/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plane-tables.h"

#include "ns3/csv-writer.h"
#include "ns3/entropy-set.h"

#include <cstddef>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the name of the state of an entropy value
const char*
NameState(uint32_t state)
{
    switch (static_cast<EntropySet::State>(state))
    {
    case EntropySet::State::GOOD:
        return "good";
    case EntropySet::State::SKIP:
        return "skip";
    case EntropySet::State::ASSUMED_BAD:
        return "assumed_bad";
    default:
        return "denied";
    }
}

} // namespace

void
PlaneTables::WritePlanes(const std::string& path) const
{
    std::vector<std::string> columns{"time_ns", "interval_ns", "plane", "sent_bytes"};
    if (m_series.hasEvs)
    {
        columns.insert(columns.end(),
                       {"evs_good", "evs_skip", "evs_assumed_bad", "evs_denied", "evs_active"});
    }
    CsvWriter csv(path, columns);
    const uint32_t planes = m_series.planes;
    for (std::size_t i = 1; i < m_series.times.size(); ++i)
    {
        for (uint32_t plane = 0; plane < planes; ++plane)
        {
            const std::size_t place = i * planes + plane;
            std::vector<std::string> row{
                FormatNs(m_series.times[i]),
                FormatNs(m_series.times[i] - m_series.times[i - 1]),
                std::to_string(plane),
                std::to_string(m_series.bytes[place] - m_series.bytes[place - planes])};
            if (m_series.hasEvs)
            {
                const PlaneSeries::EvCounts& evs = m_series.evs[place];
                for (const uint64_t count :
                     {evs.good, evs.skip, evs.assumedBad, evs.denied, evs.active})
                {
                    row.push_back(std::to_string(count));
                }
            }
            csv.WriteRow(row);
        }
    }
    csv.Close();
}

void
PlaneTables::WriteHosts(const std::string& path) const
{
    CsvWriter csv(path, {"time_ns", "interval_ns", "host", "plane", "sent_bytes"});
    const std::size_t stride = m_series.hosts.size() * m_series.planes;
    for (std::size_t i = 1; i < m_series.times.size(); ++i)
    {
        for (std::size_t place = 0; place < stride; ++place)
        {
            const std::size_t now = i * stride + place;
            csv.Write(FormatNs(m_series.times[i]),
                      FormatNs(m_series.times[i] - m_series.times[i - 1]),
                      m_series.hosts[place / m_series.planes],
                      place % m_series.planes,
                      m_series.hostBytes[now] - m_series.hostBytes[now - stride]);
        }
    }
    csv.Close();
}

void
PlaneTables::WriteChanges(const std::string& path) const
{
    CsvWriter csv(path, {"time_ns", "host", "queue_pair", "peer", "plane", "ev", "state"});
    for (const PlaneSeries::EvChange& change : m_series.changes)
    {
        csv.Write(FormatNs(change.timePs),
                  change.host,
                  change.queuePair,
                  change.peer,
                  change.plane,
                  change.path,
                  NameState(change.state));
    }
    csv.Close();
}

} // namespace aifabric
} // namespace ns3
