/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sample-fabrics.h"

#include "ns3/fabric-graph.h"

#include <chrono>

namespace
{

/// Follow the forwarding rules from a host, any of the allowed ports at each switch.
/// @return the number of links until the destination, 0 if it is not reached
uint32_t
Walk(const FabricGraph& graph,
     uint32_t source,
     uint16_t plane,
     uint32_t destination,
     std::mt19937& random)
{
    constexpr uint32_t LONGEST = 6;
    auto at = graph.PeerOf({true, source, plane});
    for (uint32_t links = 1; links <= LONGEST; ++links)
    {
        if (at.isHost)
        {
            return at.id == destination && at.port == plane ? links : 0;
        }
        const auto& group = graph.Switches()[at.id].forwarding.GroupFor(destination);
        auto port = static_cast<uint16_t>(group.first + random() % group.count);
        at = graph.PeerOf({false, at.id, port});
    }
    return 0;
}

/// @return how many switches are of a tier
uint32_t
CountTier(const FabricGraph& graph, uint8_t tier)
{
    uint32_t count = 0;
    for (const auto& spec : graph.Switches())
    {
        count += spec.tier == tier;
    }
    return count;
}

/// @return the parts of a small leaf-spine fabric
std::pair<std::vector<FabricSwitchSpec>, std::vector<FabricLinkSpec>>
SmallParts()
{
    auto graph = MakeLeafSpine({2, 2, 1});
    return {graph.Switches(), graph.Links()};
}

} // namespace

/// Whatever the switches choose, a packet arrives, over a shortest path.
TEST(FabricGraph, EveryChoiceLeadsToTheDestination)
{
    std::mt19937 random(1);
    for (const auto& [name, graph] : SampleFabrics())
    {
        for (uint32_t i = 0; i < 3000; ++i)
        {
            auto source = static_cast<uint32_t>(random() % graph.HostCount());
            auto destination = static_cast<uint32_t>(random() % graph.HostCount());
            auto plane = static_cast<uint16_t>(random() % graph.Planes());
            if (source != destination)
            {
                ASSERT_EQ(Walk(graph, source, plane, destination, random),
                          graph.PathLinks(source, destination))
                    << name << " " << source << " to " << destination;
            }
        }
    }
}

/// Each port has one link, ports are numbered without holes, and both ends know each other.
TEST(FabricGraph, PortsAreDenseAndLinksHaveTwoEnds)
{
    for (const auto& [name, graph] : SampleFabrics())
    {
        std::map<std::pair<bool, uint32_t>, std::set<uint16_t>> ports;
        for (uint32_t id = 0; id < graph.Links().size(); ++id)
        {
            const auto& link = graph.Links()[id];
            for (const auto& end : {link.a, link.b})
            {
                auto& used = ports[{end.isHost, end.id}];
                ASSERT_TRUE(used.insert(end.port).second) << name;
                ASSERT_EQ(graph.LinkAt(end), id);
            }
            ASSERT_EQ(graph.PeerOf(link.a).id, link.b.id);
            ASSERT_EQ(graph.PeerOf(link.b).id, link.a.id);
        }
        ASSERT_EQ(ports.size(), graph.HostCount() + graph.Switches().size());
        for (const auto& [node, used] : ports)
        {
            auto expected = node.first ? graph.Planes() : graph.Switches()[node.second].portCount;
            ASSERT_EQ(used.size(), expected) << name;
            ASSERT_EQ(*used.rbegin(), expected - 1) << name;
        }
    }
}

/// Two links have the same name only if they are the same.
TEST(FabricGraph, NamesAreUnique)
{
    for (const auto& [name, graph] : SampleFabrics())
    {
        std::set<std::string> names;
        for (uint32_t id = 0; id < graph.Switches().size(); ++id)
        {
            ASSERT_TRUE(names.insert(graph.SwitchName(id)).second) << name;
        }
        for (uint32_t id = 0; id < graph.Links().size(); ++id)
        {
            ASSERT_TRUE(names.insert(graph.LinkName(id)).second) << name;
        }
    }
}

TEST(FabricGraph, CountsOfTheDefaultFatTree)
{
    auto graph = MakeFatTree({8, 1, {}});
    EXPECT_EQ(graph.HostCount(), 128U);
    EXPECT_EQ(CountTier(graph, 0), 32U);
    EXPECT_EQ(CountTier(graph, 1), 32U);
    EXPECT_EQ(CountTier(graph, 2), 16U);
    EXPECT_EQ(graph.Links().size(), 3U * 128U);
    EXPECT_EQ(graph.Tiers(), 3U);
    for (const auto& spec : graph.Switches())
    {
        EXPECT_EQ(spec.portCount, 8U);
    }
}

