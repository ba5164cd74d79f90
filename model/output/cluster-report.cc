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
#include <optional>

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

/// @return a time as in run.json; null if it is not known
nlohmann::ordered_json
ToJson(int64_t ps, bool isKnown)
{
    return isKnown ? nlohmann::ordered_json(static_cast<double>(ps) / PS_PER_NS) : nullptr;
}

/// @return a time as a cell of a table; empty if it is not known
std::string
ToCell(int64_t ps, bool isKnown)
{
    return isKnown ? FormatNs(ps) : "";
}

} // namespace

ClusterReport::ClusterReport(const std::vector<ClusterJob>& jobs,
                             const CollectiveReport& report,
                             const TimesOf& timesOf)
{
    std::map<std::string, Row> rows;
    for (const ClusterJob& job : jobs)
    {
        Row row;
        row.name = job.name;
        row.hosts = job.hosts;
        row.arrivalPs = row.beginPs = job.arrivalPs;
        const auto before = rows.find(job.after);
        row.hasBegun = before == rows.end() || before->second.isEnded;
        if (before != rows.end())
        {
            row.beginPs = std::max(row.beginPs, before->second.endPs);
            for (const uint32_t host : job.hosts)
            {
                row.beginPs = std::max(row.beginPs, timesOf(host).begin.value_or(0));
            }
        }
        row.endPs = row.beginPs;
        row.isEnded = row.hasBegun;
        for (const uint32_t host : job.hosts)
        {
            const std::optional<int64_t> end = timesOf(host).end;
            row.isEnded = row.isEnded && end;
            row.endPs = std::max(row.endPs, end.value_or(0));
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
        rows[job.name] = row;
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
             {"begin_ns", ToJson(row.beginPs, row.hasBegun)},
             {"end_ns", ToJson(row.endPs, row.isEnded)},
             {"jct_ns", ToJson(row.endPs - row.beginPs, row.isEnded)},
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
                  ToCell(row.beginPs, row.hasBegun),
                  ToCell(row.endPs, row.isEnded),
                  ToCell(row.endPs - row.beginPs, row.isEnded),
                  row.collectives,
                  FormatNumber(row.Mean(static_cast<double>(row.busyPs) / PS_PER_NS)),
                  FormatNumber(row.Mean(row.bandwidth)));
    }
    csv.Close();
}

} // namespace aifabric
} // namespace ns3
