/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "te-floors.h"

#include <algorithm>
#include <map>
#include <utility>

namespace ns3
{
namespace aifabric
{

std::vector<double>
FindFloors(const FabricGraph& graph,
           const TeSnapshot& snapshot,
           const std::vector<double>& loads,
           const std::vector<std::vector<uint32_t>>& users)
{
    struct Bundle // the live links of a leaf, in one direction
    {
        uint32_t links{0};  // how many
        double load{0};     // of all of them, whatever paths the demands take
        double smallest{0}; // demand, as a load; 0: there is none
        double largest{0};  // demand
    };

    std::map<std::pair<uint32_t, bool>, Bundle> bundles;
    for (uint32_t link = 0; link < loads.size(); ++link)
    {
        const FabricLinkSpec& spec = graph.Links()[link / 2];
        if (spec.tier != 1 || !snapshot.alive[link / 2])
        {
            continue;
        }
        Bundle& bundle = bundles[{spec.a.id, link % 2 != 0}];
        ++bundle.links;
        bundle.load += loads[link];
        for (const uint32_t user : users[link])
        {
            const double share = snapshot.demands[user].rate / snapshot.capacity;
            bundle.smallest = bundle.largest == 0 ? share : std::min(bundle.smallest, share);
            bundle.largest = std::max(bundle.largest, share);
        }
    }
    std::vector<double> floors(loads.size());
    for (uint32_t link = 0; link < loads.size(); ++link)
    {
        const FabricLinkSpec& spec = graph.Links()[link / 2];
        if (spec.tier == 1 && snapshot.alive[link / 2])
        {
            const Bundle& bundle = bundles[{spec.a.id, link % 2 != 0}];
            const bool areEqual = bundle.largest - bundle.smallest < LOAD_EPSILON;
            floors[link] = bundle.load / bundle.links + (areEqual ? bundle.smallest : 0);
            floors[link] -= LOAD_EPSILON;
        }
    }
    return floors;
}

} // namespace aifabric
} // namespace ns3
