/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/flow-list.h"
#include "ns3/size-distribution.h"

namespace
{

const std::string HEADER = "bytes,probability\n"; //!< first line of a file

SizeDistribution
Read(const std::string& text)
{
    std::istringstream input(text);
    return ReadSizeDistribution(input, "sizes.csv");
}

/// @return what() of the exception that reading a text throws, "" if none
std::string
ErrorOf(const std::string& text)
{
    return RefusalOf([&] { Read(text); });
}

} // namespace

/// Lengths are uniform between two points.
TEST(SizeDistribution, InterpolatesBetweenPoints)
{
    const SizeDistribution sizes = Read(HEADER + "1000,0\n2000,0.5\n10000,1\n");
    EXPECT_EQ(sizes.Draw(0), 1000U);
    EXPECT_EQ(sizes.Draw(0.25), 1500U);
    EXPECT_EQ(sizes.Draw(0.5), 2000U);
    EXPECT_EQ(sizes.Draw(0.75), 6000U);
    EXPECT_EQ(sizes.Draw(0.999999999), 10000U);
    EXPECT_DOUBLE_EQ(sizes.GetMean(), 0.5 * 1500 + 0.5 * 6000);
}

/// What the first point has is its own length; two points of a length are one; two points of a
/// probability are lengths that do not occur.
TEST(SizeDistribution, HasLengthsOfTheirOwnAndGaps)
{
    const SizeDistribution sizes = Read(HEADER + "100,0.5\n100,0.75\n5000,0.75\n5000,1\n");
    std::set<uint64_t> seen;
    std::mt19937 random(1);
    for (int i = 0; i < 1000; ++i)
    {
        seen.insert(sizes.Draw(std::uniform_real_distribution<double>(0, 1)(random)));
    }
    EXPECT_EQ(seen, (std::set<uint64_t>{100, 5000}));
    EXPECT_EQ(sizes.Draw(0.7499), 100U);
    EXPECT_EQ(sizes.Draw(0.75), 5000U);
    EXPECT_DOUBLE_EQ(sizes.GetMean(), 0.75 * 100 + 0.25 * 5000);
    EXPECT_EQ(Read(HEADER + "7,1\n").Draw(0.3), 7U);
}

TEST(SizeDistribution, MeanIsThatOfManyLengths)
{
    const SizeDistribution sizes =
        Read(HEADER + "64,0.1\n1000,0.4\n1000,0.6\n90000,0.9\n1000000,1\n");
    std::mt19937 random(7);
    double sum = 0;
    constexpr int COUNT = 200000;
    for (int i = 0; i < COUNT; ++i)
    {
        sum +=
            static_cast<double>(sizes.Draw(std::uniform_real_distribution<double>(0, 1)(random)));
    }
    EXPECT_NEAR(sum / COUNT, sizes.GetMean(), 0.02 * sizes.GetMean());
}

/// What is no distribution is refused in one line.
TEST(SizeDistribution, RefusesWhatIsNone)
{
    EXPECT_EQ(ErrorOf(HEADER), "sizes.csv: must end with a probability of 1");
    EXPECT_EQ(ErrorOf(HEADER + "5,0.5\n"), "sizes.csv: must end with a probability of 1");
    for (const std::string row : {"0,1", "-1,1", "1.5,1", "x,1", "1099511627777,1", ",1"})
    {
        EXPECT_NE(ErrorOf(HEADER + row + "\n").find("sizes.csv:2: column bytes: '"),
                  std::string::npos)
            << row;
    }
    for (const std::string row : {"5,1.1", "5,-0.1", "5,nan", "5,1e1", "5,.", "5,", "5,0.5.5"})
    {
        EXPECT_NE(ErrorOf(HEADER + row + "\n").find("sizes.csv:2: column probability: '"),
                  std::string::npos)
            << row;
    }
    EXPECT_NE(ErrorOf(HEADER + "5,0.5\n4,1\n").find(":3: column bytes"), std::string::npos);
    EXPECT_NE(ErrorOf(HEADER + "5,0.5\n6,0.4\n").find(":3: column probability"), std::string::npos);
    EXPECT_THROW(SizeDistribution({}), std::invalid_argument);
    EXPECT_THROW(SizeDistribution({{5, 0.5}, {4, 1}}), std::invalid_argument);
    EXPECT_THROW(SizeDistribution({{5, 0.5}}), std::invalid_argument);
}