TEST(FabricGraph, CountsOfLeafSpineWithPlanesAndBundles)
{
    auto graph = MakeLeafSpine({4, 2, 8, 2, 3});
    EXPECT_EQ(graph.HostCount(), 32U);
    EXPECT_EQ(graph.Planes(), 3U);
    EXPECT_EQ(CountTier(graph, 0), 12U);
    EXPECT_EQ(CountTier(graph, 1), 6U);
    EXPECT_EQ(graph.Links().size(), 3U * (32U + 4U * 2U * 2U));
    EXPECT_EQ(graph.Switches()[graph.LeafOf(31, 2)].portCount, 12U);
}

/// Core (i, j) attaches to aggregation i of each pod, at that aggregation's uplink j.
TEST(FabricGraph, CoresAttachWhereTheStudySays)
{
    constexpr uint32_t HALF = 4;
    auto graph = MakeFatTree({8, 1, {}});
    for (uint32_t id = 0; id < graph.Switches().size(); ++id)
    {
        const auto& core = graph.Switches()[id];
        for (uint16_t pod = 0; core.tier == 2 && pod < core.portCount; ++pod)
        {
            auto peer = graph.PeerOf({false, id, pod});
            const auto& agg = graph.Switches()[peer.id];
            EXPECT_EQ(agg.pod, pod);
            EXPECT_EQ(agg.index, core.index / HALF);
            EXPECT_EQ(peer.port, HALF + core.index % HALF);
        }
    }
}

TEST(FabricGraph, DistancesLeavesAndPods)
{
    auto tree = MakeFatTree({8, 2, {}});
    EXPECT_EQ(tree.PathLinks(5, 5), 0U);
    EXPECT_EQ(tree.PathLinks(0, 3), 2U);
    EXPECT_EQ(tree.PathLinks(0, 4), 4U);
    EXPECT_EQ(tree.PathLinks(0, 15), 4U);
    EXPECT_EQ(tree.PathLinks(0, 16), 6U);
    EXPECT_EQ(tree.PodOf(127), 7U);
    EXPECT_EQ(tree.Switches()[tree.LeafOf(21)].index, 1U);
    EXPECT_EQ(tree.Switches()[tree.LeafOf(21, 1)].plane, 1U);
    auto leafSpine = MakeLeafSpine({3, 2, 4});
    EXPECT_EQ(leafSpine.PathLinks(0, 3), 2U);
    EXPECT_EQ(leafSpine.PathLinks(0, 11), 4U);
}

TEST(FabricGraph, Names)
{
    auto tree = MakeFatTree({4, 1, {}});
    EXPECT_EQ(tree.SwitchName(tree.LeafOf(15)), "pod3-edge-1");
    EXPECT_EQ(tree.SwitchName(2), "pod0-agg-0");
    EXPECT_EQ(tree.SwitchName(19), "core-3");
    EXPECT_EQ(tree.LinkName(0), "host-0:0--pod0-edge-0:0");
    auto planes = MakeLeafSpine({2, 2, 1, 1, 2});
    EXPECT_EQ(planes.SwitchName(0), "plane0-leaf-0");
    EXPECT_EQ(planes.SwitchName(7), "plane1-spine-1");
    EXPECT_EQ(MakeLeafSpine({5, 3, 2}).SwitchName(3), "leaf-3");
}

/// Set-up is linear: 65536 hosts in well under a second of CPU (generous for slow machines).
TEST(FabricGraph, LargeFabricsAreBuiltQuickly)
{
    auto begin = std::chrono::steady_clock::now();
    auto graph = MakeFatTree({64, 1, {}});
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    EXPECT_EQ(graph.HostCount(), 65536U);
    EXPECT_EQ(graph.Switches().size(), 5120U);
    EXPECT_LT(seconds.count(), 5.0);
}

TEST(FabricGraph, BuildersRefuseBadSizes)
{
    for (const auto& [config, error] : std::vector<std::pair<FatTreeConfig, std::string>>{
             {{7, 1, {}}, "k: 7 is not an even number of at least 2 and at most 65534"},
             {{0, 1, {}}, "k: 0 is not an even number of at least 2 and at most 65534"},
             {{-4, 1, {}}, "k: -4 is not an even number of at least 2 and at most 65534"},
             {{8, 0, {}}, "planes: 0 is not in 1..32"},
             {{8, 1, 0}, "hostsPerEdge: 0 is not in 1..65531"},
             {{300, 1, {}}, "k: 300 gives 6750000 hosts (at most 4194304)"},
             {{300, 1, 1000}, "hostsPerEdge: 1000 gives 45000000 hosts (at most 4194304)"},
             {{256, 32, {}}, "k: 256 gives 402653184 links (at most 16777216)"},
         })
    {
        EXPECT_EQ(RefusalOf([&, sizes = config] { MakeFatTree(sizes); }), error);
    }
    for (const auto& [config, error] : std::vector<std::pair<LeafSpineConfig, std::string>>{
             {{0, 2, 2}, "leaves: 0 is not in 1..65535"},
             {{2, -1, 2}, "spines: -1 is not in 1..65535"},
             {{2, 2, 0}, "hostsPerLeaf: 0 is not in 1..65535"},
             {{2, 2, 2, 0}, "linksPerSpine: 0 is not in 1..65535"},
             {{2, 2, 4, 1, 1, 0}, "hostsPerNic: 0 is not in 1..4"},
             {{2, 2, 4, 1, 1, 3}, "hostsPerNic: 3 does not divide hostsPerLeaf"},
             {{2, 2, 4, 2, 1, 2}, "linksPerSpine: 2 is not in 1..1"},
             {{2, 2, 65535}, "hostsPerLeaf: 65535 gives 65537 ports a leaf (at most 65535)"},
             {{40000, 1, 1, 2}, "linksPerSpine: 2 gives 80000 ports a spine (at most 65535)"},
             {{65535, 1, 100}, "hostsPerLeaf: 100 gives 6553500 hosts (at most 4194304)"},
             {{65535, 65535, 1}, "hostsPerLeaf: 1 gives 65536 ports a leaf (at most 65535)"},
             {{60000, 60000, 1}, "leaves: 60000 gives 3600060000 links (at most 16777216)"},
         })
    {
        EXPECT_EQ(RefusalOf([&, sizes = config] { MakeLeafSpine(sizes); }), error);
    }
}

