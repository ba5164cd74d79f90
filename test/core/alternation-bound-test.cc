/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/alternation-bound.h"

TEST(AlternationBound, DataAndAcksTakeTurns)
{
    FramesByDistance sent;
    FramesByDistance received;
    sent.Add(2, 100, 0, 50);
    EXPECT_EQ(AlternationBound(sent, received, 10, 2), 0) << "nothing is received";
    received.Add(2, 100, 0, 0);
    // F = 99 * 12 + 50, E = 99 * 10
    EXPECT_EQ(AlternationBound(sent, received, 10, 2), (1238 * 10 + 990 * 2) / 12.0);
}

TEST(AlternationBound, IsTheBestOfAllDistances)
{
    FramesByDistance sent;
    FramesByDistance received;
    sent.Add(2, 100, 0, 5);
    received.Add(2, 100, 0, 5);
    sent.Add(6, 10, 0, 10'000);
    received.Add(6, 10, 0, 10'000);
    // the ten far frames: F = 9 * 12 + 10000, E = 9 * 10 + 10000
    EXPECT_EQ(AlternationBound(sent, received, 10, 2), (10'108 * 10 + 10'090 * 2) / 12.0);
}