/// Messages arrive as often as they should, for all others alike, with their lengths, by start.
TEST(PoissonArrivals, HaveTheirRateDestinationsAndLengths)
{
    constexpr uint32_t HOSTS = 5;
    constexpr double GAP = 1000;
    constexpr int64_t DURATION = 4000000;
    const SizeDistribution sizes = Read(HEADER + "100,0.75\n5000,0.75\n5000,1\n");
    const auto draw = [random = std::mt19937(3)]() mutable {
        return std::uniform_real_distribution<double>(0, 1)(random);
    };
    const std::vector<Flow> flows = PoissonArrivals(HOSTS, sizes, GAP, DURATION, draw);
    std::vector<std::vector<uint32_t>> count(HOSTS, std::vector<uint32_t>(HOSTS));
    double isLong = 0;
    double gaps = 0; // squares, in means
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const Flow& flow = flows[i];
        ASSERT_NE(flow.source, flow.destination);
        ASSERT_LT(flow.startPs, DURATION);
        ++count.at(flow.source).at(flow.destination);
        isLong += flow.bytes == 5000;
        if (i > 0 && flows[i - 1].source == flow.source)
        {
            ASSERT_GE(flow.startPs, flows[i - 1].startPs);
            const double gap = static_cast<double>(flow.startPs - flows[i - 1].startPs) / GAP;
            gaps += gap * gap;
        }
    }
    const auto all = static_cast<double>(flows.size());
    EXPECT_NEAR(all, HOSTS * DURATION / GAP, 4 * std::sqrt(HOSTS * DURATION / GAP));
    EXPECT_NEAR(isLong / all, 0.25, 0.02);
    EXPECT_NEAR(gaps / all, 2, 0.1) << "the second moment of an exponential distribution";
    for (uint32_t source = 0; source < HOSTS; ++source)
    {
        for (uint32_t destination = 0; destination < HOSTS; ++destination)
        {
            EXPECT_NEAR(count[source][destination], source == destination ? 0 : 1000, 130);
        }
    }
}

/// Each host sends to the one half way round, whatever their number.
TEST(Tornado, GoesHalfWayRound)
{
    EXPECT_THROW(Tornado(1, 5), std::invalid_argument);
    for (const uint32_t hosts : {2U, 3U, 7U, 16U})
    {
        const std::vector<Flow> flows = Tornado(hosts, 5);
        ASSERT_EQ(flows.size(), hosts);
        std::set<uint32_t> receivers;
        for (uint32_t host = 0; host < hosts; ++host)
        {
            EXPECT_EQ(flows[host].source, host);
            EXPECT_EQ(flows[host].destination, (host + hosts / 2) % hosts);
            EXPECT_NE(flows[host].destination, host);
            EXPECT_EQ(flows[host].bytes, 5U);
            receivers.insert(flows[host].destination);
        }
        EXPECT_EQ(receivers.size(), hosts);
    }
}

/// The n-th, 2 n-th, ... message is ordered.
TEST(OrderEach, TakesEachSoManyth)
{
    std::vector<Flow> flows = Tornado(8, 5);
    OrderEach(flows, 3);
    for (uint32_t i = 0; i < flows.size(); ++i)
    {
        EXPECT_EQ(flows[i].ordered, i == 2 || i == 5);
    }
    OrderEach(flows, 1);
    EXPECT_TRUE(flows[0].ordered && flows[7].ordered);
}
