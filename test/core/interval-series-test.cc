/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/interval-series.h"
#include "ns3/latency-sums.h"
#include "ns3/queue-peak.h"

#include <cstddef>

namespace
{

constexpr uint64_t SWITCHES = 3; //!< of the fabric

/// @return a series of switches: in interval i switch s sent i + s frames in i + 1 to i + 5 ps
IntervalSeries<LatencySums>
MakeSeries(std::size_t intervals)
{
    IntervalSeries<LatencySums> series;
    series.width = SWITCHES;
    series.times.push_back(0);
    for (std::size_t i = 0; i < intervals; ++i)
    {
        const auto time = static_cast<int64_t>(i);
        series.times.push_back(1000 * (time + 1));
        for (uint64_t id = 0; id < SWITCHES; ++id)
        {
            series.seen.push_back({i + id, 3 * time, time + 1, time + 5});
        }
    }
    return series;
}

} // namespace

TEST(IntervalSeries, ThinningJoinsPairsOfIntervals)
{
    IntervalSeries<LatencySums> series = MakeSeries(6);
    series.Thin();
    EXPECT_EQ(series.times, (std::vector<int64_t>{0, 2000, 4000, 6000}));
    ASSERT_EQ(series.seen.size(), 3 * SWITCHES);
    const LatencySums& joined = series.seen[1 * SWITCHES + 2]; // intervals 2 and 3 of switch 2
    EXPECT_EQ(joined.count, 4U + 5U);
    EXPECT_EQ(joined.sum, 6 + 9);
    EXPECT_EQ(joined.least, 3);
    EXPECT_EQ(joined.largest, 8);
}

TEST(IntervalSeries, WhatIsEmptyIsNotVisited)
{
    const IntervalSeries<LatencySums> series = MakeSeries(2); // switch 0 sent nothing in interval 0
    std::vector<std::array<int64_t, 4>> visited;
    series.Visit([&](int64_t end, int64_t length, std::size_t id, const LatencySums& times) {
        visited.push_back(
            {end, length, static_cast<int64_t>(id), static_cast<int64_t>(times.count)});
    });
    const std::vector<std::array<int64_t, 4>> expected = {{1000, 1000, 1, 1},
                                                          {1000, 1000, 2, 2},
                                                          {2000, 1000, 0, 1},
                                                          {2000, 1000, 1, 2},
                                                          {2000, 1000, 2, 3}};
    EXPECT_EQ(visited, expected);
}

TEST(IntervalSeries, AnIntervalWithoutFramesHasNoLeastTime)
{
    LatencySums times{2, 30, 10, 20};
    times.Join({});
    EXPECT_EQ(times.least, 10);
    LatencySums none;
    none.Join(times);
    EXPECT_EQ(none.least, 10);
    EXPECT_EQ(none.count, 2U);
}

TEST(IntervalSeries, TheMostThatWaitedIsTheMostOfAllParts)
{
    IntervalSeries<QueuePeak> series{1, {0, 5}, {{7, 2}}};
    series.Merge(
        IntervalSeries<QueuePeak>::Read(IntervalSeries<QueuePeak>{1, {0, 5}, {{6, 3}}}.Write()));
    EXPECT_EQ(series.seen[0].maxBytes, 7U);
    EXPECT_EQ(series.seen[0].maxFrames, 3U);
}

TEST(IntervalSeries, OtherIntervalsAreNotMerged)
{
    EXPECT_NE(FindMergeFault(MakeSeries(4), MakeSeries(3)), "");
    IntervalSeries<LatencySums> others = MakeSeries(4);
    others.width = 1;
    EXPECT_NE(FindMergeFault(MakeSeries(4), others), "");
    EXPECT_EQ(FindMergeFault(MakeSeries(4), MakeSeries(4)), "");
}

TEST(IntervalSeries, DamagedBytesAreRefused)
{
    IntervalSeries<LatencySums> series = MakeSeries(4);
    const std::string bytes = series.Write();
    EXPECT_EQ(IntervalSeries<LatencySums>::Read(bytes).Write(), bytes);
    EXPECT_THROW(IntervalSeries<LatencySums>::Read(bytes.substr(0, bytes.size() - 1)),
                 std::invalid_argument);
    EXPECT_THROW(IntervalSeries<QueuePeak>::Read(bytes), std::invalid_argument);
    series.seen.pop_back();
    EXPECT_THROW(IntervalSeries<LatencySums>::Read(series.Write()), std::invalid_argument);
}
