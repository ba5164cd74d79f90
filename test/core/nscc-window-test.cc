/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/nscc-window.h"

namespace
{

constexpr int64_t US = 1'000'000; //!< picoseconds of a microsecond

/// Parameters for which constants are round numbers: packets of 1000 bytes without headers in a
/// trimming network of 0.1 B/ps and 10 us, which is also the reference. The bandwidth-delay product
/// is 1e6 B, the largest window 1.5e6 B, the target delay 7.5 us; alpha is 4 * 1000 B / 10 us =
/// 4e-4 B/ps, the fair increase 5000 B, eta 150 B.
NsccWindow::Parameters
Round(NsccWindow::Profile profile = NsccWindow::UE)
{
    NsccWindow::Parameters parameters;
    parameters.profile = profile;
    parameters.networkRtt = 10 * US;
    parameters.rate = 0.1;
    parameters.packet = 1000;
    parameters.header = 0;
    parameters.trims = true;
    parameters.referenceRate = 0.1;
    parameters.referenceRtt = 10 * US;
    return parameters;
}

/// The same, where the average delay is the last sample, and nothing is added each period.
NsccWindow::Parameters
Sharp(NsccWindow::Profile profile = NsccWindow::UE)
{
    NsccWindow::Parameters parameters = Round(profile);
    parameters.delayWeight = 1;
    parameters.periodicIncrease = 0;
    return parameters;
}

/// @return an acknowledgement in the network of Round()  @param delay queueing delay, in ps
/// @param marked whether it has a mark
NsccWindow::Ack
Delayed(int64_t bytes, int64_t delay, bool marked = false)
{
    return {bytes, 10 * US + delay, marked};
}

/// @return a window of 1.5e6 B at time 0, when an adjust period and a quick-adapt period begin. The
/// latter ends after base RTT and target delay, at 17.5 us.
/// @param parameters those of Round(), or nearly
NsccWindow
Begin(const NsccWindow::Parameters& parameters)
{
    NsccWindow window{NsccWindow::Constants(parameters)};
    window.Acknowledged(Delayed(0, 0), 0);
    return window;
}

/// @return the same, with a window of 1e6 B  @param parameters those of Round(), or nearly
NsccWindow
BeginAtMillion(const NsccWindow::Parameters& parameters)
{
    NsccWindow window = Begin(parameters);
    window.TimedOut(500'000);
    return window;
}

/// A column of the table of constants: 1 us for each link, MTU 4150 B.
struct Column
{
    double rate;                //!< in bytes per ps
    int links;                  //!< links of the longest path
    double networkRtt;          //!< in us
    double product;             //!< bandwidth-delay product, in bytes
    double scale;               //!< over that of the reference
    double target;              //!< in us, with trimming
    double targetScale;         //!< over the RTT of the reference
    double alpha;               //!< in bytes per ps
    double fairIncrease;        //!< in bytes
    double periodicIncrease;    //!< in bytes
    double fastIncrease;        //!< share
    double quickAdaptThreshold; //!< in us
    double maxWindow;           //!< in bytes
};

/// @return parameters of a column in profile UET
NsccWindow::Parameters
Of(const Column& column)
{
    constexpr double FRAME = 4150 + 64; // a packet and its acknowledgement
    NsccWindow::Parameters parameters;
    parameters.profile = NsccWindow::UET;
    parameters.networkRtt = std::llround(column.links * (2 * US + FRAME / column.rate));
    parameters.rate = column.rate;
    parameters.trims = true;
    return parameters;
}

/// @return the fast increase that begins with a window of 1e6 B: a window of bytes with a delay
/// below 1 us, then 4001 bytes more, of which each adds a quarter
/// @param parameters those of Round(), and more than 1005 packets an adjust period
NsccWindow
BeginFast(const NsccWindow::Parameters& parameters)
{
    NsccWindow window = BeginAtMillion(parameters);
    window.Acknowledged(Delayed(1'000'000, US - 1), US);
    EXPECT_EQ(window.GetWindow(), 1e6) << "not more than a window";
    window.Acknowledged(Delayed(1, US - 1), US);
    window.Acknowledged(Delayed(4000, 0), US);
    EXPECT_EQ(window.GetWindow(), 1e6 + 1000.25);
    return window;
}

/// @return parameters of which no increase is added before the adjust period of 10 us ends
NsccWindow::Parameters
Slow()
{
    NsccWindow::Parameters parameters = Round();
    parameters.adjustPackets = 100'000;
    return parameters;
}

/// @return a window that has adapted to 150,000 B at 17.5 us, with 1,349,000 B in flight
/// @param parameters those of Round(), or nearly
NsccWindow
BeginAdapted(const NsccWindow::Parameters& parameters)
{
    NsccWindow window = Begin(parameters);
    window.Sent(1'500'000);
    window.Acknowledged(Delayed(100'000, 8 * US), 5 * US);
    window.Trimmed(1000, false, 10 * US);
    window.Acknowledged(Delayed(50'000, 8 * US), 17 * US + US / 2 + 1);
    EXPECT_EQ(window.GetWindow(), 150'000);
    EXPECT_EQ(window.GetInFlight(), 1'349'000);
    EXPECT_EQ(window.GetCounters().quickAdapts, 1);
    return window;
}

/// @return the window after 100 kB were delivered in the first quick-adapt period, and a report
/// with a delay comes  @param parameters those of Round(), or nearly  @param delay in ps
double
WindowAfterDelay(const NsccWindow::Parameters& parameters, int64_t delay)
{
    NsccWindow window = Begin(parameters);
    window.Acknowledged(Delayed(100'000, 0), 5 * US);
    window.Acknowledged(Delayed(0, delay), 30 * US);
    return window.GetWindow();
}

} // namespace

TEST(NsccConstants, AreThoseOfTheSource)
{
    const Column slow{0.0125,
                      6,
                      14.02272,
                      175'284,
                      1.16856,
                      10.517,
                      0.87642,
                      0.00159158,
                      23873.7,
                      716.21,
                      0.29214,
                      42.07,
                      262'926};
    const Column fast{0.05,
                      4,
                      8.33712,
                      416'856,
                      2.779,
                      6.253,
                      0.521,
                      0.00378505,
                      56775.8,
                      1703.27,
                      0.69476,
                      25.01,
                      625'284};
    for (const Column& column : {slow, fast})
    {
        const NsccWindow::Constants constants(Of(column));
        const double rtt = constants.networkRtt;
        EXPECT_NEAR(rtt / US, column.networkRtt, 1e-9);
        EXPECT_EQ(constants.payload, 4086);
        EXPECT_NEAR(constants.rate * rtt, column.product, 0.5);
        EXPECT_NEAR(constants.rate * rtt / 150'000, column.scale, 1e-4);
        EXPECT_NEAR(constants.targetDelay / US, column.target, 5e-4);
        EXPECT_NEAR(constants.targetDelay / (12 * US), column.targetScale, 1e-4);
        EXPECT_NEAR(constants.alpha, column.alpha, 5e-9);
        EXPECT_NEAR(constants.fairIncrease, column.fairIncrease, 0.05);
        EXPECT_NEAR(constants.periodicIncrease, column.periodicIncrease, 5e-3);
        EXPECT_NEAR(constants.fastIncrease, column.fastIncrease, 5e-6);
        EXPECT_EQ(constants.adjustPeriod, constants.networkRtt);
        EXPECT_EQ(constants.adjustBytes, 33'200);
        EXPECT_NEAR(constants.quickAdaptThreshold / US, column.quickAdaptThreshold, 5e-3);
        EXPECT_EQ(constants.quickAdaptRtts, 0);
        EXPECT_EQ(constants.quickAdaptGate, 1.0 / 8);
        EXPECT_EQ(constants.packet, 4150);
        EXPECT_EQ(constants.gamma, 0.8);
        EXPECT_EQ(constants.maxDecrease, 0.5);
        EXPECT_EQ(constants.delayWeight, 0.0125);
        const NsccWindow window(constants);
        EXPECT_NEAR(window.GetWindow(), column.maxWindow, 0.5);
        EXPECT_EQ(window.GetMaxWindow(), window.GetWindow());
        EXPECT_EQ(window.GetBaseRtt(), constants.networkRtt);
    }
}

TEST(NsccConstants, IncreasesOfUltraEthernetCountHeaders)
{
    NsccWindow::Parameters parameters = Round();
    parameters.header = 200;
    const NsccWindow::Constants ue(parameters);
    EXPECT_EQ(ue.alpha, 4e-4);
    EXPECT_EQ(ue.fairIncrease, 5000);
    EXPECT_EQ(ue.periodicIncrease, 150);
    EXPECT_EQ(ue.fastIncrease, 0.25);
    parameters.profile = NsccWindow::UET;
    const NsccWindow::Constants uet(parameters);
    EXPECT_EQ(uet.alpha, 3.2e-4);
    EXPECT_EQ(uet.fairIncrease, 4000);
    EXPECT_EQ(uet.periodicIncrease, 120);
    EXPECT_EQ(uet.fastIncrease, 0.25) << "a share of bytes";
}

TEST(NsccConstants, TargetDelayIsLongerWithoutTrimming)
{
    NsccWindow::Parameters parameters = Round();
    EXPECT_EQ(NsccWindow::Constants(parameters).targetDelay, 7.5 * US);
    parameters.trims = false;
    EXPECT_EQ(NsccWindow::Constants(parameters).targetDelay, 10 * US);
    parameters.targetDelay = 3 * US;
    EXPECT_EQ(NsccWindow::Constants(parameters).targetDelay, 3 * US);
    EXPECT_EQ(NsccWindow::Constants(parameters).alpha, 4e-4) << "which cancels out";
}

TEST(NsccConstants, TheWindowOfPayloadIsThatOfPacketsScaled)
{
    NsccWindow::Parameters parameters = Round();
    parameters.packet = 4160;
    parameters.header = 64;
    const NsccWindow::Constants constants = NsccWindow::Constants(parameters).InPayload();
    EXPECT_EQ(constants.packet, 4096) << "and not a bit less, as the smallest window is a packet";
    EXPECT_EQ(constants.adjustBytes, 8 * 4096);
    EXPECT_DOUBLE_EQ(NsccWindow(constants).GetWindow(), 1.5e6 * 4096 / 4160);
}

TEST(NsccWindow, FairIncreaseFromTheTargetOn)
{
    NsccWindow window = BeginAtMillion(Round());
    window.Acknowledged(Delayed(8000, 7 * US + US / 2), US);
    EXPECT_EQ(window.GetWindow(), 1e6) << "8 packets are not more than 8 packets";
    window.Acknowledged(Delayed(1000, 9 * US), 2 * US);
    EXPECT_EQ(window.GetWindow(), 1e6 + 45); // 5000 B * 9000 B / 1e6 B
}

TEST(NsccWindow, ProportionalIncreaseBelowTheTarget)
{
    NsccWindow window = BeginAtMillion(Round());
    window.Acknowledged(Delayed(9000, 2 * US + US / 2), US);
    EXPECT_EQ(window.GetWindow(), 1e6 + 18); // 4e-4 B/ps * 9000 B * 5 us / 1e6 B
    window.Acknowledged(Delayed(9000, 5 * US), US);
    const double more = 9 / 1.000018; // 4e-4 B/ps * 9000 B * 2.5 us = 9e6 B^2
    EXPECT_DOUBLE_EQ(window.GetWindow(), 1e6 + 18 + more) << "the first is not added again";
}

TEST(NsccWindow, AnAdjustPeriodAddsIncreasesAndEta)
{
    for (const auto profile : {NsccWindow::UE, NsccWindow::UET})
    {
        NsccWindow window = BeginAtMillion(Round(profile));
        window.Acknowledged(Delayed(1000, 2 * US + US / 2), 10 * US - 1);
        EXPECT_EQ(window.GetWindow(), 1e6);
        window.Acknowledged(Delayed(0, 2 * US + US / 2), 10 * US);
        const double expected = 1e6 + 2 + 150; // 4e-4 B/ps * 1000 B * 5 us / 1e6 B, and eta
        EXPECT_EQ(window.GetWindow(), profile == NsccWindow::UE ? expected : 1e6);
        window.Acknowledged(Delayed(0, 2 * US + US / 2), 10 * US + 1);
        EXPECT_EQ(window.GetWindow(), expected);
    }
}

TEST(NsccWindow, AnAdjustPeriodGoesOnWhenPacketsAddIncreases)
{
    NsccWindow window = BeginAtMillion(Round());
    window.Acknowledged(Delayed(9000, 2 * US + US / 2), 9 * US); // + 18
    window.Acknowledged(Delayed(9000, 8 * US), 10 * US);         // + 45 (nearly), + 150
    EXPECT_NEAR(window.GetWindow(), 1e6 + 18 + 45 + 150, 1e-3);
}

TEST(NsccWindow, IncreaseIsFastAfterAWindowWithoutDelay)
{
    NsccWindow window = BeginFast(Slow());
    window.Acknowledged(Delayed(100'000, US), 2 * US); // a delay of 1 us ends it
    window.Acknowledged(Delayed(4000, 0), 2 * US);
    EXPECT_EQ(window.GetWindow(), 1e6 + 1000.25);
}

TEST(NsccWindow, FastIncreaseGoesOnWhenTheWindowGrowsFasterThanTheBytes)
{
    NsccWindow::Parameters parameters = Slow();
    parameters.fastIncrease = 2;
    NsccWindow window = BeginAtMillion(parameters);
    window.Acknowledged(Delayed(1'000'001, 0), US); // more than a window
    EXPECT_EQ(window.GetWindow(), 1'500'000) << "the largest";
    window.TimedOut(400'000);
    window.Acknowledged(Delayed(4000, 0), US);
    EXPECT_EQ(window.GetWindow(), 1'108'000) << "1,004,001 bytes are less than the window";
}

TEST(NsccWindow, FastIncreaseGoesOnAfterAMarkWithoutDelay)
{
    NsccWindow window = BeginFast(Slow());
    window.Acknowledged(Delayed(4000, 0, true), 2 * US);
    EXPECT_EQ(window.GetWindow(), 1e6 + 1000.25) << "a mark adds nothing";
    window.Acknowledged(Delayed(4000, 0), 2 * US);
    EXPECT_EQ(window.GetWindow(), 1e6 + 2000.25);
}

TEST(NsccWindow, AMarkWithALongDelayEndsFastIncrease)
{
    NsccWindow window = BeginFast(Slow());
    window.Acknowledged(Delayed(4000, 8 * US, true), 2 * US); // the average delay is still short
    window.Acknowledged(Delayed(4000, 0), 2 * US);
    EXPECT_EQ(window.GetWindow(), 1e6 + 1000.25);
    EXPECT_EQ(window.GetCounters().decreases, 0);
}

TEST(NsccWindow, AMarkWithAShortDelayChangesNothing)
{
    NsccWindow window = BeginAtMillion(Sharp());
    window.Acknowledged(Delayed(9000, 7 * US, true), 11 * US);
    EXPECT_EQ(window.GetWindow(), 1e6);
    EXPECT_EQ(window.GetAverageDelay(), 7 * US);
}

TEST(NsccWindow, DecreaseByTheExcessOfTheAverageOncePerBaseRtt)
{
    NsccWindow window = BeginAtMillion(Sharp());
    window.Acknowledged(Delayed(1000, 10 * US, true), 20 * US); // 1 - 0.8 * 2.5 / 10
    EXPECT_DOUBLE_EQ(window.GetWindow(), 800'000);
    window.Acknowledged(Delayed(1000, 10 * US, true), 30 * US);
    EXPECT_DOUBLE_EQ(window.GetWindow(), 800'000) << "not more than a base RTT later";
    window.Acknowledged(Delayed(1000, 10 * US, true), 30 * US + 1);
    EXPECT_DOUBLE_EQ(window.GetWindow(), 640'000);
    window.Acknowledged(Delayed(1000, 1000 * US, true), 41 * US); // 1 - 0.8 * 0.9925 is less
    EXPECT_DOUBLE_EQ(window.GetWindow(), 320'000) << "half is the most";
    EXPECT_EQ(window.GetCounters().decreases, 3);
}

TEST(NsccWindow, AMarkAtTheTargetDelayDecreases)
{
    NsccWindow::Parameters parameters = Sharp();
    parameters.delayWeight = 0.5;
    NsccWindow window = BeginAtMillion(parameters);
    window.Acknowledged(Delayed(1000, 20 * US, true), 20 * US); // 1 - 0.8 * 2.5 / 10
    EXPECT_DOUBLE_EQ(window.GetWindow(), 800'000);
    window.Acknowledged(Delayed(1000, 7 * US + US / 2, true), 31 * US); // 1 - 0.8 * 1.25 / 8.75
    EXPECT_DOUBLE_EQ(window.GetAverageDelay(), 8.75 * US);
    EXPECT_DOUBLE_EQ(window.GetWindow(), 800'000 * (1 - 1 / 8.75));
}

TEST(NsccWindow, DecreaseNeedsALongAverage)
{
    NsccWindow window = BeginAtMillion(Round());
    window.Acknowledged(Delayed(1000, 100 * US, true), US); // 0.0125 * 100 us
    EXPECT_DOUBLE_EQ(window.GetAverageDelay(), 1.25 * US);
    EXPECT_EQ(window.GetWindow(), 1e6);
}

TEST(NsccWindow, UnmarkedLateDelaysCountAsAQuarterOfTheBaseRtt)
{
    NsccWindow window = Begin(Round());
    window.Acknowledged(Delayed(1000, 8 * US), US);
    EXPECT_DOUBLE_EQ(window.GetAverageDelay(), 31'250); // 0.0125 * 0.25 * 10 us
    window = Begin(Round());
    window.Acknowledged(Delayed(1000, 7 * US + US / 2), US);
    EXPECT_DOUBLE_EQ(window.GetAverageDelay(), 93'750) << "the target itself is not late";
    window = Begin(Round());
    window.Acknowledged(Delayed(1000, 8 * US, true), US);
    window.Acknowledged(Delayed(1000, 0), US);
    EXPECT_DOUBLE_EQ(window.GetAverageDelay(), 98'750); // 0.9875 * 0.0125 * 8 us
}

TEST(NsccWindow, ASmallerRttIsTheBaseRttAndLowersTheLargestWindow)
{
    NsccWindow window = Begin(Sharp());
    window.Acknowledged({1000, 8 * US}, US);
    EXPECT_EQ(window.GetBaseRtt(), 8 * US);
    EXPECT_DOUBLE_EQ(window.GetMaxWindow(), 1'200'000);
    EXPECT_EQ(window.GetWindow(), window.GetMaxWindow());
    EXPECT_EQ(window.GetAverageDelay(), 0);
    window.Acknowledged({1000, 10 * US}, US);
    EXPECT_EQ(window.GetAverageDelay(), 2 * US);
    EXPECT_EQ(window.GetBaseRtt(), 8 * US);
}

TEST(NsccWindow, WithoutRttSampleUltraEthernetEndsTheUpdateAndUetTakesTheAverage)
{
    NsccWindow ue = BeginAtMillion(Sharp());
    ue.Acknowledged(Delayed(0, 2 * US + US / 2), US);
    ue.Acknowledged({8000, std::nullopt}, US);
    EXPECT_EQ(ue.GetWindow(), 1e6);
    ue.Acknowledged(Delayed(1000, 2 * US + US / 2), US); // the bytes count: 9000 are enough
    EXPECT_EQ(ue.GetWindow(), 1e6 + 2);                  // 4e-4 B/ps * 1000 B * 5 us / 1e6 B
    NsccWindow uet = BeginAtMillion(Sharp(NsccWindow::UET));
    uet.Acknowledged(Delayed(0, 2 * US + US / 2), US);
    uet.Acknowledged({9000, std::nullopt}, US);
    EXPECT_EQ(uet.GetWindow(), 1e6 + 18); // as with a delay of 2.5 us
    EXPECT_EQ(uet.GetAverageDelay(), 2.5 * US);
}

TEST(NsccWindow, WithoutRttSampleTheAverageDelayStays)
{
    NsccWindow window = BeginAtMillion(Sharp(NsccWindow::UET));
    window.Acknowledged(Delayed(0, 8 * US, true), US);
    window.Acknowledged({1000, std::nullopt}, US); // unmarked; the average is above the target
    EXPECT_EQ(window.GetAverageDelay(), 8 * US);
}

TEST(NsccWindow, QuickAdaptEndsAPeriodWithATrimmedPacket)
{
    for (const auto profile : {NsccWindow::UE, NsccWindow::UET})
    {
        NsccWindow window = Begin(Round(profile));
        window.Sent(1'500'000);
        window.Acknowledged(Delayed(100'000, 8 * US), 5 * US);
        window.Trimmed(1000, false, 10 * US);
        EXPECT_EQ(window.GetWindow(), 1'499'000) << "the trimmed packet";
        EXPECT_EQ(window.GetInFlight(), 1'399'000);
        const int64_t end = 17 * US + US / 2;
        window.Acknowledged(Delayed(50'000, 8 * US, true), end - 1);
        const double before = window.GetWindow();
        EXPECT_GT(before, 1'499'000);
        window.Acknowledged(Delayed(0, 8 * US, true), end);
        EXPECT_EQ(window.GetWindow(), profile == NsccWindow::UE ? 150'000 : before);
        window.Acknowledged(Delayed(0, 8 * US, true), end + 1);
        EXPECT_EQ(window.GetWindow(), 150'000);
        EXPECT_EQ(window.GetCounters().quickAdapts, 1);
    }
}

TEST(NsccWindow, QuickAdaptNeedsLittleDelivered)
{
    NsccWindow window = Begin(Round()); // the gate is 1.5e6 B / 8
    window.Acknowledged(Delayed(187'500, 8 * US), 5 * US);
    window.Trimmed(1000, false, 10 * US);
    window.Acknowledged(Delayed(0, 8 * US), 17 * US + US / 2);
    EXPECT_GT(window.GetWindow(), 1'499'000);
    window.Acknowledged(Delayed(187'499, 8 * US), 35 * US); // the packet still counts as trimmed
    EXPECT_EQ(window.GetWindow(), 187'499);
}

TEST(NsccWindow, QuickAdaptKeepsAPacketAndDropsIncreases)
{
    NsccWindow window = Begin(Slow());
    window.Acknowledged(Delayed(150'000, 8 * US), 5 * US);
    window.Trimmed(1000, false, 10 * US);
    window.Acknowledged(Delayed(0, 8 * US), 20 * US); // adapts; the next period ends at 37.5 us
    window.Acknowledged(Delayed(0, 8 * US), 20 * US); // adds eta, but not 5000 * 150,000 / 150,000
    EXPECT_EQ(window.GetWindow(), 150'000 + 150);
    window.Acknowledged(Delayed(0, 8 * US), 40 * US);
    EXPECT_EQ(window.GetWindow(), 150'000 + 300) << "nothing was trimmed in this period";
    window.Trimmed(1000, false, 60 * US); // in a third one, in which nothing was delivered
    EXPECT_EQ(window.GetWindow(), 1000);
    EXPECT_EQ(window.GetCounters().quickAdapts, 2);
}

TEST(NsccWindow, QuickAdaptNeedsAPeriod)
{
    NsccWindow window{NsccWindow::Constants(Round())};
    window.Trimmed(1000, false, 100 * US); // the first report begins a period
    EXPECT_EQ(window.GetWindow(), 1'499'000);
}

TEST(NsccWindow, QuickAdaptByDelay)
{
    const auto fires = [](const NsccWindow::Parameters& parameters, int64_t delay) {
        return WindowAfterDelay(parameters, delay) == 100'000;
    };
    EXPECT_FALSE(fires(Round(), 10'000 * US)) << "never if switches trim";
    EXPECT_FALSE(fires(Round(NsccWindow::UET), 30 * US)) << "4 targets of 7.5 us";
    EXPECT_TRUE(fires(Round(NsccWindow::UET), 30 * US + 1));
    NsccWindow::Parameters parameters = Round();
    parameters.trims = false; // drops at 5 bandwidth-delay products: 4 base RTTs of delay
    EXPECT_FALSE(fires(parameters, 40 * US));
    EXPECT_TRUE(fires(parameters, 40 * US + 1));
    parameters.dropThreshold = 2.5;
    EXPECT_FALSE(fires(parameters, 15 * US));
    EXPECT_TRUE(fires(parameters, 15 * US + 1));
    parameters.quickAdaptThreshold = 20 * US;
    EXPECT_FALSE(fires(parameters, 20 * US));
    EXPECT_TRUE(fires(parameters, 20 * US + 1));
}

TEST(NsccWindow, AfterQuickAdaptMarksOfTheOldWindowAreIgnored)
{
    NsccWindow window = BeginAdapted(Sharp());
    window.Acknowledged(Delayed(1'348'999, 30 * US, true), 30 * US);
    EXPECT_EQ(window.GetWindow(), 150'000);
    window.Trimmed(1, false, 30 * US); // the last byte of the old window
    EXPECT_EQ(window.GetWindow(), 149'999);
    window.Acknowledged(Delayed(0, 30 * US, true), 30 * US); // half is the most
    EXPECT_DOUBLE_EQ(window.GetWindow(), 149'999 * 0.5) << "a later mark is not ignored";
}

TEST(NsccWindow, WhileMarksAreIgnoredTrimmedPacketsAreTooAndUnmarkedPacketsAreNot)
{
    NsccWindow window = BeginAdapted(Sharp());
    window.Trimmed(1000, false, 20 * US);
    EXPECT_EQ(window.GetWindow(), 150'000);
    window.Acknowledged(Delayed(9000, 8 * US), 21 * US); // fair: 5000 * 9000 / 150,000
    EXPECT_DOUBLE_EQ(window.GetWindow(), 150'300);
}

TEST(NsccWindow, WhileMarksAreIgnoredTheLargestWindowIsStillABound)
{
    NsccWindow window = BeginAdapted(Sharp());
    window.Acknowledged({1000, US / 2, true}, 20 * US); // 1.5 * 0.1 B/ps * 0.5 us
    EXPECT_EQ(window.GetWindow(), 75'000);
}

TEST(NsccWindow, InferredLossesCountAsIgnoredInUltraEthernet)
{
    for (const auto profile : {NsccWindow::UE, NsccWindow::UET})
    {
        NsccWindow window = BeginAdapted(Sharp(profile));
        window.InferredLoss(1'349'000);
        EXPECT_EQ(window.GetWindow(), 150'000);
        EXPECT_EQ(window.GetInFlight(), 0);
        window.Acknowledged(Delayed(0, 30 * US, true), 30 * US);
        EXPECT_DOUBLE_EQ(window.GetWindow(), profile == NsccWindow::UE ? 75'000 : 150'000);
    }
}

TEST(NsccWindow, ATrimmedPacketIsASampleOfTheNetworkRtt)
{
    NsccWindow window = Begin(Round());
    window.Trimmed(1000, false, US);
    EXPECT_DOUBLE_EQ(window.GetAverageDelay(), 125'000); // 0.0125 * 10 us
    EXPECT_EQ(window.GetInFlight(), -1000);
    window.Sent(5000);
    EXPECT_EQ(window.GetInFlight(), 5000) << "what is sent is in flight";
}

// The base RTT of 10 us becomes 8 us, and the largest window 1.5 * 0.1 B/ps * 8 us = 1.2e6 B.
TEST(NsccWindow, ATrimmedPacketMayLowerTheBaseRtt)
{
    NsccWindow window{NsccWindow::Constants(Round(NsccWindow::UET))};
    window.Trimmed(1000, false, 20 * US, 12 * US);
    EXPECT_EQ(window.GetBaseRtt(), 10 * US);
    EXPECT_EQ(window.GetWindow(), 1.5e6 - 1000);
    window.Trimmed(1000, false, 21 * US, 8 * US);
    EXPECT_EQ(window.GetBaseRtt(), 8 * US);
    EXPECT_EQ(window.GetMaxWindow(), 1.2e6);
    EXPECT_EQ(window.GetWindow(), 1.2e6 - 1000);
}

TEST(NsccWindow, WithReceiverCreditsTheLastHopIsTheReceivers)
{
    for (const auto profile : {NsccWindow::UE, NsccWindow::UET})
    {
        for (const bool credits : {false, true})
        {
            NsccWindow::Parameters parameters = Round(profile);
            parameters.receiverCredits = credits;
            NsccWindow window = Begin(parameters);
            window.Trimmed(1000, true, 10 * US);
            EXPECT_EQ(window.GetWindow(), credits ? 1'500'000 : 1'499'000);
            window.Acknowledged(Delayed(2000, 8 * US), 20 * US);
            const bool adapts = !credits || profile == NsccWindow::UET;
            EXPECT_EQ(window.GetCounters().quickAdapts, adapts ? 1 : 0) << profile << credits;
        }
        NsccWindow::Parameters parameters = Round(profile);
        parameters.receiverCredits = true;
        NsccWindow window = Begin(parameters);
        window.Trimmed(1000, false, 10 * US);
        EXPECT_EQ(window.GetWindow(), 1'499'000) << "in the fabric";
    }
}

TEST(NsccWindow, ATimeoutTakesItsBytes)
{
    NsccWindow window = Begin(Round());
    window.Sent(10'000);
    window.TimedOut(1000);
    EXPECT_EQ(window.GetWindow(), 1'499'000);
    EXPECT_EQ(window.GetInFlight(), 9000);
    window.TimedOut(1'498'500);
    EXPECT_EQ(window.GetWindow(), 1000);
}

TEST(NsccWindow, ThePenaltyOfUltraEthernetTakesTheUnusedWindowAndAShareAndIsGivenBack)
{
    for (const bool restores : {false, true})
    {
        NsccWindow::Parameters parameters = Round();
        parameters.delayWeight = 1;
        NsccWindow window = BeginAtMillion(parameters);
        window.Sent(600'000);
        NsccWindow::Ack ack = Delayed(1000, 8 * US);
        ack.penalty = 64;
        window.Acknowledged(ack, US);
        EXPECT_EQ(window.GetWindow(), 598'500); // 599,000 in flight, less half of 1000
        ack.penalty = 32;
        ack.bytes = 100'000;
        window.Acknowledged(ack, 11 * US);
        EXPECT_EQ(window.GetWindow(), 573'500) << "a quarter of 100,000; no increase, nor eta";
        window.Acknowledged({0, 20 * US, true, 32}, 12 * US); // 1 - 0.8 * 2.5 / 10
        EXPECT_DOUBLE_EQ(window.GetWindow(), 573'500 * 0.8) << "decreases go on";
        ack = Delayed(0, 8 * US, true);
        ack.penalty = restores ? 32 : 0;
        ack.restores = restores;
        window.Acknowledged(ack, 12 * US);
        EXPECT_EQ(window.GetWindow(), 1'000'150) << "with the eta that is due";
        EXPECT_EQ(window.GetCounters().penalties, 1);
    }
}

TEST(NsccWindow, TheWindowThatIsGivenBackIsNotAboveTheLargest)
{
    NsccWindow window = Begin(Sharp());
    window.Acknowledged({1000, 10 * US, false, 1}, US);
    window.Acknowledged({1000, 8 * US, false, 1}, US);
    window.Acknowledged({1000, std::nullopt}, US);
    EXPECT_EQ(window.GetWindow(), window.GetMaxWindow());
    EXPECT_DOUBLE_EQ(window.GetMaxWindow(), 1'200'000);
}

TEST(NsccWindow, ThePenaltyOfUetTakesAShareAndIncreasesGoOn)
{
    NsccWindow window = BeginAtMillion(Sharp(NsccWindow::UET));
    window.Sent(600'000);
    NsccWindow::Ack ack = Delayed(10'000, 8 * US);
    ack.penalty = 64;
    window.Acknowledged(ack, US);
    EXPECT_DOUBLE_EQ(window.GetWindow(), 995'000 + 5e7 / 995'000); // fair: 5000 B * 10,000 B
    ack.penalty = 0;
    ack.bytes = 0;
    window.Acknowledged(ack, US);
    EXPECT_LT(window.GetWindow(), 996'000) << "it is not given back";
}

TEST(NsccWindow, SumsAreWideEnoughFor800Gigabits)
{
    // at 0.1 B/ps and 8.33712 us: 1,250,568 B of window, and a fair increase of 113,551.6 B
    NsccWindow::Parameters parameters;
    parameters.profile = NsccWindow::UET;
    parameters.rate = 0.1;
    parameters.networkRtt = 8'337'120;
    parameters.periodicIncrease = 0;
    NsccWindow window{NsccWindow::Constants(parameters)};
    window.TimedOut(625'284);
    const double before = window.GetWindow();
    EXPECT_NEAR(before, 625'284, 1);
    // one report of a whole window: 1.42e11 B^2 are collected, 33 times 2^32
    window.Acknowledged({1'250'568, 20 * US}, 20 * US);
    EXPECT_NEAR(window.GetWindow(), before + 113'551.6 * 1'250'568 / before, 1);
}

namespace
{

/// Two windows that are told the same: one counts packets with headers, one payload only.
struct Twins
{
    /// @param parameters what both have in common
    explicit Twins(const NsccWindow::Parameters& parameters)
        : m_parameters(parameters),
          m_packets(NsccWindow::Constants(parameters)),
          m_payload(NsccWindow::Constants(parameters).InPayload())
    {
    }

    /// Something happens, in a network that is now and then congested.
    void Step(std::mt19937& random)
    {
        if (random() % 100 == 0)
        {
            m_delay = random() % 3 ? 100 * US >> random() % 12 : 0;
            m_marks = random() % 5;
            m_most = 1 << random() % 7;
        }
        m_now += random() % (2 * US);
        const int64_t packets = random() % m_most;
        const bool marked = random() % 4 < m_marks;
        NsccWindow::Ack ack{packets, std::nullopt, marked};
        switch (random() % 32)
        {
        case 0:
            return ForBoth(packets % 4, [&](NsccWindow& window, int64_t bytes) {
                window.Trimmed(bytes, marked, m_now);
            });
        case 1:
            return ForBoth(packets % 4, [&](NsccWindow& window, int64_t bytes) {
                marked ? window.TimedOut(bytes) : window.InferredLoss(bytes);
            });
        case 2:
            ack.penalty = random() % 256;
            ack.restores = random() % 2;
            break;
        default:
            break;
        }
        ForBoth(packets, [](NsccWindow& window, int64_t bytes) { window.Sent(bytes); });
        if (random() % 8 > 0)
        {
            ack.rtt = m_parameters.networkRtt - US / 4 +
                      static_cast<int64_t>(random() % (m_delay + US / 2));
        }
        ForBoth(packets, [&](NsccWindow& window, int64_t bytes) {
            ack.bytes = bytes;
            window.Acknowledged(ack, m_now);
        });
    }

    /// Both are in their bounds and equal.
    void Check() const
    {
        const auto [packet, header] = std::make_pair(m_parameters.packet, m_parameters.header);
        ASSERT_GE(m_packets.GetWindow(), packet);
        ASSERT_LE(m_packets.GetWindow(), m_packets.GetMaxWindow());
        ASSERT_LE(m_packets.GetMaxWindow(), 1.5 * m_parameters.rate * m_parameters.networkRtt + 1);
        ASSERT_GE(m_packets.GetAverageDelay(), 0);
        ASSERT_LT(m_packets.GetAverageDelay(), 102 * US);
        ASSERT_LE(std::abs(m_packets.GetInFlight()), int64_t{64} * packet);
        const double ratio = (packet - header) / static_cast<double>(packet);
        ASSERT_NEAR(m_payload.GetWindow() / m_packets.GetWindow(), ratio, 1e-6);
        ASSERT_GE(m_payload.GetWindow(), packet - header);
    }

    /// @return the one that counts packets
    const NsccWindow& Get() const
    {
        return m_packets;
    }

    /// Do the same to both.  @param action with the bytes of as many
    template <typename Action>
    void ForBoth(int64_t packets, const Action& action)
    {
        action(m_packets, packets * m_parameters.packet);
        action(m_payload, packets * (m_parameters.packet - m_parameters.header));
    }

    NsccWindow::Parameters m_parameters; //!< what both have in common
    NsccWindow m_packets;                //!< with headers
    NsccWindow m_payload;                //!< without
    int64_t m_now{0};                    //!< the time, in ps
    int64_t m_delay{0};                  //!< the longest delay at present, in ps
    uint32_t m_marks{0};                 //!< reports of four that have marks at present
    uint32_t m_most{64};                 //!< reports are about less packets at present
};

} // namespace

TEST(NsccWindow, StaysInItsBoundsAt800GigabitsWhateverHappens)
{
    uint64_t decreases = 0;
    uint64_t quickAdapts = 0;
    uint64_t penalties = 0;
    for (uint32_t seed = 1; seed <= 40; ++seed)
    {
        std::mt19937 random(seed);
        NsccWindow::Parameters parameters;
        parameters.profile = seed % 2 ? NsccWindow::UE : NsccWindow::UET;
        parameters.trims = seed % 4 < 2;
        parameters.receiverCredits = seed % 8 < 4;
        parameters.rate = 0.1;
        parameters.networkRtt = 8'337'120;
        parameters.packet = 4158; // a header of 126 makes the ratio 32 / 33
        parameters.header = 126;
        Twins twins(parameters);
        for (int i = 0; i < 3000; ++i)
        {
            twins.Step(random);
            twins.Check();
            ASSERT_FALSE(HasFatalFailure()) << "seed " << seed << ", event " << i;
        }
        decreases += twins.Get().GetCounters().decreases;
        quickAdapts += twins.Get().GetCounters().quickAdapts;
        penalties += twins.Get().GetCounters().penalties;
    }
    EXPECT_GT(decreases, 100);
    EXPECT_GT(quickAdapts, 100);
    EXPECT_GT(penalties, 100);
}
