/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "least-times.h"

#include <algorithm>
#include <cmath>
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
      m_links(graph, parameters),
      m_fullBytes(static_cast<double>(parameters.payloadBytes) + parameters.headerBytes)
{
}

uint32_t
LeastTimes::LinkOf(uint32_t host) const
{
    return m_graph.LinkAt({true, host, 0});
}

double
LeastTimes::PsPerByteOut(uint32_t host) const
{
    return m_links.PsPerByte(LinkOf(host), false);
}

double
LeastTimes::PsPerByteIn(uint32_t host) const
{
    return m_links.PsPerByte(LinkOf(host), true);
}

double
LeastTimes::FirstHop(const Flow& flow, double bytes) const
{
    return bytes * PsPerByteOut(flow.source) + m_links.DelayPs(LinkOf(flow.source)) +
           static_cast<double>(m_parameters.switchLatencyPs);
}

double
LeastTimes::LastHop(const Flow& flow, double bytes) const
{
    return bytes * PsPerByteIn(flow.destination) + m_links.DelayPs(LinkOf(flow.destination)) +
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
    if (!m_parameters.acksInFabric)
    {
        // AckBypass has links as they are without faults.
        return FrameTimes(m_parameters).AckWay(m_graph.PathLinks(flow.source, flow.destination));
    }
    Flow back = flow;
    std::swap(back.source, back.destination);
    return Way(back, m_parameters.ackBytes);
}

double
LeastTimes::Between(uint32_t from, uint32_t to, double bytes)
{
    // Each link counts in its faster direction, so that one search serves both.
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
            const uint32_t link = m_graph.LinkAt(end);
            const double psPerByte = m_links.LeastPsPerByte(link);
            const bool isCut = std::isinf(psPerByte);
            const double there = time + (isCut ? psPerByte : bytes * psPerByte) +
                                 m_links.DelayPs(link) +
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
