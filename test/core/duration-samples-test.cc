/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/duration-samples.h"

TEST(DurationSamples, OneInAHundredMayBeLonger)
{
    DurationSamples samples;
    EXPECT_EQ(samples.GetPercentile99(), 0U);
    for (int64_t ns = 200; ns >= 1; --ns)
    {
        samples.Add(1000 * ns + 999);
    }
    EXPECT_EQ(samples.Count(), 200U);
    EXPECT_EQ(samples.GetPercentile99(), 198U) << "nanoseconds, rounded down";
    samples.Add(std::numeric_limits<int64_t>::max());
    EXPECT_EQ(samples.GetPercentile99(), 199U);
}
