/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/ack-deaggregator.h"

namespace
{

using Numbers = std::vector<uint64_t>;

/// @return a report  @param first the packet of bit 0
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

TEST(AckDeaggregator, KnowsWhatItHasCovered)
{
    AckDeaggregator acks;
    EXPECT_FALSE(acks.WasCovered(0, 0)) << "nothing yet";
    acks.NoteCovered(7, 100);
    EXPECT_TRUE(acks.WasCovered(7, 100));
    EXPECT_FALSE(acks.WasCovered(7, 101)) << "another transmission";
    EXPECT_FALSE(acks.WasCovered(7 + 512, 100)) << "another packet in its place";
    acks.NoteCovered(7 + 512, 100);
    EXPECT_FALSE(acks.WasCovered(7, 100)) << "too late";
}

/// With random arrivals, coalescing, and reports that overtake each other, each packet is reported
/// once: as one that an acknowledgement covers, or as one that triggers it.
TEST(AckDeaggregator, EachPacketOnceIfReportsOvertake)
{
    constexpr uint32_t PACKETS = 500;
    uint32_t overtaken = 0;
    for (uint32_t seed = 1; seed <= 50; ++seed)
    {
        std::mt19937 random(seed);
        std::vector<std::pair<uint64_t, AckReport>> reports; // and their triggers
        std::set<uint64_t> came;
        for (uint32_t i = 0; i < PACKETS; ++i)
        {
            came.insert(i);
            if (random() % 4 != 0 && i + 1 < PACKETS)
            {
                continue;
            }
            AckReport report = Report(i + 1, 0);
            report.cumulativePsn = i + 1;
            reports.emplace_back(i, report);
        }
        for (std::size_t i = 0; i + 6 < reports.size(); ++i)
        {
            std::swap(reports[i], reports[i + random() % 6]);
        }
        AckDeaggregator acks;
        std::vector<uint32_t> heard(PACKETS);
        uint64_t acknowledged = 0;
        for (const auto& [trigger, report] : reports)
        {
            acknowledged = std::max<uint64_t>(acknowledged, report.cumulativePsn);
            const auto entropy = static_cast<uint32_t>(trigger % 8);
            const bool isKnown = acks.WasCovered(trigger, entropy);
            heard[trigger] += isKnown ? 0 : 1;
            overtaken += isKnown;
            for (const uint64_t number : acks.Take(acknowledged, PACKETS, trigger, report))
            {
                acks.NoteCovered(number, number % 8);
                ++heard[number];
            }
        }
        EXPECT_EQ(heard, std::vector<uint32_t>(PACKETS, 1));
    }
    EXPECT_GT(overtaken, 500U);
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
