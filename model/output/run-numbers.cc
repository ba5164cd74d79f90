/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "run-numbers.h"

#include "ns3/abort.h"
#include "ns3/percentile.h"

#include <algorithm>
#include <limits>
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

RunNumbers::RunNumbers(const Parts& parts,
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
                    "RunNumbers: these measures are of another run");
    ComputeTime();
    ComputeFlowTimes();
    m_measuredPs = std::max<int64_t>(1, parts.endPs - m_startPs);
    ComputeBounds(parameters, matrix);
    ComputeNicBytes(parameters);
    SumPorts();
    SumLosses();
}

void
RunNumbers::ComputeTime()
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

RunNumbers::FctSummary
RunNumbers::Summarize(std::vector<int64_t> times)
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
    summary.medianPs = times[(times.size() - 1) / 2];
    summary.p99Ps = times[PlaceOf99(times.size())];
    summary.meanPs = std::accumulate(times.begin(), times.end(), 0.0) / count;
    return summary;
}

void
RunNumbers::ComputeFlowTimes()
{
    std::vector<int64_t> all;
    std::vector<int64_t> ordered;
    std::vector<int64_t> others;
    std::vector<int64_t> reads;
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
        reads.insert(reads.end(), flow.isRead, all.back());
    }
    m_results.fct = Summarize(std::move(all));
    m_results.orderedFct = Summarize(std::move(ordered));
    m_results.otherFct = Summarize(std::move(others));
    m_results.readFct = Summarize(std::move(reads));
}

uint32_t
RunNumbers::LinksOf(const Flow& flow) const
{
    return flow.inNode ? 0 : m_parts.graph.PathLinks(flow.source, flow.destination);
}

Flow
RunNumbers::GetSent(std::size_t message) const
{
    Flow flow = m_parts.flows[message];
    flow.pieces = static_cast<uint32_t>(m_measures.flows[message].pieces);
    return flow;
}

FlowBound
RunNumbers::GetIdeal() const
{
    return FlowBound(m_parts.graph, m_lineRate);
}

std::vector<Flow>
RunNumbers::GetCompleted() const
{
    std::vector<Flow> flows;
    for (std::size_t i = 0; i < m_parts.flows.size(); ++i)
    {
        if (m_measures.flows[i].IsCompleted())
        {
            flows.push_back(GetSent(i));
            if (m_parts.iteration)
            {
                flows.back().startPs = m_startPs; // when they start is a result, and not given
            }
        }
    }
    return flows;
}

void
RunNumbers::ComputeBounds(const BoundParameters& parameters, const Matrix& matrix)
{
    uint32_t links = 0;
    for (const Flow& flow : m_parts.flows)
    {
        links = std::max(links, LinksOf(flow));
    }
    const std::vector<Flow> flows = GetCompleted();
    m_results.completionBoundPs =
        CompletionBoundPs(m_parts.graph, flows, parameters) - static_cast<double>(m_startPs);
    m_lineRate = parameters;
    m_lineRate.rateFactor = 1;
    m_results.boundPs = m_results.completionBoundPs;
    m_results.lineRateBoundPs =
        parameters.rateFactor == 1
            ? m_results.completionBoundPs
            : CompletionBoundPs(m_parts.graph, flows, m_lineRate) - static_cast<double>(m_startPs);
    if (matrix.messages > 0 && m_parts.graph.Planes() == 1 && m_parts.graph.IsClos() &&
        m_results.failed.empty())
    {
        const double published = PublishedBoundPs(matrix.bytes, matrix.messages, links, parameters);
        const double fastest = PublishedBoundPs(matrix.bytes, matrix.messages, links, m_lineRate);
        const bool isBelow = fastest <= static_cast<double>(m_results.cctPs);
        m_results.publishedBoundPs = published;
        m_results.lineRateBoundPs = isBelow ? fastest : m_results.lineRateBoundPs;
        m_results.isPublished = isBelow && ((parameters.rateFactor == 1 && !parameters.speeds) ||
                                            fastest > m_results.completionBoundPs);
        m_results.boundPs = m_results.isPublished ? fastest : m_results.boundPs;
    }
    AddCompute();
    m_results.increasePercent = Increase(m_results.cctPs, m_results.boundPs);
}

void
RunNumbers::AddCompute()
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
RunNumbers::ComputeNicBytes(const BoundParameters& parameters)
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
RunNumbers::SumPorts()
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
RunNumbers::SumLosses()
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

} // namespace aifabric
} // namespace ns3
