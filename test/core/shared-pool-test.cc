/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/shared-pool.h"

TEST(SharedPool, ThresholdsAreMultiplesOfWhatIsFree)
{
    SharedPool pool;
    pool.SetBytes(1000);
    const int64_t factor = SharedPool::ToFactor(0.5);
    EXPECT_TRUE(pool.Fits(500, factor));
    EXPECT_FALSE(pool.Fits(501, factor));
    EXPECT_TRUE(pool.IsBelow(499, factor));
    EXPECT_FALSE(pool.IsBelow(500, factor)) << "at the threshold";
    EXPECT_FALSE(pool.IsBelow(499, factor, 2)) << "when 2 bytes are taken";
    pool.Take(400);
    EXPECT_EQ(pool.GetFree(), 600);
    EXPECT_TRUE(pool.Fits(300, factor));
    EXPECT_FALSE(pool.Fits(301, factor));
    pool.Take(-400);
    EXPECT_EQ(pool.GetFree(), pool.GetBytes());
}

TEST(SharedPool, TheLeastMemoryReachesAThresholdExactly)
{
    for (const double alpha : {0.001, 0.02, 0.125, 1.0, 3.7, 1000.0})
    {
        for (const uint64_t bytes : {1U, 7U, 3072U, 4000000U})
        {
            const int64_t factor = SharedPool::ToFactor(alpha);
            const uint64_t least = SharedPool::GetLeast(bytes, alpha);
            SharedPool pool;
            pool.SetBytes(least);
            EXPECT_TRUE(pool.Fits(bytes, factor)) << alpha << ' ' << bytes;
            pool.SetBytes(least - 1);
            EXPECT_FALSE(pool.Fits(bytes, factor)) << alpha << ' ' << bytes;
        }
    }
    EXPECT_EQ(SharedPool::GetLeast(0, 0.125), 0U);
}
