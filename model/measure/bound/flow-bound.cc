/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flow-bound.h"

#include "graph-bound.h"
#include "link-times.h"
#include "node-bound.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

FlowBound::FlowBound(const FabricGraph& graph, const BoundParameters& parameters)
    : m_graph(graph),
      m_parameters(parameters)
{
    RequireValid(parameters);
    if (!graph.IsClos() || (parameters.speeds && graph.Planes() == 1))
    {
        m_times.emplace(m_graph, m_parameters);
    }
}

double
FlowBound::Of(Flow flow)
{
    flow.startPs = 0;
    if (flow.bytes == 0)
    {
        return LinkTimes(m_graph, m_parameters).EmptyPs(flow.source);
    }
    if (flow.inNode)
    {
        return NodeBoundPs({flow}, m_parameters.nodeRate, m_parameters.nodeLatencyPs);
    }
    const double inGraph = m_times ? GraphBoundPs(m_graph, flow, m_parameters, *m_times) : 0;
    if (!m_graph.IsClos())
    {
        return inGraph;
    }
    BoundParameters parameters = m_parameters;
    if (flow.isRead)
    {
        parameters.ackBytes =
            m_parameters.requestBytes; // it goes before the data, and no ACK after
    }
    return std::max(inGraph, std::floor(InClos(m_graph, flow, parameters)));
}

double
FlowBound::InClos(const FabricGraph& graph, const Flow& flow, const BoundParameters& parameters)
{
    const FrameTimes times(parameters);
    const MessagePackets packets(flow, parameters);
    const uint32_t links = graph.PathLinks(flow.source, flow.destination);
    const uint32_t ports = graph.Planes();
    const double slot = packets.fullTime.host + times.gap.host;
    const auto wayAndBack = [&times, links](const FrameTime& frame) {
        return times.Way(frame, links) + times.AckWay(links);
    };
    double bound = 0;
    if (packets.full > 0)
    {
        const uint64_t rounds = (packets.full - 1) / ports;
        bound = rounds * slot + wayAndBack(packets.fullTime);
    }
    if (packets.others > 0 && packets.full % ports == 0)
    {
        const uint64_t rounds = packets.full / ports;
        bound = std::max(bound, rounds * slot + wayAndBack(packets.leastTime));
    }
    return bound;
}

} // namespace aifabric
} // namespace ns3
