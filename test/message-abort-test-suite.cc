/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "counting-user.h"
#include "fabric-test.h"

#include "ns3/message-service.h"

static Suite g_messageAbort("ai-fabric-message-abort", TestSuite::Type::SYSTEM);

namespace
{

/// A fabric of two hosts that send to each other.
struct Pair
{
    Pair()
    {
        fabric = ClosHelper().Install(LeafSpine(1, 1, 2));
        service = CreateObject<MessageService>();
        service->Install(fabric->GetNicList());
        service->SetFailureCallback(CallbackOf([this]() { ++failures; }));
    }

    ~Pair()
    {
        service->Dispose();
        Simulator::Destroy();
    }

    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;

    /// Send messages both ways.
    void Send(uint32_t count, uint64_t bytes)
    {
        service->Expect(2 * count);
        for (uint32_t i = 0; i < 2 * count; ++i)
        {
            service->Start(service->Add(MakeFlow(i % 2, 1 - i % 2, bytes), &user));
        }
    }

    /// @return queue pairs of both hosts that have something to do, and those that have failed by
    /// themselves
    std::pair<uint32_t, uint32_t> CountQueuePairs() const
    {
        std::pair<uint32_t, uint32_t> counts;
        for (const Ptr<RoceNetDevice>& nic : fabric->GetNicList())
        {
            for (std::size_t i = 0; i < nic->GetEndpointCount(); ++i)
            {
                counts.first += nic->GetQueuePair(i)->IsPending();
                counts.second += nic->GetQueuePair(i)->HasGivenUp();
            }
        }
        return counts;
    }

    Ptr<Fabric> fabric;          //!< the fabric
    Ptr<MessageService> service; //!< carries the messages
    CountingUser user;           //!< is told of them
    uint32_t failures{0};        //!< failures of queue pairs
};

} // namespace

/// After an abort, nobody hears of the messages of before, and the next ones go by new queue pairs.
struct MessageAbortTestCase : FabricTestCase
{
    /// @return frames that both hosts have sent
    static uint64_t CountSent(const Pair& pair)
    {
        uint64_t frames = 0;
        for (const Ptr<RoceNetDevice>& nic : pair.fabric->GetNicList())
        {
            frames += nic->GetPort(0)->GetTransmitter().GetCounters().sentFrames;
        }
        return frames;
    }
};

FABRIC_TEST_F(MessageAbortTestCase, g_messageAbort, "Messages are aborted on their way")
{
    Pair pair;
    pair.Send(10, 1 << 20);
    Simulator::Stop(MicroSeconds(35)); // 10 MiB take 105 us at 800 Gb/s
    Simulator::Run();
    const uint32_t completed = pair.user.completed;
    const uint32_t received = pair.user.received;
    NS_TEST_EXPECT_MSG_GT(completed, 0, "some are completed");
    NS_TEST_EXPECT_MSG_LT(completed, 20, "not all");
    NS_TEST_EXPECT_MSG_EQ(pair.CountQueuePairs().first, 2, "both ends send");
    pair.service->Abort();
    NS_TEST_EXPECT_MSG_EQ(pair.service->GetExpected(), completed, "no more is expected");
    NS_TEST_EXPECT_MSG_EQ(pair.CountQueuePairs().first, 0, "none has anything to do");
    const uint64_t sent = CountSent(pair);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(pair.user.completed, completed, "nobody hears of them");
    NS_TEST_EXPECT_MSG_EQ(pair.user.received, received, "nobody hears of them");
    NS_TEST_EXPECT_MSG_LT(CountSent(pair), sent + 200, "what was on its way, and its ACKs");
    pair.Send(3, 1 << 20);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(pair.user.completed, completed + 6, "the next ones are carried");
    NS_TEST_EXPECT_MSG_EQ(pair.service->GetCompleted(),
                          pair.service->GetExpected(),
                          "all that is expected");
    NS_TEST_EXPECT_MSG_EQ(pair.fabric->GetNic(0)->GetEndpointCount(), 2, "a new one");
    NS_TEST_EXPECT_MSG_EQ(pair.failures, 0, "an abort is no failure");
    NS_TEST_EXPECT_MSG_EQ(pair.CountQueuePairs().second, 0, "an abort is no failure");
}

/// A service says when a queue pair fails; one that has failed before an abort has failed.
FABRIC_TEST(g_messageAbort, "Failures of queue pairs")
{
    Pair pair;
    Fail(*pair.fabric,
         "host-0",
         {{"Down", true}, {"Start", MicroSeconds(2)}, {"Stop", Seconds(1)}});
    pair.Send(1, 1 << 20);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(pair.failures, 2, "both ends");
    NS_TEST_EXPECT_MSG_EQ(pair.user.completed, 0, "no message is completed");
    pair.service->Abort();
    NS_TEST_EXPECT_MSG_EQ(pair.CountQueuePairs().second, 2, "they have failed by themselves");
    NS_TEST_EXPECT_MSG_EQ(pair.CountQueuePairs().first, 0, "and have nothing to do");
    pair.Send(1, 1 << 20);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(pair.user.completed, 2, "the next ones are carried");
}
