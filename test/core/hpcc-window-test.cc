/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/hpcc-window.h"

namespace
{

constexpr double T = 8000;       //!< base round trip, in nanoseconds
constexpr double MOST = 100'000; //!< window: 12.5 bytes a nanosecond times T
constexpr uint16_t RATE = 1000;  //!< 100 Gb/s

/// @return parameters as of the paper, with an increase that is easy to see
HpccWindow::Parameters
Plain()
{
    HpccWindow::Parameters parameters;
    parameters.baseRtt = T;
    parameters.increase = 100;
    parameters.mostWindow = MOST;
    return parameters;
}

/// A port that reports what it is told.
HopTelemetry
Report(uint32_t time, uint32_t units, uint16_t queue = 0, uint16_t rate = RATE)
{
    HopTelemetry hop;
    hop.time = time & 0xFFFFFF;
    hop.sent = units & 0xFFFFF;
    hop.queue = queue;
    hop.rate = rate;
    return hop;
}

/// @return the telemetry of a path
PathTelemetry
Path(const std::vector<HopTelemetry>& hops, uint16_t path = 7)
{
    PathTelemetry telemetry;
    telemetry.path = path;
    for (const HopTelemetry& hop : hops)
    {
        telemetry.hop[telemetry.hops++] = hop;
    }
    return telemetry;
}

} // namespace

TEST(HpccWindow, LineFitsIntoTheHeader)
{
    EXPECT_EQ(PathTelemetry::BYTES, 42u);
    EXPECT_LE(sizeof(PathTelemetry), 64u);
    EXPECT_DOUBLE_EQ(Report(0, 0).GetRate(), 12.5);
    EXPECT_EQ(Report(5, 0).GetTimeSince(Report(0xFFFFFB, 0)), 10u) << "the time wraps";
    EXPECT_EQ(Report(0, 3).GetBytesSince(Report(0, 0xFFFFF)), 4 * 128u) << "bytes wrap";
}

TEST(HpccWindow, FirstReportIsOnlyKept)
{
    HpccWindow window(Plain());
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST);
    EXPECT_TRUE(window.Acked(Path({Report(0, 0)}), true));
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST);
    EXPECT_DOUBLE_EQ(window.GetUtilization(), 1) << "as in the simulator of the authors";
}

/// In a round trip a port sends 800 units of 128 bytes, 1.024 of what it can, and 100 units of 80
/// bytes wait: U = 8000 / (12.5 * 8000) + 102400 / 8000 / 12.5.
TEST(HpccWindow, OneRoundTripByHand)
{
    HpccWindow window(Plain());
    window.Acked(Path({Report(0, 0, 100)}), true);
    EXPECT_TRUE(window.Acked(Path({Report(8000, 800, 100)}), true));
    const double utilization = 0.08 + 1.024;
    EXPECT_DOUBLE_EQ(window.GetUtilization(), utilization);
    const double expected = MOST / (utilization / 0.95) + 100;
    EXPECT_DOUBLE_EQ(window.GetWindow(), expected);
    // Half a round trip later, the shorter queue counts; the window follows from the reference.
    EXPECT_FALSE(window.Acked(Path({Report(12000, 1100, 20)}), false));
    const double half = 1600 / MOST + 300 * 128.0 / 4000 / 12.5;
    const double mean = 0.5 * utilization + 0.5 * half;
    EXPECT_DOUBLE_EQ(window.GetUtilization(), mean);
    ASSERT_LT(mean, 0.95 * 1.2);
    EXPECT_DOUBLE_EQ(window.GetWindow(),
                     mean >= 0.95 ? expected / (mean / 0.95) + 100 : expected + 100);
    const double before = window.GetWindow();
    EXPECT_FALSE(window.Acked(Path({Report(12000, 1100, 20)}), false)) << "the same packet again";
    EXPECT_DOUBLE_EQ(window.GetWindow(), before) << "is no news";
}

/// The busiest port rules, be it by its queue or by its rate.
TEST(HpccWindow, BusiestPortRules)
{
    HpccWindow window(Plain());
    window.Acked(Path({Report(0, 0), Report(100, 0, 500, 4000)}), true);
    // 0.64 of 100 Gb/s; a queue of 40000 bytes is 0.1 of 400 Gb/s times T, which sends 0.64 of it
    window.Acked(Path({Report(8000, 500), Report(8100, 2000, 500, 4000)}), true);
    EXPECT_DOUBLE_EQ(window.GetUtilization(), 0.1 + 0.64);
}

/// Below eta the window only grows, maxStage round trips long; then it is scaled to eta.
TEST(HpccWindow, StagesOfAdditiveIncrease)
{
    HpccWindow::Parameters parameters = Plain();
    parameters.mostStage = 2;
    HpccWindow window(parameters);
    uint32_t time = 0;
    uint32_t units = 0;
    window.Acked(Path({Report(time, units)}), true);
    // To 1.28 at once, to bring the window down.
    window.Acked(Path({Report(time += 8000, units += 1000)}), true);
    double expected = MOST / (1.28 / 0.95) + 100;
    ASSERT_DOUBLE_EQ(window.GetWindow(), expected);
    for (int stage = 0; stage < 2; ++stage)
    {
        window.Acked(Path({Report(time += 4000, units += 250)}), false);
        window.Acked(Path({Report(time += 8000, units += 500)}), true); // 0.64
        expected += 100;
        EXPECT_DOUBLE_EQ(window.GetWindow(), expected);
    }
    window.Acked(Path({Report(time += 8000, units += 500)}), true);
    EXPECT_DOUBLE_EQ(window.GetWindow(), std::min(MOST, expected / (0.64 / 0.95) + 100));
}

/// Another path: the reports of the two have nothing to do with each other.
TEST(HpccWindow, OtherPathBeginsAnew)
{
    HpccWindow window(Plain());
    window.Acked(Path({Report(0, 0)}, 1), true);
    EXPECT_TRUE(window.Acked(Path({Report(10, 100'000)}, 2), false));
    EXPECT_TRUE(window.Acked(Path({Report(20, 0), Report(20, 7)}, 2), false));
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST);
    EXPECT_FALSE(window.Acked(Path({}), true)) << "no switch on the path";
}

TEST(HpccWindow, LargestWindowFollowsTheLine)
{
    HpccWindow window(Plain());
    window.SetMostWindow(MOST / 4);
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST / 4);
    window.Acked(Path({Report(0, 0)}), true);
    window.Acked(Path({Report(8000, 1)}), true);
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST / 4) << "it does not grow beyond";
}
