/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-report.h"

#include "csv-writer.h"

#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>
#include <set>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr double PS_PER_NS = 1000; //!< picoseconds of a nanosecond
constexpr double PERCENT = 100;    //!< of one

/// @return frames that did not find room at a port  @param transmitter the port's sending half
uint64_t
CountRefused(const FabricTransmitter& transmitter)
{
    std::set<const FabricQueue*> queues;
    for (uint8_t c = 0; c < FabricTransmitter::CLASSES; ++c)
    {
        queues.insert(PeekPointer(transmitter.GetQueue(c)));
    }
    uint64_t refused = 0;
    for (const FabricQueue* queue : queues)
    {
        refused += queue->GetTotalDroppedPackets();
    }
    return refused;
}

/// @return the time that a port has spent sending, gaps included, in steps
/// @param transmitter its sending half  @param now the time, in steps
int64_t
GetBusyTime(const FabricTransmitter& transmitter, int64_t now)
{
    return transmitter.GetBusyTime() - std::max<int64_t>(0, transmitter.GetFreeAt() - now);
}

/// @return by how much one time exceeds another, in percent  @param time the one
/// @param bound the other
double
Increase(double time, double bound)
{
    return (time / bound - 1) * PERCENT;
}

} // namespace

RunReport::RunReport(const Parts& parts,
                     const BoundParameters& parameters,
                     const Matrix& matrix,
                     int64_t periodPs)
    : m_parts(parts),
      m_periodPs(periodPs)
{
    m_parts.catalog.CatchUp();
    MeasureTime();
    ComputeBounds(parameters, matrix);
    MeasureNics(parameters);
    MeasurePorts();
    MeasureSwitches();
    MeasureQueuePairs();
}

const RunReport::Results&
RunReport::GetResults() const
{
    return m_results;
}

void
RunReport::MeasureTime()
{
    int64_t first = std::numeric_limits<int64_t>::max();
    int64_t last = 0;
    for (const FlowRecord& record : m_parts.driver.GetRecords())
    {
        first = std::min(first, record.flow.startPs);
        last = std::max(last, record.completedAt.GetPicoSeconds());
    }
    m_startPs = first;
    m_results.cctPs = last - first;
}

void
RunReport::ComputeBounds(const BoundParameters& parameters, const Matrix& matrix)
{
    std::vector<Flow> flows;
    uint32_t links = 0;
    for (const FlowRecord& record : m_parts.driver.GetRecords())
    {
        flows.push_back(record.flow);
        links =
            std::max(links, m_parts.graph.PathLinks(record.flow.source, record.flow.destination));
    }
    m_results.completionBoundPs =
        CompletionBoundPs(m_parts.graph, flows, parameters) - static_cast<double>(m_startPs);
    BoundParameters lineRate = parameters;
    lineRate.rateFactor = 1;
    m_results.boundPs = m_results.completionBoundPs;
    m_results.lineRateBoundPs =
        CompletionBoundPs(m_parts.graph, flows, lineRate) - static_cast<double>(m_startPs);
    if (matrix.messages > 0 && m_parts.graph.Planes() == 1)
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
    m_results.increasePercent = Increase(m_results.cctPs, m_results.boundPs);
}

void
RunReport::MeasureNics(const BoundParameters& parameters)
{
    std::vector<uint64_t> bytes(m_parts.graph.HostCount());
    for (const FlowRecord& record : m_parts.driver.GetRecords())
    {
        const Flow& flow = record.flow;
        const uint64_t packets =
            (flow.bytes + parameters.payloadBytes - 1) / parameters.payloadBytes;
        bytes[flow.source] += flow.bytes + packets * parameters.headerBytes;
        bytes[flow.destination] += parameters.acksInFabric ? packets * parameters.ackBytes : 0;
    }
    m_nicBytes =
        static_cast<double>(*std::max_element(bytes.begin(), bytes.end())) / m_parts.graph.Planes();
}

