/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/collective-kind.h"

TEST(CollectiveKind, NamesAreFoundAgain)
{
    std::set<std::string> names;
    for (const CollectiveKind kind : COLLECTIVE_KINDS)
    {
        names.insert(NameOf(kind));
        EXPECT_EQ(FindCollectiveKind(NameOf(kind)), kind);
    }
    EXPECT_EQ(names.size(), COLLECTIVE_KINDS.size());
    EXPECT_EQ(NameOf(CollectiveKind::REDUCE_SCATTER), "reduce-scatter");
    EXPECT_FALSE(FindCollectiveKind("reduce-"));
    EXPECT_FALSE(FindCollectiveKind(""));
    EXPECT_EQ(ListCollectiveKinds(),
              "all-reduce, all-gather, reduce-scatter, broadcast, all-to-all, send-receive, "
              "reduce, gather, scatter, sendrecv");
    EXPECT_EQ(ListRootedKinds(), "broadcast, send-receive, reduce, gather, scatter");
}

TEST(CollectiveKind, BusFactorsOfNcclTests)
{
    EXPECT_DOUBLE_EQ(BusFactor(CollectiveKind::ALL_REDUCE, 8), 1.75);
    EXPECT_DOUBLE_EQ(BusFactor(CollectiveKind::ALL_GATHER, 8), 0.875);
    EXPECT_DOUBLE_EQ(BusFactor(CollectiveKind::REDUCE_SCATTER, 8), 0.875);
    EXPECT_DOUBLE_EQ(BusFactor(CollectiveKind::ALL_TO_ALL, 8), 0.875);
    EXPECT_DOUBLE_EQ(BusFactor(CollectiveKind::BROADCAST, 8), 1);
    EXPECT_DOUBLE_EQ(BusFactor(CollectiveKind::SEND_RECEIVE, 8), 1);
    EXPECT_DOUBLE_EQ(BusFactor(CollectiveKind::REDUCE, 8), 1);
    EXPECT_DOUBLE_EQ(BusFactor(CollectiveKind::GATHER, 8), 0.875);
    EXPECT_DOUBLE_EQ(BusFactor(CollectiveKind::SCATTER, 8), 0.875);
    EXPECT_DOUBLE_EQ(BusFactor(CollectiveKind::SENDRECV, 8), 1);
    for (const CollectiveKind kind : COLLECTIVE_KINDS)
    {
        EXPECT_EQ(BusFactor(kind, 1), 0);
    }
}

TEST(CollectiveKind, BlocksStandForTheSizeOrForOneOfEachRank)
{
    for (const CollectiveKind kind : COLLECTIVE_KINDS)
    {
        const bool isOwn = kind == CollectiveKind::ALL_TO_ALL || kind == CollectiveKind::SENDRECV;
        EXPECT_EQ(BlockBytes(kind, 1000, uint64_t{1} << 40),
                  (uint64_t{1} << 40) * (isOwn ? 1000 : 1));
    }
}
