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
constexpr float RATE = 12.5;     //!< 100 Gb/s

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

/// @return the report of a port  @param time in nanoseconds  @param units of 128 bytes that it has
/// sent  @param queue in units of 80 bytes  @param rate in bytes per nanosecond
HopTelemetry
Report(uint32_t time, uint32_t units, uint16_t queue = 0, float rate = RATE)
{
    HopTelemetry hop;
    hop.time = time;
    hop.sent = units;
    hop.queue = queue;
    hop.rate = rate;
    return hop;
}

/// @return the telemetry of a path
PathTelemetry
Path(const std::vector<HopTelemetry>& hops, uint32_t path = 7)
{
    PathTelemetry telemetry;
    telemetry.path = path;
    for (const HopTelemetry& hop : hops)
    {
        telemetry.hop[telemetry.hops++] = hop;
    }
    return telemetry;
}

/// A packet is acknowledged that was sent when its first port reported.
bool
Acked(HpccWindow& window, const PathTelemetry& path, bool isNewRound)
{
    return window.Acked(path, path.hops ? path.hop[0].time : 0, isNewRound);
}

/// @return the telemetry of a path that has gone through ports, as pairs of switch and port
PathTelemetry
Through(const std::vector<std::pair<uint32_t, uint32_t>>& ports)
{
    PathTelemetry telemetry;
    for (const auto& [node, port] : ports)
    {
        telemetry.Pass(node, port);
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
    EXPECT_DOUBLE_EQ(Report(0, 0).GetHorizon(Report(0, 0)), 134'217'728 / 12.5)
        << "bytes wrap first";
    EXPECT_DOUBLE_EQ(Report(0, 0).GetHorizon(Report(0, 0, 0, 4 * RATE)), 134'217'728 / 50.0);
    EXPECT_DOUBLE_EQ(Report(0, 0, 0, 1).GetHorizon(Report(0, 0, 0, 1)), 16'777'216)
        << "the time does";
}

/// Paths by 200 spines between two leaves, which 12 bits cannot keep apart.
TEST(PathTelemetry, PathsDiffer)
{
    std::set<uint32_t> paths;
    for (uint32_t spine = 0; spine < 200; ++spine)
    {
        paths.insert(Through({{0, 16 + spine}, {100 + spine, 1}, {1, 3}}).path);
        paths.insert(Through({{0, 16 + spine}, {100 + spine, 1}, {1, 4}}).path);
    }
    EXPECT_EQ(paths.size(), 400u);
    EXPECT_NE(Through({{5, 2}, {6, 2}}).path, Through({{6, 2}, {5, 2}}).path) << "the order counts";
    EXPECT_NE(Through({{5, 2}, {5, 2}}).path, 0u) << "a port does not cancel itself";
}

TEST(HpccWindow, FirstReportIsOnlyKept)
{
    HpccWindow window(Plain());
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST);
    EXPECT_TRUE(Acked(window, Path({Report(0, 0)}), true));
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST);
    EXPECT_DOUBLE_EQ(window.GetUtilization(), 1) << "as in the simulator of the authors";
}

/// In a round trip a port sends 800 units of 128 bytes, 1.024 of what it can, and 100 units of 80
/// bytes wait: U = 8000 / (12.5 * 8000) + 102400 / 8000 / 12.5.
TEST(HpccWindow, OneRoundTripByHand)
{
    HpccWindow window(Plain());
    Acked(window, Path({Report(0, 0, 100)}), true);
    EXPECT_TRUE(Acked(window, Path({Report(8000, 800, 100)}), true));
    const double utilization = 0.08 + 1.024;
    EXPECT_DOUBLE_EQ(window.GetUtilization(), utilization);
    const double expected = MOST / (utilization / 0.95) + 100;
    EXPECT_DOUBLE_EQ(window.GetWindow(), expected);
    // Half a round trip later, the shorter queue counts; the window follows from the reference.
    EXPECT_FALSE(Acked(window, Path({Report(12000, 1100, 20)}), false));
    const double half = 1600 / MOST + 300 * 128.0 / 4000 / 12.5;
    const double mean = 0.5 * utilization + 0.5 * half;
    EXPECT_DOUBLE_EQ(window.GetUtilization(), mean);
    ASSERT_LT(mean, 0.95);
    EXPECT_DOUBLE_EQ(window.GetWindow(), expected + 100) << "below eta it only adds";
    const double before = window.GetWindow();
    EXPECT_FALSE(Acked(window, Path({Report(12000, 1100, 20)}), false)) << "the same packet again";
    EXPECT_DOUBLE_EQ(window.GetWindow(), before) << "is no news";
}

