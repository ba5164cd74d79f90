/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/fabric-graph.h"
#include "ns3/failure-draw.h"
#include "ns3/way-counter.h"
#include "ns3/wecmp-table.h"

#include <chrono>

namespace
{

using Path = std::vector<FabricEnd>; //!< the ports by which a frame leaves the switches of its way

FabricGraph
RandomFabric(std::mt19937& random)
{
    auto from = [&random](int64_t least, int64_t most) {
        return least + static_cast<int64_t>(random() % (most - least + 1));
    };
    if (random() % 3 == 0)
    {
        const int64_t spines = from(1, 3);
        return MakeThreeTier(
            {from(2, 3), from(1, 3), spines, spines * from(1, 3), from(1, 2), from(1, 2)});
    }
    if (random() % 2 == 0)
    {
        return MakeFatTree({2 * from(1, 3), from(1, 2), from(1, 2)});
    }
    return MakeLeafSpine({from(1, 5), from(1, 4), from(1, 2), from(1, 3), from(1, 2)});
}

/// @return which links are alive
std::vector<bool>
RandomLinks(const FabricGraph& graph, double rate, std::mt19937& random)
{
    std::uniform_real_distribution<double> uniform;
    std::vector<bool> alive;
    for (const FabricLinkSpec& link : graph.Links())
    {
        alive.push_back(link.a.isHost || uniform(random) >= rate);
    }
    return alive;
}

/// @return ids of the leaves of a plane
std::vector<uint32_t>
LeavesOf(const FabricGraph& graph, uint16_t plane)
{
    std::vector<uint32_t> leaves;
    for (uint32_t id = 0; id < graph.Switches().size(); ++id)
    {
        if (graph.Switches()[id].tier == 0 && graph.Switches()[id].plane == plane)
        {
            leaves.push_back(id);
        }
    }
    return leaves;
}

/// Enumerate paths by trying each port.  @param alive the links that may be used
/// @param at the switch where the path goes on  @param visit is called for each path
void
ForEachPath(const FabricGraph& graph,
            const std::vector<bool>& alive,
            uint32_t at,
            uint32_t leaf,
            Path& path,
            const std::function<void(const Path&)>& visit)
{
    if (at == leaf)
    {
        visit(path);
        return;
    }
    const uint32_t host = graph.Switches()[leaf].forwarding.firstHost;
    const PortGroup& group = graph.Switches()[at].forwarding.GroupFor(host);
    for (uint32_t port = group.first; port < uint32_t{group.first} + group.count; ++port)
    {
        const FabricEnd end{false, at, static_cast<uint16_t>(port)};
        if (alive[graph.LinkAt(end)])
        {
            path.push_back(end);
            ForEachPath(graph, alive, graph.PeerOf(end).id, leaf, path, visit);
            path.pop_back();
        }
    }
}

/// @return the weights by which a switch splits frames to a host, by port of the group that leads
/// there
std::vector<uint32_t>
WeightsOf(const FabricGraph& graph,
          const std::vector<bool>& alive,
          const WecmpTable& table,
          uint32_t id,
          uint32_t host)
{
    const ForwardingRule& rule = graph.Switches()[id].forwarding;
    for (const WecmpTable::Route& route : table.GetRoutes(id))
    {
        if (!rule.IsBelow(host) && route.waypoint == host / rule.hostCount)
        {
            return table.GetWeights(id, route);
        }
    }
    std::vector<uint32_t> weights;
    const PortGroup& group = rule.GroupFor(host);
    for (uint32_t i = 0; i < group.count; ++i)
    {
        const auto port = static_cast<uint16_t>(group.first + i);
        weights.push_back(alive[graph.LinkAt({false, id, port})]);
    }
    return weights;
}

/// @return the links with some of them dead
std::vector<bool>
Without(const FabricGraph& graph, const std::vector<std::string>& names)
{
    std::vector<bool> alive(graph.Links().size(), true);
    for (const std::string& name : names)
    {
        uint32_t link = 0;
        while (graph.LinkName(link) != name)
        {
            ++link;
        }
        alive[link] = false;
    }
    return alive;
}

/// @return id of a switch
uint32_t
SwitchNamed(const FabricGraph& graph, const std::string& name)
{
    uint32_t id = 0;
    while (graph.SwitchName(id) != name)
    {
        ++id;
    }
    return id;
}

} // namespace

