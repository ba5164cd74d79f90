/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"
#include "random-network.h"

#include "ns3/link-finder.h"
#include "ns3/network-assembly.h"
#include "ns3/network-builder.h"
#include "ns3/shortest-paths.h"
#include "ns3/way-counter.h"
#include "ns3/wecmp-table.h"

namespace
{

constexpr NetworkAssembly::Cable CABLE{100'000'000'000, 500'000}; //!< 100 Gb/s, 500 ns

/// @return a ring of switches with one host each
NetworkAssembly
MakeRing(uint32_t switches)
{
    NetworkAssembly ring;
    for (uint32_t id = 0; id < switches; ++id)
    {
        ring.AddSwitch("ring-" + std::to_string(id));
        ring.Attach(id, id, CABLE);
    }
    for (uint32_t id = 0; id < switches; ++id)
    {
        ring.Join(id, (id + 1) % switches, CABLE);
    }
    return ring;
}

/// @return the links between all switches, by the ids of two  @param alive links that count
std::vector<std::vector<uint32_t>>
AllHops(const FabricGraph& graph, const std::vector<bool>& alive)
{
    const std::size_t count = graph.Switches().size();
    std::vector<std::vector<uint32_t>> hops(count, std::vector<uint32_t>(count, 1000));
    for (std::size_t id = 0; id < count; ++id)
    {
        hops[id][id] = 0;
    }
    for (uint32_t link = 0; link < graph.Links().size(); ++link)
    {
        const FabricLinkSpec& spec = graph.Links()[link];
        if (!spec.a.isHost && alive[link])
        {
            hops[spec.a.id][spec.b.id] = hops[spec.b.id][spec.a.id] = 1;
        }
    }
    for (std::size_t middle = 0; middle < count; ++middle)
    {
        for (std::size_t a = 0; a < count; ++a)
        {
            for (std::size_t b = 0; b < count; ++b)
            {
                hops[a][b] = std::min(hops[a][b], hops[a][middle] + hops[middle][b]);
            }
        }
    }
    return hops;
}

} // namespace

