/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/reverse-paths.h"

namespace
{

constexpr uint32_t ALL = ~uint32_t{0}; //!< planes

/// @return how often each plane is taken
std::map<uint16_t, uint32_t>
Count(ReversePaths& paths, uint32_t packets)
{
    std::map<uint16_t, uint32_t> counts;
    for (uint32_t i = 0; i < packets; ++i)
    {
        ++counts[paths.Take(ALL).plane];
    }
    return counts;
}

} // namespace

/// Planes take turns, each with the EV of its last packet.
TEST(ReversePaths, PlanesTakeTurns)
{
    ReversePaths paths;
    EXPECT_TRUE(paths.IsEmpty(ALL));
    paths.Note(0, 10);
    paths.Note(2, 12);
    paths.Note(0, 20);
    EXPECT_TRUE(paths.IsEmpty(0b010));
    EXPECT_EQ(Count(paths, 6), (std::map<uint16_t, uint32_t>{{0, 3}, {2, 3}}));
    EXPECT_EQ(paths.Take(0b001).entropy, 20U);
    EXPECT_EQ(paths.Take(0b100).entropy, 12U);
}

/// A plane in which nothing arrives any more is left out until something does, unless it is the
/// only one that has ports.
TEST(ReversePaths, SilentPlanesAreLeftOut)
{
    ReversePaths paths;
    paths.Note(0, 10);
    paths.Note(1, 11);
    for (uint32_t i = 0; i < 2 * ReversePaths::FEW; ++i)
    {
        EXPECT_EQ(Count(paths, 4).size(), 2U) << i;
        paths.Note(1, 11);
    }
    EXPECT_EQ(Count(paths, 4), (std::map<uint16_t, uint32_t>{{1, 4}}));
    EXPECT_EQ(paths.Take(0b01).plane, 0U);
    paths.Note(0, 10);
    EXPECT_EQ(Count(paths, 4), (std::map<uint16_t, uint32_t>{{0, 2}, {1, 2}}));
}
