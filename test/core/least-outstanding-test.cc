/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/least-outstanding.h"

/// The path with least to send is taken, and its bytes count from then on until they are sent.
TEST(LeastOutstanding, TakesTheLeast)
{
    const UniformInteger first = [](uint32_t) { return 0; };
    LeastOutstanding least;
    least.Add(4, 10);
    least.Add(9, 30);
    EXPECT_EQ(least.Choose(25, {9, 4}, first), 4);
    EXPECT_EQ(least.GetUnsent(4), 35U);
    EXPECT_EQ(least.Choose(1, {9, 4}, first), 9);
    least.Remove(9, 31);
    EXPECT_EQ(least.GetUnsent(9), 0U);
    EXPECT_EQ(least.Choose(1, {4, 9, 7}, first), 9); // the first of the two that have none
    EXPECT_EQ(least.Choose(1, {4, 9, 7}, first), 7);
    EXPECT_EQ(least.GetUnsent(1000), 0U);
}

/// Paths that are equally good are equally likely; others are not taken.
TEST(LeastOutstanding, TiesAreRandom)
{
    std::mt19937 random(1);
    const UniformInteger uniform = [&](uint32_t n) { return random() % n; };
    std::map<uint16_t, uint32_t> taken;
    for (uint32_t trial = 0; trial < 9000; ++trial)
    {
        LeastOutstanding least;
        least.Add(5, 1);
        ++taken[least.Choose(100, {0, 5, 3, 8}, uniform)];
    }
    EXPECT_EQ(taken.size(), 3U);
    EXPECT_EQ(taken.count(5), 0U);
    for (const auto& [path, times] : taken)
    {
        EXPECT_NEAR(times, 3000, 250); // 5.6 standard deviations
    }
}

/// While nothing is sent, paths differ by the largest size at most; by one flow if all are equal.
TEST(LeastOutstanding, BalancesWithinOneFlow)
{
    std::mt19937 random(2);
    const UniformInteger uniform = [&](uint32_t n) { return random() % n; };
    for (uint32_t trial = 0; trial < 300; ++trial)
    {
        std::vector<uint16_t> paths(1 + random() % 24);
        for (uint16_t path = 0; path < paths.size(); ++path)
        {
            paths[path] = path;
        }
        LeastOutstanding least;
        uint64_t largest = 0;
        for (uint32_t flow = 0; flow < 100; ++flow)
        {
            const uint64_t bytes = 1 + random() % (1 + trial * 1000);
            largest = std::max(largest, bytes);
            least.Choose(bytes, paths, uniform);
            const auto [low, high] =
                std::minmax_element(paths.begin(), paths.end(), [&](uint16_t a, uint16_t b) {
                    return least.GetUnsent(a) < least.GetUnsent(b);
                });
            ASSERT_LE(least.GetUnsent(*high) - least.GetUnsent(*low), largest);
        }
    }
}

/// It balances a NIC's uplinks, not the ways to each destination: no theorem as for Ethereal.
TEST(LeastOutstanding, DestinationsMayBeUnequal)
{
    const UniformInteger first = [](uint32_t) { return 0; };
    LeastOutstanding least;
    std::map<uint32_t, std::map<uint16_t, uint64_t>> byLeaf;
    for (uint32_t flow = 0; flow < 4; ++flow)
    {
        byLeaf[flow % 2][least.Choose(100, {0, 1}, first)] += 100;
    }
    EXPECT_EQ(least.GetUnsent(0), least.GetUnsent(1));
    EXPECT_EQ(byLeaf[0].size(), 1U); // both flows to one leaf on one spine
    EXPECT_EQ(byLeaf[1].size(), 1U);
}

/// More than there is cannot be sent; without paths there is no choice.
TEST(LeastOutstanding, Misuse)
{
    LeastOutstanding least;
    least.Add(3, 10);
    EXPECT_THROW(least.Remove(3, 11), std::logic_error);
    EXPECT_THROW(least.Remove(4, 1), std::logic_error);
    EXPECT_NO_THROW(least.Remove(4, 0));
    EXPECT_NO_THROW(least.Remove(3, 10));
    EXPECT_THROW(least.Choose(1, {}, [](uint32_t) { return 0; }), std::invalid_argument);
}
