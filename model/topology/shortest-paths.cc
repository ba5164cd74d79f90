/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "shortest-paths.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint64_t PS_BIT_PER_BYTE = 8'000'000'000'000; //!< divided by bit/s: ps a byte

/// @return the time of a byte, in ps
uint64_t
PsPerByte(const FabricLinkSpec& link)
{
    return PS_BIT_PER_BYTE / link.rate;
}

/// Raise what a sum of links may be.  @param sum that of the links before this one
void
RaiseBy(ShortestPaths::Extent& most, const ShortestPaths::Extent& sum, const FabricLinkSpec& link)
{
    most.links = std::max(most.links, sum.links + 1);
    most.delayPs = std::max(most.delayPs, sum.delayPs + *link.delayPs);
    most.psPerByte = std::max(most.psPerByte, sum.psPerByte + PsPerByte(link));
}

} // namespace

ShortestPaths::ShortestPaths(const FabricGraph& graph)
    : m_places(graph.Switches().size(), NONE),
      m_hosts(FindHosts(graph))
{
    uint32_t count = 0;
    for (uint32_t id = 0; id < m_hosts.size(); ++id)
    {
        m_places[id] = m_hosts[id].empty() ? NONE : count++;
    }
    m_hops.assign(count, std::vector<uint16_t>(count));
    for (uint32_t id = 0; id < m_hosts.size(); ++id)
    {
        if (!m_hosts[id].empty())
        {
            AddPathsTo(graph, id);
        }
    }
}

std::vector<std::vector<uint32_t>>
ShortestPaths::FindHosts(const FabricGraph& graph)
{
    std::vector<std::vector<uint32_t>> hosts(graph.Switches().size());
    for (uint32_t host = 0; host < graph.HostCount(); ++host)
    {
        hosts[graph.LeafOf(host)].push_back(host);
    }
    return hosts;
}

void
ShortestPaths::AddPathsTo(const FabricGraph& graph, uint32_t to)
{
    const std::vector<uint32_t> hops = HopsTo(graph, to);
    std::vector<uint32_t> order(hops.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&hops](uint32_t a, uint32_t b) {
        return hops[a] < hops[b];
    });
    const auto linkOf = [&graph](uint32_t host) -> const FabricLinkSpec& {
        return graph.Links()[graph.LinkAt({true, host, 0})];
    };
    std::vector<Extent> sums(hops.size()); // from a switch to a host of that switch
    for (const uint32_t host : m_hosts[to])
    {
        RaiseBy(sums[to], {}, linkOf(host));
    }
    for (const uint32_t id : order)
    {
        for (const uint16_t port : FindNextHops(graph, id, hops))
        {
            const FabricEnd end{false, id, port};
            RaiseBy(sums[id], sums[graph.PeerOf(end).id], graph.Links()[graph.LinkAt(end)]);
        }
        for (const uint32_t host : m_hosts[id])
        {
            if (hops[id] > MOST_LINKS - 2)
            {
                throw std::invalid_argument(
                    hops[id] == NONE ? "host-" + std::to_string(host) + " has no path to host-" +
                                           std::to_string(m_hosts[to].front())
                                     : "a path of " + std::to_string(hops[id] + 2) +
                                           " links, from host-" + std::to_string(host) +
                                           " to host-" + std::to_string(m_hosts[to].front()) +
                                           ", of at most " + std::to_string(MOST_LINKS));
            }
            RaiseBy(m_longest, sums[id], linkOf(host));
        }
        if (!m_hosts[id].empty())
        {
            m_hops[m_places[to]][m_places[id]] = static_cast<uint16_t>(hops[id]);
        }
    }
}

uint32_t
ShortestPaths::CountLinks(uint32_t from, uint32_t to) const
{
    return m_hops[m_places[to]][m_places[from]] + 2U; // the links of the hosts
}

const ShortestPaths::Extent&
ShortestPaths::GetLongest() const
{
    return m_longest;
}

std::vector<uint32_t>
ShortestPaths::HopsTo(const FabricGraph& graph, uint32_t to, const std::vector<bool>& alive)
{
    std::vector<uint32_t> hops(graph.Switches().size(), NONE);
    std::vector<uint32_t> reached{to};
    hops[to] = 0;
    for (std::size_t next = 0; next < reached.size(); ++next)
    {
        const uint32_t id = reached[next];
        for (uint16_t port = 0; port < graph.Switches()[id].portCount; ++port)
        {
            const FabricEnd end{false, id, port};
            const FabricEnd& peer = graph.PeerOf(end);
            const bool isAlive = alive.empty() || alive[graph.LinkAt(end)];
            if (!peer.isHost && isAlive && hops[peer.id] == NONE)
            {
                hops[peer.id] = hops[id] + 1;
                reached.push_back(peer.id);
            }
        }
    }
    return hops;
}

std::vector<uint16_t>
ShortestPaths::FindNextHops(const FabricGraph& graph,
                            uint32_t from,
                            const std::vector<uint32_t>& hops,
                            const std::vector<bool>& alive)
{
    std::vector<uint16_t> ports;
    for (uint16_t port = 0; port < graph.Switches()[from].portCount; ++port)
    {
        const FabricEnd end{false, from, port};
        const FabricEnd& peer = graph.PeerOf(end);
        const bool isAlive = alive.empty() || alive[graph.LinkAt(end)];
        if (!peer.isHost && isAlive && hops[from] != NONE && hops[peer.id] + 1 == hops[from])
        {
            ports.push_back(port);
        }
    }
    return ports;
}

} // namespace aifabric
} // namespace ns3
