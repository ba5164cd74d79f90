/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/fabric-assembly.h"

TEST(FabricAssembly, PortsDownPrecedeUplinks)
{
    FabricAssembly assembly(2, 5);
    assembly.AddSwitch({0, 0, 0, 0, 0, {}}, 0, 1, 3, 1, 2);
    EXPECT_EQ(assembly.NextSwitch(), 1U);
    assembly.AddSwitch({1, 0, FabricSwitchSpec::NO_POD, 0, 0, {}}, 0, 3, 1, 2, 0);
    assembly.AttachHosts(0, 0, 3, 0);
    assembly.Join(0, 3, 1, 0);
    assembly.Join(0, 4, 1, 1);
    const FabricGraph graph = assembly.Finish(3, 1);
    const FabricSwitchSpec& leaf = graph.Switches()[0];
    EXPECT_EQ(leaf.portCount, 5);
    EXPECT_EQ(leaf.forwarding.up.first, 3);
    EXPECT_EQ(leaf.forwarding.up.count, 2);
    EXPECT_EQ(leaf.forwarding.hostCount, 3U);
    EXPECT_EQ(leaf.forwarding.GroupFor(1).first, 1) << "the second host";
    EXPECT_EQ(graph.Switches()[1].forwarding.down[0].count, 2) << "a bundle";
    EXPECT_EQ(graph.Switches()[1].forwarding.up.count, 0);
    EXPECT_EQ(graph.Links()[2].a.id, 2U);
    EXPECT_EQ(graph.Links()[2].tier, 0);
    EXPECT_EQ(graph.Links()[4].b.port, 1);
    EXPECT_EQ(graph.Links()[4].tier, 1);
}
