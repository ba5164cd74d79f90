/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/grant-table.h"

namespace
{

/// @return the channels of all grants that may be given now
std::vector<uint32_t>
TakeAll(GrantTable& grants)
{
    std::vector<uint32_t> channels;
    while (const auto channel = grants.Take())
    {
        channels.push_back(*channel);
    }
    return channels;
}

} // namespace

/// Channels take turns, and each has at most its number of grants.
TEST(GrantTable, ChannelsTakeTurns)
{
    GrantTable grants(2, 0);
    EXPECT_TRUE(TakeAll(grants).empty());
    grants.Start(7, 3);
    grants.Start(9, 1);
    EXPECT_EQ(TakeAll(grants), (std::vector<uint32_t>{7, 9, 7}));
    grants.Free(9);
    EXPECT_TRUE(TakeAll(grants).empty()); // nobody wants more on 9
    grants.Free(7);
    EXPECT_EQ(TakeAll(grants), (std::vector<uint32_t>{7}));
    EXPECT_EQ(grants.GetLasting(), 2U);
    EXPECT_EQ(grants.GetMostLasting(), 3U);
}

/// A limit of all channels holds back those that have free slots.
TEST(GrantTable, AllChannelsShareALimit)
{
    GrantTable grants(4, 3);
    grants.Start(0, 9);
    grants.Start(1, 9);
    EXPECT_EQ(TakeAll(grants), (std::vector<uint32_t>{0, 1, 0}));
    grants.Free(1);
    EXPECT_EQ(TakeAll(grants), (std::vector<uint32_t>{1}));
    grants.Free(0);
    grants.Free(0);
    EXPECT_EQ(TakeAll(grants), (std::vector<uint32_t>{0, 1}));
    EXPECT_EQ(grants.GetMostLasting(), 3U);
}

/// A chunk whose receive was posted and that is started counts once, in either order.
TEST(GrantTable, AChunkIsWantedOnce)
{
    GrantTable grants(100, 0);
    grants.Post(0, 5);
    EXPECT_EQ(TakeAll(grants).size(), 5U);
    grants.Start(0, 5);
    EXPECT_TRUE(TakeAll(grants).empty());
    grants.Start(0, 2);
    EXPECT_EQ(TakeAll(grants).size(), 2U);
    grants.Post(0, 2);
    EXPECT_TRUE(TakeAll(grants).empty());
}

/// In any order of events, the limits hold, each chunk gets one grant, and nobody is left waiting.
TEST(GrantTable, LimitsHoldInAnyOrder)
{
    std::mt19937 random(1);
    for (uint32_t trial = 0; trial < 200; ++trial)
    {
        const uint32_t perChannel = 1 + random() % 4;
        const uint32_t perReceiver = random() % 2 ? 0 : 1 + random() % 6;
        GrantTable grants(perChannel, perReceiver);
        std::map<uint32_t, uint64_t> wanted;
        std::map<uint32_t, uint64_t> granted;
        std::map<uint32_t, uint32_t> lasting;
        uint32_t all = 0;
        const auto take = [&]() {
            for (const uint32_t channel : TakeAll(grants))
            {
                ++granted[channel];
                ++all;
                ASSERT_LE(++lasting[channel], perChannel);
                ASSERT_TRUE(perReceiver == 0 || all <= perReceiver);
            }
        };
        const auto free = [&](uint32_t channel) {
            --lasting[channel];
            --all;
            grants.Free(channel);
        };
        for (uint32_t step = 0; step < 100; ++step)
        {
            const uint32_t channel = random() % 5;
            if (random() % 2 && lasting[channel] > 0)
            {
                free(channel);
            }
            else
            {
                const uint32_t chunks = 1 + random() % 3;
                wanted[channel] += chunks;
                grants.Start(channel, chunks);
            }
            take();
            ASSERT_EQ(grants.GetLasting(), all);
        }
        while (all > 0)
        {
            for (auto& [channel, count] : lasting)
            {
                if (count > 0)
                {
                    free(channel);
                    break;
                }
            }
            take();
        }
        for (const auto& [channel, chunks] : wanted)
        {
            EXPECT_EQ(granted[channel], chunks);
        }
    }
}
