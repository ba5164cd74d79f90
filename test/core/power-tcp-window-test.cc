/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/power-tcp-window.h"

namespace
{

constexpr double T = 8000;       //!< base round trip, in nanoseconds
constexpr double MOST = 100'000; //!< window: 12.5 bytes a nanosecond times T

/// @return parameters as of the paper, with an increase that is easy to see
PowerTcpWindow::Parameters
Plain()
{
    PowerTcpWindow::Parameters parameters;
    parameters.baseRtt = T;
    parameters.increase = 100;
    parameters.mostWindow = MOST;
    return parameters;
}

/// @return the telemetry of a path of one switch  @param time in nanoseconds
/// @param units of 128 bytes that its port has sent  @param queue in units of 80 bytes
PathTelemetry
Path(uint32_t time, uint32_t units, uint16_t queue = 0, uint32_t path = 7)
{
    PathTelemetry telemetry;
    telemetry.path = path;
    telemetry.hops = 1;
    telemetry.hop[0].time = time;
    telemetry.hop[0].sent = units;
    telemetry.hop[0].queue = queue;
    telemetry.hop[0].rate = 12.5; // 100 Gb/s
    return telemetry;
}

/// A packet is acknowledged that was sent when its port reported.
bool
Acked(PowerTcpWindow& window, const PathTelemetry& path, bool isNewRound)
{
    return window.Acked(path, path.hops ? path.hop[0].time : 0, isNewRound);
}

} // namespace

/// A round trip in which the port sends 0.9984 of what it can, and its queue grows by 20000 bytes:
/// current (99840 + 20000) / 8000 / 12.5, voltage (20000 + 100000) / 100000.
TEST(PowerTcpWindow, OneRoundTripByHand)
{
    PowerTcpWindow window(Plain());
    EXPECT_TRUE(Acked(window, Path(0, 0), true));
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST) << "the first report is only kept";
    EXPECT_TRUE(Acked(window, Path(8000, 780, 250), true));
    const double power = (0.9984 + 0.2) * 1.2;
    EXPECT_DOUBLE_EQ(window.GetPower(), power);
    const double first = 0.9 * (MOST / power + 100) + 0.1 * MOST;
    EXPECT_DOUBLE_EQ(window.GetWindow(), first);
    // A quarter of a round trip later the queue has shrunk by half, while the port sent all it can.
    EXPECT_FALSE(Acked(window, Path(10000, 780 + 195, 125), false));
    const double later = (0.9984 - 10000 / 2000 / 12.5) * 1.1;
    const double mean = 0.75 * power + 0.25 * later;
    EXPECT_NEAR(window.GetPower(), mean, 1e-12);
    EXPECT_NEAR(window.GetWindow(), 0.9 * (first / mean + 100) + 0.1 * first, 1e-6);
}

/// Power at rest is 1: from a quarter of the bandwidth-delay product the window grows by gamma beta
/// a round trip, and by gamma (1 / power - 1) of itself, until it is that product.
TEST(PowerTcpWindow, AtRestPowerIsOne)
{
    constexpr double POWER = 0.99968; // 781 units of 128 bytes in place of 781.25
    constexpr double GROWTH = 0.9 * (1 / POWER - 1);
    PowerTcpWindow window(Plain());
    window.SetMostWindow(MOST / 4);
    window.SetMostWindow(MOST);
    Acked(window, Path(0, 0), true);
    uint32_t rounds = 0;
    const auto go = [&](uint32_t until) {
        while (rounds < until)
        {
            ++rounds;
            Acked(window, Path(8000 * rounds, 781 * rounds), true);
        }
    };
    go(1);
    EXPECT_NEAR(window.GetPower(), POWER, 1e-9);
    EXPECT_NEAR(window.GetWindow(), MOST / 4 * (1 + GROWTH) + 90, 1e-6);
    go(100);
    const double more = 90 / GROWTH;
    EXPECT_NEAR(window.GetWindow(), (MOST / 4 + more) * std::pow(1 + GROWTH, 100) - more, 1e-3);
    go(1000);
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST);
    Acked(window, Path(8000 * 1001, 781 * 1000), true); // nothing is sent: a current of a half
    EXPECT_DOUBLE_EQ(window.GetPower(), 0.5);
}