/// The products of the splits of all hops make each surviving path equally likely.
TEST(WecmpTable, SplitsEvenlyOverSurvivingPaths)
{
    std::mt19937 random(1);
    uint32_t uneven = 0;
    for (uint32_t sample = 0; sample < 150; ++sample)
    {
        const FabricGraph graph = RandomFabric(random);
        const auto alive = RandomLinks(graph, 0.02 * (sample % 15), random);
        const WecmpTable table(graph, alive);
        for (uint16_t plane = 0; plane < graph.Planes(); ++plane)
        {
            const std::vector<uint32_t> leaves = LeavesOf(graph, plane);
            const uint32_t source = leaves[random() % leaves.size()];
            const uint32_t leaf = leaves[random() % leaves.size()];
            const uint32_t host = graph.Switches()[leaf].forwarding.firstHost;
            std::vector<double> shares;
            auto addShare = [&](const Path& path) {
                double share = 1;
                for (const FabricEnd& end : path)
                {
                    const auto weights = WeightsOf(graph, alive, table, end.id, host);
                    const auto first = graph.Switches()[end.id].forwarding.GroupFor(host).first;
                    share *= weights[end.port - first];
                    share /= std::accumulate(weights.begin(), weights.end(), 0.0);
                }
                shares.push_back(share);
            };
            Path path;
            ForEachPath(graph, alive, source, leaf, path, addShare);
            for (const double share : shares)
            {
                EXPECT_NEAR(share, 1.0 / shares.size(), 1e-12);
            }
            uneven += !table.GetRoutes(source).empty();
        }
    }
    EXPECT_GT(uneven, 50) << "the samples are about unequal weights";
}

/// A port has a weight if and only if a surviving path begins with it.
TEST(WecmpTable, NoWeightForDeadEnds)
{
    std::mt19937 random(2);
    uint32_t cut = 0;
    for (uint32_t sample = 0; sample < 100; ++sample)
    {
        const FabricGraph graph = RandomFabric(random);
        const auto alive = RandomLinks(graph, 0.3, random);
        const WecmpTable table(graph, alive);
        const std::vector<uint32_t> leaves = LeavesOf(graph, graph.Planes() - 1);
        for (const uint32_t source : leaves)
        {
            for (const uint32_t leaf : leaves)
            {
                const uint32_t host = graph.Switches()[leaf].forwarding.firstHost;
                const ForwardingRule& rule = graph.Switches()[source].forwarding;
                std::vector<uint32_t> paths(rule.GroupFor(host).count, 0);
                auto count = [&](const Path& path) {
                    ++paths[path[0].port - rule.GroupFor(host).first];
                };
                Path path;
                if (source != leaf)
                {
                    ForEachPath(graph, alive, source, leaf, path, count);
                    const auto weights = WeightsOf(graph, alive, table, source, host);
                    ASSERT_EQ(weights.size(), paths.size());
                    for (std::size_t i = 0; i < paths.size(); ++i)
                    {
                        EXPECT_EQ(weights[i] > 0, paths[i] > 0);
                        cut += paths[i] == 0;
                    }
                }
            }
        }
    }
    EXPECT_GT(cut, 100);
}

/// What the table keeps has no common divisor, is not the default, and is kept once.
TEST(WecmpTable, KeepsLittle)
{
    std::mt19937 random(3);
    for (uint32_t sample = 0; sample < 60; ++sample)
    {
        const FabricGraph graph = RandomFabric(random);
        const auto alive = RandomLinks(graph, 0.15, random);
        const WecmpTable table(graph, alive);
        const WecmpTable whole(graph, std::vector<bool>(alive.size(), true));
        for (uint32_t id = 0; id < graph.Switches().size(); ++id)
        {
            EXPECT_TRUE(whole.GetRoutes(id).empty());
            const PortGroup& up = graph.Switches()[id].forwarding.up;
            WecmpTable::Weights fallback;
            for (uint32_t i = 0; i < up.count; ++i)
            {
                const auto port = static_cast<uint16_t>(up.first + i);
                fallback.push_back(alive[graph.LinkAt({false, id, port})]);
            }
            std::vector<WecmpTable::Weights> seen;
            for (const WecmpTable::Route& route : table.GetRoutes(id))
            {
                const auto& weights = table.GetWeights(id, route);
                uint32_t divisor = 0;
                for (const uint32_t weight : weights)
                {
                    divisor = std::gcd(divisor, weight);
                }
                EXPECT_LE(divisor, 1U);
                EXPECT_NE(weights, fallback);
                seen.resize(std::max<std::size_t>(seen.size(), route.weights + 1));
                seen[route.weights] = weights;
            }
            std::sort(seen.begin(), seen.end());
            EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
        }
    }
}