void
RunReport::MeasurePorts()
{
    const int64_t now = FabricClock::Now();
    m_layers.resize(m_parts.catalog.GetLayerCount());
    for (const PortCatalog::Entry& entry : m_parts.catalog.GetPorts())
    {
        const FabricTransmitter& transmitter = entry.port->GetTransmitter();
        const FabricTransmitter::Counters& counters = transmitter.GetCounters();
        const int64_t busy = GetBusyTime(transmitter, now);
        LayerTotals& layer = m_layers[entry.layer];
        layer.frameTime += transmitter.GetFrameTime(now);
        layer.maxFrames = std::max(layer.maxFrames, transmitter.GetMaxFrames());
        layer.maxWaiting = std::max(layer.maxWaiting, transmitter.GetMaxBytes());
        layer.bytes += counters.sentBytes;
        layer.mostBytes = std::max(layer.mostBytes, counters.sentBytes);
        layer.busyTime += busy;
        layer.mostBusyTime = std::max(layer.mostBusyTime, busy);
        layer.refused += CountRefused(transmitter);
        layer.lostFrames += counters.lostFrames;
    }
    m_results.packetHops = m_parts.catalog.GetPacketHops();

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
    m_results.meanQueuePackets =
        frameTime / switchPorts / PicoSeconds(m_results.cctPs).GetPicoSeconds();
    m_results.sendingQueue = frameTime / switchPorts / PicoSeconds(m_periodPs).GetPicoSeconds();
}

void
RunReport::MeasureSwitches()
{
    m_dropped.assign(FabricSwitch::DROP_REASONS, 0);
    for (const Ptr<FabricSwitch>& fabricSwitch : m_parts.switches)
    {
        for (std::size_t reason = 0; reason < m_dropped.size(); ++reason)
        {
            const uint64_t dropped =
                fabricSwitch->GetDropped(static_cast<FabricSwitch::DropReason>(reason));
            m_dropped[reason] += dropped;
            m_results.drops += dropped;
        }
        fabricSwitch->GetBalancer()->Count(m_policies);
    }
}

void
RunReport::MeasureQueuePairs()
{
    for (const Ptr<RoceNetDevice>& nic : m_parts.nics)
    {
        for (std::size_t i = 0; i < nic->GetQueuePairCount(); ++i)
        {
            const RoceQueuePair::Counters& counters = nic->GetQueuePair(i)->GetCounters();
            m_sum.dataPackets += counters.dataPackets;
            m_sum.retransmissions += counters.retransmissions;
            m_sum.repairs += counters.repairs;
            m_sum.packetsDiscarded += counters.packetsDiscarded;
            m_sum.outOfSequence += counters.outOfSequence;
            m_sum.maxReordering = std::max(m_sum.maxReordering, counters.maxReordering);
            m_sum.acksSent += counters.acksSent;
            m_sum.naksSent += counters.naksSent;
            m_sum.timeouts += counters.timeouts;
            nic->GetQueuePair(i)->CountPolicies(m_policies);
        }
    }
}

double
RunReport::GetOverload(const LayerTotals& layer) const
{
    return static_cast<double>(layer.mostBytes) / m_nicBytes;
}

