/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sample-fabrics.h"

#include "ns3/path-view.h"
#include "ns3/way-counter.h"

namespace
{

/// @return numbers from 0 on
std::vector<uint16_t>
Range(uint32_t count)
{
    std::vector<uint16_t> range(count);
    std::iota(range.begin(), range.end(), 0);
    return range;
}

/// Follow a label as switches do: its digits on the way up, any live link of a bundle down.
/// @return whether the destination is reached over live links in as many links as there are on a
/// shortest path
bool
Arrives(const FabricGraph& graph,
        const PathView& view,
        uint32_t source,
        uint16_t plane,
        uint32_t destination,
        uint16_t label)
{
    const uint32_t digits[] = {uint32_t{label} % std::max<uint32_t>(graph.LeafUplinks(), 1),
                               uint32_t{label} / std::max<uint32_t>(graph.LeafUplinks(), 1)};
    FabricEnd from{true, source, plane};
    for (uint32_t links = 1; view.IsLinkAlive(graph.LinkAt(from)); ++links)
    {
        const auto at = graph.PeerOf(from);
        if (at.isHost)
        {
            return at.id == destination && links == graph.PathLinks(source, destination);
        }
        const auto& spec = graph.Switches()[at.id];
        const auto& rule = spec.forwarding;
        const auto& group = rule.GroupFor(destination);
        if (!rule.IsBelow(destination))
        {
            if (digits[spec.tier] >= group.count)
            {
                return false;
            }
            from = {false, at.id, static_cast<uint16_t>(group.first + digits[spec.tier])};
            continue;
        }
        from = {false, at.id, group.first};
        while (from.port < group.first + group.count - 1 && !view.IsLinkAlive(graph.LinkAt(from)))
        {
            ++from.port;
        }
    }
    return false;
}

} // namespace

/// Without failures there are h * h paths between pods, h within one, and one under an edge.
TEST(PathView, CountsOfAFatTree)
{
    for (const uint32_t k : {2U, 4U, 8U, 16U})
    {
        const auto graph = MakeFatTree({k, 1, {}});
        const PathView view(graph);
        const uint32_t h = k / 2;
        EXPECT_EQ(graph.LeafUplinks(), h);
        EXPECT_EQ(view.UsablePaths(0, graph.HostCount() - 1), Range(h * h));
        if (h > 1)
        {
            EXPECT_EQ(view.UsablePaths(0, h), Range(h));
            EXPECT_EQ(view.UsablePaths(0, 1), Range(1));
        }
    }
}

/// Without failures there are as many paths between pods as cores, and label j * U + i leads over
/// core i * c + j.
TEST(PathView, CountsOfThreeTiers)
{
    const auto graph = MakeThreeTier({8, 4, 4, 16, 16});
    EXPECT_EQ(graph.LeafUplinks(), 4);
    EXPECT_EQ(PathView(graph).UsablePaths(0, 511), Range(16));
    EXPECT_EQ(PathView(graph).UsablePaths(0, 16), Range(4));
    EXPECT_EQ(PathView(graph).UsablePaths(0, 15), Range(1));
    const auto uneven = MakeThreeTier({3, 5, 2, 8, 4});
    EXPECT_EQ(PathView(uneven).UsablePaths(0, 59), Range(8));
    EXPECT_EQ(PathView(uneven).UsablePaths(0, 19), Range(2));
    for (uint32_t core = 0; core < 8; ++core)
    {
        PathView view(uneven);
        const uint32_t id = uneven.Switches().size() - 8 + core;
        view.SetLinkAlive(uneven.LinkAt({false, id, 0}), false);
        auto expected = Range(8);
        expected.erase(expected.begin() + core % 4 * 2 + core / 4);
        EXPECT_EQ(view.UsablePaths(0, 59), expected);
        EXPECT_EQ(view.UsablePaths(59, 0), expected);
    }
}

