/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "merge-fault.h"

#include "ns3/nic-counters.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

using namespace ns3::aifabric;

namespace
{

/// @return counters of two NICs, all different  @param factor of all numbers
NicCounters
MakeCounters(uint64_t factor)
{
    NicCounters counters;
    for (uint64_t i = 0; i < 2; ++i)
    {
        const uint64_t f = factor * (i + 1);
        counters.nics.push_back({f,
                                 2 * f,
                                 3 * f,
                                 4 * f,
                                 5 * f,
                                 6 * f,
                                 7 * f,
                                 8 * f,
                                 9 * f,
                                 10 * f,
                                 11 * f,
                                 static_cast<int64_t>(12 * f),
                                 13 * f});
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
