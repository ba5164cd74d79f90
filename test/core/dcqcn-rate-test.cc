/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/dcqcn-rate.h"

namespace
{

constexpr int64_t US = 1000000; //!< picoseconds
constexpr double MBPS = 1e6;    //!< bit/s
constexpr double GBPS = 1e9;    //!< bit/s
constexpr double TINY = 1e-3;   //!< bit/s: what rounding may do

/// @return the constants of the paper
DcqcnRate::Parameters
Paper()
{
    DcqcnRate::Parameters parameters;
    parameters.additive = 40 * MBPS;
    parameters.leastRate = 40 * MBPS;
    parameters.byteCounter = 10000000;
    return parameters;
}

/// @return constants of NICs at 100 Gb/s
DcqcnRate::Parameters
Nic()
{
    DcqcnRate::Parameters parameters;
    parameters.isPaper = false;
    parameters.alphaPeriod = US;
    parameters.ratePeriod = 300 * US;
    parameters.fastSteps = 1;
    parameters.additive = 20 * MBPS;
    parameters.hyper = 200 * MBPS;
    parameters.leastRate = 1000 * MBPS;
    return parameters;
}

} // namespace

/// Until the first CNP nothing changes; each CNP cuts by alpha, which it raises afterwards.
TEST(DcqcnRate, EachCnpOfThePaperCuts)
{
    DcqcnRate rate(Paper(), 40 * GBPS);
    rate.Sent(20000000, 50 * US);
    EXPECT_EQ(rate.GetRate(), 40 * GBPS);
    EXPECT_EQ(rate.GetByteStage(), 0U);
    rate.Notified(100 * US);
    EXPECT_EQ(rate.GetTarget(), 40 * GBPS);
    EXPECT_EQ(rate.GetRate(), 20 * GBPS) << "alpha is 1 at first";
    EXPECT_EQ(rate.GetAlpha(), 1);
    rate.Advance(154 * US);
    EXPECT_EQ(rate.GetRate(), 20 * GBPS);
    rate.Advance(155 * US);
    EXPECT_EQ(rate.GetRate(), 30 * GBPS) << "half of the way back";
    EXPECT_EQ(rate.GetAlpha(), 255.0 / 256) << "no CNP in 55 us";
    rate.Notified(160 * US);
    EXPECT_EQ(rate.GetTarget(), 30 * GBPS);
    EXPECT_EQ(rate.GetRate(), 30 * GBPS * (1 - 255.0 / 512)) << "alpha before the CNP counts";
    EXPECT_EQ(rate.GetAlpha(), 65281.0 / 65536);
    EXPECT_EQ(rate.GetTimeStage(), 0U);
    EXPECT_EQ(rate.GetCuts(), 2U);
}

/// Fast recovery four times, then 40 Mb/s each time, by the timer as by the byte counter.
TEST(DcqcnRate, RecoveryAndAdditiveIncreaseOfThePaper)
{
    DcqcnRate rate(Paper(), 40 * GBPS);
    rate.Notified(100 * US);
    rate.Advance(155 * US);
    rate.Notified(160 * US);
    for (const double expected : {22.529296875, 26.2646484375, 28.13232421875, 29.066162109375})
    {
        rate.Advance((215 + 55 * rate.GetTimeStage()) * US);
        EXPECT_NEAR(rate.GetRate(), expected * GBPS, TINY);
        EXPECT_EQ(rate.GetTarget(), 30 * GBPS);
    }
    rate.Advance(435 * US);
    EXPECT_NEAR(rate.GetTarget(), 30.04 * GBPS, TINY);
    EXPECT_NEAR(rate.GetRate(), 29.5530810546875 * GBPS, TINY);
    rate.Advance(490 * US);
    EXPECT_NEAR(rate.GetRate(), 29.81654052734375 * GBPS, TINY);
    EXPECT_NEAR(rate.GetAlpha(), 65281.0 / 65536 * std::pow(255.0 / 256, 6), 1e-12);
    rate.Sent(9999999, 495 * US);
    EXPECT_EQ(rate.GetByteStage(), 0U);
    rate.Sent(1, 496 * US);
    EXPECT_EQ(rate.GetByteStage(), 1U);
    EXPECT_NEAR(rate.GetTarget(), 30.12 * GBPS, TINY);
    EXPECT_NEAR(rate.GetRate(), 29.968270263671875 * GBPS, TINY);
    rate.Notified(500 * US);
    EXPECT_EQ(rate.GetByteStage(), 0U);
    rate.Sent(9999999, 501 * US);
    EXPECT_EQ(rate.GetByteStage(), 0U) << "a CNP starts the byte counter anew";
}

