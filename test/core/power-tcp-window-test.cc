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
Path(uint32_t time, uint32_t units, uint16_t queue = 0, uint16_t path = 7)
{
    PathTelemetry telemetry;
    telemetry.path = path;
    telemetry.hops = 1;
    telemetry.hop[0].time = time;
    telemetry.hop[0].sent = units;
    telemetry.hop[0].queue = queue;
    telemetry.hop[0].rate = 1000; // 100 Gb/s
    return telemetry;
}

} // namespace

/// A round trip in which the port sends 0.9984 of what it can, and its queue grows by 20000 bytes:
/// current (99840 + 20000) / 8000 / 12.5, voltage (20000 + 100000) / 100000.
TEST(PowerTcpWindow, OneRoundTripByHand)
{
    PowerTcpWindow window(Plain());
    EXPECT_TRUE(window.Acked(Path(0, 0), true));
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST) << "the first report is only kept";
    EXPECT_TRUE(window.Acked(Path(8000, 780, 250), true));
    const double power = (0.9984 + 0.2) * 1.2;
    EXPECT_DOUBLE_EQ(window.GetPower(), power);
    const double first = 0.9 * (MOST / power + 100) + 0.1 * MOST;
    EXPECT_DOUBLE_EQ(window.GetWindow(), first);
    // A quarter of a round trip later the queue has shrunk by half, while the port sent all it can.
    EXPECT_FALSE(window.Acked(Path(10000, 780 + 195, 125), false));
    const double later = (0.9984 - 10000 / 2000 / 12.5) * 1.1;
    const double mean = 0.75 * power + 0.25 * later;
    EXPECT_NEAR(window.GetPower(), mean, 1e-12);
    EXPECT_NEAR(window.GetWindow(), 0.9 * (first / mean + 100) + 0.1 * first, 1e-6);
}

/// Power at rest is 1: the window goes to the bandwidth-delay product, and grows by beta.
TEST(PowerTcpWindow, AtRestPowerIsOne)
{
    PowerTcpWindow window(Plain());
    uint32_t units = 0;
    window.Acked(Path(0, 0), true);
    for (uint32_t round = 1; round <= 50; ++round)
    {
        window.Acked(Path(8000 * round, units += 781), true);
    }
    EXPECT_NEAR(window.GetPower(), 0.99968, 1e-9);
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST);
    window.Acked(Path(8000 * 51, units), true); // nothing is sent: a current of a half
    EXPECT_DOUBLE_EQ(window.GetPower(), 0.5);
}

TEST(PowerTcpWindow, OtherPathBeginsAnew)
{
    PowerTcpWindow window(Plain());
    window.Acked(Path(0, 0, 0, 1), true);
    EXPECT_TRUE(window.Acked(Path(10, 100'000, 9, 2), false));
    EXPECT_DOUBLE_EQ(window.GetWindow(), MOST);
    EXPECT_FALSE(window.Acked(PathTelemetry{}, true)) << "no switch on the path";
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
