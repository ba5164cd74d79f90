/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/swift-window.h"

namespace
{

/// @return parameters in nanoseconds, without flow scaling: a target of 10 us
SwiftWindow::Parameters
Plain()
{
    SwiftWindow::Parameters parameters;
    parameters.baseTarget = 4000;
    parameters.hopTarget = 1000;
    parameters.hops = 6;
    return parameters;
}

/// @return the same with flow scaling
SwiftWindow::Parameters
Scaled()
{
    SwiftWindow::Parameters parameters = Plain();
    parameters.scalingRange = 20000;
    return parameters;
}

} // namespace

TEST(SwiftWindow, GrowsByTheIncreaseEachRoundTrip)
{
    SwiftWindow swift(Plain(), 50);
    for (int round = 1; round <= 10; ++round)
    {
        const int packets = static_cast<int>(swift.GetWindow());
        for (int i = 0; i < packets; ++i)
        {
            swift.Acked(1, 9999, round * 10000 + i);
        }
        EXPECT_NEAR(swift.GetWindow(), 50 + round, 0.1 * round);
    }
}

TEST(SwiftWindow, GrowsByTheIncreaseEachPacketBelowOne)
{
    SwiftWindow swift(Plain(), 0.25);
    swift.Acked(0.5, 5000, 0);
    EXPECT_DOUBLE_EQ(swift.GetWindow(), 0.75);
}

TEST(SwiftWindow, ShrinksByTheExcess)
{
    SwiftWindow swift(Plain(), 100);
    swift.Acked(1, 12500, 0); // a fifth of the delay is above target
    EXPECT_NEAR(swift.GetWindow(), 100 * (1 - 0.8 * 0.2), 1e-9);
}

TEST(SwiftWindow, ShrinksByTheMostDecreaseAtMost)
{
    SwiftWindow swift(Plain(), 100);
    swift.Acked(1, 1000000, 0);
    EXPECT_NEAR(swift.GetWindow(), 50, 1e-9);
}

TEST(SwiftWindow, ShrinksOnceADelay)
{
    SwiftWindow swift(Plain(), 100);
    for (int64_t now = 0; now < 40000; now += 10)
    {
        swift.Acked(1, 20000, now); // half of the delay is above target
    }
    EXPECT_NEAR(swift.GetWindow(), 100 * 0.6 * 0.6, 1e-9); // at 0 and 20000
}

TEST(SwiftWindow, KeepsAtTarget)
{
    SwiftWindow swift(Plain(), 100);
    swift.Acked(1, 10000, 0);
    EXPECT_DOUBLE_EQ(swift.GetWindow(), 100);
}

TEST(SwiftWindow, LossTakesTheMostDecreaseOnceADelay)
{
    SwiftWindow swift(Plain(), 64);
    swift.Acked(1, 5000, 0);
    const double before = swift.GetWindow();
    swift.Lost(1000);
    swift.Lost(1001);
    swift.Lost(5999);
    EXPECT_NEAR(swift.GetWindow(), before / 2, 1e-9);
    swift.Lost(6000);
    EXPECT_NEAR(swift.GetWindow(), before / 4, 1e-9);
}

TEST(SwiftWindow, LossesBeforeTheFirstDelayTakeOneDecrease)
{
    SwiftWindow swift(Plain(), 64);
    for (int64_t now = 0; now < 10000; now += 100) // the target is taken for the delay
    {
        swift.Lost(now);
    }
    EXPECT_NEAR(swift.GetWindow(), 32, 1e-9);
}

TEST(SwiftWindow, TimeoutsInARowReset)
{
    SwiftWindow::Parameters parameters = Plain();
    parameters.leastWindow = 0.01;
    SwiftWindow swift(parameters, 64);
    for (int i = 0; i < 4; ++i)
    {
        swift.TimedOut(i * 100000);
    }
    EXPECT_NEAR(swift.GetWindow(), 4, 1e-9);
    swift.TimedOut(400000);
    EXPECT_DOUBLE_EQ(swift.GetWindow(), 0.01);
    swift.Acked(1, 5000, 500000);
    EXPECT_DOUBLE_EQ(swift.GetWindow(), 1.01);
    swift.TimedOut(600000);
    EXPECT_NEAR(swift.GetWindow(), 1.01 / 2, 1e-9) << "an acknowledgement ends the row";
    for (int i = 7; i < 11; ++i)
    {
        i == 10 ? swift.Lost(i * 100000) : swift.TimedOut(i * 100000);
    }
    swift.TimedOut(1100000);
    EXPECT_NEAR(swift.GetWindow(), 1.01 / 64, 1e-9) << "so does a loss that is found without it";
}

