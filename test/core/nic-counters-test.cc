/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/nic-counters.h"

namespace
{

/// @return counters of two NICs, all different
NicCounters
MakeCounters(uint64_t factor)
{
    NicCounters counters;
    for (uint64_t i = 0; i < 2; ++i)
    {
        NicCounters::Entry entry;
        uint64_t value = 0;
        for (const NicCounters::Field& field : NicCounters::GetFields())
        {
            entry.*field.counter = ++value * factor * (i + 1);
        }
        counters.nics.push_back(entry);
    }
    return counters;
}

} // namespace

TEST(NicCounters, AMergeAddsAll)
{
    NicCounters sum = MakeCounters(1);
    sum.Merge(NicCounters::Read(MakeCounters(2).Write()));
    EXPECT_EQ(sum.Write(), MakeCounters(3).Write());
}

TEST(NicCounters, EachCounterIsAFieldOfItsOwn)
{
    const NicCounters counters = MakeCounters(1);
    ASSERT_EQ(NicCounters::GetFields().size() * sizeof(uint64_t), sizeof(NicCounters::Entry));
    uint64_t value = 0;
    for (const NicCounters::Field& field : NicCounters::GetFields())
    {
        EXPECT_EQ(counters.nics[0].*field.counter, ++value) << field.name;
    }
}

TEST(NicCounters, OtherFabricsAreNotMerged)
{
    NicCounters others = MakeCounters(1);
    others.nics.pop_back();
    EXPECT_NE(FindMergeFault(MakeCounters(1), others), "");
}

TEST(NicCounters, DamagedBytesAreRefused)
{
    const std::string bytes = MakeCounters(1).Write();
    EXPECT_THROW(NicCounters::Read(bytes.substr(0, bytes.size() - 1)), std::invalid_argument);
}
