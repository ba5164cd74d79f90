/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/fluid-pairs.h"

namespace
{

/// @return a message from host 0 to another one
Flow
FlowTo(uint32_t destination)
{
    Flow flow;
    flow.source = 0;
    flow.destination = destination;
    return flow;
}

} // namespace

/// The messages of a queue pair follow one another; those to another host do not wait for them.
TEST(FluidPairs, MessagesFollowOneAnother)
{
    const FabricGraph graph = MakeFatTree({4, 1, {}});
    FluidPairs pairs(graph);
    const auto [first, isNew] = pairs.Find(FlowTo(1));
    EXPECT_TRUE(isNew);
    EXPECT_FALSE(pairs.Find(FlowTo(1)).second);
    const uint32_t second = pairs.Find(FlowTo(15)).first;
    EXPECT_NE(second, first);
    EXPECT_EQ(pairs.GetAll()[first].links, 2U);
    EXPECT_EQ(pairs.GetAll()[second].links, 6U);
    EXPECT_TRUE(pairs.Add(10, first));
    EXPECT_FALSE(pairs.Add(11, first));
    EXPECT_FALSE(pairs.Add(12, first));
    EXPECT_TRUE(pairs.Add(13, second));
    EXPECT_EQ(&pairs.GetPair(12), &pairs.GetAll()[first]);
    EXPECT_EQ(pairs.RemoveFirst(first), 11U);
    EXPECT_EQ(pairs.RemoveFirst(first), 12U);
    EXPECT_EQ(pairs.RemoveFirst(first), UINT32_MAX);
    EXPECT_TRUE(pairs.Add(14, first));
    EXPECT_EQ(pairs.RemoveFirst(second), UINT32_MAX);
}
