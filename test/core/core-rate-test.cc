/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/core-rate.h"

namespace
{

/// An interval.  @param trimmed packets trimmed within the fabric
void
Pass(CoreRate& rate, uint32_t whole, uint32_t marked, uint32_t trimmed, uint32_t trimmedLast)
{
    for (uint32_t i = 0; i < whole; ++i)
    {
        rate.PacketArrived(i < marked);
    }
    for (uint32_t i = 0; i < trimmed + trimmedLast; ++i)
    {
        rate.PacketTrimmed(i >= trimmed);
    }
    rate.Update();
}

constexpr double TOLERANCE = 1e-12; //!< of sums of fractions

} // namespace

/// A fifth of all packets trimmed takes a fifth of the line rate, whatever the rate is. Trims at
/// the last hop count as packets only.
TEST(CoreRate, TrimsReduceTheRateByTheirShare)
{
    CoreRate rate({0.3, 0.01, 0.5, 0.5, 0.1});
    Pass(rate, 70, 0, 20, 10);
    EXPECT_NEAR(rate.GetRate(), 0.8, TOLERANCE);
    Pass(rate, 80, 0, 20, 0);
    EXPECT_NEAR(rate.GetRate(), 0.6, TOLERANCE);
    Pass(rate, 0, 0, 5, 0);
    EXPECT_EQ(rate.GetRate(), 0.1) << "the least";
    CoreRate last({0.3, 0.01, 0.5, 0.5, 0.1});
    Pass(last, 10, 0, 0, 90);
    EXPECT_EQ(last.GetRate(), 1);
}

/// Marks count among the packets that came whole, on average: 0.5 after the first interval, 0.75
/// after the second.
TEST(CoreRate, MarksAboveTheTargetReduceTheRate)
{
    CoreRate rate({0.3, 0.01, 0.5, 0.5, 0.1});
    Pass(rate, 10, 10, 0, 5);
    EXPECT_NEAR(rate.GetMarkedShare(), 0.5, TOLERANCE);
    EXPECT_NEAR(rate.GetRate(), 1 - 0.5 * 0.2, TOLERANCE);
    Pass(rate, 10, 10, 0, 0);
    EXPECT_NEAR(rate.GetMarkedShare(), 0.75, TOLERANCE);
    EXPECT_NEAR(rate.GetRate(), 0.9 * (1 - 0.5 * 0.45), TOLERANCE);
}

/// An interval with both: first the trims, then the marks.
TEST(CoreRate, TrimsAndMarks)
{
    CoreRate rate({0.3, 0.01, 0.5, 0.5, 0.1});
    Pass(rate, 8, 8, 2, 0);
    EXPECT_NEAR(rate.GetRate(), 0.8 * 0.9, TOLERANCE);
}

/// Steps of 1, 2, 4 hundredths without marks, of 1 with some; the steps go on doubling behind them,
/// and begin anew after a decrease.
TEST(CoreRate, StepsUpDouble)
{
    CoreRate rate({0.3, 0.01, 0.5, 0.5, 0.1});
    Pass(rate, 50, 0, 50, 0);
    EXPECT_NEAR(rate.GetRate(), 0.5, TOLERANCE);
    Pass(rate, 10, 0, 0, 0);
    EXPECT_NEAR(rate.GetRate(), 0.51, TOLERANCE);
    Pass(rate, 0, 0, 0, 0);
    EXPECT_NEAR(rate.GetRate(), 0.53, TOLERANCE) << "nothing has come, so nothing was marked";
    Pass(rate, 10, 2, 0, 0);
    EXPECT_NEAR(rate.GetRate(), 0.54, TOLERANCE) << "marked, but below the target";
    Pass(rate, 10, 0, 0, 0);
    EXPECT_NEAR(rate.GetRate(), 0.62, TOLERANCE);
    Pass(rate, 9, 0, 1, 0);
    EXPECT_NEAR(rate.GetRate(), 0.52, TOLERANCE);
    Pass(rate, 10, 0, 0, 0);
    EXPECT_NEAR(rate.GetRate(), 0.53, TOLERANCE);
}

/// After the last packets, a bounded number of intervals brings it back to where it began.
TEST(CoreRate, ComesToRest)
{
    CoreRate rate({0.3, 0.01, 0.5, 0.5, 0.225});
    EXPECT_TRUE(rate.IsAtRest());
    for (uint32_t i = 0; i < 20; ++i)
    {
        Pass(rate, 10, 10, 10, 0);
    }
    EXPECT_EQ(rate.GetRate(), 0.225);
    uint32_t intervals = 0;
    for (; !rate.IsAtRest(); ++intervals)
    {
        ASSERT_LT(intervals, 30U);
        rate.Update();
    }
    EXPECT_EQ(rate.GetRate(), 1);
    EXPECT_EQ(rate.GetMarkedShare(), 0);
    CoreRate fixed({0.3, 0, 0.5, 0.5, 0.225});
    Pass(fixed, 10, 0, 10, 0);
    EXPECT_EQ(fixed.GetRate(), 0.5);
    EXPECT_TRUE(fixed.IsAtRest()) << "without steps up, the rate stays";
}

/// Whatever comes, the rate stays within its bounds.
TEST(CoreRate, StaysWithinItsBounds)
{
    std::mt19937 random(1);
    CoreRate rate({0.3, 0.01, 0.5, 0.5, 0.2});
    for (uint32_t i = 0; i < 5000; ++i)
    {
        const uint32_t whole = random() % 10;
        Pass(rate, whole, whole > 0 ? random() % whole : 0, random() % 3, random() % 3);
        ASSERT_GE(rate.GetRate(), 0.2);
        ASSERT_LE(rate.GetRate(), 1);
        ASSERT_GE(rate.GetMarkedShare(), 0);
        ASSERT_LE(rate.GetMarkedShare(), 1);
    }
}
