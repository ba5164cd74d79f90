/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/arrival-ledger.h"
#include "ns3/message-ledger.h"
#include "ns3/path-log.h"
#include "ns3/retransmission-timer.h"

#include <gtest/gtest.h>
#include <random>
#include <vector>

using namespace ns3::aifabric;

namespace
{

constexpr uint32_t MTU = 1000; //!< payload of a full packet

/// @return random messages, entered into a ledger  @param ledger the ledger  @param dice random
std::vector<PostedMessage>
PostSome(MessageLedger& ledger, std::mt19937& dice)
{
    std::vector<PostedMessage> messages;
    uint64_t next = 0;
    for (uint32_t i = 0; i < 1 + dice() % 9; ++i)
    {
        const uint32_t bytes = dice() % (5 * MTU);
        const uint32_t packets = std::max<uint32_t>(1, (bytes + MTU - 1) / MTU);
        messages.push_back({next, i, packets, bytes, packets * MTU - bytes, i});
        ledger.Post(messages.back());
        next += packets;
    }
    return messages;
}

} // namespace

// Each packet is found in its message, and what is taken adds up to the lengths of the messages.
TEST(MessageLedger, BytesOfPacketsAddUpToMessages)
{
    std::mt19937 dice(3);
    for (int round = 0; round < 300; ++round)
    {
        MessageLedger ledger;
        const std::vector<PostedMessage> messages = PostSome(ledger, dice);
        uint64_t bytes = 0;
        uint64_t all = 0;
        const uint64_t end = messages.back().GetEnd();
        for (const PostedMessage& message : messages)
        {
            all += message.bytes;
            for (uint64_t number = message.firstPacket; number < message.GetEnd(); ++number)
            {
                ASSERT_EQ(ledger.Find(number).key, message.key);
            }
        }
        std::vector<bool> acked(end);
        for (uint64_t i = 0; i < end / 2; ++i)
        {
            const uint64_t number = dice() % end;
            bytes += acked[number] ? 0 : MTU - ledger.TakeUnfilled(number);
            acked[number] = true;
        }
        for (uint64_t number = 0; number < end; ++number)
        {
            bytes += acked[number] ? 0 : MTU;
        }
        bytes -= ledger.TakeUnfilledBefore(end);
        ASSERT_EQ(bytes, all);
        ASSERT_EQ(ledger.TakeUnfilledBefore(end), 0U);
    }
}

TEST(MessageLedger, CompletesInOrderAndKnowsWhatIsConfirmed)
{
    MessageLedger ledger;
    ledger.Post({0, 0, 2, 2000, 0, 7});
    ledger.Post({2, 0, 1, 10, 990, 8});
    EXPECT_EQ(ledger.Confirm(0), nullptr);
    EXPECT_FALSE(ledger.IsFirstConfirmed());
    ASSERT_NE(ledger.Confirm(1), nullptr);
    EXPECT_EQ(ledger.Confirm(1)->key, 7U);
    EXPECT_EQ(ledger.Confirm(3), nullptr); // there are but two
    EXPECT_TRUE(ledger.IsFirstConfirmed());
    EXPECT_FALSE(ledger.IsFirstDone(1));
    EXPECT_TRUE(ledger.IsFirstDone(2));
    EXPECT_EQ(ledger.Complete().key, 7U);
    EXPECT_FALSE(ledger.IsFirstDone(2));
    EXPECT_EQ(ledger.Complete().key, 8U);
    EXPECT_TRUE(ledger.IsEmpty());
    EXPECT_EQ(ledger.GetCompleted(), 2U);
}

TEST(ArrivalLedger, TellsMessagesInOrderHoweverTheyBegin)
{
    std::mt19937 dice(5);
    for (int round = 0; round < 200; ++round)
    {
        std::vector<ArrivingMessage> messages;
        for (uint32_t i = 0; i < 1 + dice() % 9; ++i)
        {
            const uint64_t before = messages.empty() ? 0 : messages.back().end;
            messages.push_back({before + 1 + dice() % 4, i, i});
        }
        std::vector<ArrivingMessage> order = messages;
        order.insert(order.end(), messages.begin(), messages.end()); // each by a repair packet, too
        std::shuffle(order.begin(), order.end(), dice);
        ArrivalLedger ledger;
        for (const ArrivingMessage& message : order)
        {
            ledger.Announce(message);
        }
        for (const ArrivingMessage& message : messages)
        {
            ASSERT_FALSE(ledger.IsEmpty());
            ASSERT_FALSE(ledger.IsFirstWhole(message.end - 1));
            ASSERT_TRUE(ledger.IsFirstWhole(message.end));
            ASSERT_EQ(ledger.TakeFirst().key, message.key);
        }
        ASSERT_TRUE(ledger.IsEmpty());
    }
}

TEST(PathLog, HasTheLastTransmissionOfEachPacket)
{
    PathLog log;
    for (uint32_t number = 0; number < 40; ++number)
    {
        log.Note(number, 100 + number);
    }
    log.Note(17, 5);
    log.ForgetBefore(10);
    log.ForgetBefore(10);
    EXPECT_EQ(log.Get(10), 110U);
    EXPECT_EQ(log.Get(17), 5U);
    log.Note(40, 9);
    log.ForgetBefore(40);
    EXPECT_EQ(log.Get(40), 9U);
}

TEST(RetransmissionTimer, StartsWithTheFirstMissingPacketAndWithNews)
{
    const RetransmissionLimits limits{100, 7, 3};
    RetransmissionTimer timer;
    timer.Restart(0);
    EXPECT_EQ(timer.GetDue(limits), 100);
    timer.PacketSent(20, true);
    EXPECT_EQ(timer.GetDue(limits), 120);
    timer.PacketSent(50, false);
    EXPECT_EQ(timer.GetDue(limits), 120);
    timer.SetRearmsOnSend(true);
    timer.PacketSent(60, false);
    EXPECT_EQ(timer.GetDue(limits), 160);
    EXPECT_EQ(timer.Expire(160), 1U);
    EXPECT_EQ(timer.Expire(260), 2U);
    EXPECT_FALSE(timer.IsInVain(419, limits)); // since 20, three timeouts long
    EXPECT_TRUE(timer.IsInVain(420, limits));
    timer.Acknowledged(430);
    EXPECT_EQ(timer.GetDue(limits), 530);
    EXPECT_FALSE(timer.IsInVain(1000, limits));
    EXPECT_EQ(timer.Expire(530), 1U);
}

TEST(RetransmissionTimer, DoublesWithEachExpirationUntilNews)
{
    const RetransmissionLimits limits{100, 7, 200};
    RetransmissionTimer timer;
    timer.SetBacksOff(true);
    timer.PacketSent(0, true);
    EXPECT_FALSE(timer.HasBackedOff());
    int64_t now = 0;
    for (uint32_t retries = 0; retries < 10; ++retries)
    {
        EXPECT_EQ(timer.GetTimeout(limits), 100LL << retries);
        now = timer.GetDue(limits);
        EXPECT_EQ(timer.Expire(now), retries + 1);
        EXPECT_TRUE(timer.HasBackedOff());
    }
    timer.Expire(now);
    EXPECT_EQ(timer.GetTimeout(limits), 100LL << 10); // no longer
    timer.Acknowledged(now);
    EXPECT_FALSE(timer.HasBackedOff());
    EXPECT_EQ(timer.GetDue(limits), now + 100);
}
