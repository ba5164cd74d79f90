/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/plane-paths.h"

TEST(PlanePaths, APathIsALabelAndAPlane)
{
    const FabricGraph graph = MakeLeafSpine({2, 2, 2, 1, 2}); // two planes with two spines each
    PathView view(graph);
    EXPECT_EQ(FindPaths(view, 0, 2), (std::vector<uint16_t>{0, 1, 2, 3}));
    EXPECT_EQ(PlanesTo(view, 2), (std::vector<bool>{true, true}));
    view.SetLinkAlive(graph.LinkAt({true, 2, 1}), false);
    EXPECT_EQ(FindPaths(view, 0, 2), (std::vector<uint16_t>{0, 2})) << "both of plane 0";
    EXPECT_EQ(PlanesTo(view, 2), (std::vector<bool>{true, false}));
}

TEST(PlanePaths, PlanesTakeTurns)
{
    std::vector<uint16_t> paths{6, 4, 3, 0, 5};
    AlternatePlanes(paths, 2);
    EXPECT_EQ(paths, (std::vector<uint16_t>{6, 3, 4, 5, 0})) << "each plane in its order";
    AlternatePlanes(paths, 1);
    EXPECT_EQ(paths, (std::vector<uint16_t>{6, 3, 4, 5, 0}));
}