/// With a queue that stays, of a tenth of the bandwidth-delay product, power is 1.1 times 0.99968:
/// the window goes to where the division takes what beta adds, w = w / power + beta, and its
/// distance shrinks by 1 - gamma (1 - 1 / power) a round trip.
TEST(PowerTcpWindow, WindowConverges)
{
    constexpr double POWER = 0.99968 * 1.1;
    constexpr double REST = 100 * POWER / (POWER - 1);
    constexpr double SHRINK = 1 - 0.9 * (1 - 1 / POWER);
    PowerTcpWindow window(Plain());
    Acked(window, Path(0, 0, 125), true);
    for (uint32_t round = 1; round <= 200; ++round)
    {
        Acked(window, Path(8000 * round, 781 * round, 125), true);
        const double distance = (MOST - REST) * std::pow(SHRINK, round);
        ASSERT_NEAR(window.GetWindow(), REST + distance, 1e-6 * MOST) << round;
    }
    EXPECT_NEAR(window.GetWindow(), REST, 1);
}

/// The least current is a parameter, which counts where a port sends nothing.
TEST(PowerTcpWindow, LeastCurrentIsAParameter)
{
    for (const double least : {0.01, 0.25})
    {
        PowerTcpWindow::Parameters parameters = Plain();
        parameters.leastCurrent = least;
        PowerTcpWindow window(parameters);
        Acked(window, Path(0, 0), true);
        Acked(window, Path(4000, 0), true);
        EXPECT_DOUBLE_EQ(window.GetPower(), 0.5 + 0.5 * least);
    }
}

/// After a pause in which the time may have wrapped, the difference of two reports says nothing.
TEST(PowerTcpWindow, OldReportIsForgotten)
{
    constexpr double WRAP = 1 << 24; // nanoseconds
    PowerTcpWindow window(Plain());
    window.Acked(Path(0, 0), 0, true);
    EXPECT_TRUE(window.Acked(Path(8000, 0), WRAP + 8000, false));
    EXPECT_DOUBLE_EQ(window.GetPower(), 1);
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST);
    EXPECT_FALSE(window.Acked(Path(16000, 500), WRAP + 16000, false));
    EXPECT_DOUBLE_EQ(window.GetPower(), 0.64) << "the next one is compared with that";
}

TEST(PowerTcpWindow, OtherPathBeginsAnew)
{
    PowerTcpWindow window(Plain());
    Acked(window, Path(0, 0, 0, 1), true);
    EXPECT_TRUE(Acked(window, Path(10, 100'000, 9, 2), false));
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST);
    EXPECT_FALSE(Acked(window, PathTelemetry{}, true)) << "no switch on the path";
}

/// Without telemetry: a round trip that grows from 8 to 10 us within 4 us has a current of 1.5 and
/// a voltage of 1.25. The window changes once a round trip.
TEST(PowerTcpWindow, ThetaByHand)
{
    PowerTcpWindow window(Plain());
    window.Acked(8000, 10'000, true);
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST);
    EXPECT_FALSE(window.Acked(10'000, 14'000, false));
    const double power = 0.5 * 1 + 0.5 * 1.5 * 1.25;
    EXPECT_DOUBLE_EQ(window.GetPower(), power);
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST) << "not yet";
    EXPECT_TRUE(window.Acked(10'000, 18'000, true));
    const double mean = 0.5 * power + 0.5 * 1.25;
    EXPECT_DOUBLE_EQ(window.GetPower(), mean);
    EXPECT_DOUBLE_EQ(window.GetWindow(), 0.9 * (MOST / mean + 100) + 0.1 * MOST);
}
