/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/timely-rate.h"

namespace
{

/// @return the constants of the paper, in microseconds and Mb/s
TimelyRate::Parameters
Plain()
{
    TimelyRate::Parameters parameters;
    parameters.low = 50;
    parameters.high = 500;
    parameters.least = 20;
    parameters.increase = 10;
    parameters.leastRate = 1;
    return parameters;
}

} // namespace

/// Below T_low the rate grows by delta, whatever the gradient is, and not beyond the line.
TEST(TimelyRate, GrowsBelowTheLowThreshold)
{
    TimelyRate rate(Plain(), 10'000);
    rate.Measured(600);
    const double cut = 10'000 * (1 - 0.8 * (1 - 500.0 / 600));
    EXPECT_DOUBLE_EQ(rate.GetRate(), cut) << "above T_high, by the excess";
    rate.Measured(40);
    EXPECT_DOUBLE_EQ(rate.GetRate(), cut + 10);
    rate.Measured(49);
    EXPECT_DOUBLE_EQ(rate.GetRate(), cut + 20);
    TimelyRate full(Plain(), 10'000);
    full.Measured(10);
    EXPECT_DOUBLE_EQ(full.GetRate(), 10'000);
}

/// Between the thresholds, by the gradient: of 100, 110 and 104 us with alpha = 0.875.
TEST(TimelyRate, FollowsTheGradient)
{
    TimelyRate rate(Plain(), 10'000);
    rate.Measured(100);
    EXPECT_DOUBLE_EQ(rate.GetRate(), 10'000) << "no gradient yet: it grows";
    rate.Measured(110);
    const double gradient = 0.875 * 10 / 20;
    EXPECT_DOUBLE_EQ(rate.GetGradient(), gradient);
    const double cut = 10'000 * (1 - 0.8 * gradient);
    EXPECT_DOUBLE_EQ(rate.GetRate(), cut);
    rate.Measured(104);
    EXPECT_DOUBLE_EQ(rate.GetGradient(), (0.125 * 8.75 - 0.875 * 6) / 20);
    EXPECT_DOUBLE_EQ(rate.GetRate(), cut + 10);
}

/// From the fifth round trip in a row that is no longer, five times delta (HAI).
TEST(TimelyRate, HyperactiveIncrease)
{
    TimelyRate rate(Plain(), 10'000);
    rate.Measured(100);
    rate.Measured(200); // a gradient of 4.375: nothing is left but the least
    EXPECT_DOUBLE_EQ(rate.GetRate(), 1);
    rate.Measured(60);
    double expected = 11;
    EXPECT_DOUBLE_EQ(rate.GetRate(), expected);
    for (int step = 2; step <= 4; ++step)
    {
        rate.Measured(60 - step);
        EXPECT_DOUBLE_EQ(rate.GetRate(), expected += 10) << step;
    }
    rate.Measured(55);
    EXPECT_DOUBLE_EQ(rate.GetRate(), expected += 50);
    rate.Measured(56 + 100);
    EXPECT_LT(rate.GetRate(), expected);
    rate.Measured(60);
    rate.SetLineRate(5);
    EXPECT_DOUBLE_EQ(rate.GetRate(), 5);
}

/// As HPCC's simulator counts: the sixth increase in a row is larger, below T_low, too.
TEST(TimelyRate, CountsIncreases)
{
    TimelyRate::Parameters parameters = Plain();
    parameters.countsIncreases = true;
    TimelyRate rate(parameters, 10'000);
    rate.Measured(100);
    rate.Measured(200); // nothing is left but the least
    double expected = 1;
    for (const double increase : {10, 10, 10, 10, 10, 50, 50})
    {
        rate.Measured(40);
        expected += increase;
        EXPECT_DOUBLE_EQ(rate.GetRate(), expected);
    }
    rate.Measured(600);
    expected *= 1 - 0.8 * (1 - 500.0 / 600);
    EXPECT_DOUBLE_EQ(rate.GetRate(), expected);
    rate.Measured(40);
    EXPECT_DOUBLE_EQ(rate.GetRate(), expected + 10) << "they begin anew";
}