/// The weights of a fat-tree with one dead link, as the study's rules give them.
TEST(WecmpTable, OneDeadCoreLink)
{
    const FabricGraph graph = MakeFatTree({8, 1, {}});
    const auto alive = Without(graph, {"pod2-agg-1:7--core-7:2"});
    const WecmpTable table(graph, alive);
    auto weights = [&](const std::string& name, uint32_t host) {
        return WeightsOf(graph, alive, table, SwitchNamed(graph, name), host);
    };
    using Weights = WecmpTable::Weights;
    constexpr uint32_t IN_POD_2 = 2 * 16 + 5;
    EXPECT_EQ(weights("pod0-edge-0", IN_POD_2), (Weights{4, 3, 4, 4}));
    EXPECT_EQ(weights("pod0-agg-1", IN_POD_2), (Weights{1, 1, 1, 0}));
    EXPECT_EQ(weights("pod0-agg-2", IN_POD_2), (Weights{1, 1, 1, 1}));
    EXPECT_EQ(weights("pod2-edge-3", 127), (Weights{4, 3, 4, 4}));
    EXPECT_EQ(weights("pod2-edge-3", IN_POD_2), (Weights{1, 1, 1, 1}));
    EXPECT_EQ(weights("pod2-agg-1", 127), (Weights{1, 1, 1, 0}));
    EXPECT_EQ(weights("pod0-edge-0", 127), (Weights{1, 1, 1, 1}));
}

/// Parallel links count as ways of their own.
TEST(WecmpTable, ParallelLinks)
{
    const FabricGraph graph = MakeLeafSpine({3, 2, 4, 3});
    const auto alive = Without(graph, {"leaf-1:4--spine-0:3", "leaf-2:9--spine-1:8"});
    const WecmpTable table(graph, alive);
    auto weights = [&](const std::string& name, uint32_t host) {
        return WeightsOf(graph, alive, table, SwitchNamed(graph, name), host);
    };
    using Weights = WecmpTable::Weights;
    EXPECT_EQ(weights("leaf-0", 4), (Weights{2, 2, 2, 3, 3, 3}));
    EXPECT_EQ(weights("leaf-0", 8), (Weights{3, 3, 3, 2, 2, 2}));
    EXPECT_EQ(weights("leaf-1", 0), (Weights{0, 1, 1, 1, 1, 1}));
    EXPECT_EQ(weights("leaf-1", 8), (Weights{0, 3, 3, 2, 2, 2}));
}

/// Who has to change something for one dead link of a k-ary fat-tree: the switches of its pod, and
/// many of other pods (the study's Fig. 2). A link below an aggregation concerns all edges and that
/// aggregation; one above it all edges, the aggregations of its index, and the core.
TEST(WecmpTable, SwitchesThatChange)
{
    for (const int64_t k : {4, 8, 16})
    {
        const FabricGraph graph = MakeFatTree({k, 1, {}});
        const std::size_t half = k / 2;
        const std::size_t edges = k * half;
        const WecmpTable whole(graph, std::vector<bool>(graph.Links().size(), true));
        for (uint32_t link = 0; link < graph.Links().size(); ++link)
        {
            std::vector<bool> alive(graph.Links().size(), true);
            alive[link] = false;
            if (k == 16 && link % 17 != 0)
            {
                continue; // not all of many
            }
            const std::size_t expected[] = {1, edges + 1, edges + k + 1};
            EXPECT_EQ(whole.FindChanges(WecmpTable(graph, alive)).size(),
                      expected[graph.Links()[link].tier])
                << graph.LinkName(link);
        }
        EXPECT_TRUE(whole.FindChanges(whole).empty());
    }
}

/// Another link of the same pod is dead: the waypoints are the same, and their weights are not.
TEST(WecmpTable, SwitchesThatChangeTheirWeightsOnly)
{
    const FabricGraph graph = MakeFatTree({8, 1, {}});
    const WecmpTable before(graph, Without(graph, {"pod0-agg-1:4--core-4:0"}));
    const WecmpTable after(graph, Without(graph, {"pod0-agg-1:5--core-5:0"}));
    const std::vector<uint32_t> changes = before.FindChanges(after);
    const std::size_t aggregations = 8, cores = 2; // the edges have the same weights as before
    EXPECT_EQ(changes.size(), aggregations + cores);
    EXPECT_EQ(after.FindChanges(before), changes);
}

/// The table is made for as many links as the fabric has.
TEST(WecmpTable, RefusesOtherLinks)
{
    EXPECT_THROW(WecmpTable(MakeFatTree({4, 1, {}}), std::vector<bool>(3, true)),
                 std::invalid_argument);
}

