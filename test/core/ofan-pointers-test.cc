/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/ofan-pointers.h"

namespace
{

/// Pointers, and the randomness they draw from.
struct Bench
{
    /// @param orders who has an order
    explicit Bench(uint32_t seed,
                   OfanPointers::Orders orders = OfanPointers::PER_POINTER,
                   uint32_t lanes = 1)
        : random(seed),
          pointers([this](uint32_t bound) {
              return std::uniform_int_distribution<uint32_t>(0, bound - 1)(random);
          })
    {
        pointers.SetShape(orders, lanes);
    }

    /// @return the next places of a pointer
    std::vector<uint32_t> Take(uint32_t count,
                               uint32_t waypoint,
                               uint32_t pod = 0,
                               uint32_t lane = 0,
                               uint32_t group = 0)
    {
        std::vector<uint32_t> places(count);
        for (uint32_t& place : places)
        {
            place = pointers.Next(group, waypoint, pod, lane);
        }
        return places;
    }

    std::mt19937 random;   //!< the randomness
    OfanPointers pointers; //!< the pointers
};

/// @return a cycle, turned such that it begins with 0  @param cycle the cycle, which contains 0
std::vector<uint32_t>
Turned(std::vector<uint32_t> cycle)
{
    std::rotate(cycle.begin(), std::find(cycle.begin(), cycle.end(), 0), cycle.end());
    return cycle;
}

} // namespace

TEST(OfanPointers, PacketsOfAKeyDifferByAtMostOneAtAnyTime)
{
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round)
    {
        const auto orders = random() % 2 ? OfanPointers::PER_POINTER : OfanPointers::PER_POD;
        const uint32_t lanes = 1 + random() % 4;
        const uint32_t uplinks = 1 + random() % 16;
        const uint32_t waypoints = 1 + random() % 40;
        const uint32_t podSize = 1 + random() % 8;
        Bench bench(round, orders, lanes);
        bench.pointers.SetGroup(0, std::vector<uint32_t>(uplinks, 1));
        std::vector<std::vector<uint32_t>> counts(waypoints * lanes,
                                                  std::vector<uint32_t>(uplinks));
        for (int packet = 0; packet < 2000; ++packet)
        {
            const uint32_t waypoint = random() % waypoints;
            const uint32_t lane = random() % lanes;
            std::vector<uint32_t>& count = counts[waypoint * lanes + lane];
            const uint32_t place = bench.pointers.Next(0, waypoint, waypoint / podSize, lane);
            ASSERT_LT(place, uplinks);
            ++count[place];
            const auto [least, most] = std::minmax_element(count.begin(), count.end());
            ASSERT_LE(*most - *least, 1);
        }
    }
}

TEST(OfanPointers, CountsOfAScheduleAreTheWeights)
{
    std::mt19937 random(1);
    for (int round = 0; round < 500; ++round)
    {
        Bench bench(round);
        std::vector<uint32_t> weights(1 + random() % 8);
        for (uint32_t& weight : weights)
        {
            weight = random() % 5;
        }
        weights[random() % weights.size()] = 1 + random() % 4;
        uint32_t divisor = 0;
        for (const uint32_t weight : weights)
        {
            divisor = std::gcd(divisor, weight);
        }
        const uint32_t length =
            std::accumulate(weights.begin(), weights.end(), uint32_t{0}) / divisor;
        bench.pointers.SetGroup(0, weights);
        for (int turn = 0; turn < 3; ++turn) // wherever it starts
        {
            std::vector<uint32_t> counts(weights.size());
            for (const uint32_t place : bench.Take(length, 3))
            {
                ++counts[place];
            }
            for (uint32_t place = 0; place < weights.size(); ++place)
            {
                ASSERT_EQ(counts[place], weights[place] / divisor);
            }
        }
    }
}

TEST(OfanPointers, PlacesOfLargeWeightAreNotServedInARow)
{
    Bench bench(1);
    bench.pointers.SetGroup(0, {2, 2, 2, 1});
    for (uint32_t waypoint = 0; waypoint < 100; ++waypoint)
    {
        const std::vector<uint32_t> places = bench.Take(14, waypoint);
        EXPECT_EQ(std::adjacent_find(places.begin(), places.end()), places.end());
    }
}

TEST(OfanPointers, StartsAndOrdersAreRandomAndIndependent)
{
    // 3 places: 2 cyclic orders, 3 starts, all equally likely for pairs of pointers
    std::map<std::vector<uint32_t>, uint32_t> counts;
    const uint32_t draws = 36000;
    for (uint32_t seed = 0; seed < draws; ++seed)
    {
        Bench bench(seed);
        bench.pointers.SetGroup(0, {1, 1, 1});
        std::vector<uint32_t> both = bench.Take(3, 1);
        for (const uint32_t place : bench.Take(3, 2))
        {
            both.push_back(place);
        }
        ++counts[both];
    }
    ASSERT_EQ(counts.size(), 36);
    double chiSquare = 0;
    for (const auto& entry : counts)
    {
        chiSquare += (entry.second - 1000.0) * (entry.second - 1000.0) / 1000.0;
    }
    EXPECT_LT(chiSquare, 77); // 35 degrees of freedom: five standard deviations above their mean
}

