/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/read-slots.h"

#include <gtest/gtest.h>

using namespace ns3::aifabric;

/// Of each connection at most so many reads are asked for, the oldest first.
TEST(ReadSlots, LimitsEachConnection)
{
    ReadSlots slots(2);
    EXPECT_TRUE(slots.Take(7, 0) && slots.Take(7, 1));
    EXPECT_FALSE(slots.Take(7, 2) || slots.Take(7, 3));
    EXPECT_TRUE(slots.Take(8, 4));
    EXPECT_EQ(slots.Release(7), 2U);
    EXPECT_EQ(slots.Release(7), 3U);
    EXPECT_EQ(slots.Release(7), std::nullopt);
    EXPECT_TRUE(slots.Take(7, 5));
    EXPECT_FALSE(slots.Take(7, 6));
}
