/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/aggregation-job.h"
#include "ns3/gradient-pool.h"
#include "ns3/gradient-source.h"

using namespace ns3;

TEST(GradientVector, SharesValuesUntilOneIsChanged)
{
    GradientVector one{1, 2, 3};
    GradientVector other = one;
    EXPECT_EQ(one.begin(), other.begin());
    other.Edit()[1] = 20;
    EXPECT_EQ(one, (GradientVector{1, 2, 3}));
    EXPECT_EQ(other, (GradientVector{1, 20, 3}));
    const int32_t* const before = other.begin();
    other.Edit()[2] = 30;
    EXPECT_EQ(other.begin(), before) << "nothing else shares them";
    EXPECT_EQ(other.GetSize(), 3U);
    EXPECT_EQ(other.GetRoom(), GradientVector::LANES);
}

TEST(GradientVector, MayBeEmpty)
{
    GradientVector none;
    EXPECT_TRUE(none.IsEmpty());
    EXPECT_EQ(none.begin(), none.end());
    EXPECT_EQ(none.Edit(), nullptr);
    EXPECT_EQ(none, GradientVector(std::vector<int32_t>()));
    EXPECT_NE(none, GradientVector{0});
    EXPECT_TRUE(GradientVector(std::vector<int32_t>()).IsEmpty());
}

TEST(GradientPool, UsesMemoryAgain)
{
    const auto pool = Create<GradientPool>();
    const int32_t* freed = nullptr;
    {
        const GradientVector vector = pool->Create(62);
        freed = vector.begin();
        EXPECT_EQ(vector.GetSize(), 62U);
        EXPECT_EQ(vector.GetRoom(), 64U);
        EXPECT_EQ(pool->GetLive(), 1U);
    }
    EXPECT_EQ(pool->GetLive(), 0U);
    GradientVector again = pool->Create(62);
    EXPECT_EQ(again.begin(), freed);
    std::iota(again.Edit(), again.Edit() + 62, 0);
    GradientVector copy = again;
    EXPECT_EQ(pool->GetLive(), 1U) << "both share it";
    copy.Edit()[61] = 7;
    EXPECT_EQ(pool->GetLive(), 2U);
    EXPECT_EQ(again[61], 61);
    EXPECT_EQ(copy[60], 60);
    copy = pool->Create(64);
    EXPECT_EQ(copy.GetSize(), 64U);
    EXPECT_EQ(copy.GetRoom(), 64U);
}

TEST(GradientPool, LivesAsLongAsAVector)
{
    auto pool = Create<GradientPool>();
    GradientVector vector = pool->Create(1);
    vector.Edit()[0] = 5;
    pool = nullptr;
    GradientVector copy = vector;
    copy.Edit()[0] = 6;
    EXPECT_EQ(vector, GradientVector{5});
    EXPECT_EQ(copy, GradientVector{6});
}

TEST(GradientSource, AddsWhatItComputes)
{
    // With numbers that fit and do not, of all remainders of LANES, at the edge of places, too.
    constexpr uint64_t EDGE = uint64_t{1} << 32;
    for (const double magnitude : {1.0, 500.0})
    {
        for (const bool roundsRandomly : {false, true})
        {
            const GradientSource source(1, magnitude, 1e6, roundsRandomly);
            for (uint32_t count = 1; count < 20; ++count)
            {
                for (const uint64_t first : {uint64_t{0}, EDGE - count - 1, EDGE - 3})
                {
                    GradientVector values(std::vector<int32_t>(count, 0));
                    GradientVector sums(std::vector<int32_t>(count, 7));
                    source.ComputeFixed(3, first, values, sums);
                    for (uint32_t v = 0; v < count; ++v)
                    {
                        ASSERT_EQ(values[v], source.GetFixed(3, first + v, 1).front());
                        ASSERT_EQ(sums[v], values[v] + 7);
                    }
                }
            }
        }
    }
}

TEST(AggregationJob, ExpectsTheSumOfWhatWorkersTake)
{
    AggregationPlan plan;
    plan.workers = {0, 1, 2};
    plan.window = 4;
    AggregationJob job(plan);
    for (uint32_t sequence = 0; sequence < 20; ++sequence) // the memory of sums is used again
    {
        GradientVector sum;
        for (uint32_t worker = 0; worker < 3; ++worker)
        {
            const GradientVector values = job.TakeValues(worker, sequence);
            EXPECT_EQ(values, job.TakeValues(worker, sequence)) << "sent again";
            if (worker == 0)
            {
                sum = values;
            }
            else
            {
                FixedPoint::AddTo(sum, values);
            }
        }
        job.Check(sequence, sum);
        EXPECT_EQ(job.GetWrong(), sequence);
        ++sum.Edit()[sequence];
        job.Check(sequence, sum);
    }
    EXPECT_EQ(job.GetWrong(), 20U);
    // A fragment whose sum is forgotten is sent again, and leaves the sum at its place as it is.
    const GradientVector kept = job.TakeValues(0, 24);
    EXPECT_NE(job.TakeValues(1, 24 - 16), kept);
    GradientVector sum = kept;
    FixedPoint::AddTo(sum, job.TakeValues(1, 24));
    FixedPoint::AddTo(sum, job.TakeValues(2, 24));
    job.Check(24, sum);
    EXPECT_EQ(job.GetWrong(), 20U);
}
