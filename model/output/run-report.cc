/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-report.h"

#include "uplink-summary.h"

#include "ns3/abort.h"
#include "ns3/csv-writer.h"
#include "ns3/nstime.h"
#include "ns3/percentile.h"
#include "ns3/time-units.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr double PERCENT = 100; //!< of one

/// @return by how much one time exceeds another, in percent  @param bound the other; 0 gives 0
double
Increase(double time, double bound)
{
    return bound > 0 ? (time / bound - 1) * PERCENT : 0;
}

/// @return what was counted under a name, 0 if nothing was
uint64_t
Find(const PolicyCounters& counters, const std::string& name)
{
    const auto found = counters.find(name);
    return found == counters.end() ? 0 : found->second;
}

} // namespace

RunReport::RunReport(const Parts& parts,
                     RunMeasures measures,
                     const BoundParameters& parameters,
                     const Matrix& matrix,
                     int64_t periodPs)
    : m_parts(parts),
      m_measures(std::move(measures)),
      m_periodPs(periodPs)
{
    NS_ABORT_MSG_IF(m_measures.ports.size() != parts.catalog.GetPorts().size() ||
                        m_measures.flows.size() != parts.flows.size(),
                    "RunReport: these measures are of another run");
    ComputeTime();
    ComputeFlowTimes();
    m_measuredPs = std::max<int64_t>(1, parts.endPs - m_startPs);
    ComputeBounds(parameters, matrix);
    ComputeNicBytes(parameters);
    SumPorts();
    SumLosses();
}

const RunReport::Results&
RunReport::GetResults() const
{
    return m_results;
}

void
RunReport::ComputeTime()
{
    if (m_parts.iteration)
    {
        m_startPs = 0;
        m_results.cctPs = m_parts.iteration->endPs;
        return;
    }
    int64_t first = std::numeric_limits<int64_t>::max();
    for (const Flow& flow : m_parts.flows)
    {
        first = std::min(first, flow.startPs);
    }
    int64_t last = first;
    for (const RunMeasures::FlowTimes& times : m_measures.flows)
    {
        last = std::max(last, times.completedPs);
    }
    m_startPs = first;
    m_results.cctPs = last - first;
}

RunReport::FctSummary
RunReport::Summarize(std::vector<int64_t> times)
{
    FctSummary summary;
    if (times.empty())
    {
        return summary;
    }
    std::sort(times.begin(), times.end());
    const auto count = static_cast<double>(times.size());
    summary.messages = times.size();
    summary.maxPs = times.back();
    summary.p99Ps = times[PlaceOf99(times.size())];
    summary.meanPs = std::accumulate(times.begin(), times.end(), 0.0) / count;
    return summary;
}

void
RunReport::ComputeFlowTimes()
{
    std::vector<int64_t> all;
    std::vector<int64_t> ordered;
    std::vector<int64_t> others;
    for (std::size_t i = 0; i < m_parts.flows.size(); ++i)
    {
        const Flow& flow = m_parts.flows[i];
        if (!m_measures.flows[i].IsCompleted())
        {
            m_results.failed.push_back(i);
            continue;
        }
        all.push_back(m_measures.flows[i].completedPs - flow.startPs);
        (flow.ordered ? ordered : others).push_back(all.back());
    }
    m_results.fct = Summarize(std::move(all));
    m_results.orderedFct = Summarize(std::move(ordered));
    m_results.otherFct = Summarize(std::move(others));
}

void
RunReport::AddFlowTimes(nlohmann::ordered_json& json) const
{
    std::vector<std::pair<std::string, const FctSummary*>> summaries{{"", &m_results.fct}};
    if (m_results.orderedFct.messages > 0)
    {
        summaries.emplace_back("ordered_", &m_results.orderedFct);
        summaries.emplace_back("unordered_", &m_results.otherFct);
        json["ordered_messages"] = m_results.orderedFct.messages;
    }
    for (const auto& [prefix, summary] : summaries)
    {
        json[prefix + "max_fct_ns"] = summary->maxPs / PS_PER_NS;
        json[prefix + "p99_fct_ns"] = summary->p99Ps / PS_PER_NS;
        json[prefix + "mean_fct_ns"] = summary->meanPs / PS_PER_NS;
    }
}

uint32_t
RunReport::LinksOf(const Flow& flow) const
{
    return flow.inNode ? 0 : m_parts.graph.PathLinks(flow.source, flow.destination);
}

