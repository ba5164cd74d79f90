/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-report.h"

#include "ns3/csv-writer.h"
#include "ns3/time-units.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return whether a collective is of a job, by their names
bool
IsOf(const std::string& collective, const std::string& job)
{
    return collective == job || collective.compare(0, job.size() + 1, job + "/") == 0;
}

} // namespace

ClusterReport::ClusterReport(const std::vector<ClusterJob>& jobs,
                             const CollectiveReport& report,
                             const EndOf& endOf)
{
    std::map<std::string, int64_t> ends; // by job
    for (const ClusterJob& job : jobs)
    {
        Row row{job.name, job.hosts, 0, job.arrivalPs, job.arrivalPs, 0, 0, 0};
        row.beginPs = job.after.empty() ? row.beginPs : std::max(row.beginPs, ends.at(job.after));
        row.endPs = row.beginPs;
        for (const uint32_t host : job.hosts)
        {
            row.endPs = std::max(row.endPs, endOf(host));
        }
        for (const CollectiveRecord& record : report.GetRecords())
        {
            if (IsOf(record.spec.name, job.name) && CollectiveReport::IsFinished(record))
            {
                ++row.collectives;
                row.endPs = std::max(row.endPs, record.endPs);
                row.busyPs += record.endPs - record.startPs;
                row.bandwidth += CollectiveReport::GetBusBandwidth(record);
            }
        }
        ends[job.name] = row.endPs;
        m_rows.push_back(std::move(row));
    }
}

double
ClusterReport::Row::Mean(double sum) const
{
    return sum / std::max<double>(1, static_cast<double>(collectives));
}

void
ClusterReport::AddResults(nlohmann::ordered_json& json) const
{
    json = nlohmann::ordered_json::array();
    for (const Row& row : m_rows)
    {
        json.push_back(
            {{"name", row.name},
             {"hosts", row.hosts},
             {"collectives", row.collectives},
             {"arrival_ns", static_cast<double>(row.arrivalPs) / PS_PER_NS},
             {"begin_ns", static_cast<double>(row.beginPs) / PS_PER_NS},
             {"end_ns", static_cast<double>(row.endPs) / PS_PER_NS},
             {"jct_ns", static_cast<double>(row.endPs - row.beginPs) / PS_PER_NS},
             {"mean_collective_ns", row.Mean(static_cast<double>(row.busyPs) / PS_PER_NS)},
             {"mean_bus_bandwidth_gbps", row.Mean(row.bandwidth)}});
    }
}

void
ClusterReport::Write(const std::string& path) const
{
    CsvWriter csv(path,
                  {"name",
                   "ranks",
                   "begin_ns",
                   "end_ns",
                   "jct_ns",
                   "collectives",
                   "mean_collective_ns",
                   "mean_bus_bandwidth_gbps"});
    for (const Row& row : m_rows)
    {
        csv.Write(row.name,
                  row.hosts.size(),
                  FormatNs(row.beginPs),
                  FormatNs(row.endPs),
                  FormatNs(row.endPs - row.beginPs),
                  row.collectives,
                  FormatNumber(row.Mean(static_cast<double>(row.busyPs) / PS_PER_NS)),
                  FormatNumber(row.Mean(row.bandwidth)));
    }
    csv.Close();
}

} // namespace aifabric
} // namespace ns3
