/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "series-laws.h"

#include "ns3/entropy-set.h"
#include "ns3/plane-series.h"

namespace
{

constexpr uint32_t PLANES = 3; //!< of the fabric

/// @return a series of random counts that only grow
PlaneSeries
MakeSeries(std::size_t times, uint32_t seed)
{
    std::mt19937_64 random(seed);
    PlaneSeries series;
    series.planes = PLANES;
    series.hasEvs = true;
    series.hosts = {2, 5};
    for (std::size_t i = 0; i < times; ++i)
    {
        series.times.push_back(static_cast<int64_t>(i) * 1000);
        for (uint32_t plane = 0; plane < PLANES; ++plane)
        {
            series.bytes.push_back(random() % 1000);
            series.evs.push_back({random() % 9, random() % 9, random() % 9, random() % 9, 1});
        }
        for (std::size_t j = 0; j < PLANES * series.hosts.size(); ++j)
        {
            series.hostBytes.push_back(random() % 1000);
        }
        series.changes.push_back({static_cast<int64_t>(i), seed, 16, 1, 2, 3, 2});
    }
    return series;
}

} // namespace

TEST(PlaneSeries, AMergeAddsCountsAndSortsChanges)
{
    const PlaneSeries a = MakeSeries(7, 1);
    const PlaneSeries b = MakeSeries(7, 2);
    PlaneSeries sum = b;
    sum.Merge(PlaneSeries::Read(a.Write()));
    for (std::size_t i = 0; i < sum.bytes.size(); ++i)
    {
        EXPECT_EQ(sum.bytes[i], a.bytes[i] + b.bytes[i]);
        EXPECT_EQ(sum.evs[i].assumedBad, a.evs[i].assumedBad + b.evs[i].assumedBad);
        EXPECT_EQ(sum.evs[i].active, 2U);
    }
    ASSERT_EQ(sum.changes.size(), 14U);
    for (std::size_t i = 0; i < sum.changes.size(); ++i)
    {
        EXPECT_EQ(sum.changes[i].timePs, static_cast<int64_t>(i / 2));
        EXPECT_EQ(sum.changes[i].host, 1 + i % 2); // of one time, by host
    }
}

TEST(PlaneSeries, OtherTimesPlanesAndHostsAreRefused)
{
    const std::string other = "series of different planes or hosts cannot be merged";
    const PlaneSeries series = MakeSeries(4, 1);
    EXPECT_EQ(FindMergeFault(series, series), "");
    EXPECT_EQ(FindMergeFault(series, MakeSeries(5, 1)),
              "series that were taken at different times cannot be merged");
    PlaneSeries hosts = series;
    hosts.hosts[1] = 6;
    EXPECT_EQ(FindMergeFault(series, hosts), other);
    PlaneSeries planes = series;
    planes.planes = 1;
    EXPECT_EQ(FindMergeFault(series, planes), other);
}

TEST(PlaneSeries, ThinningKeepsEveryOtherTime)
{
    for (const std::size_t times : {1, 2, 5, 8})
    {
        const PlaneSeries all = MakeSeries(times, 3);
        PlaneSeries thin = all;
        thin.Thin();
        ASSERT_EQ(thin.times.size(), (times + 1) / 2);
        for (std::size_t i = 0; i < thin.times.size(); ++i)
        {
            EXPECT_EQ(thin.times[i], all.times[2 * i]);
            for (uint32_t plane = 0; plane < PLANES; ++plane)
            {
                EXPECT_EQ(thin.bytes[i * PLANES + plane], all.bytes[2 * i * PLANES + plane]);
                EXPECT_EQ(thin.evs[i * PLANES + plane].skip, all.evs[2 * i * PLANES + plane].skip);
            }
        }
        EXPECT_EQ(thin.hostBytes.size(), thin.times.size() * PLANES * 2);
        EXPECT_EQ(thin.changes.size(), times) << "changes are all kept";
    }
}

TEST(PlaneSeries, RefusesWhatIsDamaged)
{
    const std::string bytes = MakeSeries(3, 1).Write();
    ExpectEachDamageRefused<PlaneSeries>(bytes);
    PlaneSeries odd = MakeSeries(3, 1);
    odd.bytes.pop_back();
    EXPECT_THROW(PlaneSeries::Read(odd.Write()), std::invalid_argument);
}

TEST(EntropySet, CountsItsEvsByState)
{
    EntropySet::Parameters parameters;
    parameters.planes = 2;
    parameters.paths = 16;
    parameters.total = 16;
    parameters.active = 8;
    EntropySet set(parameters, [](uint32_t) { return 0U; });
    set.Retire({1, 0}, set.GetLeast());
    set.Deny({1, 1});
    set.Skip({1, 2});
    const EntropySet::Counts counts = set.Count(1);
    EXPECT_EQ(counts.states[static_cast<std::size_t>(EntropySet::State::ASSUMED_BAD)], 1U);
    EXPECT_EQ(counts.states[static_cast<std::size_t>(EntropySet::State::DENIED)], 1U);
    EXPECT_EQ(counts.states[static_cast<std::size_t>(EntropySet::State::SKIP)], 1U);
    EXPECT_EQ(std::accumulate(counts.states.begin(), counts.states.end(), 0U), set.GetSlots());
    EXPECT_EQ(counts.active, 4U) << "backups have taken their places";
    EXPECT_EQ(set.Count(0).states[0], set.GetSlots());
}
