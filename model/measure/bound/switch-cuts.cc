/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-cuts.h"

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
FindSets(const FabricGraph& graph, const LinkTimes& links, double delayPs)
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
                const bool isShort = links.DelayPs(graph.LinkAt(end)) < delayPs;
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
Widen(SwitchCuts::Border& border, const LinkTimes& links, uint32_t link)
{
    const double psPerByte = links.LeastPsPerByte(link);
    if (std::isinf(psPerByte))
    {
        return; // it is cut
    }
    const double delay = links.DelayPs(link);
    border.leastDelayPs = border.bytesPerPs == 0 ? delay : std::min(border.leastDelayPs, delay);
    border.mostPsPerByte = std::max(border.mostPsPerByte, links.MostPsPerByte(link));
    border.bytesPerPs += 1 / psPerByte;
}

} // namespace

std::vector<SwitchCuts>
SwitchCuts::Of(const FabricGraph& graph, const LinkTimes& links)
{
    constexpr std::size_t MOST_LENGTHS = 9;
    std::set<double> delays;
    for (uint32_t link = 0; link < graph.Links().size(); ++link)
    {
        if (!graph.Links()[link].a.isHost)
        {
            delays.insert(links.DelayPs(link));
        }
    }
    while (delays.size() > MOST_LENGTHS)
    {
        delays.erase(std::next(delays.begin()));
    }
    std::vector<SwitchCuts> all;
    for (const double delay : delays)
    {
        SwitchCuts cuts{FindSets(graph, links, delay), {}};
        cuts.borders.resize(*std::max_element(cuts.setOf.begin(), cuts.setOf.end()) + 1);
        for (uint32_t id = 0; id < graph.Links().size(); ++id)
        {
            const FabricLinkSpec& link = graph.Links()[id];
            if (!link.a.isHost && cuts.setOf[link.a.id] != cuts.setOf[link.b.id])
            {
                Widen(cuts.borders[cuts.setOf[link.a.id]], links, id);
                Widen(cuts.borders[cuts.setOf[link.b.id]], links, id);
            }
        }
        all.push_back(std::move(cuts));
    }
    return all;
}

} // namespace aifabric
} // namespace ns3