TEST(FabricGraph, HostsThatShareNicsHaveThemBelowTheirLeaf)
{
    const FabricGraph graph = MakeLeafSpine({3, 2, 8, 1, 1, 2});
    EXPECT_EQ(graph.HostCount(), 24);
    EXPECT_EQ(graph.HostsPerNic(), 2);
    EXPECT_EQ(graph.LeafTier(), 1);
    EXPECT_EQ(graph.Links().size(), 24U + 12 + 3 * 2);
    EXPECT_EQ(graph.SwitchName(graph.LeafOf(10)), "nic-5");
    EXPECT_EQ(graph.RackOf(8), graph.RackOf(15));
    EXPECT_NE(graph.RackOf(7), graph.RackOf(8));
    EXPECT_EQ(graph.PathLinks(10, 11), 2);
    EXPECT_EQ(graph.PathLinks(8, 15), 4);
    EXPECT_EQ(graph.PathLinks(7, 8), 6);
    std::set<std::string> names;
    for (uint32_t id = 0; id < graph.Switches().size(); ++id)
    {
        names.insert(graph.SwitchName(id));
    }
    EXPECT_EQ(names.size(), 12U + 3 + 2);
    EXPECT_EQ(names.count("nic-11") + names.count("leaf-2") + names.count("spine-1"), 3);
    EXPECT_EQ(MakeLeafSpine({3, 2, 8}).HostsPerNic(), 1);
    EXPECT_EQ(MakeLeafSpine({3, 2, 8}).LeafTier(), 0);
}

/// A hand-made fabric with a mistake is refused, and the message says where.
TEST(FabricGraph, HandMadeFabricsAreChecked)
{
    auto errorOf = [](const auto& spoil) {
        auto parts = SmallParts();
        spoil(parts.first, parts.second);
        return RefusalOf([&parts] { FabricGraph(2, 1, parts.first, parts.second); });
    };
    EXPECT_EQ(errorOf([](auto&, auto&) {}), "");
    EXPECT_EQ(errorOf([](auto&, auto& links) { links.pop_back(); }), "fabric: a port has no link");
    EXPECT_EQ(errorOf([](auto&, auto& links) { links[0].b.port = 1; }),
              "fabric: leaf-0:1 has two links");
    EXPECT_EQ(errorOf([](auto&, auto& links) { links[0].a.id = 2; }),
              "fabric: link 0 ends at an unknown port");
    EXPECT_EQ(errorOf([](auto&, auto& links) { std::swap(links[0].a, links[0].b); }),
              "fabric: the upper end of leaf-0:0--host-0:0 is a host");
    EXPECT_EQ(errorOf([](auto&, auto& links) { links[0].tier = 1; }),
              "fabric: host-0:0--leaf-0:0 does not join neighboring tiers");
    EXPECT_EQ(errorOf([](auto& switches, auto&) { switches[2].plane = 1; }),
              "fabric: leaf-0:1--spine-0:0 joins two planes");
    EXPECT_EQ(errorOf([](auto& switches, auto&) { switches[0].tier = 3; }),
              "fabric: tier 3 is not one of 0, 1, 2");
    EXPECT_EQ(errorOf([](auto& switches, auto&) { switches[0].forwarding.up.count = 3; }),
              "fabric: leaf-0 forwards to a port it does not have");
    EXPECT_EQ(errorOf([](auto& switches, auto&) { switches[0].forwarding.chunk = 0; }),
              "fabric: leaf-0 has too few ways down for the hosts below it");
    EXPECT_EQ(errorOf([](auto& switches, auto&) { switches[0].forwarding.up.count = 0; }),
              "fabric: leaf-0 has no way to some hosts");
}