TEST(NetworkAssembly, NamesNodesPortsAndLinksOfARing)
{
    const FabricGraph graph = MakeRing(4).Finish();
    EXPECT_FALSE(graph.IsClos());
    EXPECT_EQ(graph.HostCount(), 4U);
    EXPECT_EQ(graph.Planes(), 1);
    EXPECT_EQ(graph.Tiers(), 1);
    ASSERT_EQ(graph.Links().size(), 8U);
    EXPECT_EQ(graph.LinkName(1), "host-1:0--ring-1:0");
    EXPECT_EQ(graph.LinkName(4), "ring-0:1--ring-1:1");
    EXPECT_EQ(graph.LinkName(7), "ring-3:2--ring-0:2");
    EXPECT_EQ(LinkFinder(graph).Find("ring-3--ring-0"), std::vector<uint32_t>{7});
    EXPECT_EQ(LinkFinder(graph).Find("ring-0"), (std::vector<uint32_t>{0, 4, 7}));
    EXPECT_EQ(graph.PathLinks(0, 0), 0U);
    EXPECT_EQ(graph.PathLinks(0, 1), 3U);
    EXPECT_EQ(graph.PathLinks(0, 2), 4U);
    EXPECT_EQ(graph.LongestPathLinks(), 4U);
    EXPECT_EQ(graph.GetPaths().GetLongest().delayPs, 4 * 500'000);
    EXPECT_EQ(graph.GetPaths().GetLongest().psPerByte, 4 * 80U);
}

TEST(NetworkAssembly, RefusesWhatIsNoFabricInOneLine)
{
    NetworkAssembly hostless = MakeRing(3);
    hostless.Attach(4, 0, CABLE);
    EXPECT_EQ(RefusalOf([&] { hostless.Finish(); }),
              "host-3 has no link; hosts are host-0 to host-4");
    NetworkAssembly deadEnd = MakeRing(3);
    deadEnd.Join(0, deadEnd.AddSwitch("end"), CABLE);
    EXPECT_EQ(RefusalOf([&] { deadEnd.Finish(); }),
              "switch end has a single link and no host, so no path crosses it");
    NetworkAssembly apart = MakeRing(3);
    apart.Attach(3, apart.AddSwitch("apart"), CABLE);
    EXPECT_EQ(RefusalOf([&] { apart.Finish(); }), "host-3 has no path to host-0");
    NetworkAssembly own = MakeRing(3);
    own.Join(1, 1, CABLE);
    EXPECT_EQ(RefusalOf([&] { own.Finish(); }),
              "fabric: ring-1:3--ring-1:4 joins a switch to itself");
    NetworkAssembly odd = MakeRing(3);
    odd.Join(0, 1, {7'000'000'000, 0});
    EXPECT_EQ(RefusalOf([&] { odd.Finish(); }),
              "fabric: a byte takes no whole number of picoseconds on ring-0:3--ring-1:3");
    EXPECT_EQ(RefusalOf([] { MakeRing(150).Finish(); }).substr(0, 21), "a path of 61 links, f");
    NetworkAssembly twice = MakeRing(3);
    EXPECT_FALSE(twice.Attach(1, 0, CABLE));
}

TEST(ShortestPaths, AreThoseOfAllPairs)
{
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round)
    {
        const FabricGraph graph = coretest::RandomNetwork(random);
        const auto hops = AllHops(graph, std::vector<bool>(graph.Links().size(), true));
        uint32_t longest = 0;
        for (uint32_t a = 0; a < graph.HostCount(); ++a)
        {
            for (uint32_t b = 0; b < graph.HostCount(); ++b)
            {
                const uint32_t links = hops[graph.LeafOf(a)][graph.LeafOf(b)] + 2;
                EXPECT_EQ(graph.PathLinks(a, b), a == b ? 0 : links);
                longest = std::max(longest, links);
            }
        }
        EXPECT_EQ(graph.LongestPathLinks(), longest);
    }
}

TEST(ShortestPaths, RoutesAreAllPortsThatLeadNearerByLiveLinks)
{
    std::mt19937 random(2);
    for (int round = 0; round < 200; ++round)
    {
        const FabricGraph graph = coretest::RandomNetwork(random);
        std::vector<bool> alive(graph.Links().size(), true);
        for (uint32_t link = 0; link < alive.size() && round % 2 == 1; ++link)
        {
            alive[link] = random() % 4 > 0;
        }
        const WecmpTable table(graph, alive);
        const auto hops = AllHops(graph, alive);
        for (uint32_t id = 0; id < graph.Switches().size(); ++id)
        {
            ASSERT_EQ(table.GetRoutes(id).size(), graph.HostCount());
            for (uint32_t host = 0; host < graph.HostCount(); ++host)
            {
                const WecmpTable::Route& route = table.GetRoutes(id)[host];
                ASSERT_EQ(route.waypoint, host);
                const uint32_t leaf = graph.LeafOf(host);
                for (uint16_t port = 0; port < graph.Switches()[id].portCount; ++port)
                {
                    const FabricEnd& peer = graph.PeerOf({false, id, port});
                    const bool leads = peer.isHost ? peer.id == host
                                                   : hops[id][leaf] < 1000 &&
                                                         hops[peer.id][leaf] + 1 == hops[id][leaf];
                    const bool isRoute = leads && alive[graph.LinkAt({false, id, port})];
                    EXPECT_EQ(table.GetWeights(id, route)[port], isRoute ? 1U : 0U);
                }
            }
        }
    }
}

TEST(ShortestPaths, HostsAreSeparatedIfNoPathIsLeft)
{
    std::mt19937 random(3);
    int separated = 0;
    for (int round = 0; round < 200; ++round)
    {
        const FabricGraph graph = coretest::RandomNetwork(random);
        std::vector<bool> alive;
        for (uint32_t link = 0; link < graph.Links().size(); ++link)
        {
            alive.push_back(graph.Links()[link].a.isHost || random() % 5 > 0);
        }
        const auto hops = AllHops(graph, alive);
        bool isCut = false;
        for (uint32_t a = 0; a < graph.HostCount(); ++a)
        {
            for (uint32_t b = 0; b < graph.HostCount(); ++b)
            {
                isCut |= hops[graph.LeafOf(a)][graph.LeafOf(b)] >= 1000;
            }
        }
        EXPECT_EQ(FindSeparated(graph, alive, {}).has_value(), isCut);
        EXPECT_EQ(IsConnected(graph, alive), !isCut);
        separated += isCut;
    }
    EXPECT_GT(separated, 20);
}

TEST(NetworkBuilder, TorusHasTwoLinksADimensionAndTheDiameterOfItsHalves)
{
    const NetworkCables cables{CABLE, CABLE};
    const FabricGraph cube = MakeTorus({{4, 3, 2}, 2, cables});
    EXPECT_EQ(cube.Switches().size(), 24U);
    EXPECT_EQ(cube.HostCount(), 48U);
    EXPECT_EQ(cube.Links().size(), 48U + 24 + 24 + 12);
    EXPECT_EQ(cube.LongestPathLinks(), 2U + 2 + 1 + 1);
    EXPECT_EQ(cube.SwitchName(0), "torus-0-0-0");
    EXPECT_EQ(cube.SwitchName(23), "torus-3-2-1");
    for (const FabricSwitchSpec& spec : cube.Switches())
    {
        EXPECT_EQ(spec.portCount, 2 + 2 + 2 + 1);
    }
    EXPECT_EQ(cube.PathLinks(0, 2 * 3), 3U); // torus-0-0-0 and torus-3-0-0 are neighbors
    EXPECT_EQ(MakeTorus({{8}, 1, cables}).Links().size(), 16U);
    EXPECT_EQ(RefusalOf([&] {
                  MakeTorus({{65, 64}, 1, cables});
              }),
              "lengths: 64 gives 4160 switches (at most 4096)");
    EXPECT_EQ(RefusalOf([] {
                  MakeTorus({{100, 100, 100}, 1, {}});
              }),
              "lengths: 100 gives 1000000 switches (at most 4096)");
}

TEST(NetworkBuilder, DragonflyHasOneLinkBetweenAnyTwoGroups)
{
    const DragonflyConfig config{4, 2, 3, {CABLE, CABLE}};
    const FabricGraph graph = MakeDragonfly(config);
    const uint32_t groups = 4 * 2 + 1;
    EXPECT_EQ(graph.Switches().size(), groups * 4);
    EXPECT_EQ(graph.HostCount(), groups * 4 * 3);
    EXPECT_EQ(graph.LongestPathLinks(), 5U);
    std::set<std::pair<uint32_t, uint32_t>> joined;
    for (const FabricLinkSpec& link : graph.Links())
    {
        if (!link.a.isHost && link.a.id / 4 != link.b.id / 4)
        {
            joined.insert({link.a.id / 4, link.b.id / 4});
        }
    }
    EXPECT_EQ(joined.size(), groups * (groups - 1) / 2);
    EXPECT_EQ(graph.Links().size(), graph.HostCount() + groups * 6 + joined.size());
    for (const FabricSwitchSpec& spec : graph.Switches())
    {
        EXPECT_EQ(spec.portCount, 3 + 3 + 2);
    }
    EXPECT_EQ(graph.SwitchName(5), "group-1-router-1");
    EXPECT_EQ(RefusalOf([&] {
                  MakeDragonfly({32, 16, 1, {CABLE, CABLE}});
              }),
              "routers: 32 gives 16416 routers (at most 4096)");
}
