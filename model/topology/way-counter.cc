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

} // namespace aifabric
} // namespace ns3
