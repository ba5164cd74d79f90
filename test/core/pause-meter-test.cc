/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/pause-meter.h"

using ns3::aifabric::PauseMeter;

TEST(PauseMeter, APauseEndsWithAResume)
{
    PauseMeter meter;
    meter.Receive(100, 50);
    EXPECT_TRUE(meter.IsPaused(149));
    EXPECT_EQ(meter.GetPausedTime(120), 20);
    meter.Receive(130, 0);
    EXPECT_FALSE(meter.IsPaused(130));
    EXPECT_EQ(meter.GetPausedTime(1000), 30);
    EXPECT_EQ(meter.GetFrames(), 2U);
    EXPECT_EQ(meter.GetPauses(), 1U);
}

TEST(PauseMeter, APauseEndsWhenItsQuantaAreOver)
{
    PauseMeter meter;
    meter.Receive(100, 50);
    EXPECT_FALSE(meter.IsPaused(150));
    EXPECT_EQ(meter.GetPausedTime(1000), 50);
    meter.Receive(1000, 0);
    EXPECT_EQ(meter.GetPausedTime(2000), 50);
    EXPECT_EQ(meter.GetPauses(), 1U);
}

TEST(PauseMeter, ARefreshContinuesAPause)
{
    PauseMeter meter;
    for (int64_t now = 0; now < 200; now += 20)
    {
        meter.Receive(now, 40);
        EXPECT_EQ(meter.GetLength(now + 10), now + 10);
    }
    EXPECT_EQ(meter.GetPauses(), 1U);
    EXPECT_EQ(meter.GetLongest(500), 220);
    meter.Receive(300, 10);
    EXPECT_EQ(meter.GetPauses(), 2U);
    EXPECT_EQ(meter.GetLength(305), 5);
    EXPECT_EQ(meter.GetLongest(500), 220);
    EXPECT_EQ(meter.GetPausedTime(500), 230);
}

TEST(PauseMeter, AShorterRefreshEndsAPauseEarlier)
{
    PauseMeter meter;
    meter.Receive(0, 1000);
    meter.Receive(10, 5);
    EXPECT_EQ(meter.GetPausedTime(2000), 15);
}

TEST(PauseMeter, AgreesWithAClockThatLooksAtEachTick)
{
    std::mt19937 random(1);
    for (int i = 0; i < 200; ++i)
    {
        PauseMeter meter;
        int64_t until = 0;
        int64_t paused = 0;
        int64_t length = 0;
        int64_t longest = 0;
        uint64_t pauses = 0;
        for (int64_t now = 0; now < 300; ++now)
        {
            if (random() % 10 == 0)
            {
                const int64_t duration = random() % 3 == 0 ? 0 : random() % 40;
                pauses += until <= now && duration > 0;
                length = until <= now ? 0 : length;
                until = duration > 0 ? now + duration : std::min(until, now);
                meter.Receive(now, duration);
            }
            ASSERT_EQ(meter.GetPausedTime(now), paused) << "at " << now;
            ASSERT_EQ(meter.GetLongest(now), longest) << "at " << now;
            ASSERT_EQ(meter.IsPaused(now), until > now) << "at " << now;
            paused += until > now;
            length += until > now;
            longest = std::max(longest, length);
        }
        EXPECT_EQ(meter.GetPauses(), pauses);
    }
}
