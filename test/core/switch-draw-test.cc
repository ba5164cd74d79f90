/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/switch-draw.h"

namespace
{

/// @return switches that were drawn
std::vector<uint32_t>
Draw(const FabricGraph& graph, double share, uint32_t seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    return DrawSwitches(graph, share, [&]() { return uniform(random); });
}

/// @return a leaf-spine fabric of 4 leaves and 2 spines  @param links from a leaf to a spine
FabricGraph
LeafSpine(int64_t links)
{
    return MakeLeafSpine({4, 2, 4, links});
}

TEST(SwitchDraw, CoresOfAFatTreeDoNotChoose)
{
    const FabricGraph graph = MakeFatTree({8, 1, {}});
    const std::vector<uint32_t> chosen = ChoosingSwitches(graph);
    EXPECT_EQ(chosen.size(), 64U); // 32 edges and 32 aggregations; 16 cores are left out
    EXPECT_TRUE(std::all_of(chosen.begin(), chosen.end(), [&graph](uint32_t id) {
        return graph.Switches()[id].tier < 2;
    }));
}

TEST(SwitchDraw, SpinesChooseAmongParallelLinks)
{
    EXPECT_EQ(ChoosingSwitches(LeafSpine(1)), (std::vector<uint32_t>{0, 1, 2, 3}));
    EXPECT_EQ(ChoosingSwitches(LeafSpine(2)), (std::vector<uint32_t>{0, 1, 2, 3, 4, 5}));
}

TEST(SwitchDraw, ASingleWayIsNoChoice)
{
    FatTreeConfig config;
    config.k = 2;
    EXPECT_TRUE(ChoosingSwitches(MakeFatTree(config)).empty());
    EXPECT_TRUE(Draw(MakeFatTree(config), 1, 1).empty());
}

TEST(SwitchDraw, TheShareIsMetAndLargerOnesContainSmallerOnes)
{
    const FabricGraph graph = MakeFatTree({12, 1, {}});
    std::vector<uint32_t> before;
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0})
    {
        const std::vector<uint32_t> drawn = Draw(graph, share, 7);
        EXPECT_EQ(drawn.size(), 144 * share);
        EXPECT_TRUE(std::is_sorted(drawn.begin(), drawn.end()));
        EXPECT_TRUE(std::includes(drawn.begin(), drawn.end(), before.begin(), before.end()));
        before = drawn;
    }
    EXPECT_EQ(before, ChoosingSwitches(graph));
    EXPECT_NE(Draw(graph, 0.5, 7), Draw(graph, 0.5, 8));
}

TEST(SwitchDraw, EachSwitchIsDrawnEquallyOften)
{
    constexpr int DRAWS = 4000;
    const FabricGraph graph = LeafSpine(2); // 6 switches that choose
    std::vector<int> counts(graph.Switches().size());
    for (int seed = 0; seed < DRAWS; ++seed)
    {
        for (const uint32_t id : Draw(graph, 0.5, seed))
        {
            ++counts[id];
        }
    }
    for (const int count : counts)
    {
        EXPECT_NEAR(count, DRAWS / 2, 160); // five standard deviations
    }
}

} // namespace
