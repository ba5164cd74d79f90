/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/median-window.h"

TEST(MedianWindow, OneValueIsItsMedian)
{
    MedianWindow window(1);
    for (int64_t value : {5, -3, 7, 7})
    {
        window.Add(value);
        EXPECT_EQ(window.GetMedian(), value);
    }
}

TEST(MedianWindow, OutliersDoNotMoveIt)
{
    MedianWindow window(5);
    for (int64_t value : {100, 101, 99, 100, 100})
    {
        window.Add(value);
    }
    window.Add(1000000);
    EXPECT_EQ(window.GetMedian(), 100);
    window.Add(0);
    EXPECT_EQ(window.GetMedian(), 100);
}

TEST(MedianWindow, FollowsAStepAfterHalfOfItsLength)
{
    constexpr int LENGTH = 9;
    MedianWindow window(LENGTH);
    for (int i = 0; i < LENGTH; ++i)
    {
        window.Add(10);
    }
    for (int i = 1; i <= LENGTH; ++i)
    {
        window.Add(20);
        EXPECT_EQ(window.GetMedian(), i <= LENGTH / 2 ? 10 : 20) << i;
    }
}

TEST(MedianWindow, IsTheMedianOfTheLastValues)
{
    for (uint32_t seed = 1; seed <= 40; ++seed)
    {
        std::mt19937 random(seed);
        const std::size_t size = 1 + random() % 40;
        const int64_t range = 1 + random() % 1000; // few different values: many equal ones
        MedianWindow window(size);
        std::vector<int64_t> all;
        for (int i = 0; i < 300; ++i)
        {
            all.push_back(static_cast<int64_t>(random() % range) - range / 2);
            window.Add(all.back());
            std::vector<int64_t> last(all.end() - std::min(size, all.size()), all.end());
            std::sort(last.begin(), last.end());
            ASSERT_EQ(window.GetMedian(), last[(last.size() - 1) / 2]) << "seed " << seed;
        }
    }
}
