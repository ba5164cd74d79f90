/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/conga-metrics.h"
#include "ns3/discounting-rate.h"

namespace
{

constexpr int64_t AGEING = 1000; //!< after which a metric is halved

/// @return what a packet carries that has left by an uplink  @param metric it has met
CongaTag
MakeTag(uint8_t uplink, uint8_t metric)
{
    CongaTag tag;
    tag.isSet = true;
    tag.uplink = uplink;
    tag.metric = metric;
    return tag;
}

/// @return metrics of a leaf of 4 uplinks among 3, of which others have 3
CongaMetrics
MakeMetrics()
{
    CongaMetrics metrics;
    metrics.Resize(3, 4, 3, AGEING);
    return metrics;
}

/// @return the uplink and the metric of the next feedback to a leaf; -1: none
std::pair<int, int>
Give(CongaMetrics& metrics, uint32_t leaf)
{
    CongaTag tag;
    metrics.GiveFeedback(leaf, tag);
    return tag.hasFeedback ? std::make_pair(+tag.feedbackUplink, +tag.feedback)
                           : std::make_pair(-1, -1);
}

using UplinkMetric = std::pair<int, int>;

} // namespace

TEST(DiscountingRate, ComesToTheRateTimesItsTimeConstant)
{
    DiscountingRate::Parameters parameters; // 100 Gb/s: 12.5 bytes a nanosecond
    parameters.period = 1000000;
    parameters.share = 0.1;
    DiscountingRate rate;
    int64_t now = 0;
    for (int i = 0; i < 2000; ++i, now += 160000) // half of the rate
    {
        rate.Add(parameters, 1000, now);
    }
    const double expected = 12.5 / 2 * parameters.GetTimeConstant() / 1000;
    EXPECT_LE(rate.GetBytes(parameters, now), expected); // a period has just ended
    EXPECT_GE(rate.GetBytes(parameters, now), 0.88 * expected);
    EXPECT_NEAR(rate.GetMetric(parameters, 100e9, now), 4, 1);
    EXPECT_EQ(rate.GetMetric(parameters, 10e9, now), 7); // the largest of 3 bits
    parameters.bits = 7;
    EXPECT_NEAR(rate.GetMetric(parameters, 100e9, now), 64, 7);
}

TEST(DiscountingRate, FallsByItsShareEachPeriod)
{
    DiscountingRate::Parameters parameters;
    parameters.period = 100;
    parameters.share = 0.5;
    DiscountingRate rate;
    rate.Add(parameters, 800, 50);
    EXPECT_EQ(rate.GetBytes(parameters, 99), 800);
    EXPECT_EQ(rate.GetBytes(parameters, 100), 400);
    EXPECT_EQ(rate.GetBytes(parameters, 399), 100);
    EXPECT_EQ(rate.GetBytes(parameters, 99), 800); // to ask changes nothing
    rate.Add(parameters, 10, 399);
    EXPECT_EQ(rate.GetBytes(parameters, 400), 55);
}

TEST(CongaMetrics, FeedbackSetsTheMetricOfAPath)
{
    CongaMetrics metrics = MakeMetrics();
    EXPECT_EQ(metrics.GetMetric(2, 3, 0), 0);
    CongaTag tag = MakeTag(0, 1);
    tag.hasFeedback = true;
    tag.feedbackUplink = 3;
    tag.feedback = 6;
    metrics.Receive(2, tag, 10);
    EXPECT_EQ(metrics.GetMetric(2, 3, 10), 6);
    EXPECT_EQ(metrics.GetMetric(2, 2, 10), 0);
    EXPECT_EQ(metrics.GetMetric(1, 3, 10), 0);
    tag.feedback = 2;
    metrics.Receive(2, tag, 20);
    EXPECT_EQ(metrics.GetMetric(2, 3, 20), 2);
}

TEST(CongaMetrics, AMetricWithoutFeedbackFadesAway)
{
    CongaMetrics metrics = MakeMetrics();
    CongaTag tag = MakeTag(0, 0);
    tag.hasFeedback = true;
    tag.feedback = 7;
    metrics.Receive(1, tag, 500);
    EXPECT_EQ(metrics.GetMetric(1, 0, 500 + AGEING - 1), 7);
    EXPECT_EQ(metrics.GetMetric(1, 0, 500 + AGEING), 3);
    EXPECT_EQ(metrics.GetMetric(1, 0, 500 + 2 * AGEING), 1);
    EXPECT_EQ(metrics.GetMetric(1, 0, 500 + 1000000 * AGEING), 0);
}

TEST(CongaMetrics, FeedbackGoesRoundTheUplinksThatAreKnown)
{
    CongaMetrics metrics = MakeMetrics();
    EXPECT_EQ(Give(metrics, 1), UplinkMetric(-1, -1));
    metrics.Receive(1, MakeTag(0, 5), 0);
    metrics.Receive(1, MakeTag(2, 6), 0);
    EXPECT_EQ(Give(metrics, 1), UplinkMetric(0, 5));
    EXPECT_EQ(Give(metrics, 1), UplinkMetric(2, 6));
    EXPECT_EQ(Give(metrics, 1), UplinkMetric(0, 5));
    EXPECT_EQ(Give(metrics, 2), UplinkMetric(-1, -1));
}

TEST(CongaMetrics, FeedbackThatHasChangedGoesFirst)
{
    CongaMetrics metrics = MakeMetrics();
    for (const uint8_t uplink : {0, 1, 2})
    {
        metrics.Receive(1, MakeTag(uplink, 1), 0);
        Give(metrics, 1);
    }
    metrics.Receive(1, MakeTag(2, 1), 0); // the same
    EXPECT_EQ(Give(metrics, 1), UplinkMetric(0, 1));
    metrics.Receive(1, MakeTag(0, 4), 0);
    EXPECT_EQ(Give(metrics, 1), UplinkMetric(0, 4)); // before 1
    EXPECT_EQ(Give(metrics, 1), UplinkMetric(1, 1));
}

TEST(CongaMetrics, UplinksThatThereCannotBeAreIgnored)
{
    CongaMetrics metrics = MakeMetrics();
    CongaTag tag = MakeTag(3, 7); // others have three
    tag.hasFeedback = true;
    tag.feedbackUplink = 4;
    metrics.Receive(1, tag, 0);
    EXPECT_EQ(Give(metrics, 1), UplinkMetric(-1, -1));
}
