/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/part-sizes.h"

TEST(PartSizes, ByReceiverIsTheSameOfAll)
{
    const PartSizes parts = PartSizes::ByReceiver({5, 0, 7});
    EXPECT_EQ(parts.GetRanks(), 3U);
    EXPECT_EQ(parts.GetBytes(), (std::vector<uint64_t>{5, 0, 7, 5, 0, 7, 5, 0, 7}));
    EXPECT_EQ(parts.GetMost(), 12U);
    EXPECT_EQ(parts.GetSize(), 12U);
}

TEST(PartSizes, SizeIsTheMeanOfTheRanks)
{
    const PartSizes parts(2, {1, 2, 3, 3});
    EXPECT_EQ(parts.GetMost(), 6U);
    EXPECT_EQ(parts.GetSize(), 5U); // 4.5
    EXPECT_TRUE(parts == PartSizes(2, {1, 2, 3, 3}));
    EXPECT_FALSE(parts == PartSizes(2, {1, 2, 3, 4}));
}

TEST(PartSizes, WhatGoesBackIsWhatCame)
{
    EXPECT_EQ(PartSizes::ByReceiver({5, 0, 7}).Transposed().GetBytes(),
              (std::vector<uint64_t>{5, 5, 5, 0, 0, 0, 7, 7, 7}));
}

TEST(PartSizes, OwnPartsAloneAreOfNoSize)
{
    EXPECT_EQ(PartSizes(2, {9, 0, 0, 9}).GetSize(), 0U);
    EXPECT_EQ(PartSizes(2, {9, 0, 1, 9}).GetSize(), 10U);
}