/// Without failures there are as many paths between leaves as a leaf has links up.
TEST(PathView, CountsOfALeafSpine)
{
    const auto plain = MakeLeafSpine({4, 6, 2});
    EXPECT_EQ(PathView(plain).UsablePaths(0, 7), Range(6));
    EXPECT_EQ(PathView(plain).UsablePaths(0, 1), Range(1));
    const auto bundles = MakeLeafSpine({4, 6, 2, 3});
    EXPECT_EQ(PathView(bundles).UsablePaths(0, 7), Range(18));
}

/// Label j * h + i is that of core (i, j): without its link to the pod it is missing.
TEST(PathView, LabelsNameCores)
{
    const auto graph = MakeFatTree({8, 1, {}});
    for (uint32_t link = 0; link < graph.Links().size(); ++link)
    {
        const auto& spec = graph.Links()[link];
        const auto& upper = graph.Switches()[spec.b.id];
        if (spec.tier != 2 || graph.Switches()[spec.a.id].pod != 0)
        {
            continue;
        }
        PathView view(graph);
        view.SetLinkAlive(link, false);
        const uint32_t i = upper.index / 4;
        const uint32_t j = upper.index % 4;
        auto expected = Range(16);
        expected.erase(expected.begin() + j * 4 + i);
        EXPECT_EQ(view.UsablePaths(0, 127), expected); // at the source's end
        EXPECT_EQ(view.UsablePaths(127, 0), expected); // at the destination's end
        EXPECT_EQ(view.UsablePaths(16, 127), Range(16));
        EXPECT_EQ(view.UsablePaths(0, 15), Range(4));
    }
}

/// A dead link between edge and aggregation takes a whole row of cores away.
TEST(PathView, EdgeLinkTakesARow)
{
    const auto graph = MakeFatTree({4, 1, {}});
    PathView view(graph);
    view.SetLinkAlive(graph.LinkAt({false, graph.LeafOf(0), 3}), false); // uplink 1
    EXPECT_EQ(view.UsablePaths(0, 15), (std::vector<uint16_t>{0, 2}));
    EXPECT_EQ(view.UsablePaths(15, 0), (std::vector<uint16_t>{0, 2}));
    EXPECT_EQ(view.UsablePaths(0, 2), (std::vector<uint16_t>{0}));
    EXPECT_EQ(view.UsablePaths(2, 15), Range(4));
}

/// Of parallel links down one is enough, and each link up is a path of its own.
TEST(PathView, ParallelLinks)
{
    const auto graph = MakeLeafSpine({2, 2, 1, 2});
    PathView view(graph);
    view.SetLinkAlive(graph.LinkAt({false, graph.LeafOf(1), 1}), false);
    EXPECT_EQ(view.UsablePaths(0, 1), Range(4));
    EXPECT_EQ(view.UsablePaths(1, 0), (std::vector<uint16_t>{1, 2, 3}));
    view.SetLinkAlive(graph.LinkAt({false, graph.LeafOf(1), 2}), false);
    EXPECT_EQ(view.UsablePaths(0, 1), (std::vector<uint16_t>{2, 3}));
}

/// Planes fail apart, and a host without a link in one has no path there.
TEST(PathView, PlanesAreApart)
{
    const auto graph = MakeLeafSpine({2, 3, 2, 1, 2});
    PathView view(graph);
    EXPECT_EQ(view.GetPlanes(), 2);
    view.SetLinkAlive(graph.LinkAt({true, 0, 1}), false);
    EXPECT_EQ(view.UsablePaths(0, 3, 0), Range(3));
    EXPECT_TRUE(view.UsablePaths(0, 3, 1).empty());
    EXPECT_TRUE(view.UsablePaths(3, 0, 1).empty());
    EXPECT_TRUE(view.UsablePaths(1, 0, 1).empty());
    EXPECT_EQ(view.UsablePaths(1, 3, 1), Range(3));
}

