/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/aggregation-job.h"
#include "ns3/gradient-source.h"

#include <cstring>

namespace
{

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
    GradientVector sum(std::vector<int32_t>(62));
    for (uint32_t worker = 0; worker < 4; ++worker)
    {
        FixedPoint::AddTo(sum, small.GetFixed(worker, 0, 62));
    }
    EXPECT_EQ(GradientVector(small.GetSums(4, 0, 62).fixed), sum);
    EXPECT_TRUE(small.GetSums(4, 0, 62).bits.empty());
    EXPECT_TRUE(small.FitsSums(4));

    const GradientSource large(1, 1e4, 1e6, false);
    EXPECT_FALSE(large.FitsSums(4));
    EXPECT_TRUE(large.GetSums(4, 0, 62).fixed.empty());
    const std::vector<int32_t> floats = large.GetSums(4, 0, 62).bits;
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

TEST(GradientSource, SumsFitUpToTheLargestInteger)
{
    // 4 numbers below 536 have a sum below 2144; those below 537 may have one of 2148.
    for (const bool roundsRandomly : {false, true})
    {
        EXPECT_TRUE(GradientSource(1, 536, 1e6, roundsRandomly).FitsSums(4));
        EXPECT_FALSE(GradientSource(1, 537, 1e6, roundsRandomly).FitsSums(4));
    }
}

TEST(GradientSource, SumsOfSomeWorkersSaturateWhereThatOfAllDoesNot)
{
    const GradientSource source(1, 1000, 1e6, false);
    uint32_t both = 0;
    for (uint32_t place = 0; place < 1000; ++place)
    {
        const GradientSource::Sums sums = source.GetSums(4, place, 1);
        int64_t exact = 0;
        bool saturates = false;
        for (uint32_t some = 1; some < 16; ++some) // a bitmap of workers
        {
            exact = 0;
            for (uint32_t worker = 0; worker < 4; ++worker)
            {
                exact += some >> worker & 1 ? source.GetFixed(worker, place, 1).front() : 0;
            }
            saturates |= !FixedPoint::HasRoomFor(exact);
        }
        ASSERT_EQ(sums.bits.empty(), !saturates) << place;
        ASSERT_EQ(sums.fixed.empty(), !FixedPoint::HasRoomFor(exact)) << place;
        ASSERT_TRUE(sums.fixed.empty() || sums.fixed.front() == exact) << place;
        both += sums.fixed.empty() || sums.bits.empty() ? 0 : 1;
    }
    EXPECT_GT(both, 20U);
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
    std::vector<int32_t> sum = plan.gradients.GetSums(3, 5 * 62, 62).fixed;
    job.Check(5, sum);
    job.Check(5, sum);
    EXPECT_EQ(job.GetWrong(), 0U);
    ++sum[61];
    job.Check(5, sum);
    EXPECT_EQ(job.GetWrong(), 1U);
    job.Check(6, {});
    EXPECT_EQ(job.GetWrong(), 2U) << "nothing is no sum";
    EXPECT_EQ(job.GetChecked(), 4U);
}

TEST(AggregationJob, AcceptsFloatsOnlyWhereASumOfSomeWorkersSaturates)
{
    AggregationPlan plan;
    plan.workers = {0, 1, 2, 3};
    plan.values = 1;
    plan.gradients = GradientSource(1, 1000, 1e6, false);
    AggregationJob job(plan);
    uint64_t wrong = 0;
    std::vector<uint32_t> cases(3); // fixed point, floats, both
    for (uint32_t sequence = 0; sequence < 1000; ++sequence)
    {
        const GradientSource::Sums sums = plan.gradients.GetSums(4, sequence, 1);
        ++cases[sums.bits.empty() ? 0 : sums.fixed.empty() ? 1 : 2];
        for (const std::vector<int32_t>& right : {sums.fixed, sums.bits})
        {
            if (!right.empty())
            {
                job.Check(sequence, right);
                job.Check(sequence, {right.front() + 1});
                ++wrong;
            }
        }
        ASSERT_EQ(job.GetWrong(), wrong) << sequence;
    }
    for (const uint32_t count : cases)
    {
        EXPECT_GT(count, 20U);
    }
    EXPECT_EQ(job.GetChecked(), 2 * wrong);
}
