/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-cuts.h"

#include "ns3/time-units.h"

#include <algorithm>
#include <set>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the number of the set of each switch  @param delayPs links shorter than this join sets
std::vector<uint32_t>
FindSets(const FabricGraph& graph, int64_t delayPs)
{
    const uint32_t none = graph.Switches().size();
    std::vector<uint32_t> setOf(none, none);
    uint32_t sets = 0;
    for (uint32_t first = 0; first < none; ++first)
    {
        if (setOf[first] != none)
        {
            continue;
        }
        std::vector<uint32_t> reached{first};
        setOf[first] = sets;
        for (std::size_t next = 0; next < reached.size(); ++next)
        {
            for (uint16_t port = 0; port < graph.Switches()[reached[next]].portCount; ++port)
            {
                const FabricEnd end{false, reached[next], port};
                const FabricEnd& peer = graph.PeerOf(end);
                const bool isShort = *graph.Links()[graph.LinkAt(end)].delayPs < delayPs;
                if (!peer.isHost && isShort && setOf[peer.id] == none)
                {
                    setOf[peer.id] = sets;
                    reached.push_back(peer.id);
                }
            }
        }
        ++sets;
    }
    return setOf;
}

/// Add a link to those around a set.
void
Widen(SwitchCuts::Border& border, const FabricLinkSpec& link)
{
    const double psPerByte = BIT_PS_PER_BYTE / static_cast<double>(link.rate);
    const auto delay = static_cast<double>(*link.delayPs);
    border.leastDelayPs = border.bytesPerPs == 0 ? delay : std::min(border.leastDelayPs, delay);
    border.mostPsPerByte = std::max(border.mostPsPerByte, psPerByte);
    border.bytesPerPs += 1 / psPerByte;
}

} // namespace

std::vector<SwitchCuts>
SwitchCuts::Of(const FabricGraph& graph)
{
    constexpr std::size_t MOST_LENGTHS = 9;
    std::set<int64_t> delays;
    for (const FabricLinkSpec& link : graph.Links())
    {
        if (!link.a.isHost)
        {
            delays.insert(*link.delayPs);
        }
    }
    while (delays.size() > MOST_LENGTHS)
    {
        delays.erase(std::next(delays.begin()));
    }
    std::vector<SwitchCuts> all;
    for (const int64_t delay : delays)
    {
        SwitchCuts cuts{FindSets(graph, delay), {}};
        cuts.borders.resize(*std::max_element(cuts.setOf.begin(), cuts.setOf.end()) + 1);
        for (const FabricLinkSpec& link : graph.Links())
        {
            if (!link.a.isHost && cuts.setOf[link.a.id] != cuts.setOf[link.b.id])
            {
                Widen(cuts.borders[cuts.setOf[link.a.id]], link);
                Widen(cuts.borders[cuts.setOf[link.b.id]], link);
            }
        }
        all.push_back(std::move(cuts));
    }
    return all;
}

} // namespace aifabric
} // namespace ns3
