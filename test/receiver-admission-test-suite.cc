/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "counting-user.h"
#include "fabric-test.h"

#include "ns3/go-back-n-recovery.h"
#include "ns3/receiver-admission.h"
#include "ns3/round-robin-steering.h"
#include "ns3/single-steering.h"

static Suite g_receiverAdmission("ai-fabric-receiver-admission", TestSuite::Type::SYSTEM);

namespace
{

constexpr uint8_t CTS_DSCP = 56; //!< what ReceiverAdmission has

/// A fabric whose receivers admit messages, and what was seen of its queue pairs.
struct World
{
    /// @param admission carries the messages; null: the steerings do
    World(const FabricGraph& graph, Ptr<ReceiverAdmission> admission)
        : fabric(ClosHelper().Install(graph)),
          service(CreateObject<MessageService>())
    {
        service->SetCarrier(admission);
        service->Install(fabric->GetNicList());
        service->AssignStreams(1);
    }

    ~World()
    {
        service->Dispose();
        Simulator::Destroy();
    }

    World(const World&) = delete;
    World& operator=(const World&) = delete;

    /// Send a message.
    void Send(uint32_t source, uint32_t destination, uint64_t bytes, uint16_t channel = 0)
    {
        Flow flow = MakeFlow(source, destination, bytes, Simulator::Now().GetPicoSeconds());
        flow.channel = channel;
        service->Expect(1);
        service->Start(service->Add(flow, &user));
    }

    /// Look at all queue pairs now and then.
    void Watch()
    {
        for (const Ptr<RoceNetDevice>& nic : fabric->GetNicList())
        {
            for (std::size_t i = 0; i < nic->GetEndpointCount(); ++i)
            {
                const Ptr<QueuePair> queuePair = nic->GetQueuePair(i);
                const bool isCts = queuePair->GetDscp() == CTS_DSCP;
                uint32_t& most = isCts ? mostCts : mostWrites;
                most = std::max<uint32_t>(most, queuePair->GetPendingMessages());
            }
        }
        if (service->GetCompleted() < service->GetExpected())
        {
            Simulator::Schedule(NanoSeconds(200), &World::Watch, this);
        }
    }

    /// @return when the last message was acknowledged
    Time GetEnd() const
    {
        Time end;
        for (const FlowRecord& record : service->GetRecords())
        {
            end = Max(end, record.completedAt);
        }
        return end;
    }

    Ptr<Fabric> fabric;          //!< the fabric
    Ptr<MessageService> service; //!< carries the messages
    CountingUser user;           //!< is told of them
    uint32_t mostWrites{0};      //!< most pending writes of a queue pair for chunks
    uint32_t mostCts{0};         //!< most pending writes of a queue pair for CTS
};

/// @return a carrier
Ptr<ReceiverAdmission>
MakeAdmission(uint32_t slots, uint64_t slotBytes)
{
    const Ptr<ReceiverAdmission> admission = CreateObject<ReceiverAdmission>();
    admission->SetAttribute("Slots", UintegerValue(slots));
    admission->SetAttribute("SlotBytes", UintegerValue(slotBytes));
    return admission;
}

} // namespace

/// Random messages over links that lose frames: the law of ReceiverAdmission holds, all messages
/// are completed, and all is free again at the end.
struct RandomAdmissionTestCase : FabricTestCase
{
    void Check(uint32_t seed)
    {
        std::mt19937 random(seed);
        const uint32_t slots = 1 + random() % 6;
        const uint32_t steps = 1 + random() % slots;
        const uint64_t slotBytes = 1 + random() % 60000;
        const uint64_t global = random() % 2 ? 0 : (1 + random() % 8) * steps * slotBytes;
        Default("RoceNetDevice::RecoveryType", GoBackNRecovery::GetTypeId());
        const Ptr<ReceiverAdmission> admission = MakeAdmission(slots, slotBytes);
        admission->SetAttribute("SliceSteps", UintegerValue(steps));
        admission->SetAttribute("GlobalGrant", UintegerValue(global));
        World world(LeafSpine(2, 2, 2), admission);
        Fail(*world.fabric, "leaf-0--spine-0", {{"LossProbability", random() % 2 ? 0 : 0.01}});
        for (uint32_t i = 0; i < 30; ++i)
        {
            const uint32_t source = random() % 4;
            const uint32_t destination = (source + 1 + random() % 3) % 4;
            Simulator::Schedule(NanoSeconds(random() % 20000),
                                &World::Send,
                                &world,
                                source,
                                destination,
                                1 + random() % 300000,
                                random() % 2);
        }
        Simulator::Schedule(NanoSeconds(20001), &World::Watch, &world);
        Simulator::Run();
        const uint64_t chunk = admission->GetChunkBytes();
        NS_TEST_EXPECT_MSG_EQ(world.user.received, 30, "all have come");
        NS_TEST_EXPECT_MSG_EQ(world.user.completed, 30, "all are completed");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(world.mostWrites, slots / steps, "writes of a channel");
        NS_TEST_EXPECT_MSG_GT(world.mostCts, 0, "CTS have queue pairs of their own");
        NS_TEST_EXPECT_MSG_LT_OR_EQ(admission->GetMostInFlight(), slots * slotBytes, "the law");
        const uint64_t channels = 2 * 3; // to each host
        const uint64_t most = global > 0 ? global : channels * slots * slotBytes;
        NS_TEST_EXPECT_MSG_LT_OR_EQ(admission->GetMostGranted(), most, "the law");
        uint64_t chunks = 0;
        for (const FlowRecord& record : world.service->GetRecords())
        {
            chunks += (record.flow.bytes + chunk - 1) / chunk;
        }
        PolicyCounters counters = CountersOf(*admission);
        NS_TEST_EXPECT_MSG_EQ(counters["cts"], chunks, "one CTS for each chunk");
        NS_TEST_EXPECT_MSG_GT(counters["cts_p99_ns"], 0, "CTS travel");
    }
};