std::vector<Flow>
RunReport::GetCompleted() const
{
    std::vector<Flow> flows;
    for (std::size_t i = 0; i < m_parts.flows.size(); ++i)
    {
        if (m_measures.flows[i].IsCompleted())
        {
            flows.push_back(m_parts.flows[i]);
            flows.back().pieces = static_cast<uint32_t>(m_measures.flows[i].pieces);
            if (m_parts.iteration)
            {
                flows.back().startPs = m_startPs; // when they start is a result, and not given
            }
        }
    }
    return flows;
}

void
RunReport::ComputeBounds(const BoundParameters& parameters, const Matrix& matrix)
{
    uint32_t links = 0;
    for (const Flow& flow : m_parts.flows)
    {
        links = std::max(links, LinksOf(flow));
    }
    const std::vector<Flow> flows = GetCompleted();
    m_results.completionBoundPs =
        CompletionBoundPs(m_parts.graph, flows, parameters) - static_cast<double>(m_startPs);
    BoundParameters lineRate = parameters;
    lineRate.rateFactor = 1;
    m_results.boundPs = m_results.completionBoundPs;
    m_results.lineRateBoundPs =
        CompletionBoundPs(m_parts.graph, flows, lineRate) - static_cast<double>(m_startPs);
    if (matrix.messages > 0 && m_parts.graph.Planes() == 1 && m_results.failed.empty())
    {
        const double published = PublishedBoundPs(matrix.bytes, matrix.messages, links, parameters);
        const double fastest = PublishedBoundPs(matrix.bytes, matrix.messages, links, lineRate);
        const bool isBelow = fastest <= static_cast<double>(m_results.cctPs);
        m_results.publishedBoundPs = published;
        m_results.lineRateBoundPs = isBelow ? fastest : m_results.lineRateBoundPs;
        m_results.isPublished =
            isBelow && (parameters.rateFactor == 1 || fastest > m_results.completionBoundPs);
        m_results.boundPs = m_results.isPublished ? fastest : m_results.boundPs;
    }
    AddCompute();
    m_results.increasePercent = Increase(m_results.cctPs, m_results.boundPs);
}

void
RunReport::AddCompute()
{
    if (!m_parts.iteration)
    {
        return;
    }
    const auto compute = static_cast<double>(m_parts.iteration->computePs);
    m_results.isCompute = compute > m_results.boundPs;
    for (double* bound :
         {&m_results.completionBoundPs, &m_results.boundPs, &m_results.lineRateBoundPs})
    {
        *bound = std::max(*bound, compute);
    }
}

void
RunReport::ComputeNicBytes(const BoundParameters& parameters)
{
    std::vector<uint64_t> bytes(m_parts.graph.HostCount());
    for (const Flow& flow : m_parts.flows)
    {
        if (flow.inNode)
        {
            continue;
        }
        const uint64_t packets =
            (flow.bytes + parameters.payloadBytes - 1) / parameters.payloadBytes;
        bytes[flow.source] += flow.bytes + packets * parameters.headerBytes;
        const uint64_t acks = parameters.packetsPerAck == 0 ? 1 : packets; // coalesced: the last
        bytes[flow.destination] += parameters.acksInFabric ? acks * parameters.ackBytes : 0;
    }
    m_nicBytes =
        static_cast<double>(*std::max_element(bytes.begin(), bytes.end())) / m_parts.graph.Planes();
}

void
RunReport::SumPorts()
{
    m_layers.resize(m_parts.catalog.GetLayerCount());
    for (std::size_t i = 0; i < m_measures.ports.size(); ++i)
    {
        const RunMeasures::Port& port = m_measures.ports[i];
        LayerTotals& layer = m_layers[m_parts.catalog.GetPorts()[i].layer];
        layer.frameTime += port.frameTime;
        layer.maxFrames = std::max(layer.maxFrames, port.maxFrames);
        layer.maxWaiting = std::max(layer.maxWaiting, port.maxWaitingBytes);
        layer.bytes += port.sentBytes;
        layer.mostBytes = std::max(layer.mostBytes, port.sentBytes);
        layer.busyTime += port.busyTime;
        layer.mostBusyTime = std::max(layer.mostBusyTime, port.busyTime);
        layer.refused += port.refusedFrames;
        layer.lostFrames += port.lostFrames;
    }
    m_results.packetHops = m_measures.CountPacketHops();

    double frameTime = 0;
    double switchPorts = 0;
    for (uint32_t i = 0; i < m_layers.size(); ++i)
    {
        if (PortCatalog::IsOfSwitches(i))
        {
            frameTime += m_layers[i].frameTime;
            switchPorts += m_parts.catalog.GetLayerSize(i);
            m_results.maxQueuePackets = std::max(m_results.maxQueuePackets, m_layers[i].maxFrames);
        }
    }
    m_results.meanQueuePackets = frameTime / switchPorts / m_measuredPs;
    m_results.sendingQueue = frameTime / switchPorts / m_periodPs;
}