TEST(OfanPointers, OrdersAreKeptForGood)
{
    Bench bench(1);
    bench.pointers.SetGroup(0, std::vector<uint32_t>(8, 1));
    const std::vector<uint32_t> first = bench.Take(8, 5);
    for (int round = 0; round < 100; ++round)
    {
        EXPECT_EQ(bench.Take(8, 5), first);
    }
}

TEST(OfanPointers, AckLaneDoesNotMoveTheDataLane)
{
    Bench alone(1, OfanPointers::PER_POINTER, 2);
    Bench mixed(1, OfanPointers::PER_POINTER, 2);
    alone.pointers.SetGroup(0, std::vector<uint32_t>(4, 1));
    mixed.pointers.SetGroup(0, std::vector<uint32_t>(4, 1));
    for (int packet = 0; packet < 20; ++packet)
    {
        EXPECT_EQ(alone.pointers.Next(0, 7, 0, 0), mixed.pointers.Next(0, 7, 0, 0));
        mixed.pointers.Next(0, 7, 0, 1);
    }
    EXPECT_EQ(alone.pointers.CountPointers(), 1);
    EXPECT_EQ(mixed.pointers.CountPointers(), 2);
}

TEST(OfanPointers, OrdersPerPodAreSharedPositionsAreNot)
{
    Bench bench(1, OfanPointers::PER_POD, 2);
    bench.pointers.SetGroup(0, std::vector<uint32_t>(16, 1));
    std::vector<std::set<std::vector<uint32_t>>> orders(4);
    std::set<uint32_t> starts;
    for (uint32_t waypoint = 0; waypoint < 32; ++waypoint)
    {
        for (uint32_t lane = 0; lane < 2; ++lane)
        {
            const std::vector<uint32_t> places = bench.Take(16, waypoint, waypoint / 8, lane);
            starts.insert(places[0]);
            orders[waypoint / 8].insert(Turned(places));
        }
    }
    std::set<std::vector<uint32_t>> distinct;
    for (const auto& pod : orders)
    {
        EXPECT_EQ(pod.size(), 1);
        distinct.insert(pod.begin(), pod.end());
    }
    EXPECT_EQ(distinct.size(), 4);
    EXPECT_GT(starts.size(), 8);
    EXPECT_EQ(bench.pointers.CountPointers(), 64);
    EXPECT_EQ(bench.pointers.CountOrders(), 4);
}

TEST(OfanPointers, AChangedGroupGivesANewOrder)
{
    for (const auto orders : {OfanPointers::PER_POINTER, OfanPointers::PER_POD})
    {
        for (uint32_t seed = 0; seed < 50; ++seed)
        {
            Bench bench(seed, orders);
            bench.pointers.SetGroup(0, {1, 1, 1, 1});
            bench.Take(3, 0);
            bench.pointers.SetGroup(0, {1, 0, 1, 1});
            const std::vector<uint32_t> after = bench.Take(6, 0);
            EXPECT_EQ(std::vector<uint32_t>(after.begin(), after.begin() + 3),
                      std::vector<uint32_t>(after.begin() + 3, after.end()));
            EXPECT_EQ(std::set<uint32_t>(after.begin(), after.end()),
                      (std::set<uint32_t>{0, 2, 3}));
        }
    }
}

TEST(OfanPointers, ThePositionIsKeptModuloTheNewLength)
{
    // draw(n) = n - 1 leaves orders as they are and starts at the end
    OfanPointers pointers([](uint32_t bound) { return bound - 1; });
    for (uint32_t position = 0; position < 8; ++position)
    {
        pointers.SetGroup(position, std::vector<uint32_t>(8, 1));
        EXPECT_EQ(pointers.Next(position, position, 0, 0), 7);
        for (uint32_t i = 0; i < position; ++i)
        {
            EXPECT_EQ(pointers.Next(position, position, 0, 0), i);
        }
        pointers.SetGroup(position, std::vector<uint32_t>(3, 1));
        EXPECT_EQ(pointers.Next(position, position, 0, 0), position % 3);
    }
}

TEST(OfanPointers, AWaypointMayMoveToAnotherGroup)
{
    for (const auto orders : {OfanPointers::PER_POINTER, OfanPointers::PER_POD})
    {
        Bench bench(1, orders);
        bench.pointers.SetGroup(0, {1, 1, 1, 1});
        bench.pointers.SetGroup(7, {0, 1, 0, 1});
        EXPECT_TRUE(bench.pointers.HasGroup(7));
        EXPECT_FALSE(bench.pointers.HasGroup(3));
        EXPECT_FALSE(bench.pointers.HasGroup(8));
        for (int round = 0; round < 20; ++round)
        {
            for (const uint32_t place : bench.Take(5, 2, 1, 0, 7))
            {
                EXPECT_TRUE(place == 1 || place == 3);
            }
            const std::vector<uint32_t> all = bench.Take(4, 2, 1, 0, 0);
            EXPECT_EQ(std::set<uint32_t>(all.begin(), all.end()).size(), 4);
            const std::vector<uint32_t> others = bench.Take(4, 3, 1, 0, 0);
            EXPECT_EQ(std::set<uint32_t>(others.begin(), others.end()).size(), 4);
        }
    }
}
