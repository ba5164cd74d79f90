/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "way-counter.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{
namespace aifabric
{

WayCounter::WayCounter(const FabricGraph& graph, std::vector<bool> alive)
    : m_graph(graph),
      m_alive(std::move(alive)),
      m_ways(graph.Switches().size(), 0),
      m_switches(std::size_t{graph.Planes()} * graph.Tiers())
{
    if (m_alive.size() != graph.Links().size())
    {
        throw std::invalid_argument("alive: " + std::to_string(m_alive.size()) +
                                    " entries are not one for each of " +
                                    std::to_string(graph.Links().size()) + " links");
    }
    for (uint32_t id = 0; id < graph.Switches().size(); ++id)
    {
        const FabricSwitchSpec& spec = graph.Switches()[id];
        m_switches[std::size_t{spec.plane} * graph.Tiers() + spec.tier].push_back(id);
    }
}

const std::vector<uint32_t>&
WayCounter::GetSwitches(uint16_t plane, uint8_t tier) const
{
    return m_switches[std::size_t{plane} * m_graph.Tiers() + tier];
}

bool
WayCounter::IsAlive(uint32_t id, uint16_t port) const
{
    return m_alive[m_graph.LinkAt({false, id, port})];
}

uint64_t
WayCounter::GetWays(uint32_t id) const
{
    return m_ways[id];
}

uint64_t
WayCounter::GetWaysBy(uint32_t id, uint16_t port) const
{
    return IsAlive(id, port) ? m_ways[m_graph.PeerOf({false, id, port}).id] : 0;
}

void
WayCounter::AddWays(uint32_t id, uint32_t host)
{
    const PortGroup& group = m_graph.Switches()[id].forwarding.GroupFor(host);
    m_ways[id] = 0;
    for (uint32_t i = 0; i < group.count; ++i)
    {
        m_ways[id] += GetWaysBy(id, group.first + i);
    }
}

void
WayCounter::CountTo(uint32_t leaf)
{
    const FabricSwitchSpec& spec = m_graph.Switches()[leaf];
    const uint32_t host = spec.forwarding.firstHost;
    auto isAbove = [&](uint32_t id) { return m_graph.Switches()[id].forwarding.IsBelow(host); };
    m_ways[leaf] = 1;
    for (uint8_t tier = 1; tier < m_graph.Tiers(); ++tier)
    {
        for (const uint32_t id : GetSwitches(spec.plane, tier))
        {
            if (isAbove(id))
            {
                AddWays(id, host);
            }
        }
    }
    for (uint8_t tier = m_graph.Tiers(); tier-- > 0;)
    {
        for (const uint32_t id : GetSwitches(spec.plane, tier))
        {
            if (!isAbove(id))
            {
                AddWays(id, host);
            }
        }
    }
}

namespace
{

/// @return pairs of hosts that stand for all: of each leaf one whose links are alive, and each
/// host with a dead link  @param graph the fabric  @param alive whether frames cross a link
std::vector<HostPair>
RepresentAll(const FabricGraph& graph, const std::vector<bool>& alive)
{
    std::vector<uint32_t> hosts;
    std::vector<bool> isSeen(graph.Switches().size(), false);
    for (uint32_t host = 0; host < graph.HostCount(); ++host)
    {
        bool isWhole = true;
        for (uint16_t plane = 0; plane < graph.Planes(); ++plane)
        {
            isWhole &= alive[graph.LinkAt({true, host, plane})];
        }
        const uint32_t leaf = graph.LeafOf(host);
        if (!isWhole || !isSeen[leaf])
        {
            hosts.push_back(host);
            isSeen[leaf] = isSeen[leaf] || isWhole;
        }
    }
    std::vector<HostPair> pairs;
    for (const uint32_t destination : hosts)
    {
        for (const uint32_t source : hosts)
        {
            if (source != destination)
            {
                pairs.emplace_back(source, destination);
            }
        }
    }
    return pairs;
}

} // namespace

bool
IsConnected(const FabricGraph& graph, const std::vector<bool>& alive)
{
    for (uint32_t link = 0; link < alive.size(); ++link)
    {
        if (!alive[link] && graph.Links()[link].a.isHost)
        {
            return false;
        }
    }
    WayCounter counter(graph, alive);
    for (uint16_t plane = 0; plane < graph.Planes(); ++plane)
    {
        const std::vector<uint32_t>& leaves = counter.GetSwitches(plane, 0);
        for (const uint32_t leaf : leaves)
        {
            counter.CountTo(leaf);
            if (std::any_of(leaves.begin(), leaves.end(), [&](uint32_t other) {
                    return counter.GetWays(other) == 0;
                }))
            {
                return false;
            }
        }
    }
    return true;
}

std::optional<HostPair>
FindSeparated(const FabricGraph& graph, const std::vector<bool>& alive, std::vector<HostPair> pairs)
{
    WayCounter counter(graph, alive);
    if (pairs.empty())
    {
        pairs = RepresentAll(graph, alive);
    }
    auto leafOf = [&](const HostPair& pair) { return graph.LeafOf(pair.second); };
    std::stable_sort(pairs.begin(), pairs.end(), [&](const HostPair& a, const HostPair& b) {
        return leafOf(a) < leafOf(b);
    });
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        const auto [source, destination] = pairs[i];
        bool hasWay = false;
        for (uint16_t plane = 0; plane < graph.Planes(); ++plane)
        {
            if (i == 0 || leafOf(pairs[i - 1]) != leafOf(pairs[i]))
            {
                counter.CountTo(graph.LeafOf(destination, plane));
            }
            hasWay |= alive[graph.LinkAt({true, source, plane})] &&
                      alive[graph.LinkAt({true, destination, plane})] &&
                      counter.GetWays(graph.LeafOf(source, plane)) > 0;
        }
        if (!hasWay)
        {
            return pairs[i];
        }
    }
    return std::nullopt;
}

} // namespace aifabric
} // namespace ns3
