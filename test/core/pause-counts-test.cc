/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "series-laws.h"

#include "ns3/pause-counts.h"

namespace
{

/// @return random counts
PauseCounts
MakeCounts(std::size_t ports, uint32_t seed)
{
    std::mt19937_64 random(seed);
    PauseCounts counts;
    counts.classes = {3, 5};
    for (std::size_t i = 0; i < 2 * ports; ++i)
    {
        PauseCounts::Entry entry;
        entry.sent = random() % 100;
        entry.received = random() % 100;
        entry.pauses = random() % 100;
        entry.pausedPs = static_cast<int64_t>(random() % 1000);
        entry.longestPs = static_cast<int64_t>(random() % 1000);
        entry.storms = random() % 100;
        entry.watchdogStorms = random() % 100;
        entry.watchdogDrops = random() % 100;
        counts.entries.push_back(entry);
    }
    return counts;
}

} // namespace

TEST(PauseCounts, AMergeAddsAllButTheLongest)
{
    const PauseCounts a = MakeCounts(3, 1);
    const PauseCounts b = MakeCounts(3, 2);
    PauseCounts sum = b;
    sum.Merge(PauseCounts::Read(a.Write()));
    PauseCounts other = a;
    other.Merge(b);
    EXPECT_EQ(sum.Write(), other.Write());
    for (std::size_t port = 0; port < 3; ++port)
    {
        const PauseCounts::Entry& entry = sum.At(port, 1);
        EXPECT_EQ(entry.received, a.At(port, 1).received + b.At(port, 1).received);
        EXPECT_EQ(entry.pausedPs, a.At(port, 1).pausedPs + b.At(port, 1).pausedPs);
        EXPECT_EQ(entry.watchdogDrops, a.At(port, 1).watchdogDrops + b.At(port, 1).watchdogDrops);
        EXPECT_EQ(entry.longestPs, std::max(a.At(port, 1).longestPs, b.At(port, 1).longestPs));
    }
    EXPECT_EQ(sum.Sum().pauses, a.Sum().pauses + b.Sum().pauses);
}

TEST(PauseCounts, OtherPortsAreNotMerged)
{
    PauseCounts others = MakeCounts(3, 1);
    others.classes = {3, 6};
    ExpectOthersRefused(MakeCounts(3, 1), MakeCounts(2, 1), others);
}

TEST(PauseCounts, DamagedBytesAreRefused)
{
    PauseCounts shorter = MakeCounts(3, 1);
    shorter.entries.pop_back();
    ExpectDamageRefused(MakeCounts(3, 1), shorter);
}