/// The version tells changes from what was known already.
TEST(PathView, VersionCountsChanges)
{
    const auto graph = MakeFatTree({4, 1, {}});
    PathView view(graph);
    const auto before = view.GetVersion();
    view.SetLinkAlive(20, true);
    EXPECT_EQ(view.GetVersion(), before);
    view.SetLinkAlive(20, false);
    const auto failed = view.GetVersion();
    EXPECT_NE(failed, before);
    EXPECT_FALSE(view.IsLinkAlive(20));
    view.SetLinkAlive(20, true);
    EXPECT_NE(view.GetVersion(), failed);
    EXPECT_NE(view.GetVersion(), before);
    EXPECT_EQ(view.UsablePaths(0, 15), Range(4));
}

/// Whatever has failed: over all labels there are as many paths as WayCounter counts, which is what
/// RhoMax() splits traffic over.
TEST(PathView, CountsTheWaysOfWayCounter)
{
    std::mt19937 random(2);
    uint32_t bundled = 0;
    for (const auto& [name, graph] : SampleFabrics())
    {
        for (uint32_t trial = 0; trial < 40; ++trial)
        {
            PathView view(graph);
            std::vector<bool> alive(graph.Links().size(), true);
            for (uint32_t link = 0; link < alive.size(); ++link)
            {
                alive[link] = graph.Links()[link].a.isHost || random() % 12 > 0;
                view.SetLinkAlive(link, alive[link]);
            }
            WayCounter counter(graph, alive);
            const uint32_t source = random() % graph.HostCount();
            const uint32_t destination = (source + 1) % graph.HostCount();
            for (uint16_t plane = 0; plane < graph.Planes(); ++plane)
            {
                uint64_t paths = 0;
                for (const LabelledPaths& choice : view.CountPaths(source, destination, plane))
                {
                    paths += choice.paths;
                    bundled += choice.paths > 1;
                }
                counter.CountTo(graph.LeafOf(destination, plane));
                EXPECT_EQ(paths, counter.GetWays(graph.LeafOf(source, plane))) << name;
            }
        }
    }
    EXPECT_GT(bundled, 0U);
}

/// Whatever has failed: a label is usable if and only if it leads there.
TEST(PathView, UsableIsWhatArrives)
{
    std::mt19937 random(1);
    for (const auto& [name, graph] : SampleFabrics())
    {
        uint32_t most = graph.LeafUplinks(); // of any switch
        for (const FabricSwitchSpec& spec : graph.Switches())
        {
            most = std::max<uint32_t>(most, spec.forwarding.up.count);
        }
        const uint32_t labels = graph.LeafUplinks() * most + 1;
        for (uint32_t trial = 0; trial < 40; ++trial)
        {
            PathView view(graph);
            const uint32_t chance = random() % 4; // in twelfths
            for (uint32_t link = 0; link < graph.Links().size(); ++link)
            {
                view.SetLinkAlive(link, random() % 12 >= chance);
            }
            const auto source = static_cast<uint32_t>(random() % graph.HostCount());
            const auto destination = static_cast<uint32_t>(
                (source + 1 + random() % (graph.HostCount() - 1)) % graph.HostCount());
            const bool between = graph.PathLinks(source, destination) == 6;
            const bool turns = graph.PathLinks(source, destination) == 4;
            const uint32_t all = between ? labels : turns ? graph.LeafUplinks() : 1;
            for (uint16_t plane = 0; plane < graph.Planes(); ++plane)
            {
                std::vector<uint16_t> expected;
                for (uint32_t label = 0; label < all; ++label)
                {
                    if (Arrives(graph, view, source, plane, destination, label))
                    {
                        expected.push_back(label);
                    }
                }
                EXPECT_EQ(view.UsablePaths(source, destination, plane), expected)
                    << name << ' ' << source << " -> " << destination;
            }
        }
    }
}
