/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/serializer.h"

namespace
{

/// 800 Gb/s: 10 ps a byte, with a gap of 20 bytes
Serializer
MakeSerializer()
{
    Serializer serializer;
    serializer.SetTiming(10 << 16, 200);
    return serializer;
}

} // namespace

TEST(Serializer, TheNextFrameStartsAfterTheGap)
{
    Serializer serializer = MakeSerializer();
    EXPECT_EQ(serializer.Send(4158, 1000), 1000 + 41580);
    EXPECT_EQ(serializer.GetFreeAt(), 1000 + 41580 + 200);
    EXPECT_EQ(serializer.Send(64, serializer.GetFreeAt()), 42780 + 640);
    EXPECT_EQ(serializer.GetBusyTime(), 41580 + 640 + 2 * 200);
    EXPECT_EQ(serializer.GetSentFrames(), 2U);
    EXPECT_EQ(serializer.GetSentBytes(), 4222U);
}

TEST(Serializer, AFrameInTransmissionCountsWholeUntilTheGapIsOver)
{
    Serializer serializer = MakeSerializer();
    serializer.Send(100, 0);
    EXPECT_EQ(serializer.GetBytesAt(1199), 100U);
    EXPECT_EQ(serializer.GetBusyAfter(1199), 1);
    EXPECT_EQ(serializer.GetBytesAt(1200), 0U);
    EXPECT_EQ(serializer.GetBusyAfter(5000), 0);
}

TEST(Serializer, AnIdleWireStartsLaterWithoutBeingBusy)
{
    Serializer serializer = MakeSerializer();
    serializer.SkipTo(7000);
    EXPECT_EQ(serializer.Send(100, serializer.GetFreeAt()), 8000);
    EXPECT_EQ(serializer.GetBusyTime(), 1200);
}

TEST(Serializer, TimesAreRoundedToPicoseconds)
{
    Serializer serializer;
    serializer.SetTiming((3 << 16) / 2, 0); // 1.5 ps a byte
    EXPECT_EQ(serializer.GetTransmissionTime(2), 3);
    EXPECT_EQ(serializer.GetTransmissionTime(3), 5);
}