TEST(SwiftWindow, TargetGrowsWithHopsAndAsTheWindowShrinks)
{
    const SwiftWindow swift(Scaled(), 10);
    EXPECT_DOUBLE_EQ(swift.GetTarget(100), 10000);
    EXPECT_DOUBLE_EQ(swift.GetTarget(1000), 10000);
    EXPECT_NEAR(swift.GetTarget(0.1), 30000, 1e-6);
    EXPECT_NEAR(swift.GetTarget(0.01), 30000, 1e-6);
    double last = swift.GetTarget(0.1);
    for (double window = 0.2; window < 100; window *= 1.1)
    {
        const double target = swift.GetTarget(window);
        const double scaling = 20000 * (1 / std::sqrt(window) - 0.1) / (std::sqrt(10.0) - 0.1);
        EXPECT_LT(target, last) << window;
        EXPECT_NEAR(target, 10000 + scaling, 1e-6) << window;
        last = target;
    }
}

TEST(SwiftWindow, StaysInItsBounds)
{
    for (uint32_t seed = 1; seed <= 50; ++seed)
    {
        std::mt19937 random(seed);
        SwiftWindow::Parameters parameters = Scaled();
        parameters.leastWindow = 0.05;
        parameters.mostWindow = 80;
        SwiftWindow swift(parameters, 1000);
        EXPECT_DOUBLE_EQ(swift.GetWindow(), 80);
        int64_t now = 0;
        for (int i = 0; i < 3000; ++i)
        {
            now += random() % 5000;
            const double before = swift.GetWindow();
            const double target = swift.GetTarget(before);
            const auto delay = static_cast<int64_t>(6000 + random() % 40000);
            switch (random() % 50)
            {
            case 0:
                swift.Lost(now);
                EXPECT_LE(swift.GetWindow(), before);
                break;
            case 1:
                swift.TimedOut(now);
                EXPECT_LE(swift.GetWindow(), before);
                break;
            default:
                swift.Acked(1, delay, now);
                EXPECT_EQ(swift.GetWindow() > before,
                          static_cast<double>(delay) < target && before < 80);
            }
            ASSERT_GE(swift.GetWindow(), 0.05);
            ASSERT_LE(swift.GetWindow(), 80);
        }
    }
}

TEST(SwiftWindow, FlowsOnOneLinkConverge)
{
    // rounds of one delay; the queue of the link is what exceeds its bandwidth-delay product
    constexpr double PACKETS = 30; // bandwidth-delay product: windows for which flows scale
    constexpr double ROUND_TRIP = 6000;
    SwiftWindow first(Scaled(), 60);
    SwiftWindow second(Scaled(), 5);
    int64_t now = 0;
    for (int round = 0; round < 3000; ++round)
    {
        const double sum = first.GetWindow() + second.GetWindow();
        const double delay = ROUND_TRIP * std::max(1.0, sum / PACKETS);
        now += static_cast<int64_t>(delay) + 1;
        first.Acked(std::max(1.0, first.GetWindow()), static_cast<int64_t>(delay), now);
        second.Acked(std::max(1.0, second.GetWindow()), static_cast<int64_t>(delay), now);
    }
    const double ratio = first.GetWindow() / second.GetWindow();
    EXPECT_GT(ratio, 0.8);
    EXPECT_LT(ratio, 1.25);
    EXPECT_GT(first.GetWindow() + second.GetWindow(), PACKETS);
}

TEST(SwiftWindow, TheTargetFollowsTheHopsOfThePath)
{
    SwiftWindow swift(Plain(), 100);
    EXPECT_EQ(swift.GetTarget(100), 10000);
    swift.SetHops(2);
    EXPECT_EQ(swift.GetTarget(100), 6000);
    swift.Acked(1, 7500, 0); // a fifth of the delay is above target
    EXPECT_DOUBLE_EQ(swift.GetWindow(), 84);
}

TEST(SwiftWindow, ShrinksOnceARoundTripThatIsLongerThanTheDelay)
{
    SwiftWindow swift(Plain(), 100);
    swift.Acked(1, 20000, 50000, 0);
    EXPECT_DOUBLE_EQ(swift.GetWindow(), 60);
    swift.Acked(1, 20000, 50000, 49999);
    EXPECT_DOUBLE_EQ(swift.GetWindow(), 60);
    EXPECT_EQ(swift.GetRoundTrip(), 50000);
    swift.Acked(1, 20000, 50000, 50000);
    EXPECT_DOUBLE_EQ(swift.GetWindow(), 36);
}
