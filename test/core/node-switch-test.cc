/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/flow.h"
#include "ns3/node-switch.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

using namespace ns3::aifabric;

namespace
{

/// @return a leg that takes 10 ps up and 20 ps down
NodeSwitch::Leg
Leg(uint32_t message, uint32_t sender, uint32_t receiver)
{
    return {message, sender, receiver, 10, 20, 0, message};
}

} // namespace

/// Each GPU sends, and receives, one leg after the other, and both at a time.
TEST(NodeSwitch, GpusSendAndReceiveInTurn)
{
    NodeSwitch adder(3);
    adder.Post(Leg(0, 0, 2));
    adder.Post(Leg(1, 0, 1));
    adder.Post(Leg(2, 1, 2));
    const auto up = adder.SendUp(100);
    ASSERT_EQ(up.size(), 3U);
    EXPECT_EQ(up[0].ps, 110);
    EXPECT_EQ(up[1].ps, 120);
    EXPECT_EQ(up[2].ps, 110);
    EXPECT_TRUE(adder.SendUp(100).empty());
    adder.Rise(up[0].leg);
    adder.Rise(up[2].leg);
    const auto down = adder.SendDown(110);
    ASSERT_EQ(down.size(), 2U);
    EXPECT_EQ(down[0].ps, 130);
    EXPECT_EQ(down[1].ps, 150);
    adder.Rise(up[1].leg);
    EXPECT_EQ(adder.SendDown(120).front().ps, 140);
}

/// What is posted at one time goes in an order of its own.
TEST(NodeSwitch, TheOrderOfPostingDoesNotMatter)
{
    std::mt19937 random(1);
    std::vector<uint32_t> order{0, 1, 2, 3, 4, 5};
    for (int run = 0; run < 20; ++run)
    {
        NodeSwitch adder(4);
        std::shuffle(order.begin(), order.end(), random);
        for (const uint32_t message : order)
        {
            adder.Post(Leg(message, message % 4, (message + 1) % 4));
        }
        uint32_t next = 0;
        for (const auto& passage : adder.SendUp(0))
        {
            EXPECT_EQ(passage.leg.message, next++);
        }
    }
}

/// A sum of n GPUs is n - 1 messages, of which each GPU sends it once, and one gets it once.
TEST(NodeSwitch, SharesOfASumAndOfACopy)
{
    Flow flow;
    flow.bytes = 700;
    EXPECT_EQ(flow.GetUpBytes(), 700);
    EXPECT_EQ(flow.GetDownBytes(), 700);
    flow.switched = 8;
    flow.isSum = true;
    EXPECT_EQ(8 * 7 * flow.GetUpBytes(), 8 * 8 * 700);
    EXPECT_EQ(7 * flow.GetDownBytes(), 700);
    flow.isSum = false;
    EXPECT_EQ(7 * flow.GetUpBytes(), 700);
    EXPECT_EQ(flow.GetDownBytes(), 800);
}
