/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "least-times.h"

#include "ns3/time-units.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

namespace ns3
{
namespace aifabric
{

LeastTimes::LeastTimes(const FabricGraph& graph, const BoundParameters& parameters)
    : m_graph(graph),
      m_parameters(parameters),
      m_fullBytes(static_cast<double>(parameters.payloadBytes) + parameters.headerBytes)
{
}

const FabricLinkSpec&
LeastTimes::LinkOf(uint32_t host) const
{
    return m_graph.Links()[m_graph.LinkAt({true, host, 0})];
}

double
LeastTimes::PsPerByte(uint32_t host) const
{
    return BIT_PS_PER_BYTE / static_cast<double>(LinkOf(host).rate);
}

double
LeastTimes::FirstHop(const Flow& flow, double bytes) const
{
    return bytes * PsPerByte(flow.source) + static_cast<double>(*LinkOf(flow.source).delayPs) +
           static_cast<double>(m_parameters.switchLatencyPs);
}

double
LeastTimes::LastHop(const Flow& flow, double bytes) const
{
    return bytes * PsPerByte(flow.destination) +
           static_cast<double>(*LinkOf(flow.destination).delayPs) +
           static_cast<double>(m_parameters.nicLatencyPs);
}

double
LeastTimes::Way(const Flow& flow, double bytes)
{
    return FirstHop(flow, bytes) +
           Between(m_graph.LeafOf(flow.source), m_graph.LeafOf(flow.destination), bytes) +
           LastHop(flow, bytes);
}

double
LeastTimes::AckWay(const Flow& flow)
{
    Flow back = flow;
    std::swap(back.source, back.destination);
    return Way(back, m_parameters.ackBytes);
}

double
LeastTimes::Between(uint32_t from, uint32_t to, double bytes)
{
    // Links are alike in both directions, so that one search serves both.
    const auto [entry, isNew] = m_rows.try_emplace(std::min(from, to));
    Row& row = entry->second;
    if (isNew)
    {
        row.empty = Search(entry->first, 0);
        row.full = Search(entry->first, m_fullBytes);
    }
    const uint32_t end = std::max(from, to);
    const double share = std::min(1.0, bytes / m_fullBytes);
    return row.empty[end] + share * (row.full[end] - row.empty[end]);
}

std::vector<double>
LeastTimes::Search(uint32_t from, double bytes) const
{
    using Entry = std::pair<double, uint32_t>; // time, switch
    std::vector<double> times(m_graph.Switches().size(), std::numeric_limits<double>::infinity());
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    times[from] = 0;
    queue.push({0, from});
    while (!queue.empty())
    {
        const auto [time, id] = queue.top();
        queue.pop();
        if (time > times[id])
        {
            continue;
        }
        for (uint16_t port = 0; port < m_graph.Switches()[id].portCount; ++port)
        {
            const FabricEnd end{false, id, port};
            const FabricEnd& peer = m_graph.PeerOf(end);
            const FabricLinkSpec& link = m_graph.Links()[m_graph.LinkAt(end)];
            const double there = time + bytes * BIT_PS_PER_BYTE / static_cast<double>(link.rate) +
                                 static_cast<double>(*link.delayPs) +
                                 static_cast<double>(m_parameters.switchLatencyPs);
            if (!peer.isHost && there < times[peer.id])
            {
                times[peer.id] = there;
                queue.push({there, peer.id});
            }
        }
    }
    return times;
}

} // namespace aifabric
} // namespace ns3
