/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pause-table.h"

#include "ns3/csv-writer.h"
#include "ns3/time-units.h"

#include <nlohmann/json.hpp>

namespace ns3
{
namespace aifabric
{

void
PauseTable::AddResults(nlohmann::ordered_json& json) const
{
    const PauseCounts::Entry sum = m_counts.Sum();
    json["pauses"] = sum.pauses;
    json["pause_ns"] = sum.pausedPs / PS_PER_NS;
    json["longest_pause_ns"] = sum.longestPs / PS_PER_NS;
    json["pause_storms"] = sum.storms;
    json["watchdog_storms"] = sum.watchdogStorms;
    json["watchdog_drops"] = sum.watchdogDrops;
}

void
PauseTable::Write(const std::string& path, const PortCatalog& catalog) const
{
    CsvWriter csv(path,
                  {"from",
                   "to",
                   "layer",
                   "class",
                   "frames_received",
                   "frames_sent",
                   "pauses",
                   "pause_ns",
                   "longest_pause_ns",
                   "storms",
                   "watchdog_storms",
                   "watchdog_drops"});
    const std::vector<PortCatalog::Entry>& ports = catalog.GetPorts();
    for (std::size_t port = 0; port < ports.size(); ++port)
    {
        for (std::size_t i = 0; i < m_counts.classes.size(); ++i)
        {
            const PauseCounts::Entry& entry = m_counts.At(port, i);
            csv.Write(ports[port].name,
                      ports[port].peer,
                      catalog.GetLayerName(ports[port].layer),
                      +m_counts.classes[i],
                      entry.received,
                      entry.sent,
                      entry.pauses,
                      FormatNs(entry.pausedPs),
                      FormatNs(entry.longestPs),
                      entry.storms,
                      entry.watchdogStorms,
                      entry.watchdogDrops);
        }
    }
    csv.Close();
}

void
PauseTable::WriteSeries(const std::string& path,
                        const PortCatalog& catalog,
                        const IntervalSeries<PauseSums>& series) const
{
    CsvWriter csv(path,
                  {"time_ns",
                   "interval_ns",
                   "from",
                   "to",
                   "layer",
                   "class",
                   "frames_received",
                   "pauses",
                   "pause_ns"});
    series.Visit([&](int64_t end, int64_t length, std::size_t place, const PauseSums& sums) {
        const PortCatalog::Entry& port = catalog.GetPorts()[place / m_counts.classes.size()];
        csv.Write(FormatNs(end),
                  FormatNs(length),
                  port.name,
                  port.peer,
                  catalog.GetLayerName(port.layer),
                  +m_counts.classes[place % m_counts.classes.size()],
                  sums.received,
                  sums.pauses,
                  FormatNs(sums.pausedPs));
    });
    csv.Close();
}

} // namespace aifabric
} // namespace ns3