void
RunReport::AddResults(JsonObject& json) const
{
    uint64_t bytes = 0;
    uint64_t lost = 0;
    double overload = 0;
    for (const FlowRecord& record : m_parts.driver.GetRecords())
    {
        bytes += record.flow.bytes;
    }
    for (uint32_t i = 0; i < m_layers.size(); ++i)
    {
        lost += m_layers[i].lostFrames;
        overload = std::max(overload, PortCatalog::IsOfSwitches(i) ? GetOverload(m_layers[i]) : 0);
    }
    json.Set("cct_ns", m_results.cctPs / PS_PER_NS);
    json.Set("bound_ns", m_results.boundPs / PS_PER_NS);
    json.Set("increase_percent", m_results.increasePercent);
    json.Set("bound_formula", m_results.isPublished ? "published" : "completion");
    json.Set("completion_bound_ns", m_results.completionBoundPs / PS_PER_NS);
    json.Set("line_rate_bound_ns", m_results.lineRateBoundPs / PS_PER_NS);
    if (m_results.publishedBoundPs > 0)
    {
        json.Set("published_bound_ns", m_results.publishedBoundPs / PS_PER_NS);
    }
    else
    {
        json.SetNull("published_bound_ns");
    }
    json.Set("max_queue_packets", m_results.maxQueuePackets);
    json.Set("mean_queue_packets", m_results.meanQueuePackets);
    json.Set("sending_queue_packets", m_results.sendingQueue);
    json.Set("sending_period_ns", m_periodPs / PS_PER_NS);
    json.Set("worst_link_overload", overload);
    json.Set("nic_bytes", m_nicBytes);
    json.Set("drops", m_results.drops);
    JsonObject& reasons = json.AddObject("drops_by_reason");
    for (std::size_t i = 0; i < m_dropped.size(); ++i)
    {
        reasons.Set(FabricSwitch::GetReasonName(static_cast<FabricSwitch::DropReason>(i)),
                    m_dropped[i]);
    }
    uint64_t losslessDrops = 0;
    for (const Ptr<FabricSwitch>& fabricSwitch : m_parts.switches)
    {
        losslessDrops += fabricSwitch->GetAdmission()->GetLosslessDrops();
    }
    json.Set("lossless_drops", losslessDrops);
    json.Set("link_losses", lost);
    json.Set("messages", static_cast<uint64_t>(m_parts.driver.GetRecords().size()));
    json.Set("message_bytes", bytes);
    json.Set("data_packets", m_sum.dataPackets);
    json.Set("retransmissions", m_sum.retransmissions);
    json.Set("repair_packets", m_sum.repairs);
    json.Set("discarded_packets", m_sum.packetsDiscarded);
    json.Set("out_of_sequence", m_sum.outOfSequence);
    json.Set("max_reordering_packets", m_sum.maxReordering);
    json.Set("acks", m_sum.acksSent);
    json.Set("naks", m_sum.naksSent);
    json.Set("timeouts", m_sum.timeouts);
    json.Set("packet_hops", m_results.packetHops);
    JsonObject& policies = json.AddObject("policies");
    for (const auto& [name, count] : m_policies)
    {
        policies.Set(name, count);
    }
    AddLayers(json.AddObject("layers"));
}

std::vector<RunReport::LayerValue>
RunReport::GetValues(uint32_t layer) const
{
    const LayerTotals& totals = m_layers[layer];
    const double ports = m_parts.catalog.GetLayerSize(layer);
    const double duration = PicoSeconds(m_results.cctPs).GetPicoSeconds();
    const double period = PicoSeconds(m_periodPs).GetPicoSeconds();
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
RunReport::AddLayers(JsonObject& json) const
{
    for (uint32_t i = 0; i < m_layers.size(); ++i)
    {
        JsonObject& layer = json.AddObject(m_parts.catalog.GetLayerName(i));
        for (const LayerValue& value : GetValues(i))
        {
            layer.Set(value.name, value.value);
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
    CsvWriter csv(path,
                  {"flow",
                   "source",
                   "destination",
                   "bytes",
                   "start_ns",
                   "received_ns",
                   "completed_ns",
                   "duration_ns",
                   "links"});
    std::size_t number = 0;
    for (const FlowRecord& record : m_parts.driver.GetRecords())
    {
        const Flow& flow = record.flow;
        const int64_t completed = record.completedAt.GetPicoSeconds();
        csv.Write(number++,
                  flow.source,
                  flow.destination,
                  flow.bytes,
                  FormatNs(flow.startPs),
                  FormatNs(record.receivedAt.GetPicoSeconds()),
                  FormatNs(completed),
                  FormatNs(completed - flow.startPs),
                  m_parts.graph.PathLinks(flow.source, flow.destination));
    }
    csv.Close();
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
    const int64_t now = FabricClock::Now();
    const double duration = PicoSeconds(m_results.cctPs).GetPicoSeconds();
    const double period = PicoSeconds(m_periodPs).GetPicoSeconds();
    for (const PortCatalog::Entry& entry : m_parts.catalog.GetPorts())
    {
        const FabricTransmitter& transmitter = entry.port->GetTransmitter();
        const FabricTransmitter::Counters& counters = transmitter.GetCounters();
        csv.Write(m_parts.graph.LinkName(entry.link),
                  entry.name,
                  entry.peer,
                  m_parts.catalog.GetLayerName(entry.layer),
                  counters.sentFrames,
                  counters.sentBytes,
                  counters.deliveredFrames,
                  counters.lostFrames,
                  CountRefused(transmitter),
                  GetBusyTime(transmitter, now) / duration,
                  transmitter.GetMaxFrames(),
                  transmitter.GetMaxBytes(),
                  transmitter.GetFrameTime(now) / duration,
                  transmitter.GetFrameTime(now) / period);
    }
    csv.Close();
}

} // namespace aifabric
} // namespace ns3
