/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-queue-fabric.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

FluidQueueFabric::FluidQueueFabric(const FabricGraph& graph,
                                   const BoundParameters& bound,
                                   const std::vector<double>& speeds,
                                   const std::vector<double>& rates,
                                   bool changes)
    : FluidFabric(graph, bound, speeds),
      m_queues(rates, MakeCallback(&FluidQueueFabric::PassQueues, this)),
      m_speeds(changes ? 2 * graph.Links().size() : 0, 1)
{
}

std::vector<double>
FluidQueueFabric::GetCapacities() const
{
    return std::vector<double>(std::size_t{m_graph.HostCount()} * m_graph.Planes(),
                               FluidTimes::ToBytesPerPs(m_bound.linkRate));
}

void
FluidQueueFabric::Install(MessageService& service,
                          FluidPairs& pairs,
                          FluidSenders& senders,
                          const Callback<void, uint32_t>& completed)
{
    FluidFabric::Install(service, pairs, senders, completed);
    senders.SetRateCallback(MakeCallback(&FluidQueueFabric::ChangeRate, this));
}

void
FluidQueueFabric::LeaveHosts(FluidRoute& route)
{
    route.data.erase(route.data.begin());
    route.acks.erase(route.acks.begin());
}

double
FluidQueueFabric::Begin(uint32_t)
{
    return 0; // Acknowledge() reserves what they take
}

void
FluidQueueFabric::Leave(uint32_t message)
{
    ChangeRate(message, 0);
}

void
FluidQueueFabric::ChangeRate(uint32_t message, double rate)
{
    const FluidPair& pair = m_pairs->GetPair(message);
    const int64_t hop = m_times.GetHopPs(m_pairs->GetFlow(message), pair.links);
    const int64_t first = hop * (pair.route.skipped + 1);
    SetStreamRate(DataOf(message), pair.route.data, {nullptr, first, hop}, rate);
}

void
FluidQueueFabric::SetStreamRate(uint32_t stream,
                                const std::vector<LinkShare>& links,
                                const FluidWay& way,
                                double rate)
{
    m_queues.SetRate(stream, {&links, way.firstPs, way.hopPs, way.step}, rate);
}

void
FluidQueueFabric::PassQueues(uint32_t stream, double rate)
{
    Pass(stream, rate);
}

void
FluidQueueFabric::Pass(uint32_t stream, double rate)
{
    const uint32_t message = stream / 2;
    if (stream == DataOf(message))
    {
        Acknowledge(message, rate);
        if (rate == 0)
        {
            const double excess = m_times.GetExcess(m_pairs->GetFlow(message), CountPorts());
            const double way = m_times.GetLastWay() + excess + GetScatter(message);
            ReceiveIn(message, std::max<int64_t>(0, std::llround(way)));
        }
    }
    else if (rate == 0)
    {
        CompleteIn(message, std::llround(m_times.GetFrames().toHost));
    }
}

double
FluidQueueFabric::GetScatter(uint32_t) const
{
    return 0;
}

void
FluidQueueFabric::Acknowledge(uint32_t message, double rate)
{
    FluidMessage& state = m_pairs->GetMessage(message);
    const FluidPair& pair = m_pairs->GetPair(message);
    const double acks = rate * state.back;
    const double step = FluidWay().step / state.back; // as large as that of the data
    m_senders->Reserve(PortOf(pair.destination, pair.route.label.choice.plane),
                       (acks - state.acks) * pair.ackLoad);
    state.acks = acks;
    const int64_t hop = m_times.GetAckHopPs(pair.links);
    const auto begin = std::llround(m_times.GetLastWay() + m_times.GetFrames().ack.host);
    const int64_t first = begin + hop * (pair.route.skipped + 1);
    SetStreamRate(AcksOf(message), pair.route.acks, {nullptr, first, hop, step}, acks);
}

void
FluidQueueFabric::DoReceive(uint32_t)
{
    // Pass() has the acknowledgements
}

void
FluidQueueFabric::SetSpeed(uint32_t link, double speed)
{
    m_speeds[link] = speed;
    m_changed.push_back(link);
}

void
FluidQueueFabric::Clear()
{
    FluidFabric::Clear();
    m_queues.Clear();
    m_changed.clear();
}

} // namespace aifabric
} // namespace ns3
