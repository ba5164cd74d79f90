/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/reroute-draw.h"

namespace
{

/// @return labels from 0 on
std::vector<uint16_t>
Range(uint32_t count)
{
    std::vector<uint16_t> labels;
    for (uint32_t label = 0; label < count; ++label)
    {
        labels.push_back(label);
    }
    return labels;
}

} // namespace

/// Each digit that has a choice is another one, all others are equally likely; from a list of all
/// labels the same ones are drawn.
TEST(RerouteDraw, EachDigitIsAnotherOne)
{
    std::mt19937 random(1);
    const UniformInteger uniform = [&](uint32_t n) { return random() % n; };
    for (uint32_t trial = 0; trial < 60; ++trial)
    {
        const uint32_t uplinks = 1 + random() % 5;
        const uint32_t middleUplinks = 1 + random() % 4;
        const uint32_t count = uplinks * middleUplinks;
        const uint16_t old = random() % count;
        std::map<uint16_t, uint32_t> drawn;
        std::map<uint16_t, uint32_t> drawnAmong;
        const uint32_t others =
            (uplinks > 1 ? uplinks - 1 : 1) * (middleUplinks > 1 ? middleUplinks - 1 : 1);
        for (uint32_t draw = 0; draw < others * 1000; ++draw)
        {
            ++drawn[DrawReroute(old, uplinks, middleUplinks, uniform)];
            ++drawnAmong[DrawRerouteAmong(old, uplinks, Range(count), uniform)];
        }
        for (const auto& times : {drawn, drawnAmong})
        {
            ASSERT_EQ(times.size(), others);
            for (const auto& [label, number] : times)
            {
                ASSERT_LT(label, count);
                ASSERT_EQ(label % uplinks == old % uplinks, uplinks == 1);
                ASSERT_EQ(label / uplinks == old / uplinks, middleUplinks == 1);
                ASSERT_NEAR(number, 1000, 180); // more than 5.5 standard deviations
            }
        }
    }
}

/// From a list: the labels that differ most, but never the old one if there is another.
TEST(RerouteDraw, AmongSome)
{
    const UniformInteger first = [](uint32_t) { return 0; };
    const UniformInteger last = [](uint32_t n) { return n - 1; };
    // Three uplinks; the old path is i = 1, j = 1.
    EXPECT_EQ(DrawRerouteAmong(4, 3, {1, 3, 6, 7, 8, 4}, first), 6);
    EXPECT_EQ(DrawRerouteAmong(4, 3, {1, 3, 6, 7, 8, 4}, last), 8);
    EXPECT_EQ(DrawRerouteAmong(4, 3, {1, 3, 4, 7}, first), 1); // one digit differs
    EXPECT_EQ(DrawRerouteAmong(4, 3, {1, 3, 4, 7}, last), 7);
    EXPECT_EQ(DrawRerouteAmong(4, 3, {4}, first), 4);
    EXPECT_EQ(DrawRerouteAmong(4, 3, {}, first), 4);
}