/// When timer and byte counter have both expired more than F times, each step adds one more.
TEST(DcqcnRate, HyperIncreaseOfThePaper)
{
    DcqcnRate::Parameters parameters = Paper();
    parameters.hyper = 100 * MBPS;
    parameters.byteCounter = 1000;
    DcqcnRate rate(parameters, 40 * GBPS);
    rate.Notified(0);
    rate.Notified(0);
    EXPECT_EQ(rate.GetTarget(), 20 * GBPS);
    rate.Sent(7000, 1); // B = 7: 4 recoveries, 3 additive
    EXPECT_EQ(rate.GetByteStage(), 7U);
    EXPECT_NEAR(rate.GetTarget(), 20.12 * GBPS, TINY);
    rate.Advance(5 * 55 * US); // T = 5
    EXPECT_NEAR(rate.GetTarget(), 20.32 * GBPS, TINY) << "additive as long as one is not beyond F";
    rate.Advance(6 * 55 * US); // min(T, B) - F = 1
    EXPECT_NEAR(rate.GetTarget(), 20.42 * GBPS, TINY);
    rate.Advance(8 * 55 * US); // 2, and again 2 as B stays 7
    EXPECT_NEAR(rate.GetTarget(), 20.82 * GBPS, TINY);
}

/// The first CNP arms the timers; a check every 4 us cuts if a CNP has come.
TEST(DcqcnRate, ChecksOfNicsCut)
{
    constexpr double DECAY = 255.0 / 256;
    DcqcnRate rate(Nic(), 100 * GBPS);
    rate.Notified(10 * US);
    EXPECT_EQ(rate.GetRate(), 100 * GBPS) << "the flag alone changes no rate";
    rate.Advance(13 * US);
    EXPECT_EQ(rate.GetRate(), 100 * GBPS);
    rate.Advance(14 * US);
    double alpha = std::pow(DECAY, 4);
    double expected = 100 * GBPS * (1 - alpha / 2);
    EXPECT_NEAR(rate.GetRate(), expected, TINY);
    EXPECT_EQ(rate.GetTarget(), 100 * GBPS);
    rate.Notified(15 * US);
    rate.Notified(15 * US + 1);
    rate.Advance(18 * US);
    alpha = (std::pow(DECAY, 6) + 1.0 / 256) * DECAY * DECAY;
    expected *= 1 - alpha / 2;
    EXPECT_NEAR(rate.GetAlpha(), alpha, 1e-12) << "two CNPs raise alpha once";
    EXPECT_NEAR(rate.GetRate(), expected, TINY) << "and cut once";
    EXPECT_EQ(rate.GetTarget(), 100 * GBPS) << "no increase since the cut before";
    EXPECT_EQ(rate.GetCuts(), 2U);
    rate.Advance(318 * US - 1);
    EXPECT_NEAR(rate.GetRate(), expected, TINY);
    rate.Advance(318 * US);
    expected = (expected + 100 * GBPS) / 2;
    EXPECT_NEAR(rate.GetRate(), expected, TINY);
    rate.Notified(700 * US); // after another increase
    rate.Advance(701 * US);
    expected = (expected + 100 * GBPS) / 2; // the target is at most the line rate
    EXPECT_NEAR(rate.GetRate(), expected, TINY);
    rate.Advance(702 * US);
    EXPECT_NEAR(rate.GetTarget(), expected, TINY) << "an increase came before the cut";
    for (const double more : {0.0, 20.0, 220.0, 420.0}) // recovery, additive, hyper, hyper
    {
        rate.Advance((1002 + 300 * rate.GetTimeStage()) * US);
        EXPECT_NEAR(rate.GetTarget(), expected + more * MBPS, TINY);
    }
}

/// ClampTargetRate: the second cut in a row sets the target, too.
TEST(DcqcnRate, ClampsTarget)
{
    DcqcnRate::Parameters parameters = Nic();
    parameters.clampsTarget = true;
    DcqcnRate rate(parameters, 100 * GBPS);
    rate.Notified(0);
    rate.Advance(4 * US);
    const double first = rate.GetRate();
    rate.Notified(5 * US);
    rate.Advance(8 * US);
    EXPECT_EQ(rate.GetTarget(), first);
}

