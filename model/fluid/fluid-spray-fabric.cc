/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-spray-fabric.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the links of a fabric
FluidPaths
MakePaths(const FabricGraph& graph, const BoundParameters& bound)
{
    return {graph,
            FluidTimes::ToBytesPerPs(bound.linkRate),
            FluidTimes::ToBytesPerPs(bound.fabricRate)};
}

/// @return whether no link is dead or slow  @param speeds what is left of them
bool
IsWhole(const std::vector<double>& speeds)
{
    return std::all_of(speeds.begin(), speeds.end(), [](double speed) { return speed == 1; });
}

} // namespace

FluidSprayFabric::FluidSprayFabric(const FabricGraph& graph,
                                   const BoundParameters& bound,
                                   const std::vector<double>& speeds,
                                   bool changes,
                                   bool mixed)
    : FluidQueueFabric(graph, bound, speeds, MakePaths(graph, bound).GetPortRates(), changes),
      m_paths(MakePaths(graph, bound)),
      m_isFree(m_paths.IsNonBlocking() && !changes && IsWhole(speeds)),
      m_lasting(speeds),
      m_coming(mixed ? graph.HostCount() : 0),
      m_leaving(mixed ? graph.Switches().size() : 0)
{
}

FluidFabric::Group
FluidSprayFabric::FindRoute(const Ptr<QueuePair>&, FluidPair& pair)
{
    constexpr uint32_t WORD_BITS = 32;
    const LinkShare port = FindShares(pair, pair.route);
    return {uint64_t{pair.source} << WORD_BITS | pair.destination, {port}};
}

LinkShare
FluidSprayFabric::FindShares(FluidPair& pair, FluidRoute& route)
{
    route = {};
    route.data = FindSplit(pair.source, pair.destination);
    route.acks = FindSplit(pair.destination, pair.source);
    const double weight = route.data.front().weight;
    pair.ackLoad = route.acks.front().weight;
    LeaveHosts(route);
    if (m_isFree)
    {
        route.skipped = m_paths.CountUplinks(pair.source, pair.destination);
        route.data.erase(route.data.begin(), route.data.begin() + route.skipped);
        route.acks.erase(route.acks.begin(), route.acks.begin() + route.skipped);
    }
    return {PortOf(pair.source, 0), weight};
}

double
FluidSprayFabric::Begin(uint32_t message)
{
    CountComing(message, 1);
    return FluidQueueFabric::Begin(message);
}

void
FluidSprayFabric::DoReceive(uint32_t message)
{
    CountComing(message, -1);
}

void
FluidSprayFabric::CountComing(uint32_t message, int32_t change)
{
    const FluidPair& pair = m_pairs->GetPair(message);
    if (!m_coming.empty())
    {
        m_coming[pair.destination] += change;
        m_leaving[m_graph.LeafOf(pair.source)] += IsBehindLeaf(pair) ? change : 0;
    }
}

bool
FluidSprayFabric::IsBehindLeaf(const FluidPair& pair)
{
    constexpr uint32_t WITHIN_LEAF = 2; // links
    return pair.links > WITHIN_LEAF;
}

bool
FluidSprayFabric::IsShared(const FluidPair& pair) const
{
    if (m_coming.empty())
    {
        return false;
    }
    const bool isHeld = !m_paths.IsNonBlocking() && IsBehindLeaf(pair);
    return m_coming[pair.destination] > 1 || (isHeld && m_leaving[m_graph.LeafOf(pair.source)] > 1);
}

double
FluidSprayFabric::GetScatter(uint32_t message) const
{
    if (!IsShared(m_pairs->GetPair(message)))
    {
        return 0;
    }
    // The finalizer of SplitMix64 (Steele et al., OOPSLA 2014).
    uint64_t bits = (message + uint64_t{1}) * 0x9E3779B97F4A7C15;
    bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9;
    bits = (bits ^ bits >> 27) * 0x94D049BB133111EB;
    bits ^= bits >> 31;
    const double share = std::ldexp(static_cast<double>(bits >> 32), -31) - 1; // -1 to 1
    const double packet = m_bound.payloadBytes + m_bound.headerBytes + m_bound.gapBytes;
    return share * packet / FluidTimes::ToBytesPerPs(m_bound.linkRate);
}

void
FluidSprayFabric::Review()
{
    std::vector<double> speeds = m_speeds;
    for (std::size_t link = 0; link < m_lasting.size(); ++link)
    {
        speeds[link] *= m_lasting[link];
    }
    m_split.SetSpeeds(std::move(speeds));
    std::vector<FluidRoute> routes;
    for (FluidPair& pair : m_pairs->GetAll())
    {
        const LinkShare port = FindShares(pair, routes.emplace_back());
        m_senders->SetShares(pair.group, {port});
    }
    m_queues.Reweigh([&](uint32_t stream) -> const std::vector<LinkShare>& {
        const FluidRoute& route = routes[m_pairs->GetMessage(stream / 2).pair];
        return stream == DataOf(stream / 2) ? route.data : route.acks;
    });
    for (std::size_t number = 0; number < routes.size(); ++number)
    {
        m_pairs->GetAll()[number].route = std::move(routes[number]);
    }
    m_changed.clear();
}

void
FluidSprayFabric::Clear()
{
    FluidQueueFabric::Clear();
    std::fill(m_coming.begin(), m_coming.end(), 0);
    std::fill(m_leaving.begin(), m_leaving.end(), 0);
}

} // namespace aifabric
} // namespace ns3