/// With many slots and without latencies, messages end as without admission, but for the way of the
/// first CTS.
struct ManySlotsTestCase : FabricTestCase
{
    /// @return the time that an incast takes
    static Time Measure(Ptr<ReceiverAdmission> admission)
    {
        World world(LeafSpine(2, 2, 4), admission);
        for (uint32_t source = 1; source < 6; ++source)
        {
            world.Send(source, 0, 100000); // no drops
        }
        Simulator::Run();
        return world.GetEnd();
    }
};

FABRIC_TEST_F(ManySlotsTestCase, g_receiverAdmission, "Many slots are as none")
{
    const Time without = Measure(nullptr);
    const Ptr<ReceiverAdmission> admission = MakeAdmission(1 << 20, 1 << 14);
    admission->SetAttribute("ProxyLatency", TimeValue(Time(0)));
    const Time with = Measure(admission);
    const Time way = MicroSeconds(4); // CTS of five senders over four links, and their ACKs
    NS_TEST_EXPECT_MSG_GT(with, without, "a CTS takes time");
    NS_TEST_EXPECT_MSG_LT(with, without + way, "but only once");
    const Time one = Measure(MakeAdmission(1, 1 << 14));
    NS_TEST_EXPECT_MSG_GT(one, with, "one slot is slower");
}

/// A receiver that has posted receives sends its CTS before the sender has anything to send.
struct PostedReceiveTestCase : FabricTestCase
{
    /// @return how long a message takes  @param isPosted whether its receive is posted early
    static Time Measure(bool isPosted)
    {
        World world(LeafSpine(2, 1, 1), MakeAdmission(4, 1 << 16));
        if (isPosted)
        {
            world.service->PostReceive(MakeFlow(1, 0, 1 << 17));
        }
        Simulator::Schedule(MicroSeconds(10), &World::Send, &world, 1, 0, 1 << 17, 0);
        Simulator::Run();
        return world.GetEnd() - MicroSeconds(10);
    }
};

FABRIC_TEST_F(PostedReceiveTestCase,
              g_receiverAdmission,
              "Receives that are posted early save the way of the CTS")
{
    const Time early = Measure(true);
    const Time late = Measure(false);
    NS_TEST_EXPECT_MSG_GT(late, early + MicroSeconds(2), "a proxy and four links");
    NS_TEST_EXPECT_MSG_LT(late, early + MicroSeconds(5), "a proxy and four links");
}

/// What a proxy does when a CTS has come is not between frames that come later in one picosecond.
FABRIC_TEST(g_receiverAdmission, "Proxies act in the first turn of a picosecond")
{
    World world(LeafSpine(2, 1, 1), MakeAdmission(4, 1 << 16));
    std::vector<int64_t> turns; // when the sender sends data
    world.fabric->GetNicList()[1]->TraceConnectWithoutContext(
        "PromiscSniffer",
        FunctionCallback<void, Ptr<const Packet>>([&turns](Ptr<const Packet> frame) {
            if (frame->GetSize() > 1000)
            {
                turns.push_back(Simulator::Now().GetFemtoSeconds() % FabricClock::StepsPerPs());
            }
        }));
    world.Send(1, 0, 1000);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(turns.size(), 1, "one message");
    NS_TEST_EXPECT_MSG_EQ(turns[0], 0, "not the turn of the CTS' frame");
}

/// After an abort, nobody hears of the messages of before, and all slots are free for the next
/// ones.
FABRIC_TEST(g_receiverAdmission, "Admitted messages are aborted")
{
    Default("MessageService::SteeringType", RoundRobinSteering::GetTypeId());
    World world(LeafSpine(1, 1, 3), MakeAdmission(2, 1 << 16));
    world.Send(1, 0, 4 << 20);
    world.Send(2, 0, 4 << 20, 3);
    world.Send(0, 1, 1 << 10);
    Simulator::Stop(MicroSeconds(20));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(world.user.completed, 1, "the short one");
    world.service->Abort();
    NS_TEST_EXPECT_MSG_EQ(world.service->GetExpected(), 1, "no more is expected");
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(world.user.received, 1, "nobody hears of the others");
    world.Send(1, 0, 4 << 20);
    world.Send(2, 0, 1 << 20, 3);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(world.user.completed, 3, "the next ones are carried");
    NS_TEST_EXPECT_MSG_EQ(world.service->GetCompleted(),
                          world.service->GetExpected(),
                          "all that is expected");
}

FABRIC_ROWS(g_receiverAdmission)
{
    for (uint32_t seed = 1; seed <= 20; ++seed)
    {
        rows.AddRow<RandomAdmissionTestCase>("Random messages, seed " + std::to_string(seed), seed);
    }
}
