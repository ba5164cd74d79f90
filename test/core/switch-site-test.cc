/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/switch-site.h"

namespace
{

FabricGraph
FatTree(int64_t k)
{
    return MakeFatTree({k, 1, {}});
}

/// Check what each switch of a fabric knows against the graph.
void
CheckSites(const FabricGraph& graph)
{
    for (uint32_t id = 0; id < graph.Switches().size(); ++id)
    {
        const FabricSwitchSpec& spec = graph.Switches()[id];
        const SwitchSite site = SwitchSite::Of(graph, id);
        EXPECT_EQ(site.id, id);
        EXPECT_EQ(site.tier, spec.tier);
        EXPECT_EQ(site.ports, spec.portCount);
        EXPECT_EQ(site.fabricHosts, graph.HostCount());
        for (uint32_t host = 0; host < graph.HostCount(); ++host)
        {
            EXPECT_EQ(site.IsBelow(host), spec.forwarding.IsBelow(host));
            EXPECT_EQ(site.PodOf(host), graph.PodOf(host));
            for (uint32_t other : {uint32_t{0}, host / 2, graph.HostCount() - 1})
            {
                const bool together =
                    spec.tier == 0 ? graph.LeafOf(host) == graph.LeafOf(other)
                                   : spec.tier > 1 || graph.PodOf(host) == graph.PodOf(other);
                EXPECT_EQ(site.WaypointOf(host) == site.WaypointOf(other), together)
                    << "tier " << +spec.tier << ", hosts " << host << " and " << other;
            }
        }
    }
}

} // namespace

TEST(SwitchSite, KnowsWhatTheGraphKnows)
{
    CheckSites(FatTree(4));
    CheckSites(FatTree(6));
    CheckSites(MakeThreeTier({3, 5, 2, 8, 4, 2}));
    LeafSpineConfig config;
    config.leaves = 5;
    config.spines = 3;
    config.hostsPerLeaf = 4;
    CheckSites(MakeLeafSpine(config));
    config.planes = 2;
    CheckSites(MakeLeafSpine(config));
}

TEST(SwitchSite, WaypointsAtRadix64)
{
    // arXiv 2507.21372, section 7.2: 2047 edges and 63 pods but one's own
    const FabricGraph graph = FatTree(64);
    ASSERT_EQ(graph.HostCount(), 65536);
    for (uint32_t id = 0; id < graph.Switches().size(); ++id)
    {
        const uint32_t expected[] = {2047, 63, 0};
        EXPECT_EQ(SwitchSite::Of(graph, id).CountWaypoints(), expected[graph.Switches()[id].tier]);
    }
}

TEST(SwitchSite, WaypointsOfTwoTiers)
{
    const FabricGraph graph = MakeLeafSpine({12, 4, 8});
    for (uint32_t id = 0; id < graph.Switches().size(); ++id)
    {
        EXPECT_EQ(SwitchSite::Of(graph, id).CountWaypoints(),
                  graph.Switches()[id].tier == 0 ? 11 : 0);
    }
}
