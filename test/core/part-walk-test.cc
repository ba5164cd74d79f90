/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/part-layout.h"
#include "ns3/part-walk.h"

namespace
{

/// @return sizes of up to three parts
std::vector<uint16_t>
DrawSizes(std::mt19937& random)
{
    std::vector<uint16_t> sizes(random() % 4);
    for (uint16_t& size : sizes)
    {
        size = 1 + random() % 9;
    }
    return sizes;
}

/// @return the values at the cursors, which advance
std::vector<uint16_t>
Step(PartWalk& walk, const UniformInteger& uniform)
{
    std::vector<uint16_t> values;
    for (uint32_t part = 0; part < walk.CountParts(); ++part)
    {
        values.push_back(walk.GetValue(part));
    }
    walk.Advance(0, uniform);
    return values;
}

} // namespace

/// PRIME specification, test 1: of two parts with two values, one changes with each step, the other
/// with each second one.
TEST(PartWalk, TwoByTwo)
{
    std::mt19937 random(1);
    const UniformInteger uniform = [&](uint32_t n) { return random() % n; };
    for (uint32_t trial = 0; trial < 50; ++trial)
    {
        PartWalk walk({2, 2}, uniform);
        std::vector<std::vector<uint16_t>> steps;
        while (steps.size() < 4)
        {
            steps.push_back(Step(walk, uniform));
        }
        EXPECT_NE(steps[0][0], steps[1][0]);
        EXPECT_NE(steps[2][0], steps[3][0]);
        EXPECT_EQ(steps[0][1], steps[1][1]);
        EXPECT_EQ(steps[2][1], steps[3][1]);
        EXPECT_NE(steps[0][1], steps[2][1]);
    }
}

/// Each aligned cycle visits each combination once, and part t + 1 changes only when part t has
/// used all its values.
TEST(PartWalk, EachCombinationOnceACycle)
{
    std::mt19937 random(2);
    const UniformInteger uniform = [&](uint32_t n) { return random() % n; };
    for (uint32_t trial = 0; trial < 200; ++trial)
    {
        const std::vector<uint16_t> sizes = DrawSizes(random);
        PartWalk walk(sizes, uniform);
        const uint64_t cycle = walk.CountCombinations();
        std::vector<uint16_t> last;
        for (uint32_t round = 0; round < 9; ++round)
        {
            std::set<std::vector<uint16_t>> seen;
            for (uint64_t step = 0; step < cycle; ++step)
            {
                const std::vector<uint16_t> values = Step(walk, uniform);
                uint64_t period = 1;
                for (uint32_t part = 0; part < sizes.size(); ++part)
                {
                    ASSERT_LT(values[part], sizes[part]);
                    if (step % period != 0)
                    {
                        ASSERT_EQ(values[part], last[part]);
                    }
                    period *= sizes[part];
                    ASSERT_EQ(walk.GetRounds(part), (round * cycle + step + 1) / period);
                }
                seen.insert(values);
                last = values;
            }
            ASSERT_EQ(seen.size(), cycle);
        }
    }
}

/// Over any number of consecutive steps, the visits of two values of part 0 differ by at most 2,
/// and there are steps over which they do.
TEST(PartWalk, VisitsOfAnyWindowDifferByAtMostTwo)
{
    std::mt19937 random(3);
    const UniformInteger uniform = [&](uint32_t n) { return random() % n; };
    int most = 0;
    for (const uint16_t size : {1, 2, 3, 8, 13})
    {
        PartWalk walk({size, 4}, uniform);
        std::vector<uint16_t> steps;
        while (steps.size() < 300)
        {
            steps.push_back(Step(walk, uniform)[0]);
        }
        for (uint32_t first = 0; first < steps.size(); ++first)
        {
            std::vector<int> visits(size);
            for (uint32_t step = first; step < steps.size(); ++step)
            {
                ++visits[steps[step]];
                const auto [low, high] = std::minmax_element(visits.begin(), visits.end());
                ASSERT_LE(*high - *low, 2);
                most = std::max(most, *high - *low);
            }
        }
    }
    EXPECT_EQ(most, 2);
}

/// Orders are random: each order of three values is equally likely, in each round.
TEST(PartWalk, OrdersAreRandom)
{
    std::mt19937 random(4);
    const UniformInteger uniform = [&](uint32_t n) { return random() % n; };
    std::map<std::vector<uint16_t>, uint32_t> orders;
    PartWalk walk({3}, uniform);
    for (uint32_t round = 0; round < 6000; ++round)
    {
        std::vector<uint16_t> order;
        while (order.size() < 3)
        {
            order.push_back(Step(walk, uniform)[0]);
        }
        ++orders[order];
    }
    EXPECT_EQ(orders.size(), 6U);
    for (const auto& [order, times] : orders)
    {
        EXPECT_NEAR(times, 1000, 120);
    }
}

/// A part that advances alone takes the parts after it with it when its round ends, and no part
/// before it.
TEST(PartWalk, APartAdvancesAlone)
{
    const UniformInteger keep = [](uint32_t n) { return n - 1; }; // no order changes
    PartWalk walk({2, 3, 2}, keep);
    walk.Advance(1, keep);
    EXPECT_EQ(Step(walk, keep), (std::vector<uint16_t>{0, 1, 0}));
    walk.Advance(1, keep);
    walk.Advance(1, keep);
    EXPECT_EQ(Step(walk, keep), (std::vector<uint16_t>{1, 0, 1}));
    EXPECT_EQ(Step(walk, keep), (std::vector<uint16_t>{0, 1, 1}));
    walk.Advance(3, keep);
    EXPECT_EQ(Step(walk, keep), (std::vector<uint16_t>{1, 1, 1}));
}

/// Parts make up a label and come out of it again, whatever is above them; the label of the path is
/// below the plane.
TEST(PartLayout, PartsComeOutOfTheLabel)
{
    std::mt19937 random(5);
    for (uint32_t trial = 0; trial < 300; ++trial)
    {
        const uint32_t planes = 1 + random() % 4;
        std::vector<uint16_t> uplinks(random() % 3);
        for (uint16_t& count : uplinks)
        {
            count = 1 + random() % 12;
        }
        const PartLayout layout(planes, uplinks);
        const std::vector<uint16_t> sizes = layout.GetSizes();
        const uint32_t first = planes > 1 ? 1 : 0; // uplink of the leaf
        ASSERT_EQ(layout.CountParts(), sizes.size());
        ASSERT_EQ(sizes.size(), uplinks.size() + first);
        std::set<uint32_t> labels;
        for (uint32_t number = 0; number < layout.CountLabels(); ++number)
        {
            std::vector<uint16_t> values;
            uint32_t rest = number;
            for (const uint16_t size : sizes)
            {
                values.push_back(rest % size);
                rest /= size;
            }
            const uint32_t label = layout.Pack(values);
            ASSERT_LT(label, layout.CountLabels());
            labels.insert(label);
            const uint32_t constant = random() % 5 * layout.CountLabels();
            for (uint32_t part = 0; part < sizes.size(); ++part)
            {
                ASSERT_EQ(layout.GetValue(constant + label, part), values[part]);
            }
            uint32_t path = uplinks.empty() ? 0 : values[first];
            path += uplinks.size() > 1 ? values[first + 1] * uplinks[0] : 0;
            uint32_t paths = 1;
            for (const uint16_t count : uplinks)
            {
                paths *= count;
            }
            ASSERT_EQ(label % paths, path);
            ASSERT_EQ(label / paths, planes > 1 ? values[0] : 0U);
        }
        ASSERT_EQ(labels.size(), layout.CountLabels());
    }
}
