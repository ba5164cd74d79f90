/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/packet-timers.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <vector>

using namespace ns3::aifabric;

namespace
{

using Ports = std::vector<uint16_t>; //!< UDP source ports

} // namespace

TEST(PacketTimers, ExpireInTheOrderOfTransmissions)
{
    PacketTimers timers(100);
    EXPECT_EQ(timers.GetNextExpiry(), PacketTimers::NEVER);
    timers.Start(20, 7); // with several ports a later start may come first
    timers.Start(10, 9);
    timers.Start(30, 8);
    EXPECT_EQ(timers.GetNextExpiry(), 110);
    EXPECT_EQ(timers.Expire(109), Ports{});
    EXPECT_EQ(timers.Expire(120), (Ports{9, 7}));
    EXPECT_EQ(timers.GetNextExpiry(), 130);
    EXPECT_EQ(timers.GetExpirations(), 2);
}

TEST(PacketTimers, AnAcknowledgementStopsItsTransmissionOnly)
{
    PacketTimers timers(100);
    timers.Start(10, 9);
    timers.Start(10, 7); // by another port of the NIC
    timers.Start(20, 9); // the same path again
    timers.Stop(10, 9);
    EXPECT_EQ(timers.Expire(200), (Ports{7, 9}));
    timers.Stop(20, 9); // late
    EXPECT_EQ(timers.GetNextExpiry(), PacketTimers::NEVER);
}

TEST(PacketTimers, StopAllKeepsTheCount)
{
    PacketTimers timers(5);
    timers.Start(0, 1);
    EXPECT_EQ(timers.Expire(5), Ports{1});
    timers.Start(6, 1);
    timers.StopAll();
    EXPECT_EQ(timers.Expire(100), Ports{});
    EXPECT_EQ(timers.GetExpirations(), 1);
}
