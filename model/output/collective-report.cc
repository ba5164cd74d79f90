/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "collective-report.h"

#include "ns3/csv-writer.h"
#include "ns3/time-units.h"

#include <algorithm>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <utility>

namespace ns3
{
namespace aifabric
{

CollectiveReport::CollectiveReport(std::vector<CollectiveRecord> records,
                                   const IterationTimes& times,
                                   const BoundParameters& parameters,
                                   uint16_t planes,
                                   NameOfPolicy name)
    : m_records(std::move(records)),
      m_times(times),
      m_parameters(parameters),
      m_planes(planes),
      m_name(std::move(name))
{
}

double
CollectiveReport::GetBusBandwidth(const CollectiveRecord& record)
{
    constexpr double GBPS_PER_BYTE_PER_PS = 8e3;
    const auto ranks = static_cast<uint32_t>(record.spec.hosts.size());
    return static_cast<double>(record.spec.bytes) * BusFactor(record.spec.kind, ranks) *
           GBPS_PER_BYTE_PER_PS / static_cast<double>(record.endPs - record.startPs);
}

bool
CollectiveReport::IsFinished(const CollectiveRecord& record)
{
    return record.endPs >= 0;
}

double
CollectiveReport::GetBoundPs(const CollectiveRecord& record) const
{
    const CollectiveExtent& extent = record.extent;
    const auto take = [this](uint64_t bytes, uint64_t packets, uint64_t rate) {
        bytes += packets * (m_parameters.headerBytes + m_parameters.gapBytes);
        return static_cast<double>(bytes) * BIT_PS_PER_BYTE / static_cast<double>(rate) / m_planes;
    };
    const uint64_t fabricRate =
        m_parameters.fabricRate > 0 ? m_parameters.fabricRate : m_parameters.linkRate;
    const double network =
        std::max(take(extent.mostBytes, extent.mostPackets, m_parameters.linkRate),
                 take(extent.mostNicBytes, extent.mostNicPackets, fabricRate));
    const auto inNode = static_cast<double>(extent.mostNodeBytes);
    return inNode > 0 ? std::max(network, inNode * BIT_PS_PER_BYTE / m_parameters.nodeRate)
                      : network;
}

CollectiveReport::Sums
CollectiveReport::AddUp() const
{
    Sums sums;
    for (const CollectiveRecord& record : m_records)
    {
        if (!IsFinished(record))
        {
            continue;
        }
        ++sums.count;
        const auto duration = static_cast<double>(record.endPs - record.startPs);
        sums.ps += duration;
        sums.boundPs += GetBoundPs(record);
        sums.longestPs = std::max(sums.longestPs, duration);
        sums.bandwidth += GetBusBandwidth(record);
    }
    return sums;
}

void
CollectiveReport::AddResults(nlohmann::ordered_json& json) const
{
    const Sums sums = AddUp();
    json["iteration_ns"] = static_cast<double>(m_times.endPs) / PS_PER_NS;
    json["compute_bound_ns"] = static_cast<double>(m_times.computePs) / PS_PER_NS;
    json["count"] = sums.count;
    json["sum_of_times_ns"] = sums.ps / PS_PER_NS;
    json["sum_of_bounds_ns"] = sums.boundPs / PS_PER_NS;
    json["longest_time_ns"] = sums.longestPs / PS_PER_NS;
    json["mean_bus_bandwidth_gbps"] = sums.bandwidth / std::max<double>(1, sums.count);
}

void
CollectiveReport::Print(std::ostream& os) const
{
    constexpr double PS_PER_US = 1e6;
    constexpr double PERCENT = 100;
    os << std::fixed << std::setprecision(3);
    if (m_times.computePs > 0)
    {
        const auto beyond = static_cast<double>(m_times.endPs - m_times.computePs);
        os << "iteration        " << m_times.computePs / PS_PER_US << " us of compute, and "
           << beyond / PS_PER_US << " us (" << std::setprecision(1)
           << PERCENT * beyond / m_times.endPs
           << " %) of communication and waiting that it does not hide\n";
    }
    const Sums sums = AddUp();
    if (sums.count > 0)
    {
        os << "collectives      " << sums.count << ", bus bandwidth " << std::setprecision(1)
           << sums.bandwidth / sums.count << " Gb/s on average, " << std::setprecision(3)
           << sums.ps / PS_PER_US << " us in all\n";
    }
}

void
CollectiveReport::WriteCollectives(const std::string& path) const
{
    CsvWriter csv(path,
                  {"collective",
                   "name",
                   "kind",
                   "algorithm",
                   "ranks",
                   "bytes",
                   "start_ns",
                   "end_ns",
                   "duration_ns",
                   "bound_ns",
                   "bus_bandwidth_gbps",
                   "messages",
                   "protocol"});
    for (std::size_t i = 0; i < m_records.size(); ++i)
    {
        const CollectiveRecord& record = m_records[i];
        if (!IsFinished(record))
        {
            continue;
        }
        csv.Write(i,
                  record.spec.name,
                  NameOf(record.spec.kind),
                  m_name(record.spec.algorithm),
                  record.spec.hosts.size(),
                  record.spec.bytes,
                  FormatNs(record.startPs),
                  FormatNs(record.endPs),
                  FormatNs(record.endPs - record.startPs),
                  GetBoundPs(record) / PS_PER_NS,
                  GetBusBandwidth(record),
                  record.messages,
                  record.spec.protocol ? m_name(*record.spec.protocol) : "none");
    }
    csv.Close();
}

void
CollectiveReport::WriteSteps(const std::string& path) const
{
    CsvWriter csv(
        path,
        {"collective", "step", "first_start_ns", "last_received_ns", "messages", "bytes"});
    for (std::size_t i = 0; i < m_records.size(); ++i)
    {
        const std::vector<CollectiveRecord::Step>& steps = m_records[i].steps;
        for (std::size_t step = 0; step < steps.size(); ++step)
        {
            if (steps[step].messages > 0 && IsFinished(m_records[i]))
            {
                csv.Write(i,
                          step,
                          FormatNs(steps[step].firstStartPs),
                          FormatNs(steps[step].lastReceivedPs),
                          steps[step].messages,
                          steps[step].bytes);
            }
        }
    }
    csv.Close();
}

} // namespace aifabric
} // namespace ns3