/// Shares and bounds of cuts.
TEST(DcqcnRate, Bounds)
{
    DcqcnRate::Parameters parameters = Paper();
    parameters.maxDecrease = 0.25;
    DcqcnRate careful(parameters, 40 * GBPS);
    careful.Notified(0);
    EXPECT_EQ(careful.GetRate(), 30 * GBPS);
    DcqcnRate low(Paper(), 40 * GBPS);
    for (int i = 0; i < 100; ++i)
    {
        low.Notified(i);
    }
    EXPECT_EQ(low.GetRate(), 40 * MBPS) << "the least rate";
    low.SetLineRate(20 * MBPS);
    EXPECT_EQ(low.GetRate(), 20 * MBPS) << "no more than the line rate";
    parameters = Nic();
    parameters.firstRate = 0.5;
    DcqcnRate first(parameters, 100 * GBPS);
    first.Notified(0);
    EXPECT_EQ(first.GetRate(), 50 * GBPS) << "rate at the first CNP";
    DcqcnRate unused(Nic(), 100 * GBPS);
    unused.SetLineRate(400 * GBPS);
    EXPECT_EQ(unused.GetRate(), 400 * GBPS) << "what is the most stays the most";
}

/// It does not matter how often the timers are looked at: a call for each microsecond, or one.
TEST(DcqcnRate, OneCallIsAsMany)
{
    std::mt19937 random(1);
    for (int run = 0; run < 200; ++run)
    {
        DcqcnRate::Parameters parameters = run % 2 ? Paper() : Nic();
        parameters.fastSteps = 1 + random() % 6;
        parameters.ratePeriod = (1 + random() % 300) * US;
        parameters.alphaPeriod = (1 + random() % 60) * US;
        parameters.hyper = random() % 2 * 100 * MBPS;
        DcqcnRate often(parameters, 40 * GBPS);
        DcqcnRate seldom(parameters, 40 * GBPS);
        int64_t now = 0;
        for (int cnp = 0; cnp < 20; ++cnp)
        {
            const int64_t until = now + (1 + random() % (random() % 4 ? 200 : 20000)) * US;
            for (; now < until; now += US)
            {
                often.Advance(now);
            }
            often.Notified(now);
            seldom.Notified(now);
            EXPECT_NEAR(seldom.GetRate(), often.GetRate(), 1);
            EXPECT_NEAR(seldom.GetAlpha(), often.GetAlpha(), 1e-9);
            EXPECT_EQ(seldom.GetTimeStage(), often.GetTimeStage());
        }
        EXPECT_EQ(seldom.GetCuts(), often.GetCuts());
    }
}

/// Without CNPs the rate reaches the line rate, and a long idle time takes no time.
TEST(DcqcnRate, RecoversWhole)
{
    for (const DcqcnRate::Parameters& parameters : {Paper(), Nic()})
    {
        DcqcnRate rate(parameters, 40 * GBPS);
        rate.Notified(0);
        rate.Notified(5 * US);
        rate.Advance(INT64_C(1000000) * 1000000 * US); // eleven days
        EXPECT_EQ(rate.GetRate(), 40 * GBPS);
        EXPECT_LT(rate.GetAlpha(), 1e-100);
    }
}

/// A packet that takes longer than the timer of increases leaves at the mean rate.
TEST(DcqcnRate, MeanRate)
{
    DcqcnRate rate(Paper(), 40 * GBPS);
    EXPECT_EQ(rate.GetMeanRate(8000), 40 * GBPS);
    rate.Notified(0);
    EXPECT_EQ(rate.GetMeanRate(8000), 20 * GBPS);
    for (int i = 0; i < 8; ++i)
    {
        rate.Notified(0);
    }
    EXPECT_NEAR(rate.GetRate(), 78.125 * MBPS, TINY);
    EXPECT_NEAR(rate.GetTarget(), 156.25 * MBPS, TINY);
    // 55 us at 78.125 Mb/s are 4296.875 bits, the others leave at 117.1875 Mb/s
    const double time = 55e-6 + (8000 - 4296.875) / (117.1875 * MBPS);
    EXPECT_NEAR(rate.GetMeanRate(8000), 8000 / time, TINY);
    EXPECT_EQ(rate.GetTimeStage(), 0U) << "it changes nothing";
}
