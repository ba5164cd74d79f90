/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "wecmp-table.h"

#include "shortest-paths.h"
#include "way-counter.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return weights divided by their greatest common divisor  @param ways the weights
WecmpTable::Weights
Reduce(const std::vector<uint64_t>& ways)
{
    uint64_t divisor = 0;
    for (const uint64_t count : ways)
    {
        divisor = std::gcd(divisor, count);
    }
    WecmpTable::Weights weights;
    for (const uint64_t count : ways)
    {
        weights.push_back(divisor == 0 ? 0 : count / divisor);
    }
    return weights;
}

} // namespace

WecmpTable::WecmpTable(const FabricGraph& graph)
    : m_entries(graph.Switches().size())
{
    for (uint32_t id = 0; id < m_entries.size(); ++id)
    {
        m_entries[id].alive.assign(graph.Switches()[id].portCount, true);
    }
    if (!graph.IsClos())
    {
        RouteHosts(graph, {});
    }
}

WecmpTable::WecmpTable(const FabricGraph& graph, const std::vector<bool>& alive)
    : m_entries(graph.Switches().size())
{
    WayCounter counter(graph, alive);
    for (uint32_t id = 0; id < m_entries.size(); ++id)
    {
        for (uint16_t port = 0; port < graph.Switches()[id].portCount; ++port)
        {
            m_entries[id].alive.push_back(counter.IsAlive(id, port));
        }
    }
    if (!graph.IsClos())
    {
        RouteHosts(graph, alive);
    }
    else if (graph.Tiers() > 1)
    {
        WeighLeaves(graph, counter);
        WeighPods(graph, counter);
    }
}

void
WecmpTable::WeighLeaves(const FabricGraph& graph, WayCounter& counter)
{
    std::vector<uint64_t> ways;
    for (uint16_t plane = 0; plane < graph.Planes(); ++plane)
    {
        const std::vector<uint32_t>& leaves = counter.GetSwitches(plane, 0);
        for (const uint32_t destination : leaves)
        {
            counter.CountTo(destination);
            const uint32_t host = graph.Switches()[destination].forwarding.firstHost;
            for (const uint32_t id : leaves)
            {
                const ForwardingRule& rule = graph.Switches()[id].forwarding;
                ways.clear();
                for (uint32_t i = 0; id != destination && i < rule.up.count; ++i)
                {
                    ways.push_back(counter.GetWaysBy(id, rule.up.first + i));
                }
                Keep(m_entries[id], rule.up, host / rule.hostCount, ways);
            }
        }
    }
}

void
WecmpTable::RouteHosts(const FabricGraph& graph, const std::vector<bool>& alive)
{
    const auto hosts = ShortestPaths::FindHosts(graph);
    for (uint32_t leaf = 0; leaf < m_entries.size(); ++leaf)
    {
        if (hosts[leaf].empty())
        {
            continue;
        }
        const auto hops = ShortestPaths::HopsTo(graph, leaf, alive);
        for (uint32_t id = 0; id < m_entries.size(); ++id)
        {
            Weights weights(graph.Switches()[id].portCount);
            for (const uint16_t port : ShortestPaths::FindNextHops(graph, id, hops, alive))
            {
                weights[port] = 1;
            }
            Entry& entry = m_entries[id];
            uint32_t index = id == leaf ? 0 : FindWeights(entry, weights);
            for (const uint32_t host : hosts[leaf])
            {
                const FabricEnd& end = graph.PeerOf({true, host, 0});
                if (id == leaf)
                {
                    weights.assign(weights.size(), 0);
                    weights[end.port] = alive.empty() || alive[graph.LinkAt(end)];
                    index = FindWeights(entry, weights);
                }
                entry.routes.push_back({host, index});
            }
        }
    }
    for (Entry& entry : m_entries)
    {
        std::sort(entry.routes.begin(), entry.routes.end(), [](const Route& a, const Route& b) {
            return a.waypoint < b.waypoint;
        });
    }
}

void
WecmpTable::WeighPods(const FabricGraph& graph, const WayCounter& counter)
{
    std::vector<uint64_t> ways;
    for (uint32_t id = 0; id < m_entries.size(); ++id)
    {
        const FabricSwitchSpec& spec = graph.Switches()[id];
        const PortGroup& up = spec.forwarding.up;
        const uint32_t hosts = spec.forwarding.hostCount;
        for (uint32_t host = 0; spec.tier == 1 && host < graph.HostCount(); host += hosts)
        {
            ways.clear();
            for (uint32_t i = 0; !spec.forwarding.IsBelow(host) && i < up.count; ++i)
            {
                const uint16_t port = up.first + i;
                const uint32_t upper = graph.PeerOf({false, id, port}).id;
                const PortGroup& down = graph.Switches()[upper].forwarding.GroupFor(host);
                uint64_t links = 0;
                for (uint32_t j = 0; counter.IsAlive(id, port) && j < down.count; ++j)
                {
                    links += counter.IsAlive(upper, down.first + j);
                }
                ways.push_back(links);
            }
            Keep(m_entries[id], up, host / hosts, ways);
        }
    }
}

void
WecmpTable::Keep(Entry& entry,
                 const PortGroup& up,
                 uint32_t waypoint,
                 const std::vector<uint64_t>& ways)
{
    const Weights weights = Reduce(ways);
    if (!std::equal(weights.begin(), weights.end(), entry.alive.begin() + up.first))
    {
        entry.routes.push_back({waypoint, FindWeights(entry, weights)});
    }
}

uint32_t
WecmpTable::FindWeights(Entry& entry, const Weights& weights)
{
    // Waypoints that follow each other have the same weights most of the time.
    const auto found = std::find(entry.weights.rbegin(), entry.weights.rend(), weights);
    if (found != entry.weights.rend())
    {
        return entry.weights.rend() - found - 1;
    }
    entry.weights.push_back(weights);
    return entry.weights.size() - 1;
}

const std::vector<WecmpTable::Route>&
WecmpTable::GetRoutes(uint32_t id) const
{
    return m_entries[id].routes;
}

bool
WecmpTable::HasRoute(uint32_t id, uint32_t waypoint) const
{
    const std::vector<Route>& routes = m_entries[id].routes;
    const auto route = std::lower_bound(
        routes.begin(),
        routes.end(),
        waypoint,
        [](const Route& other, uint32_t sought) { return other.waypoint < sought; });
    return route != routes.end() && route->waypoint == waypoint;
}

const WecmpTable::Weights&
WecmpTable::GetWeights(uint32_t id, const Route& route) const
{
    return m_entries[id].weights[route.weights];
}

std::vector<uint32_t>
WecmpTable::FindChanges(const WecmpTable& other) const
{
    std::vector<uint32_t> changed;
    for (uint32_t id = 0; id < m_entries.size(); ++id)
    {
        const Entry& here = m_entries[id];
        const Entry& there = other.m_entries[id];
        if (here.alive != there.alive || here.routes != there.routes ||
            here.weights != there.weights)
        {
            changed.push_back(id);
        }
    }
    return changed;
}

} // namespace aifabric
} // namespace ns3
