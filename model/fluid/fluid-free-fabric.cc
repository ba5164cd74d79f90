/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-free-fabric.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

FluidFreeFabric::FluidFreeFabric(const FabricGraph& graph,
                                 const BoundParameters& bound,
                                 bool watched)
    : FluidFabric(graph, bound, {}),
      m_paths(graph,
              FluidTimes::ToBytesPerPs(bound.linkRate),
              FluidTimes::ToBytesPerPs(bound.fabricRate)),
      m_toward(watched ? graph.HostCount() : 0)
{
}

FluidFabric::Group
FluidFreeFabric::FindRoute(const Ptr<QueuePair>&, FluidPair& pair)
{
    constexpr uint32_t WORD_BITS = 32;
    return {uint64_t{pair.source} << WORD_BITS | pair.destination,
            m_paths.GetShares(pair.source, pair.destination, 1)};
}

double
FluidFreeFabric::Begin(uint32_t message)
{
    CountToward(message, 1);
    return m_pairs->GetMessage(message).back;
}

void
FluidFreeFabric::Leave(uint32_t message)
{
    const Flow& flow = m_pairs->GetFlow(message);
    const double way = m_times.GetWay(flow, m_pairs->GetPair(message).links);
    ReceiveIn(message, std::llround(way + m_times.GetExcess(flow, CountPorts())));
}

void
FluidFreeFabric::DoReceive(uint32_t message)
{
    const double way = m_times.GetFrames().AckWay(m_pairs->GetPair(message).links);
    CompleteIn(message, std::llround(way));
    CountToward(message, -1);
}

void
FluidFreeFabric::CountToward(uint32_t message, double sign)
{
    if (!m_toward.empty())
    {
        const Flow& flow = m_pairs->GetFlow(message);
        const uint64_t packets = (flow.bytes + m_bound.payloadBytes - 1) / m_bound.payloadBytes;
        double& toward = m_toward[flow.destination];
        toward += sign * static_cast<double>(flow.bytes + packets * m_bound.headerBytes);
        m_mostToward = std::max(m_mostToward, toward);
    }
}

void
FluidFreeFabric::Clear()
{
    FluidFabric::Clear();
    std::fill(m_toward.begin(), m_toward.end(), 0);
}

} // namespace aifabric
} // namespace ns3
