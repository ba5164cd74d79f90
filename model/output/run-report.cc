/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-report.h"

#include "uplink-summary.h"

#include "ns3/csv-writer.h"
#include "ns3/flow-list.h"
#include "ns3/time-units.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

namespace ns3
{
namespace aifabric
{

RunReport::RunReport(const Parts& parts,
                     RunMeasures measures,
                     const BoundParameters& parameters,
                     const Matrix& matrix,
                     int64_t periodPs)
    : m_numbers(parts, std::move(measures), parameters, matrix, periodPs)
{
}

const RunReport::Results&
RunReport::GetResults() const
{
    return m_numbers.GetResults();
}

void
RunReport::AddFlowTimes(nlohmann::ordered_json& json) const
{
    const Results& results = m_numbers.GetResults();
    std::vector<std::pair<std::string, const FctSummary*>> summaries{{"", &results.fct}};
    if (results.orderedFct.messages > 0)
    {
        summaries.emplace_back("ordered_", &results.orderedFct);
        summaries.emplace_back("unordered_", &results.otherFct);
        json["ordered_messages"] = results.orderedFct.messages;
    }
    if (results.readFct.messages > 0)
    {
        summaries.emplace_back("read_", &results.readFct);
        json["reads"] = results.readFct.messages;
        json["read_median_fct_ns"] = results.readFct.medianPs / PS_PER_NS;
    }
    for (const auto& [prefix, summary] : summaries)
    {
        json[prefix + "max_fct_ns"] = summary->maxPs / PS_PER_NS;
        json[prefix + "p99_fct_ns"] = summary->p99Ps / PS_PER_NS;
        json[prefix + "mean_fct_ns"] = summary->meanPs / PS_PER_NS;
    }
}

std::optional<double>
RunReport::GetPlaneRatio() const
{
    const Parts& parts = m_numbers.GetParts();
    const RunMeasures& measures = m_numbers.GetMeasures();
    std::vector<double> bytes(parts.graph.Planes());
    for (std::size_t i = 0; i < measures.ports.size(); ++i)
    {
        const PortCatalog::Entry& entry = parts.catalog.GetPorts()[i];
        if (!PortCatalog::IsOfSwitches(entry.layer))
        {
            bytes[parts.graph.Links()[entry.link].a.port] += measures.ports[i].sentBytes;
        }
    }
    const auto [least, most] = std::minmax_element(bytes.begin(), bytes.end());
    return *least > 0 ? std::optional<double>(*most / *least) : std::nullopt;
}

double
RunReport::GetOverload(const RunNumbers::LayerTotals& layer) const
{
    return static_cast<double>(layer.mostBytes) / m_numbers.GetNicBytes();
}

void
RunReport::AddBounds(nlohmann::ordered_json& json) const
{
    const Results& results = m_numbers.GetResults();
    json["bound_ns"] = results.boundPs / PS_PER_NS;
    json["increase_percent"] = results.increasePercent;
    json["bound_formula"] = results.isPublished ? "published"
                            : results.isCompute ? "compute"
                                                : "completion";
    json["completion_bound_ns"] = results.completionBoundPs / PS_PER_NS;
    json["line_rate_bound_ns"] = results.lineRateBoundPs / PS_PER_NS;
    if (results.publishedBoundPs > 0)
    {
        json["published_bound_ns"] = results.publishedBoundPs / PS_PER_NS;
    }
    else
    {
        json["published_bound_ns"] = nullptr;
    }
}

void
RunReport::AddResults(nlohmann::ordered_json& json) const
{
    const Parts& parts = m_numbers.GetParts();
    const RunMeasures& measures = m_numbers.GetMeasures();
    const Results& results = m_numbers.GetResults();
    const PolicyCounters& policies = measures.policies;
    const auto trims = policies.find("trimming_frames");
    uint64_t bytes = 0;
    double overload = 0;
    for (const Flow& flow : parts.flows)
    {
        bytes += flow.bytes;
    }
    for (uint32_t i = 0; i < m_numbers.GetLayers().size(); ++i)
    {
        overload =
            std::max(overload,
                     PortCatalog::IsOfSwitches(i) ? GetOverload(m_numbers.GetLayers()[i]) : 0);
    }
    json["cct_ns"] = results.cctPs / PS_PER_NS;
    AddFlowTimes(json);
    json["measured_ns"] = m_numbers.GetMeasuredPs() / PS_PER_NS;
    AddBounds(json);
    json["max_queue_packets"] = results.maxQueuePackets;
    json["mean_queue_packets"] = results.meanQueuePackets;
    json["sending_queue_packets"] = results.sendingQueue;
    json["sending_period_ns"] = m_numbers.GetPeriodPs() / PS_PER_NS;
    json["worst_link_overload"] = overload;
    json["nic_bytes"] = m_numbers.GetNicBytes();
    json["drops"] = results.drops;
    json["drops_by_reason"] = measures.drops;
    json["link_losses"] = results.linkLosses;
    json["trims"] = trims == policies.end() ? 0 : trims->second;
    json["messages"] = parts.flows.size();
    json["message_bytes"] = bytes;
    json["failed_messages"] = results.failed.size();
    json["failed_message_numbers"] = results.failed;
    for (const auto& [name, count] : measures.totals)
    {
        json[name] = count;
    }
    json["packet_hops"] = results.packetHops;
    json["uplink_utilization"] =
        UplinkSummary(parts.graph, parts.catalog, measures.ports, m_numbers.GetMeasuredPs())
            .ToJson();
    if (parts.graph.Planes() > 1)
    {
        const std::optional<double> ratio = GetPlaneRatio();
        json["plane_bytes_ratio"] = ratio ? nlohmann::ordered_json(*ratio) : nullptr;
    }
    for (const char* name : {"cnps", "cnps_received", "cts_p99_ns"})
    {
        if (policies.count(name) > 0)
        {
            json[name] = policies.at(name);
        }
    }
    json["policies"] = policies;
    AddLayers(json["layers"]);
}

std::vector<RunReport::LayerValue>
RunReport::GetValues(uint32_t layer) const
{
    const RunNumbers::LayerTotals& totals = m_numbers.GetLayers()[layer];
    const double ports = m_numbers.GetParts().catalog.GetLayerSize(layer);
    const auto duration = static_cast<double>(m_numbers.GetMeasuredPs());
    const auto period = static_cast<double>(m_numbers.GetPeriodPs());
    const auto bytes = static_cast<double>(totals.bytes);
    return {
        {"ports", ports},
        {"max_queue_packets", static_cast<double>(totals.maxFrames)},
        {"max_waiting_bytes", static_cast<double>(totals.maxWaiting)},
        {"mean_queue_packets", totals.frameTime / ports / duration},
        {"sending_queue_packets", totals.frameTime / ports / period},
        {"bytes", bytes},
        {"mean_utilization", totals.busyTime / ports / duration},
        {"max_utilization", totals.mostBusyTime / duration},
        {"link_overload", GetOverload(totals)},
        {"link_imbalance", totals.bytes ? totals.mostBytes * ports / bytes : 0},
        {"refusals", static_cast<double>(totals.refused)},
        {"link_losses", static_cast<double>(totals.lostFrames)},
    };
}

void
RunReport::AddLayers(nlohmann::ordered_json& json) const
{
    for (uint32_t i = 0; i < m_numbers.GetLayers().size(); ++i)
    {
        nlohmann::ordered_json& layer = json[m_numbers.GetParts().catalog.GetLayerName(i)];
        for (const LayerValue& value : GetValues(i))
        {
            layer[value.name] = value.value;
        }
    }
}

void
RunReport::WriteLayers(const std::string& path) const
{
    std::vector<std::string> columns{"layer"};
    for (const LayerValue& value : GetValues(0))
    {
        columns.emplace_back(value.name);
    }
    CsvWriter csv(path, columns);
    for (uint32_t i = 0; i < m_numbers.GetLayers().size(); ++i)
    {
        std::vector<std::string> row{m_numbers.GetParts().catalog.GetLayerName(i)};
        for (const LayerValue& value : GetValues(i))
        {
            row.push_back(FormatNumber(value.value));
        }
        csv.WriteRow(row);
    }
    csv.Close();
}

void
RunReport::WriteFlows(const std::string& path) const
{
    const Parts& parts = m_numbers.GetParts();
    const RunMeasures& measures = m_numbers.GetMeasures();
    const Results& results = m_numbers.GetResults();
    std::vector<std::string> columns{"flow",
                                     "source",
                                     "destination",
                                     "bytes",
                                     "start_ns",
                                     "received_ns",
                                     "completed_ns",
                                     "duration_ns",
                                     "ideal_ns",
                                     "slowdown",
                                     "links"};
    constexpr std::size_t COMPLETED = 6; // column
    const bool hasOrigins = !parts.origins.empty();
    if (hasOrigins)
    {
        columns.insert(columns.end(), {"collective", "slice", "step"});
    }
    const bool hasOrdered = results.orderedFct.messages > 0;
    if (hasOrdered)
    {
        columns.emplace_back("ordered");
    }
    const bool hasClasses = FindClasses(parts.flows) > 0;
    if (hasClasses)
    {
        columns.emplace_back("class");
    }
    const bool hasReads = HasReads(parts.flows);
    if (hasReads)
    {
        columns.emplace_back("operation");
    }
    FlowBound alone = m_numbers.GetIdeal();
    CsvWriter csv(path, columns);
    for (std::size_t i = 0; i < parts.flows.size(); ++i)
    {
        const Flow& flow = parts.flows[i];
        const RunMeasures::FlowTimes& times = measures.flows[i];
        std::vector<std::string> row{std::to_string(i),
                                     std::to_string(flow.source),
                                     std::to_string(flow.destination),
                                     std::to_string(flow.bytes),
                                     FormatNs(flow.startPs),
                                     times.IsReceived() ? FormatNs(times.receivedPs) : "",
                                     "",
                                     "",
                                     "",
                                     "",
                                     std::to_string(m_numbers.LinksOf(flow))};
        if (times.IsCompleted())
        {
            const int64_t duration = times.completedPs - flow.startPs;
            const double ideal = alone.Of(m_numbers.GetSent(i));
            row[COMPLETED] = FormatNs(times.completedPs);
            row[COMPLETED + 1] = FormatNs(duration);
            row[COMPLETED + 2] = FormatNs(static_cast<int64_t>(ideal));
            row[COMPLETED + 3] =
                FormatNumber(ideal > 0 ? std::round(duration / ideal * 1e6) / 1e6 : 1);
        }
        if (hasOrigins)
        {
            AddOrigin(i, row);
        }
        if (hasOrdered)
        {
            row.emplace_back(flow.ordered ? "1" : "0");
        }
        if (hasClasses)
        {
            row.push_back(
                flow.trafficClass == Flow::USUAL_CLASS ? "" : std::to_string(flow.trafficClass));
        }
        if (hasReads)
        {
            row.emplace_back(flow.isRead ? "read" : "write");
        }
        csv.WriteRow(row);
    }
    csv.Close();
}

void
RunReport::AddOrigin(std::size_t message, std::vector<std::string>& row) const
{
    const Parts& parts = m_numbers.GetParts();
    const bool isKnown =
        message < parts.origins.size() && parts.origins[message].collective != MessageOrigin::NONE;
    if (!isKnown)
    {
        row.insert(row.end(), 3, "");
        return;
    }
    const MessageOrigin& origin = parts.origins[message];
    for (const uint32_t value : {origin.collective, origin.slice, origin.step})
    {
        row.push_back(std::to_string(value));
    }
}

void
RunReport::WriteLinks(const std::string& path, bool hasQueues) const
{
    const Parts& parts = m_numbers.GetParts();
    const RunMeasures& measures = m_numbers.GetMeasures();
    CsvWriter csv(path,
                  {"link",
                   "from",
                   "to",
                   "layer",
                   "frames_sent",
                   "bytes_sent",
                   "frames_delivered",
                   "frames_lost",
                   "frames_refused",
                   "utilization",
                   "max_queue_packets",
                   "max_waiting_bytes",
                   "mean_queue_packets",
                   "sending_queue_packets"});
    const auto duration = static_cast<double>(m_numbers.GetMeasuredPs());
    const auto period = static_cast<double>(m_numbers.GetPeriodPs());
    for (std::size_t i = 0; i < measures.ports.size(); ++i)
    {
        const PortCatalog::Entry& entry = parts.catalog.GetPorts()[i];
        const RunMeasures::Port& port = measures.ports[i];
        csv.Write(parts.graph.LinkName(entry.link),
                  entry.name,
                  entry.peer,
                  parts.catalog.GetLayerName(entry.layer),
                  port.sentFrames,
                  port.sentBytes,
                  port.GetDeliveredFrames(),
                  port.lostFrames,
                  port.refusedFrames,
                  port.busyTime / duration,
                  hasQueues ? std::to_string(port.maxFrames) : "",
                  hasQueues ? std::to_string(port.maxWaitingBytes) : "",
                  hasQueues ? FormatNumber(port.frameTime / duration) : "",
                  hasQueues ? FormatNumber(port.frameTime / period) : "");
    }
    csv.Close();
}

void
RunReport::WriteQueues(const std::string& path, const QueueSamples& samples) const
{
    CsvWriter csv(path,
                  {"time_ns",
                   "layer",
                   "mean_queue_packets",
                   "max_queue_packets",
                   "waiting_bytes",
                   "paused_ports"});
    const uint32_t layers = m_numbers.GetParts().catalog.GetLayerCount();
    for (std::size_t i = 0; i < samples.states.size(); ++i)
    {
        const uint32_t layer = i % layers;
        const QueueSamples::LayerState& state = samples.states[i];
        csv.Write(FormatNs(samples.times.at(i / layers)),
                  m_numbers.GetParts().catalog.GetLayerName(layer),
                  static_cast<double>(state.frames) /
                      m_numbers.GetParts().catalog.GetLayerSize(layer),
                  state.maxFrames,
                  state.bytes,
                  state.pausedPorts);
    }
    csv.Close();
}

} // namespace aifabric
} // namespace ns3
