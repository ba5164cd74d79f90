/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "series-laws.h"

#include "ns3/nic-series.h"

namespace
{

constexpr uint64_t NICS = 3; //!< of the fabric

/// @return a series whose sums grow
NicSeries
MakeSeries(std::size_t times, uint64_t factor)
{
    NicSeries series;
    series.nics = NICS;
    for (std::size_t i = 0; i < times; ++i)
    {
        series.times.push_back(static_cast<int64_t>(i) * 1000);
        for (uint64_t nic = 0; nic < NICS; ++nic)
        {
            NicCounters::Entry entry;
            entry.dataPackets = factor * (i * i + nic);
            entry.outOfSequence = factor * i;
            series.states.push_back(entry);
        }
    }
    return series;
}

} // namespace

TEST(NicSeries, AMergeAdds)
{
    ExpectMergeAdds(MakeSeries);
}

TEST(NicSeries, AChangeIsWhatWasCountedInTheInterval)
{
    const NicSeries series = MakeSeries(5, 2);
    EXPECT_EQ(series.GetChange(3, 1).dataPackets, 10U); // 2 * 9 - 2 * 4
    EXPECT_EQ(series.GetChange(3, 1).outOfSequence, 2U);
    EXPECT_EQ(series.GetChange(3, 1).cnpsSent, 0U);
}

TEST(NicSeries, ThinningKeepsTheFirstAndEveryOtherTime)
{
    NicSeries series = MakeSeries(5, 1);
    series.Thin();
    ASSERT_EQ(series.times.size(), 3U);
    EXPECT_EQ(series.times[1], 2000);
    EXPECT_EQ(series.GetChange(1, 0).dataPackets, 4U);
}

TEST(NicSeries, OtherTimesOrNicsAreNotMerged)
{
    NicSeries others = MakeSeries(5, 1);
    others.nics = 1;
    ExpectOthersRefused(MakeSeries(5, 1), MakeSeries(4, 1), others);
}

TEST(NicSeries, DamagedBytesAreRefused)
{
    NicSeries shorter = MakeSeries(5, 1);
    shorter.states.pop_back();
    ExpectDamageRefused(MakeSeries(5, 1), shorter);
}
