/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/ack-deaggregator.h"

#include <algorithm>
#include <cstdint>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <vector>

using namespace ns3::aifabric;

namespace
{

using Numbers = std::vector<uint64_t>;

/// @return a report  @param first the packet of bit 0  @param bitmap packets that have come
AckReport
Report(uint32_t first, uint64_t bitmap)
{
    AckReport report;
    report.bitmapPsn = first;
    report.bitmap = bitmap;
    return report;
}

} // namespace

TEST(AckDeaggregator, TakesWhatACumulativeAcknowledgementCovers)
{
    AckDeaggregator acks;
    EXPECT_EQ(acks.Take(1, 10, 0, Report(0, 0)), Numbers{}) << "only the packet that triggers it";
    EXPECT_EQ(acks.Take(5, 10, 4, Report(0, 0)), (Numbers{1, 2, 3}));
    EXPECT_EQ(acks.Take(5, 10, 4, Report(0, 0)), Numbers{}) << "the same report again";
    EXPECT_EQ(acks.Take(7), (Numbers{5, 6})) << "a NACK has no such packet";
    EXPECT_EQ(acks.Take(7), Numbers{});
}

TEST(AckDeaggregator, TakesWhatTheBitmapCovers)
{
    AckDeaggregator acks;
    EXPECT_EQ(acks.Take(4, 20, 8, Report(6, 0b101)), (Numbers{0, 1, 2, 3, 6})) << "and 8, above";
    EXPECT_EQ(acks.Take(4, 20, 8, Report(6, 0b1101)), Numbers{9});
    EXPECT_EQ(acks.Take(10, 20, 7, Report(10, 0)), (Numbers{4, 5})) << "7 triggers, the rest came";
    EXPECT_EQ(acks.Take(10, 12, 9, Report(8, ~uint64_t{0})), (Numbers{10, 11})) << "no more sent";
}

TEST(AckDeaggregator, ATriggerInFrontOfAGapIsNotTakenLater)
{
    AckDeaggregator acks;
    EXPECT_EQ(acks.Take(0, 10, 5, Report(0, 0)), Numbers{});
    EXPECT_EQ(acks.Take(7, 10, 6, Report(0, 0)), (Numbers{0, 1, 2, 3, 4}));
}

/// With random arrivals and coalescing, each packet is taken or triggers a report exactly once.
TEST(AckDeaggregator, EachPacketOnce)
{
    constexpr uint32_t PACKETS = 500;
    for (uint32_t seed = 1; seed <= 50; ++seed)
    {
        std::mt19937 random(seed);
        Numbers order(PACKETS);
        for (uint32_t i = 0; i < PACKETS; ++i)
        {
            order[i] = i;
        }
        for (uint32_t i = 0; i + 20 < PACKETS; ++i)
        {
            std::swap(order[i], order[i + random() % 20]);
        }
        AckDeaggregator acks;
        std::set<uint64_t> came;
        std::multiset<uint64_t> heard;
        for (uint32_t i = 0; i < PACKETS; ++i)
        {
            came.insert(order[i]);
            if (random() % 6 != 0 && i + 1 < PACKETS)
            {
                continue;
            }
            uint64_t missing = 0;
            while (came.count(missing) > 0)
            {
                ++missing;
            }
            uint64_t bitmap = 0;
            for (uint32_t bit = 0; bit < 64; ++bit)
            {
                bitmap |= uint64_t{came.count(missing + bit)} << bit;
            }
            const Numbers news = acks.Take(missing, PACKETS, order[i], Report(missing, bitmap));
            EXPECT_TRUE(std::is_sorted(news.begin(), news.end()));
            heard.insert(news.begin(), news.end());
            heard.insert(order[i]);
        }
        EXPECT_EQ(heard.size(), PACKETS);
        EXPECT_EQ(std::set<uint64_t>(heard.begin(), heard.end()).size(), PACKETS);
    }
}
