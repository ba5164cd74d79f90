/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/iwrr-schedule.h"

namespace
{

/// @return a source of randomness
DrawBelow
Draw(std::mt19937& random)
{
    return [&random](uint32_t bound) {
        return std::uniform_int_distribution<uint32_t>(0, bound - 1)(random);
    };
}

} // namespace

TEST(IwrrSchedule, TheExampleOfThePaper)
{
    // arXiv 2507.21372, appendix F: ports P1 to P4, weights 1600, 1600, 1600, 800,
    // order P3, P2, P4, P1
    const std::vector<uint32_t> expected = {2, 1, 3, 0, 2, 1, 0};
    EXPECT_EQ(InterleavedSchedule({1600, 1600, 1600, 800}, {2, 1, 3, 0}), expected);
    EXPECT_EQ(InterleavedSchedule({2, 2, 2, 1}, {2, 1, 3, 0}), expected);
}

TEST(IwrrSchedule, EqualWeightsAreARoundRobin)
{
    const std::vector<uint32_t> order = {3, 0, 2, 1};
    EXPECT_EQ(InterleavedSchedule({7, 7, 7, 7}, order), order);
    EXPECT_EQ(InterleavedSchedule({4}, {0}), std::vector<uint32_t>{0});
}

TEST(IwrrSchedule, PortsWithoutWeightAreLeftOut)
{
    EXPECT_EQ(InterleavedSchedule({0, 3, 0, 3}, {0, 3, 2, 1}), (std::vector<uint32_t>{3, 1}));
    EXPECT_TRUE(InterleavedSchedule({0, 0}, {1, 0}).empty());
    EXPECT_TRUE(InterleavedSchedule({}, {}).empty());
}

TEST(IwrrSchedule, TheLargestWeights)
{
    EXPECT_EQ(InterleavedSchedule({UINT32_MAX, UINT32_MAX / 3}, {0, 1}),
              (std::vector<uint32_t>{0, 1, 0, 0}));
    EXPECT_EQ(InterleavedSchedule({UINT32_MAX, 0}, {0, 1}), std::vector<uint32_t>{0});
}

TEST(IwrrSchedule, CountsAreWeightsAndTurnsAreInterleaved)
{
    std::mt19937 random(1);
    for (int round = 0; round < 2000; ++round)
    {
        const uint32_t ports = 1 + random() % 12;
        const uint32_t scale = 1 + random() % 1000;
        std::vector<uint32_t> weights(ports);
        for (uint32_t& weight : weights)
        {
            weight = scale * (random() % 9);
        }
        uint32_t divisor = 0;
        for (const uint32_t weight : weights)
        {
            divisor = std::gcd(divisor, weight);
        }
        const std::vector<uint32_t> order = RandomOrder(ports, Draw(random));
        std::vector<uint32_t> counts(ports);
        std::vector<uint32_t> place(ports);
        for (uint32_t i = 0; i < ports; ++i)
        {
            place[order[i]] = i;
        }
        uint32_t last = UINT32_MAX;
        uint32_t turns = 0;
        for (const uint32_t port : InterleavedSchedule(weights, order))
        {
            turns += last == UINT32_MAX || place[port] <= place[last];
            ++counts[port];
            EXPECT_EQ(counts[port], turns) << "a port is served in each turn until it is done";
            last = port;
        }
        for (uint32_t port = 0; port < ports; ++port)
        {
            EXPECT_EQ(counts[port], divisor == 0 ? 0 : weights[port] / divisor);
        }
    }
}

TEST(RandomOrder, AllOrdersAreEquallyLikely)
{
    std::mt19937 random(1);
    std::map<std::vector<uint32_t>, uint32_t> counts;
    const uint32_t draws = 24000;
    for (uint32_t i = 0; i < draws; ++i)
    {
        ++counts[RandomOrder(4, Draw(random))];
    }
    EXPECT_EQ(counts.size(), 24);
    double chiSquare = 0;
    for (const auto& entry : counts)
    {
        std::vector<uint32_t> sorted = entry.first;
        std::sort(sorted.begin(), sorted.end());
        EXPECT_EQ(sorted, (std::vector<uint32_t>{0, 1, 2, 3}));
        chiSquare += (entry.second - 1000.0) * (entry.second - 1000.0) / 1000.0;
    }
    EXPECT_LT(chiSquare, 57); // 23 degrees of freedom: five standard deviations above their mean
    EXPECT_TRUE(RandomOrder(0, Draw(random)).empty());
    EXPECT_EQ(RandomOrder(1, Draw(random)), std::vector<uint32_t>{0});
}
