/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "merge-fault.h"

#include "ns3/link-series.h"

#include <cstdint>
#include <gtest/gtest.h>
#include <stdexcept>
#include <string>

using namespace ns3::aifabric;

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
    LinkSeries sum = MakeSeries(5, 1);
    sum.Merge(LinkSeries::Read(MakeSeries(5, 2).Write()));
    EXPECT_EQ(sum.Write(), MakeSeries(5, 3).Write());
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
    const LinkSeries series = MakeSeries(5, 1);
    EXPECT_NE(FindMergeFault(series, MakeSeries(4, 1)), "");
    LinkSeries others = MakeSeries(5, 1);
    others.ports = 1;
    EXPECT_NE(FindMergeFault(series, others), "");
    EXPECT_EQ(FindMergeFault(series, series), "");
}

TEST(LinkSeries, DamagedBytesAreRefused)
{
    LinkSeries series = MakeSeries(5, 1);
    const std::string bytes = series.Write();
    EXPECT_THROW(LinkSeries::Read(bytes.substr(0, bytes.size() - 1)), std::invalid_argument);
    series.states.pop_back();
    EXPECT_THROW(LinkSeries::Read(series.Write()), std::invalid_argument);
}
