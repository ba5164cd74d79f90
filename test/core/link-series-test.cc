/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "series-laws.h"

#include "ns3/link-series.h"

namespace
{

constexpr uint64_t PORTS = 3; //!< of the fabric

/// @return a series whose sums grow
LinkSeries
MakeSeries(std::size_t times, uint64_t factor)
{
    LinkSeries series;
    series.ports = PORTS;
    for (std::size_t i = 0; i < times; ++i)
    {
        series.times.push_back(static_cast<int64_t>(i) * 1000);
        for (uint64_t port = 0; port < PORTS; ++port)
        {
            series.states.push_back(
                {factor * (10 * i + port), static_cast<int64_t>(factor * i), factor * port});
        }
    }
    return series;
}

} // namespace

TEST(LinkSeries, AMergeAdds)
{
    ExpectMergeAdds(MakeSeries);
}

TEST(LinkSeries, ThinningKeepsTheFirstAndEveryOtherTime)
{
    LinkSeries series = MakeSeries(5, 1);
    series.Thin();
    ASSERT_EQ(series.times.size(), 3U);
    EXPECT_EQ(series.times[2], 4000);
    ASSERT_EQ(series.states.size(), 3 * PORTS);
    EXPECT_EQ(series.states[2 * PORTS + 1].bytes, 41U);
}

TEST(LinkSeries, OtherTimesOrPortsAreNotMerged)
{
    LinkSeries others = MakeSeries(5, 1);
    others.ports = 1;
    ExpectOthersRefused(MakeSeries(5, 1), MakeSeries(4, 1), others);
}

TEST(LinkSeries, DamagedBytesAreRefused)
{
    LinkSeries shorter = MakeSeries(5, 1);
    shorter.states.pop_back();
    ExpectDamageRefused(MakeSeries(5, 1), shorter);
}
