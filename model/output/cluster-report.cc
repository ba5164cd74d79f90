/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cluster-report.h"

#include "ns3/time-units.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace ns3
{
namespace aifabric
{

ClusterReport::ClusterReport(const std::vector<ClusterJob>& jobs, const CollectiveReport& report)
    : m_jobs(jobs),
      m_report(report)
{
}

void
ClusterReport::AddResults(nlohmann::ordered_json& json) const
{
    json = nlohmann::ordered_json::array();
    for (const ClusterJob& job : m_jobs)
    {
        int64_t endPs = job.arrivalPs;
        int64_t busyPs = 0;
        uint64_t count = 0;
        double bandwidth = 0;
        for (const CollectiveRecord& record : m_report.GetRecords())
        {
            if (record.spec.name == job.name && CollectiveReport::IsFinished(record))
            {
                ++count;
                endPs = std::max(endPs, record.endPs);
                busyPs += record.endPs - record.startPs;
                bandwidth += CollectiveReport::GetBusBandwidth(record);
            }
        }
        const double mean = std::max<double>(1, static_cast<double>(count));
        json.push_back({{"name", job.name},
                        {"hosts", job.hosts},
                        {"collectives", count},
                        {"arrival_ns", static_cast<double>(job.arrivalPs) / PS_PER_NS},
                        {"end_ns", static_cast<double>(endPs) / PS_PER_NS},
                        {"jct_ns", static_cast<double>(endPs - job.arrivalPs) / PS_PER_NS},
                        {"mean_collective_ns", static_cast<double>(busyPs) / PS_PER_NS / mean},
                        {"mean_bus_bandwidth_gbps", bandwidth / mean}});
    }
}

} // namespace aifabric
} // namespace ns3
