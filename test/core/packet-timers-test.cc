/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/packet-timers.h"

namespace
{

using Ports = std::vector<uint32_t>; //!< UDP source ports

} // namespace

TEST(PacketTimers, ExpireInTheOrderOfTransmissions)
{
    PacketTimers timers(100);
    EXPECT_EQ(timers.GetNextExpiry(), PacketTimers::NEVER);
    timers.Start(20, 7, 1); // with several ports a later start may come first
    timers.Start(10, 9, 0);
    timers.Start(30, 8, 2);
    EXPECT_EQ(timers.GetNextExpiry(), 110);
    EXPECT_EQ(timers.Expire(109), Ports{});
    EXPECT_EQ(timers.Expire(120), (Ports{9, 7}));
    EXPECT_EQ(timers.GetNextExpiry(), 130);
    EXPECT_EQ(timers.GetExpirations(), 2);
}

TEST(PacketTimers, AnAcknowledgementStopsItsTransmissionOnly)
{
    PacketTimers timers(100);
    timers.Start(10, 9, 0);
    timers.Start(10, 7, 1); // by another port of the NIC
    timers.Start(20, 9, 2); // the same path again
    timers.Stop(10, 9, 0);
    EXPECT_EQ(timers.Expire(200), (Ports{7, 9}));
    timers.Stop(20, 9, 2); // late
    EXPECT_EQ(timers.GetNextExpiry(), PacketTimers::NEVER);
}

TEST(PacketTimers, TransmissionsOfOneTimeHaveOneEach)
{
    PacketTimers timers(100);
    for (uint64_t number = 0; number < 3; ++number)
    {
        timers.Start(10, 9, number);
    }
    timers.Stop(10, 9, 1);
    EXPECT_EQ(timers.Expire(110), (Ports{9, 9}));
}

TEST(PacketTimers, ACumulativeAcknowledgementStopsAllThatItCovers)
{
    PacketTimers timers(100);
    timers.Start(10, 1, 0);
    timers.Start(20, 2, 1);
    timers.Start(30, 3, 4);
    timers.Start(40, 4, 2);
    timers.Start(50, 5, 0); // again
    timers.Start(60, 6, 3);
    timers.Acknowledge(3);
    EXPECT_EQ(timers.GetNextExpiry(), 130);
    EXPECT_EQ(timers.Expire(1000), (Ports{3, 6}));
    EXPECT_EQ(timers.GetExpirations(), 2);
}

TEST(PacketTimers, StopAllKeepsTheCount)
{
    PacketTimers timers(5);
    timers.Start(0, 1, 0);
    EXPECT_EQ(timers.Expire(5), Ports{1});
    timers.Start(6, 1, 1);
    timers.StopAll();
    EXPECT_EQ(timers.Expire(100), Ports{});
    EXPECT_EQ(timers.GetExpirations(), 1);
}