/// A few leaves and hosts stand for all: those that FindSeparated() names are the first.
TEST(WayCounter, FindsTheFirstThatAreSeparated)
{
    std::mt19937 random(8);
    uint32_t connected = 0;
    for (uint32_t sample = 0; sample < 300; ++sample)
    {
        const FabricGraph graph = RandomFabric(random);
        auto alive = RandomLinks(graph, 0.01 * (sample % 20), random);
        for (uint32_t link = 0; link < alive.size() && sample % 2 == 1; ++link)
        {
            const bool dies = graph.Links()[link].a.isHost && random() % 8 == 0;
            alive[link] = alive[link] && !dies;
        }
        WayCounter counter(graph, alive);
        std::optional<HostPair> first;
        for (uint32_t to = 0; to < graph.HostCount() && !first; ++to)
        {
            for (uint32_t from = 0; from < graph.HostCount() && !first; ++from)
            {
                bool hasWay = from == to;
                for (uint16_t plane = 0; plane < graph.Planes(); ++plane)
                {
                    counter.CountTo(graph.LeafOf(to, plane));
                    hasWay |= alive[graph.LinkAt({true, from, plane})] &&
                              alive[graph.LinkAt({true, to, plane})] &&
                              counter.GetWays(graph.LeafOf(from, plane)) > 0;
                }
                first = hasWay ? first : HostPair(from, to);
            }
        }
        EXPECT_EQ(FindSeparated(graph, alive, {}), first);
        connected += !first;
    }
    EXPECT_GT(connected, 20U);
    EXPECT_LT(connected, 280U);
}

/// Time and memory are linear in the number of leaves, not in the pairs of them.
TEST(WayCounter, ManyLeavesTakeAMoment)
{
    const auto begin = std::chrono::steady_clock::now();
    const FabricGraph graph = MakeLeafSpine({30000, 2, 1});
    std::vector<bool> alive(graph.Links().size(), true);
    alive[graph.LinkAt({false, 7, 1})] = false;
    EXPECT_TRUE(IsConnected(graph, alive));
    EXPECT_FALSE(FindSeparated(graph, alive, {}));
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(seconds.count(), 3);
}

/// The number of ways is that of the paths that there are, and hosts are connected if it is not 0.
TEST(WayCounter, CountsPaths)
{
    std::mt19937 random(4);
    uint32_t connected = 0;
    for (uint32_t sample = 0; sample < 200; ++sample)
    {
        const FabricGraph graph = RandomFabric(random);
        const auto alive = RandomLinks(graph, 0.01 * (sample % 20), random);
        WayCounter counter(graph, alive);
        bool all = true;
        for (uint16_t plane = 0; plane < graph.Planes(); ++plane)
        {
            for (const uint32_t leaf : LeavesOf(graph, plane))
            {
                counter.CountTo(leaf);
                for (const uint32_t source : LeavesOf(graph, plane))
                {
                    uint64_t paths = 0;
                    Path path;
                    ForEachPath(graph, alive, source, leaf, path, [&](const Path&) { ++paths; });
                    EXPECT_EQ(counter.GetWays(source), paths);
                    all &= paths > 0;
                }
            }
        }
        EXPECT_EQ(IsConnected(graph, alive), all);
        connected += all;
    }
    EXPECT_GT(connected, 20U);
    EXPECT_LT(connected, 180U);
}

/// A host whose link is dead is not connected.
TEST(WayCounter, HostLink)
{
    const FabricGraph graph = MakeFatTree({4, 1, {}});
    EXPECT_FALSE(IsConnected(graph, Without(graph, {"host-3:0--pod0-edge-1:1"})));
    EXPECT_TRUE(IsConnected(graph, Without(graph, {})));
}

/// Links between switches fail as often as they should; hosts stay connected.
TEST(FailureDraw, Rate)
{
    const FabricGraph graph = MakeFatTree({8, 1, {}});
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform;
    constexpr uint32_t SETS = 400;
    std::size_t failed = 0;
    for (uint32_t i = 0; i < SETS; ++i)
    {
        const auto links = DrawFailures(graph, 0.01, [&] { return uniform(random); });
        ASSERT_TRUE(links);
        std::vector<bool> alive(graph.Links().size(), true);
        for (const uint32_t link : *links)
        {
            EXPECT_FALSE(graph.Links()[link].a.isHost);
            alive[link] = false;
        }
        EXPECT_TRUE(IsConnected(graph, alive));
        failed += links->size();
    }
    EXPECT_NEAR(static_cast<double>(failed) / SETS, 2.56, 0.25) << "of 256 links";
}

/// The borders: no failures, and failures without hope.
TEST(FailureDraw, Borders)
{
    const FabricGraph graph = MakeFatTree({4, 1, {}});
    std::mt19937 random(6);
    std::uniform_real_distribution<double> uniform;
    auto draw = [&] { return uniform(random); };
    EXPECT_TRUE(DrawFailures(graph, 0, draw)->empty());
    EXPECT_FALSE(DrawFailures(graph, 1, draw));
    EXPECT_FALSE(DrawFailures(graph, 0.9, draw));
    EXPECT_TRUE(DrawFailures(graph, 0, [] { return 0.0; })->empty()) << "the least that is drawn";
    const FabricGraph oneLeaf = MakeLeafSpine({1, 1, 5});
    EXPECT_EQ(DrawFailures(oneLeaf, 1, draw)->size(), 1U) << "nobody needs that link";
}
