/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/sent-order.h"

namespace
{

/// @return fragments whose packets are overtaken
std::vector<uint32_t>
TakeAll(SentOrder& order)
{
    std::vector<uint32_t> sequences;
    SentOrder::Packet packet{};
    while (order.TakeOvertaken(packet))
    {
        sequences.push_back(packet.sequence);
    }
    return sequences;
}

} // namespace

TEST(SentOrder, TheSumOfAPacketThreePlacesLaterOvertakesAPacket)
{
    SentOrder order(3);
    for (uint32_t sequence = 10; sequence < 20; ++sequence)
    {
        EXPECT_EQ(order.Send(sequence), sequence - 10);
    }
    order.NoteSum(2);
    EXPECT_TRUE(TakeAll(order).empty());
    order.NoteSum(3);
    EXPECT_EQ(TakeAll(order), std::vector<uint32_t>{10});
    order.NoteSum(5);
    EXPECT_EQ(TakeAll(order), (std::vector<uint32_t>{11, 12})) << "the worker knows which are late";
    order.NoteSum(0);
    EXPECT_TRUE(TakeAll(order).empty()) << "a late sum says nothing of later packets";
}

TEST(SentOrder, APacketThatIsSentAgainIsOvertakenByThoseSentAfterIt)
{
    SentOrder order(1);
    order.Send(7);
    order.Send(8);
    order.NoteSum(1);
    EXPECT_EQ(TakeAll(order), std::vector<uint32_t>{7});
    const uint64_t again = order.Send(7);
    EXPECT_EQ(again, 2U);
    const uint64_t next = order.Send(9);
    EXPECT_EQ(TakeAll(order), std::vector<uint32_t>{});
    order.NoteSum(next);
    EXPECT_EQ(TakeAll(order), (std::vector<uint32_t>{8, 7}));
    EXPECT_EQ(order.GetSize(), 1U);
}

TEST(SentOrder, WithoutAThresholdNothingIsOvertaken)
{
    SentOrder order(0);
    EXPECT_EQ(order.Send(7), 0U);
    EXPECT_EQ(order.Send(8), 1U);
    order.NoteSum(1);
    EXPECT_TRUE(TakeAll(order).empty());
    EXPECT_EQ(order.GetSize(), 0U);
}
