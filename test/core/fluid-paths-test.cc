/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/fluid-paths.h"

#include <vector>

namespace
{

/// @return the weights of links of a rate that a message loads, summed up
double
SumOf(const FluidPaths& paths, const std::vector<LinkShare>& shares, double rate)
{
    double sum = 0;
    for (const LinkShare& share : shares)
    {
        sum += paths.GetRates()[share.link] == rate ? share.weight : 0;
    }
    return sum;
}

} // namespace

/// A fat-tree of 4 ports whose ways up are too narrow: a leaf has 2 uplinks, a pod 4.
TEST(FluidPaths, AMessageLoadsTheWaysUpAndDown)
{
    const FabricGraph graph = MakeFatTree({4, 1, {}});
    const FluidPaths paths(graph, 10, 9);
    const std::vector<LinkShare> near = paths.GetShares(0, 1, 0);
    EXPECT_EQ(near.size(), 2U);
    EXPECT_DOUBLE_EQ(SumOf(paths, near, 10), 2);
    const std::vector<LinkShare> pod = paths.GetShares(0, 2, 0);
    EXPECT_EQ(pod.size(), 4U);
    EXPECT_DOUBLE_EQ(SumOf(paths, pod, 18), 2);
    const std::vector<LinkShare> far = paths.GetShares(0, 4, 0.5);
    EXPECT_EQ(far.size(), 12U);
    EXPECT_DOUBLE_EQ(SumOf(paths, far, 36), 3);
    EXPECT_EQ(std::count_if(far.begin(), far.end(), [](auto& share) { return share.isFirst; }), 6);
}

/// Ways up from leaves and pods carry no more than the hosts below them send.
TEST(FluidPaths, OnlyLinksOfHostsCanBeFullWhereWaysUpAreWide)
{
    const FabricGraph graph = MakeFatTree({4, 1, {}});
    const FluidPaths paths(graph, 10, 10);
    const std::vector<LinkShare> far = paths.GetShares(0, 4, 0.5);
    EXPECT_EQ(far.size(), 4U);
    EXPECT_DOUBLE_EQ(SumOf(paths, far, 10), 3);
}

TEST(FluidPaths, WaysUpMayBeTooNarrow)
{
    const FabricGraph tree = MakeFatTree({4, 1, {}});
    const FabricGraph narrow = MakeLeafSpine({4, 2, 4, 1, 1});
    EXPECT_TRUE(FluidPaths(tree, 1, 1).IsNonBlocking());
    EXPECT_FALSE(FluidPaths(tree, 2, 1).IsNonBlocking());
    EXPECT_FALSE(FluidPaths(narrow, 1, 1).IsNonBlocking());
    EXPECT_TRUE(FluidPaths(narrow, 1, 2).IsNonBlocking());
    // 16 times 0.05 is less than the sum of 16 such numbers, by rounding.
    EXPECT_TRUE(FluidPaths(MakeLeafSpine({2, 16, 16}), 0.05, 0.05).IsNonBlocking());
}
