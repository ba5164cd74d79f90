/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/arrival-ledger.h"
#include "ns3/message-ledger.h"
#include "ns3/path-log.h"
#include "ns3/retransmission-timer.h"

namespace
{

constexpr uint32_t MTU = 1000; //!< payload of a full packet

/// @return random messages, entered into a ledger
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
    const RetransmissionLimits limits{100, 250, 1, 0};
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
    EXPECT_FALSE(timer.HasRunOut(269, limits)); // since 20
    EXPECT_TRUE(timer.HasRunOut(270, limits));
    EXPECT_FALSE(timer.IsInVain(400, limits)); // it was sent once
    timer.Acknowledged(430);
    EXPECT_EQ(timer.GetDue(limits), 530);
    EXPECT_EQ(timer.Expire(530), 1U);
    EXPECT_FALSE(timer.HasRunOut(1000, limits)); // one timeout more than it survives is needed
}

TEST(RetransmissionTimer, SurvivesBothItsRetriesAndItsTime)
{
    for (const int64_t least : {0, 250, 5000})
    {
        const RetransmissionLimits limits{100, least, 7, 0};
        RetransmissionTimer timer;
        timer.PacketSent(0, true);
        int64_t now = 0;
        uint32_t retries = 0;
        do
        {
            now = timer.GetDue(limits);
            retries = timer.Expire(now);
        } while (!timer.HasRunOut(now, limits));
        EXPECT_EQ(retries, least < 800 ? 8U : 50U);
        EXPECT_EQ(now, std::max<int64_t>(800, least));
        EXPECT_EQ(RetransmissionTimer::GetBudget(limits, false), now);
    }
}

TEST(RetransmissionTimer, RetransmitsInVainAsLongAsTimeoutsWouldTake)
{
    const RetransmissionLimits limits{100, 1000, 2, 0};
    RetransmissionTimer timer;
    timer.PacketSent(20, true);
    for (int64_t now = 30; now <= 50; now += 10)
    {
        EXPECT_FALSE(timer.IsInVain(10000, limits)); // not as often
        timer.PacketSent(now, true);
        timer.PacketSent(now, false);
    }
    EXPECT_FALSE(timer.IsInVain(1019, limits));
    EXPECT_TRUE(timer.IsInVain(1020, limits));
    EXPECT_TRUE(timer.IsInVain(320, {100, 0, 2, 0}));
    EXPECT_FALSE(timer.IsInVain(319, {100, 0, 2, 0}));
    timer.Acknowledged(1100);
    EXPECT_FALSE(timer.IsInVain(10000, limits));
}

TEST(RetransmissionTimer, KnowsHowLongItsRetriesTake)
{
    EXPECT_EQ(RetransmissionTimer::GetBudget({100, 0, 3, 0}, true), 100 * (1 + 2 + 4 + 8));
    EXPECT_EQ(RetransmissionTimer::GetBudget({100, 0, 4, 2}, true), 100 * (3 + 2 + 4));
    EXPECT_EQ(RetransmissionTimer::GetBudget({100, 0, 12, 0}, true), 100 * (2047 + 2 * 1024));
    EXPECT_FALSE(RetransmissionTimer::GetBudget({100, 0, UINT32_MAX, 0}, false).has_value());
    const int64_t most = 1'000'000'000'000'000;
    EXPECT_EQ(RetransmissionTimer::GetBudget({most, 0, UINT32_MAX - 1, 0}, false), most);
}

TEST(RetransmissionTimer, DoublesWithEachExpirationUntilNews)
{
    const RetransmissionLimits limits{100, 0, 7, 0};
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
