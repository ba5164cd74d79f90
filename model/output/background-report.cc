/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "background-report.h"

#include "ns3/csv-writer.h"
#include "ns3/percentile.h"
#include "ns3/time-units.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

namespace ns3
{
namespace aifabric
{

BackgroundReport::BackgroundReport(std::vector<FlowRecord> flows, uint64_t notStarted)
    : m_flows(std::move(flows)),
      m_notStarted(notStarted)
{
    for (const FlowRecord& record : m_flows)
    {
        if (record.completed)
        {
            m_times.push_back(record.completedAt.GetPicoSeconds() - record.flow.startPs);
            m_bytes += record.flow.bytes;
        }
    }
    std::sort(m_times.begin(), m_times.end());
}

void
BackgroundReport::AddResults(nlohmann::ordered_json& json) const
{
    json["started"] = m_flows.size();
    json["completed"] = m_times.size();
    json["unfinished"] = m_flows.size() - m_times.size();
    json["not_started"] = m_notStarted;
    json["completed_bytes"] = m_bytes;
    if (!m_times.empty())
    {
        const double sum = std::accumulate(m_times.begin(), m_times.end(), 0.0);
        json["mean_fct_ns"] = sum / static_cast<double>(m_times.size()) / PS_PER_NS;
        json["p99_fct_ns"] = m_times[PlaceOf99(m_times.size())] / PS_PER_NS;
    }
}

void
BackgroundReport::Write(const std::string& path) const
{
    CsvWriter csv(path,
                  {"source",
                   "destination",
                   "bytes",
                   "start_ns",
                   "received_ns",
                   "completed_ns",
                   "duration_ns"});
    for (const FlowRecord& record : m_flows)
    {
        const int64_t endPs = record.completedAt.GetPicoSeconds();
        csv.Write(record.flow.source,
                  record.flow.destination,
                  record.flow.bytes,
                  FormatNs(record.flow.startPs),
                  record.received ? FormatNs(record.receivedAt.GetPicoSeconds()) : "",
                  record.completed ? FormatNs(endPs) : "",
                  record.completed ? FormatNs(endPs - record.flow.startPs) : "");
    }
    csv.Close();
}

void
BackgroundReport::Print(std::ostream& os) const
{
    constexpr double PS_PER_US = 1e6;
    os << "background       " << m_flows.size() << " flows started, " << m_times.size()
       << " completed";
    if (!m_times.empty())
    {
        os << " (p99 " << std::fixed << std::setprecision(3)
           << m_times[PlaceOf99(m_times.size())] / PS_PER_US << " us)";
    }
    os << ", " << m_flows.size() - m_times.size() << " unfinished when the run ended";
    if (m_notStarted > 0)
    {
        os << ", " << m_notStarted << " not started";
    }
    os << "; ./fabric slowdown compares with a run without it\n";
}

} // namespace aifabric
} // namespace ns3