void
RunReport::SumLosses()
{
    for (const auto& entry : m_measures.drops)
    {
        m_results.drops += entry.second;
    }
    m_results.noRoute = Find(m_measures.drops, "no_route");
    for (std::size_t i = 0; i < m_measures.ports.size(); ++i)
    {
        const RunMeasures::Port& port = m_measures.ports[i];
        const bool isOfSwitch = PortCatalog::IsOfSwitches(m_parts.catalog.GetPorts()[i].layer);
        m_results.linkLosses += port.lostFrames;
        m_results.framesSent += isOfSwitch ? 0 : port.sentFrames;
    }
    m_results.sentAgain =
        Find(m_measures.totals, "retransmissions") + Find(m_measures.totals, "repair_packets");
    m_results.timeouts = Find(m_measures.totals, "timeouts");
    m_results.trimmed = Find(m_measures.policies, "nic_trimmed_frames");
}

std::optional<double>
RunReport::GetPlaneRatio() const
{
    std::vector<double> bytes(m_parts.graph.Planes());
    for (std::size_t i = 0; i < m_measures.ports.size(); ++i)
    {
        const PortCatalog::Entry& entry = m_parts.catalog.GetPorts()[i];
        if (!PortCatalog::IsOfSwitches(entry.layer))
        {
            bytes[m_parts.graph.Links()[entry.link].a.port] += m_measures.ports[i].sentBytes;
        }
    }
    const auto [least, most] = std::minmax_element(bytes.begin(), bytes.end());
    return *least > 0 ? std::optional<double>(*most / *least) : std::nullopt;
}

double
RunReport::GetOverload(const LayerTotals& layer) const
{
    return static_cast<double>(layer.mostBytes) / m_nicBytes;
}

void
RunReport::AddBounds(nlohmann::ordered_json& json) const
{
    json["bound_ns"] = m_results.boundPs / PS_PER_NS;
    json["increase_percent"] = m_results.increasePercent;
    json["bound_formula"] = m_results.isPublished ? "published"
                            : m_results.isCompute ? "compute"
                                                  : "completion";
    json["completion_bound_ns"] = m_results.completionBoundPs / PS_PER_NS;
    json["line_rate_bound_ns"] = m_results.lineRateBoundPs / PS_PER_NS;
    if (m_results.publishedBoundPs > 0)
    {
        json["published_bound_ns"] = m_results.publishedBoundPs / PS_PER_NS;
    }
    else
    {
        json["published_bound_ns"] = nullptr;
    }
}

void
RunReport::AddResults(nlohmann::ordered_json& json) const
{
    uint64_t bytes = 0;
    double overload = 0;
    for (const Flow& flow : m_parts.flows)
    {
        bytes += flow.bytes;
    }
    for (uint32_t i = 0; i < m_layers.size(); ++i)
    {
        overload = std::max(overload, PortCatalog::IsOfSwitches(i) ? GetOverload(m_layers[i]) : 0);
    }
    json["cct_ns"] = m_results.cctPs / PS_PER_NS;
    AddFlowTimes(json);
    json["measured_ns"] = m_measuredPs / PS_PER_NS;
    AddBounds(json);
    json["max_queue_packets"] = m_results.maxQueuePackets;
    json["mean_queue_packets"] = m_results.meanQueuePackets;
    json["sending_queue_packets"] = m_results.sendingQueue;
    json["sending_period_ns"] = m_periodPs / PS_PER_NS;
    json["worst_link_overload"] = overload;
    json["nic_bytes"] = m_nicBytes;
    json["drops"] = m_results.drops;
    json["drops_by_reason"] = m_measures.drops;
    json["link_losses"] = m_results.linkLosses;
    json["trims"] = Find(m_measures.policies, "trimming_frames");
    json["messages"] = m_parts.flows.size();
    json["message_bytes"] = bytes;
    json["failed_messages"] = m_results.failed.size();
    json["failed_message_numbers"] = m_results.failed;
    for (const auto& [name, count] : m_measures.totals)
    {
        json[name] = count;
    }
    json["packet_hops"] = m_results.packetHops;
    json["uplink_utilization"] =
        UplinkSummary(m_parts.graph, m_parts.catalog, m_measures.ports, m_measuredPs).ToJson();
    if (m_parts.graph.Planes() > 1)
    {
        const std::optional<double> ratio = GetPlaneRatio();
        json["plane_bytes_ratio"] = ratio ? nlohmann::ordered_json(*ratio) : nullptr;
    }
    for (const char* name : {"cnps", "cnps_received", "cts_p99_ns"})
    {
        if (m_measures.policies.count(name) > 0)
        {
            json[name] = Find(m_measures.policies, name);
        }
    }
    json["policies"] = m_measures.policies;
    AddLayers(json["layers"]);
}

