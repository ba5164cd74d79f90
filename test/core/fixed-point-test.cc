/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/fixed-point.h"

TEST(FixedPoint, RoundsToTheNearest)
{
    const FixedPoint fixed;
    EXPECT_EQ(fixed.Convert(1.0), 1000000);
    EXPECT_EQ(fixed.Convert(-0.25), -250000);
    EXPECT_EQ(fixed.Convert(1.4e-6), 1);
    EXPECT_EQ(fixed.Convert(-1.6e-6), -2);
    EXPECT_EQ(FixedPoint(2).Convert(0.25), 1) << "a half is rounded away from 0";
    EXPECT_EQ(FixedPoint(2).Convert(-0.25), -1);
    EXPECT_DOUBLE_EQ(fixed.ToReal(-250000), -0.25);
}

TEST(FixedPoint, Saturates)
{
    constexpr int32_t LEAST = std::numeric_limits<int32_t>::min();
    constexpr int32_t MOST = std::numeric_limits<int32_t>::max();
    const FixedPoint fixed;
    EXPECT_EQ(fixed.Convert(2147.483647), MOST);
    EXPECT_EQ(fixed.Convert(1e30), MOST);
    EXPECT_EQ(fixed.Convert(-1e30), LEAST);
    EXPECT_EQ(fixed.Convert(std::numeric_limits<double>::infinity()), MOST);
    EXPECT_EQ(fixed.Convert(std::nan("")), LEAST);
    EXPECT_EQ(FixedPoint::Add(MOST, 1), MOST);
    EXPECT_EQ(FixedPoint::Add(LEAST, -1), LEAST);
    EXPECT_EQ(FixedPoint::Add(MOST, -5), MOST) << "a saturated sum stays so";
    EXPECT_EQ(FixedPoint::Add(7, LEAST), LEAST);
    EXPECT_EQ(FixedPoint::Add(MOST - 1, LEAST + 1), -1);
    EXPECT_TRUE(FixedPoint::IsSaturated(MOST));
    EXPECT_TRUE(FixedPoint::IsSaturated(LEAST));
    EXPECT_FALSE(FixedPoint::IsSaturated(MOST - 1));
}

TEST(FixedPoint, RoundsAtRandomWithTheExactMean)
{
    const FixedPoint fixed(1);
    EXPECT_EQ(fixed.ConvertRandomly(2.25, 0.74), 2);
    EXPECT_EQ(fixed.ConvertRandomly(2.25, 0.75), 3);
    EXPECT_EQ(fixed.ConvertRandomly(-2.25, 0.2), -3);
    EXPECT_EQ(fixed.ConvertRandomly(-2.25, 0.25), -2);
    EXPECT_EQ(fixed.ConvertRandomly(7, 0.999), 7) << "an integer stays";
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform;
    for (const double value : {0.1, -0.3, 5.75})
    {
        constexpr int DRAWS = 100000;
        double sum = 0;
        for (int n = 0; n < DRAWS; ++n)
        {
            sum += fixed.ConvertRandomly(value, uniform(random));
        }
        EXPECT_NEAR(sum / DRAWS, value, 5 * 0.5 / std::sqrt(DRAWS)) << "five standard errors";
    }
}

TEST(FixedPoint, AddsVectorsAsIntegers)
{
    constexpr int32_t LEAST = std::numeric_limits<int32_t>::min();
    constexpr int32_t MOST = std::numeric_limits<int32_t>::max();
    std::mt19937 random(1);
    const std::vector<int32_t>
        edges{LEAST, LEAST + 1, -1, 0, 1, MOST - 1, MOST, 1 << 30, -(1 << 30)};
    for (int n = 0; n < 10000; ++n)
    {
        std::vector<int32_t> a(random() % 20);
        std::vector<int32_t> b(a.size());
        for (std::size_t v = 0; v < a.size(); ++v)
        {
            const bool isEdge = random() % 8 == 0;
            a[v] = isEdge ? edges[random() % edges.size()]
                          : static_cast<int32_t>(random() % 2000) - 1000;
            b[v] = isEdge ? edges[random() % edges.size()]
                          : static_cast<int32_t>(random() % 2000) - 1000;
        }
        GradientVector sums = a;
        FixedPoint::AddTo(sums, b);
        for (std::size_t v = 0; v < a.size(); ++v)
        {
            ASSERT_EQ(sums[v], FixedPoint::Add(a[v], b[v])) << a[v] << " + " << b[v];
        }
    }
}