/// As before, but the port sends 350 units in that half of a round trip: the average stays above
/// eta.
TEST(HpccWindow, AboveTheTargetItDivides)
{
    HpccWindow window(Plain());
    Acked(window, Path({Report(0, 0, 100)}), true);
    Acked(window, Path({Report(8000, 800, 100)}), true);
    EXPECT_FALSE(Acked(window, Path({Report(12000, 1150, 20)}), false));
    const double mean = 0.5 * (0.08 + 1.024) + 0.5 * (0.016 + 0.896);
    EXPECT_DOUBLE_EQ(window.GetUtilization(), mean);
    EXPECT_NEAR(window.GetWindow(), (MOST / (1.104 / 0.95) + 100) / (1.008 / 0.95) + 100, 1e-6);
}

/// The busiest port rules, be it by its queue or by its rate.
TEST(HpccWindow, BusiestPortRules)
{
    HpccWindow window(Plain());
    Acked(window, Path({Report(0, 0), Report(100, 0, 500, 4 * RATE)}), true);
    // 0.64 of 100 Gb/s; a queue of 40000 bytes is 0.1 of 400 Gb/s times T, which sends 0.64 of it
    Acked(window, Path({Report(8000, 500), Report(8100, 2000, 500, 4 * RATE)}), true);
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
    Acked(window, Path({Report(time, units)}), true);
    // To 1.28 at once, to bring the window down.
    Acked(window, Path({Report(time += 8000, units += 1000)}), true);
    double expected = MOST / (1.28 / 0.95) + 100;
    ASSERT_DOUBLE_EQ(window.GetWindow(), expected);
    for (int stage = 0; stage < 2; ++stage)
    {
        Acked(window, Path({Report(time += 4000, units += 250)}), false);
        Acked(window, Path({Report(time += 8000, units += 500)}), true); // 0.64
        expected += 100;
        EXPECT_DOUBLE_EQ(window.GetWindow(), expected);
    }
    Acked(window, Path({Report(time += 8000, units += 500)}), true);
    EXPECT_DOUBLE_EQ(window.GetWindow(), std::min(MOST, expected / (0.64 / 0.95) + 100));
}

/// Another path: the reports of the two have nothing to do with each other.
TEST(HpccWindow, OtherPathBeginsAnew)
{
    HpccWindow window(Plain());
    Acked(window, Path({Report(0, 0)}, 1), true);
    EXPECT_TRUE(Acked(window, Path({Report(10, 100'000)}, 2), false));
    EXPECT_TRUE(Acked(window, Path({Report(20, 0), Report(20, 7)}, 2), false));
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST);
    EXPECT_FALSE(Acked(window, Path({}), true)) << "no switch on the path";
}

/// After a pause in which the time, or the bytes, may have wrapped, the difference of two reports
/// says nothing.
TEST(HpccWindow, OldReportIsForgotten)
{
    constexpr double WRAP = 1 << 24; // nanoseconds
    for (const double pause : {WRAP, 3 * WRAP, 134'217'728 / 12.5})
    {
        HpccWindow window(Plain());
        window.Acked(Path({Report(0, 0)}), 0, true);
        const auto time = static_cast<uint32_t>(std::fmod(pause + 8000, WRAP));
        EXPECT_TRUE(window.Acked(Path({Report(time, 1000)}), pause + 8000, false)) << pause;
        EXPECT_DOUBLE_EQ(window.GetUtilization(), 1) << pause;
        EXPECT_DOUBLE_EQ(window.GetWindow(), MOST) << pause;
        EXPECT_FALSE(window.Acked(Path({Report(time + 8000, 2000)}), pause + 16000, false));
        EXPECT_DOUBLE_EQ(window.GetUtilization(), 1.28) << "the next one is compared with that";
    }
    HpccWindow window(Plain());
    window.Acked(Path({Report(0, 0)}), 0, true);
    window.Acked(Path({Report(10'000'000, 500'000)}), 10'000'000, true);
    EXPECT_DOUBLE_EQ(window.GetUtilization(), 0.512) << "10 ms of 100 Gb/s are no 134 MB";
}

TEST(HpccWindow, LargestWindowFollowsTheLine)
{
    HpccWindow window(Plain());
    window.SetMostWindow(MOST / 4);
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST / 4);
    Acked(window, Path({Report(0, 0)}), true);
    Acked(window, Path({Report(8000, 1)}), true);
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST / 4) << "it does not grow beyond";
}
