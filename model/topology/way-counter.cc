/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "way-counter.h"

#include "shortest-paths.h"

#include <algorithm>
#include <map>
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
    for (uint16_t plane = 0; plane < graph.Planes(); ++plane)
    {
        m_leaf.push_back(GetSwitches(plane, 0).front());
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
    const FabricSwitchSpec& spec = m_graph.Switches()[id];
    return spec.tier == 0 && id != m_leaf[spec.plane] ? SumWays(id) : m_ways[id];
}

uint64_t
WayCounter::GetWaysBy(uint32_t id, uint16_t port) const
{
    return IsAlive(id, port) ? m_ways[m_graph.PeerOf({false, id, port}).id] : 0;
}

uint64_t
WayCounter::SumWays(uint32_t id) const
{
    const FabricSwitchSpec& spec = m_graph.Switches()[id];
    const uint32_t host = m_graph.Switches()[m_leaf[spec.plane]].forwarding.firstHost;
    const PortGroup& group = spec.forwarding.GroupFor(host);
    uint64_t ways = 0;
    for (uint32_t i = 0; i < group.count; ++i)
    {
        ways += GetWaysBy(id, group.first + i);
    }
    return ways;
}

void
WayCounter::CountTo(uint32_t leaf)
{
    const FabricSwitchSpec& spec = m_graph.Switches()[leaf];
    const uint32_t host = spec.forwarding.firstHost;
    auto isAbove = [&](uint32_t id) { return m_graph.Switches()[id].forwarding.IsBelow(host); };
    m_ways[m_leaf[spec.plane]] = 0;
    m_leaf[spec.plane] = leaf;
    m_ways[leaf] = 1;
    for (uint8_t tier = 1; tier < m_graph.Tiers(); ++tier)
    {
        for (const uint32_t id : GetSwitches(spec.plane, tier))
        {
            if (isAbove(id))
            {
                m_ways[id] = SumWays(id);
            }
        }
    }
    for (uint8_t tier = m_graph.Tiers(); tier-- > 1;)
    {
        for (const uint32_t id : GetSwitches(spec.plane, tier))
        {
            if (!isAbove(id))
            {
                m_ways[id] = SumWays(id);
            }
        }
    }
}

namespace
{

/**
 * Chooses among leaves that are alike: their live links lead to the same switches, so all other
 * leaves reach them in the same ways. The first two of them stand for all, since any other leaf is
 * apart from one of the two.
 */
class LeafKinds
{
  public:
    /// @param alive whether frames cross a link
    LeafKinds(const FabricGraph& graph, const std::vector<bool>& alive)
        : m_graph(graph),
          m_alive(alive)
    {
    }

    /// @return whether a leaf is one of the first two of its kind that it was asked for
    /// @param leaves the leaf, in each plane that matters
    bool IsNeeded(const std::vector<uint32_t>& leaves)
    {
        constexpr uint32_t MOST = 2;
        std::vector<uint32_t> above;
        for (const uint32_t leaf : leaves)
        {
            const PortGroup& up = m_graph.Switches()[leaf].forwarding.up;
            for (uint32_t i = 0; i < up.count; ++i)
            {
                const FabricEnd end{false, leaf, static_cast<uint16_t>(up.first + i)};
                if (m_alive[m_graph.LinkAt(end)])
                {
                    above.push_back(m_graph.PeerOf(end).id);
                }
            }
        }
        std::sort(above.begin(), above.end());
        return m_seen[above]++ < MOST;
    }

  private:
    const FabricGraph& m_graph;                       //!< the fabric
    const std::vector<bool>& m_alive;                 //!< whether frames cross a link
    std::map<std::vector<uint32_t>, uint32_t> m_seen; //!< leaves by the switches above them
};

/// @return whether a leaf has links up, and all of them are dead
/// @param alive whether frames cross a link  @param leaf id of the leaf
bool
IsCutOff(const FabricGraph& graph, const std::vector<bool>& alive, uint32_t leaf)
{
    const PortGroup& up = graph.Switches()[leaf].forwarding.up;
    uint32_t dead = 0;
    for (uint32_t i = 0; i < up.count; ++i)
    {
        const FabricEnd end{false, leaf, static_cast<uint16_t>(up.first + i)};
        dead += !alive[graph.LinkAt(end)];
    }
    return dead > 0 && dead == up.count;
}

/// @return pairs of hosts that stand for all: of each leaf that stands for others one whose links
/// are alive, and each host with a dead link  @param alive whether frames cross a link
std::vector<HostPair>
RepresentAll(const FabricGraph& graph, const std::vector<bool>& alive)
{
    std::vector<uint32_t> hosts;
    LeafKinds kinds(graph, alive);
    std::vector<bool> isSeen(graph.Switches().size(), false);
    for (uint32_t host = 0; host < graph.HostCount(); ++host)
    {
        bool isWhole = true;
        std::vector<uint32_t> leaves;
        for (uint16_t plane = 0; plane < graph.Planes(); ++plane)
        {
            isWhole &= alive[graph.LinkAt({true, host, plane})];
            leaves.push_back(graph.LeafOf(host, plane));
        }
        if (!isWhole || (!isSeen[leaves[0]] && kinds.IsNeeded(leaves)))
        {
            hosts.push_back(host);
        }
        isSeen[leaves[0]] = isSeen[leaves[0]] || isWhole;
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

/// @return FindSeparated() in a fabric that is no Clos network
std::optional<HostPair>
FindUnreachable(const FabricGraph& graph,
                const std::vector<bool>& alive,
                std::vector<HostPair> pairs)
{
    const uint32_t hosts = pairs.empty() ? graph.HostCount() : 0;
    for (uint32_t host = 1; host < hosts; ++host)
    {
        pairs.emplace_back(host, 0); // links fail in both directions, so a path to host 0 is enough
    }
    std::stable_sort(pairs.begin(), pairs.end(), [](const HostPair& a, const HostPair& b) {
        return a.second < b.second;
    });
    std::vector<uint32_t> hops;
    for (std::size_t i = 0; i < pairs.size(); ++i)
    {
        const auto [source, destination] = pairs[i];
        if (i == 0 || pairs[i - 1].second != destination)
        {
            hops = ShortestPaths::HopsTo(graph, graph.LeafOf(destination), alive);
        }
        if (!alive[graph.LinkAt({true, source, 0})] ||
            !alive[graph.LinkAt({true, destination, 0})] ||
            hops[graph.LeafOf(source)] == ShortestPaths::NONE)
        {
            return pairs[i];
        }
    }
    return std::nullopt;
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
    if (!graph.IsClos())
    {
        return !FindUnreachable(graph, alive, {});
    }
    WayCounter counter(graph, alive);
    for (uint16_t plane = 0; plane < graph.Planes(); ++plane)
    {
        const std::vector<uint32_t>& all = counter.GetSwitches(plane, 0);
        const bool isAlone = all.size() == 1;
        if (!isAlone && std::any_of(all.begin(), all.end(), [&](uint32_t leaf) {
                return IsCutOff(graph, alive, leaf);
            }))
        {
            return false; // most of the sets of dead links that separate hosts
        }
        LeafKinds kinds(graph, alive);
        std::vector<uint32_t> leaves;
        for (const uint32_t leaf : all)
        {
            if (kinds.IsNeeded({leaf}))
            {
                leaves.push_back(leaf);
            }
        }
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
    if (!graph.IsClos())
    {
        return FindUnreachable(graph, alive, pairs);
    }
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
