/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/aggregation-job.h"
#include "ns3/gradient-source.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

using namespace ns3::aifabric;

namespace
{

/// @return the float that has some bits  @param bits the bits
float
ToFloat(int32_t bits)
{
    float value = 0;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

} // namespace

TEST(GradientSource, IsTheSameEverywhere)
{
    const GradientSource source(1, 2, 1e6, false);
    const std::vector<int32_t> all = source.GetFixed(3, 0, 100);
    const std::vector<int32_t> part = source.GetFixed(3, 60, 40);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin() + 60));
    EXPECT_NE(all, source.GetFixed(4, 0, 100)) << "of another worker";
    EXPECT_NE(all, GradientSource(2, 2, 1e6, false).GetFixed(3, 0, 100)) << "of another seed";
    for (uint32_t v = 0; v < 100; ++v)
    {
        EXPECT_LE(std::abs(source.GetReal(3, v)), 2);
        EXPECT_NEAR(all[v] / 1e6, source.GetReal(3, v), 0.5e-6);
    }
}

TEST(GradientSource, IsTheSameAtPlacesOf33Bits)
{
    constexpr uint64_t EDGE = uint64_t{1} << 32;
    for (const bool roundsRandomly : {false, true})
    {
        const GradientSource source(1, 2, 1e6, roundsRandomly);
        const std::vector<int32_t> all = source.GetFixed(3, EDGE - 30, 62);
        for (uint32_t v = 0; v < 62; ++v)
        {
            EXPECT_EQ(all[v], source.GetFixed(3, EDGE - 30 + v, 1).front());
            EXPECT_NEAR(all[v] / 1e6, source.GetReal(3, EDGE - 30 + v), 1.000001e-6);
        }
        EXPECT_NE(source.GetFixed(3, EDGE, 62), source.GetFixed(3, 0, 62));
    }
}

TEST(GradientSource, RoundsToTheNearestWhetherNumbersFitOrNot)
{
    for (const double magnitude : {1.0, 1e3, 2147.0, 2148.0, 1e4})
    {
        const GradientSource source(1, magnitude, 1e6, false);
        const std::vector<int32_t> all = source.GetFixed(3, 0, 1000);
        for (uint32_t v = 0; v < 1000; ++v)
        {
            ASSERT_EQ(all[v], FixedPoint(1e6).Convert(source.GetReal(3, v))) << magnitude;
        }
    }
}

TEST(GradientSource, IsUniformAndIndependentOfOtherWorkers)
{
    constexpr uint32_t COUNT = 160000;
    constexpr uint32_t PARTS = 16;
    constexpr double DEVIATIONS = 5; // of a mean or a count
    const GradientSource source(1, 2, 1e6, false);
    std::vector<uint32_t> counts(PARTS);
    std::vector<double> products(5); // with the next number, and with those of four workers
    double sum = 0;
    for (uint32_t v = 0; v < COUNT; ++v)
    {
        const double real = source.GetReal(0, v);
        ASSERT_LT(std::abs(real), 2);
        sum += real;
        ++counts[static_cast<uint32_t>((real + 2) / 4 * PARTS)];
        products[0] += real * source.GetReal(0, v + 1);
        for (uint32_t worker = 1; worker < products.size(); ++worker)
        {
            products[worker] += real * source.GetReal(worker, v);
        }
    }
    const double variance = 4.0 / 3;
    EXPECT_NEAR(sum / COUNT, 0, DEVIATIONS * std::sqrt(variance / COUNT));
    for (const double product : products)
    {
        EXPECT_NEAR(product / COUNT, 0, DEVIATIONS * variance / std::sqrt(COUNT));
    }
    for (const uint32_t count : counts)
    {
        EXPECT_NEAR(count, COUNT / PARTS, DEVIATIONS * std::sqrt(COUNT / PARTS));
    }
}

TEST(GradientSource, SumsAreIntegersOrFloats)
{
    const GradientSource small(1, 1, 1e6, true);
    std::vector<int32_t> sum(62);
    for (uint32_t worker = 0; worker < 4; ++worker)
    {
        FixedPoint::AddTo(sum, small.GetFixed(worker, 0, 62));
    }
    EXPECT_EQ(small.GetSum(4, 0, 62), sum);

    const GradientSource large(1, 1e4, 1e6, false);
    const std::vector<int32_t> floats = large.GetSum(4, 0, 62);
    for (uint32_t v = 0; v < 62; ++v)
    {
        double real = 0;
        for (uint32_t worker = 0; worker < 4; ++worker)
        {
            real += large.GetReal(worker, v);
        }
        EXPECT_NEAR(ToFloat(floats[v]), real, 0.01);
    }
}

TEST(AggregationJob, KnowsRacksAndChecksResults)
{
    AggregationPlan plan;
    plan.workers = {2, 3, 9};
    plan.rackHosts = 4;
    AggregationJob job(plan);
    EXPECT_EQ(job.GetAll(), 7U);
    EXPECT_EQ(job.GetRackBitmap(0), 3U);
    EXPECT_EQ(job.GetRackBitmap(2), 4U);
    EXPECT_EQ(job.GetFirstOfRacks(), (std::vector<uint32_t>{2, 9}));
    EXPECT_EQ(job.FindWorker(9), 2U);
    EXPECT_EQ(job.FindWorker(8), 3U) << "none";
    std::vector<int32_t> sum = plan.gradients.GetSum(3, 5 * 62, 62);
    job.Check(5, sum);
    job.Check(5, sum);
    EXPECT_EQ(job.GetWrong(), 0U);
    ++sum[61];
    job.Check(5, sum);
    EXPECT_EQ(job.GetWrong(), 1U);
    EXPECT_EQ(job.GetChecked(), 3U);
}