std::vector<RunReport::LayerValue>
RunReport::GetValues(uint32_t layer) const
{
    const LayerTotals& totals = m_layers[layer];
    const double ports = m_parts.catalog.GetLayerSize(layer);
    const auto duration = static_cast<double>(m_measuredPs);
    const auto period = static_cast<double>(m_periodPs);
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
    for (uint32_t i = 0; i < m_layers.size(); ++i)
    {
        nlohmann::ordered_json& layer = json[m_parts.catalog.GetLayerName(i)];
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
    for (uint32_t i = 0; i < m_layers.size(); ++i)
    {
        std::vector<std::string> row{m_parts.catalog.GetLayerName(i)};
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
    std::vector<std::string> columns{"flow",
                                     "source",
                                     "destination",
                                     "bytes",
                                     "start_ns",
                                     "received_ns",
                                     "completed_ns",
                                     "duration_ns",
                                     "links"};
    constexpr std::size_t COMPLETED = 6; // column
    const bool hasOrigins = !m_parts.origins.empty();
    if (hasOrigins)
    {
        columns.insert(columns.end(), {"collective", "slice", "step"});
    }
    const bool hasOrdered = m_results.orderedFct.messages > 0;
    if (hasOrdered)
    {
        columns.emplace_back("ordered");
    }
    CsvWriter csv(path, columns);
    for (std::size_t i = 0; i < m_parts.flows.size(); ++i)
    {
        const Flow& flow = m_parts.flows[i];
        const RunMeasures::FlowTimes& times = m_measures.flows[i];
        std::vector<std::string> row{std::to_string(i),
                                     std::to_string(flow.source),
                                     std::to_string(flow.destination),
                                     std::to_string(flow.bytes),
                                     FormatNs(flow.startPs),
                                     times.IsReceived() ? FormatNs(times.receivedPs) : "",
                                     "",
                                     "",
                                     std::to_string(LinksOf(flow))};
        if (times.IsCompleted())
        {
            row[COMPLETED] = FormatNs(times.completedPs);
            row[COMPLETED + 1] = FormatNs(times.completedPs - flow.startPs);
        }
        if (hasOrigins)
        {
            AddOrigin(i, row);
        }
        if (hasOrdered)
        {
            row.emplace_back(flow.ordered ? "1" : "0");
        }
        csv.WriteRow(row);
    }
    csv.Close();
}

void
RunReport::AddOrigin(std::size_t message, std::vector<std::string>& row) const
{
    const bool isKnown = message < m_parts.origins.size() &&
                         m_parts.origins[message].collective != MessageOrigin::NONE;
    if (!isKnown)
    {
        row.insert(row.end(), 3, "");
        return;
    }
    const MessageOrigin& origin = m_parts.origins[message];
    for (const uint32_t value : {origin.collective, origin.slice, origin.step})
    {
        row.push_back(std::to_string(value));
    }
}

void
RunReport::WriteLinks(const std::string& path) const
{
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
    const auto duration = static_cast<double>(m_measuredPs);
    const auto period = static_cast<double>(m_periodPs);
    for (std::size_t i = 0; i < m_measures.ports.size(); ++i)
    {
        const PortCatalog::Entry& entry = m_parts.catalog.GetPorts()[i];
        const RunMeasures::Port& port = m_measures.ports[i];
        csv.Write(m_parts.graph.LinkName(entry.link),
                  entry.name,
                  entry.peer,
                  m_parts.catalog.GetLayerName(entry.layer),
                  port.sentFrames,
                  port.sentBytes,
                  port.GetDeliveredFrames(),
                  port.lostFrames,
                  port.refusedFrames,
                  port.busyTime / duration,
                  port.maxFrames,
                  port.maxWaitingBytes,
                  port.frameTime / duration,
                  port.frameTime / period);
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
    const uint32_t layers = m_parts.catalog.GetLayerCount();
    for (std::size_t i = 0; i < samples.states.size(); ++i)
    {
        const uint32_t layer = i % layers;
        const QueueSamples::LayerState& state = samples.states[i];
        csv.Write(FormatNs(samples.times.at(i / layers)),
                  m_parts.catalog.GetLayerName(layer),
                  static_cast<double>(state.frames) / m_parts.catalog.GetLayerSize(layer),
                  state.maxFrames,
                  state.bytes,
                  state.pausedPorts);
    }
    csv.Close();
}

} // namespace aifabric
} // namespace ns3
