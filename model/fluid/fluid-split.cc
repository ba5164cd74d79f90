/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-split.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{
namespace aifabric
{

FluidSplit::FluidSplit(const FabricGraph& graph, std::vector<double> speeds)
    : m_graph(graph)
{
    SetSpeeds(std::move(speeds));
}

void
FluidSplit::SetSpeeds(std::vector<double> speeds)
{
    m_speeds = std::move(speeds);
    m_found.clear();
    m_hasImpairedHosts = false;
    for (std::size_t link = 0; link < m_speeds.size(); ++link)
    {
        const bool isHost = m_graph.Links()[link / 2].a.isHost;
        m_hasImpairedHosts = m_hasImpairedHosts || (isHost && m_speeds[link] < 1);
    }
}

const std::vector<double>&
FluidSplit::Find(uint32_t source, uint32_t destination)
{
    constexpr uint32_t WORD_BITS = 32;
    const uint32_t from = HasAlikeHosts() ? m_graph.LeafOf(source) : source;
    const uint32_t to = HasAlikeHosts() ? m_graph.LeafOf(destination) : destination;
    const auto [found, isNew] = m_found.try_emplace(uint64_t{from} << WORD_BITS | to);
    if (!isNew)
    {
        return found->second;
    }
    std::vector<std::unordered_map<uint32_t, double>> loads( // by stage and link
        m_graph.PathLinks(source, destination));
    Visit(source, destination, [&](uint32_t link, double share, std::size_t stage) {
        loads[stage][link] += share / GetSpeed(link);
    });
    for (const auto& stage : loads)
    {
        double most = 0;
        for (const auto& [link, load] : stage)
        {
            most = std::max(most, load);
        }
        if (most > 0)
        {
            found->second.push_back(most);
        }
    }
    return found->second;
}

void
FluidSplit::Visit(uint32_t source, uint32_t destination, const Visitor& visit) const
{
    const std::vector<double> ways = CountByPlane(source, destination);
    const double all = std::accumulate(ways.begin(), ways.end(), 0.0);
    for (uint16_t plane = 0; plane < m_graph.Planes(); ++plane)
    {
        if (ways[plane] > 0)
        {
            const double share = ways[plane] / all;
            visit(2 * m_graph.LinkAt({true, source, plane}), share, 0);
            Split(m_graph.LeafOf(source, plane), destination, share, 1, visit);
        }
    }
}

std::vector<double>
FluidSplit::CountByPlane(uint32_t source, uint32_t destination) const
{
    std::vector<double> ways;
    for (uint16_t plane = 0; plane < m_graph.Planes(); ++plane)
    {
        const bool isAlive = GetSpeed(2 * m_graph.LinkAt({true, source, plane})) > 0;
        ways.push_back(isAlive ? CountWays(m_graph.LeafOf(source, plane), destination) : 0);
    }
    return ways;
}

FluidSplit::Hop
FluidSplit::GetHop(uint32_t id, uint16_t port) const
{
    const uint32_t link = m_graph.LinkAt({false, id, port});
    const FabricLinkSpec& spec = m_graph.Links()[link];
    const bool isDown = !spec.b.isHost && spec.b.id == id;
    return {2 * link + isDown, isDown ? spec.a : spec.b};
}

double
FluidSplit::CountWays(uint32_t id, uint32_t host) const
{
    const PortGroup& group = m_graph.Switches()[id].forwarding.GroupFor(host);
    double ways = 0;
    for (uint16_t i = 0; i < group.count; ++i)
    {
        const Hop hop = GetHop(id, group.first + i);
        if (GetSpeed(hop.link) > 0)
        {
            ways += hop.end.isHost ? 1 : CountWays(hop.end.id, host);
        }
    }
    return ways;
}

void
FluidSplit::Split(uint32_t id, uint32_t host, double share, std::size_t stage, const Visitor& visit)
    const
{
    const PortGroup& group = m_graph.Switches()[id].forwarding.GroupFor(host);
    const double way = share / CountWays(id, host);
    for (uint16_t i = 0; i < group.count; ++i)
    {
        const Hop hop = GetHop(id, group.first + i);
        const double ways = hop.end.isHost ? 1 : CountWays(hop.end.id, host);
        if (ways == 0 || GetSpeed(hop.link) == 0)
        {
            continue;
        }
        visit(hop.link, way * ways, stage);
        if (!hop.end.isHost)
        {
            Split(hop.end.id, host, way * ways, stage + 1, visit);
        }
    }
}

} // namespace aifabric
} // namespace ns3
