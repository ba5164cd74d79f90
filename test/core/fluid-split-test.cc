/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/fluid-traffic.h"

#include <vector>

namespace
{

using Loads = std::vector<double>;

/// @return what is left of the links of a fabric, all but one of which are whole
Loads
SpeedsBut(const FabricGraph& graph, const FabricEnd& end, double speed)
{
    Loads speeds(2 * graph.Links().size(), 1);
    speeds[2 * graph.LinkAt(end)] = speed;
    speeds[2 * graph.LinkAt(end) + 1] = speed;
    return speeds;
}

} // namespace

/// A fat-tree of 4 ports: a leaf has 2 uplinks, a pod 4.
TEST(FluidSplit, EachPathCarriesTheSame)
{
    const FabricGraph graph = MakeFatTree({4, 1, {}});
    FluidSplit split(graph, {});
    EXPECT_EQ(split.Find(0, 1), (Loads{1, 1}));
    EXPECT_EQ(split.Find(0, 2), (Loads{1, 0.5, 0.5, 1}));
    EXPECT_EQ(split.Find(0, 4), (Loads{1, 0.5, 0.25, 0.25, 0.5, 1}));
    const FabricGraph planes = MakeFatTree({4, 2, {}});
    EXPECT_EQ(FluidSplit(planes, {}).Find(0, 2), (Loads{0.5, 0.25, 0.25, 0.5}));
}

/// A dead uplink leaves the other one, a slow one takes longer, with two planes the other plane
/// carries more.
TEST(FluidSplit, TheSlowestPartCounts)
{
    const FabricGraph graph = MakeFatTree({4, 1, {}});
    const FabricEnd uplink{false,
                           graph.LeafOf(0),
                           graph.Switches()[graph.LeafOf(0)].forwarding.up.first};
    FluidSplit dead(graph, SpeedsBut(graph, uplink, 0));
    EXPECT_EQ(dead.Find(0, 2), (Loads{1, 1, 1, 1}));
    EXPECT_EQ(dead.Find(0, 4), (Loads{1, 1, 0.5, 0.5, 1, 1}));
    EXPECT_EQ(dead.Find(4, 8), (Loads{1, 0.5, 0.25, 0.25, 0.5, 1}));
    FluidSplit slow(graph, SpeedsBut(graph, uplink, 0.25));
    EXPECT_EQ(slow.Find(0, 2), (Loads{1, 2, 0.5, 1}));
    const FabricGraph planes = MakeFatTree({4, 2, {}});
    FluidSplit half(planes, SpeedsBut(planes, uplink, 0));
    EXPECT_DOUBLE_EQ(half.Find(0, 2)[0], 2.0 / 3);
    EXPECT_DOUBLE_EQ(half.Find(0, 2)[1], 1.0 / 3);
    FluidSplit port(planes, SpeedsBut(planes, {true, 0, 0}, 0));
    EXPECT_EQ(port.Find(0, 1), (Loads{1, 1}));
    EXPECT_EQ(port.Find(1, 2), (Loads{0.5, 0.25, 0.25, 0.5}));
    FluidSplit cut(graph, SpeedsBut(graph, {true, 0, 0}, 0));
    EXPECT_TRUE(cut.Find(0, 1).empty());
}

/// What leaves a host crosses each stage of its paths once.
TEST(FluidTraffic, AllStagesCarryAll)
{
    const FabricGraph graph = MakeFatTree({4, 2, {}});
    const FluidSplit split(graph, {});
    FluidTraffic traffic(graph, split);
    traffic.AddSplit(0, 4, {4, 400});
    traffic.AddSplit(1, 5, {8, 800});
    const std::vector<FluidTraffic::Amount> sums = traffic.GetSums();
    double bytes = 0;
    for (const FluidTraffic::Amount& amount : sums)
    {
        bytes += amount.bytes;
    }
    EXPECT_DOUBLE_EQ(bytes, 6 * 1200);
    EXPECT_DOUBLE_EQ(sums[2 * graph.LinkAt({true, 0, 1})].bytes, 200);
    EXPECT_DOUBLE_EQ(sums[2 * graph.LinkAt({true, 5, 0}) + 1].frames, 4);
}
