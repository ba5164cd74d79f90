/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/latency-histogram.h"

namespace
{

/// @return the bytes of a histogram
std::string
WriteAlone(const LatencyHistogram& histogram)
{
    ByteWriter writer("test");
    histogram.Write(writer);
    return writer.Finish();
}

} // namespace

TEST(LatencyHistogram, NothingCountedIsZero)
{
    const LatencyHistogram histogram;
    EXPECT_EQ(histogram.GetCount(), 0U);
    EXPECT_EQ(histogram.GetMean(), 0);
    EXPECT_EQ(histogram.GetPercentile(99), 0);
    EXPECT_EQ(histogram.GetLargest(), 0);
}

TEST(LatencyHistogram, OneLatencyIsAllOfThem)
{
    for (const int64_t latency :
         {int64_t{0}, int64_t{63}, int64_t{64}, int64_t{1'000'003}, INT64_MAX / 2})
    {
        LatencyHistogram histogram;
        histogram.Add(latency);
        histogram.Add(latency);
        EXPECT_EQ(histogram.GetLeast(), latency);
        EXPECT_EQ(histogram.GetPercentile(50), latency);
        EXPECT_EQ(histogram.GetLargest(), latency);
        EXPECT_EQ(histogram.GetCount(), 2U);
    }
}

TEST(LatencyHistogram, PercentilesAreThoseOfTheSortedLatenciesOrALittleMore)
{
    std::mt19937_64 random(7);
    std::lognormal_distribution<double> distribution(13, 3);
    std::vector<int64_t> latencies;
    LatencyHistogram histogram;
    double sum = 0;
    for (int i = 0; i < 5000; ++i)
    {
        latencies.push_back(static_cast<int64_t>(distribution(random)));
        histogram.Add(latencies.back());
        sum += static_cast<double>(latencies.back());
    }
    std::sort(latencies.begin(), latencies.end());
    EXPECT_EQ(histogram.GetLeast(), latencies.front());
    EXPECT_EQ(histogram.GetLargest(), latencies.back());
    EXPECT_NEAR(histogram.GetMean(), sum / 5000, sum * 1e-12);
    for (const double percent : {0.1, 1.0, 25.0, 50.0, 99.0, 99.9, 100.0})
    {
        const auto place = static_cast<std::size_t>(std::ceil(percent * 50)) - 1;
        const int64_t exact = latencies[place];
        EXPECT_GE(histogram.GetPercentile(percent), exact) << percent;
        EXPECT_LE(histogram.GetPercentile(percent), exact + exact / LatencyHistogram::STEPS + 1)
            << percent;
    }
}

TEST(LatencyHistogram, AMergeCountsAll)
{
    LatencyHistogram one;
    LatencyHistogram other;
    LatencyHistogram all;
    for (int64_t latency = 5; latency < 1'000'000; latency = latency * 3 / 2)
    {
        (latency % 2 ? one : other).Add(latency);
        all.Add(latency);
    }
    LatencyHistogram empty;
    empty.Merge(one);
    EXPECT_EQ(WriteAlone(empty), WriteAlone(one));
    one.Merge(other);
    one.Merge(LatencyHistogram());
    EXPECT_EQ(WriteAlone(one), WriteAlone(all));
    const std::string bytes = WriteAlone(all);
    ByteReader reader("test", bytes);
    EXPECT_EQ(WriteAlone(LatencyHistogram::Read(reader)), bytes);
}
