/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/collective-run.h"
#include "ns3/default-simulator-impl.h"
#include "ns3/direct-algorithm.h"
#include "ns3/loss-oracle.h"
#include "ns3/message-service.h"
#include "ns3/message-steering.h"
#include "ns3/training-driver.h"

/// Results do not depend on which node of a window of time is simulated first: what happened at one
/// node may be known before what happened earlier at another.
static Suite g_nodeOrder("ai-fabric-node-order");

namespace
{

constexpr uint32_t PAIRED_HOSTS = 4;   //!< of the fabric
constexpr uint64_t PAIRED_BYTES = 100; //!< of a message, in bytes

/// A simulator whose clock is set by the test.
class SetClock : public DefaultSimulatorImpl
{
  public:
    Time Now() const override
    {
        return m_now;
    }

    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override
    {
        dues.push_back((m_now + delay).GetPicoSeconds());
        DefaultSimulatorImpl::ScheduleWithContext(context, delay, event);
    }

    /// @param ps the time, in picoseconds; it may be earlier than before
    void Set(int64_t ps)
    {
        m_now = PicoSeconds(ps);
    }

    std::vector<int64_t> dues; //!< when events are due, in the order in which they were scheduled

  private:
    Time m_now; //!< the time
};

/// Carries nothing: the test says what has come.
class IdleCarrier : public MessageCarrier
{
  public:
    void Install(MessageService&) override
    {
    }

    void Carry(uint32_t) override
    {
    }

    int64_t AssignStreams(int64_t) override
    {
        return 0;
    }

    void SetFailureCallback(const Callback<void>&) override
    {
    }

    void Abort() override
    {
    }

    void Count(PolicyCounters&) const override
    {
    }

    uint32_t GetMostActive() const override
    {
        return 0;
    }

    Ptr<MessageSteering> GetSteering(uint32_t) const override
    {
        return nullptr;
    }
};

/// @return a workload of pairs of hosts: the first sends a message to the second, and both gather
/// something from each other when they have done so
TrainingWorkload
MakePairs()
{
    TrainingWorkload workload;
    workload.programs.resize(PAIRED_HOSTS);
    workload.programOf = {0, 1, 2, 3};
    for (uint32_t host = 0; host < PAIRED_HOSTS; ++host)
    {
        const bool sends = host % 2 == 0;
        WorkloadNode message;
        message.kind = sends ? WorkloadNode::Kind::SEND : WorkloadNode::Kind::RECEIVE;
        message.peer = sends ? host + 1 : host - 1;
        message.bytes = PAIRED_BYTES;
        WorkloadNode gather;
        gather.kind = WorkloadNode::Kind::COLLECTIVE;
        gather.collective = CollectiveKind::ALL_GATHER;
        gather.communicator = host / 2;
        gather.bytes = PAIRED_BYTES;
        gather.dependencies = {0};
        workload.programs[host] = {message, gather};
    }
    workload.communicators = {{"first", {0, 1}}, {"second", {2, 3}}};
    return workload;
}

} // namespace

/// A fabric whose messages come and are acknowledged when the test says so.
struct NodeOrderTestCase : FabricTestCase
{
    void DoSetup() override
    {
        FabricTestCase::DoSetup();
        clock = CreateObject<SetClock>();
        Simulator::SetImplementation(clock);
        fabric = ClosHelper().Install(LeafSpine(1, 1, PAIRED_HOSTS));
        service = CreateObject<MessageService>();
        service->SetCarrier(CreateObject<IdleCarrier>());
        service->Install(fabric->GetNicList());
    }

    void DoTeardown() override
    {
        service->Dispose();
        fabric->Dispose();
        service = nullptr;
        fabric = nullptr;
        clock = nullptr;
        FabricTestCase::DoTeardown();
    }

    /// A message has come.  @param ps when, in picoseconds
    void Receive(uint32_t message, int64_t ps)
    {
        clock->Set(ps);
        service->PartReceived(message, service->GetFlow(message).bytes);
    }

    /// A message is acknowledged.  @param ps when, in picoseconds
    void Complete(uint32_t message, int64_t ps)
    {
        clock->Set(ps);
        service->PartCompleted(message);
    }

    Ptr<SetClock> clock;         //!< the clock
    Ptr<Fabric> fabric;          //!< the fabric
    Ptr<MessageService> service; //!< carries the messages
};

FABRIC_TEST_F(NodeOrderTestCase, g_nodeOrder, "Messages end with the last of them")
{
    service->Expect(2);
    for (uint32_t host = 0; host < 2; ++host)
    {
        service->Start(service->Add(MakeFlow(host, host + 2, PAIRED_BYTES)));
    }
    int64_t endPs = 0;
    Trace(*service, "AllCompleted", [this, &endPs]() { endPs = service->GetEndPs(); });
    Complete(0, 200);
    NS_TEST_EXPECT_MSG_EQ(endPs, 0, "one is under way");
    Complete(1, 100);
    NS_TEST_EXPECT_MSG_EQ(endPs, 200, "the last one was known before");
}

FABRIC_TEST_F(NodeOrderTestCase, g_nodeOrder, "A collective lasts from its first rank to its last")
{
    CollectiveSpec spec;
    spec.kind = CollectiveKind::ALL_GATHER;
    spec.algorithm = DirectAlgorithm::GetTypeId();
    spec.bytes = PAIRED_BYTES;
    spec.hosts = {0, 1};
    std::vector<MessageOrigin> origins;
    CollectiveRun run(spec, 0, service, origins, [](uint32_t) {});
    clock->Set(30);
    run.Start(0);
    clock->Set(10);
    run.Start(1);
    Receive(0, 200);
    Receive(1, 150);
    Complete(0, 290);
    Complete(1, 240);
    const CollectiveRecord& record = run.GetRecord();
    NS_TEST_EXPECT_MSG_EQ(record.startPs, 10, "the first rank");
    NS_TEST_EXPECT_MSG_EQ(record.steps.at(0).firstStartPs, 10, "the first message");
    NS_TEST_EXPECT_MSG_EQ(record.steps.at(0).lastReceivedPs, 200, "the last message");
    NS_TEST_EXPECT_MSG_EQ(record.endPs, 290, "the last rank");
}

/// A training iteration of MakePairs().
struct PairsTestCase : NodeOrderTestCase
{
    void DoSetup() override
    {
        NodeOrderTestCase::DoSetup();
        CollectiveDefaults defaults;
        defaults.algorithm = DirectAlgorithm::GetTypeId();
        driver = CreateObject<TrainingDriver>();
        driver->Install(service, MakePairs(), defaults, 4096);
        Simulator::Run(); // all hosts begin, at time 0
    }

    void DoTeardown() override
    {
        driver->Dispose();
        driver = nullptr;
        NodeOrderTestCase::DoTeardown();
    }

    Ptr<TrainingDriver> driver; //!< the iteration, whose hosts 0 and 2 send the messages 0 and 1
};

FABRIC_TEST_F(PairsTestCase, g_nodeOrder, "Collectives are numbered by their begin")
{
    Receive(1, 300);
    Receive(0, 200);
    const std::vector<CollectiveRecord> collectives = driver->GetCollectives();
    NS_TEST_ASSERT_MSG_EQ(collectives.size(), 2, "hosts 3 and 1 have reached one each");
    NS_TEST_EXPECT_MSG_EQ(collectives[0].startPs, 200, "the first one");
    NS_TEST_EXPECT_MSG_EQ(collectives[0].spec.hosts[0], 0, "that of host 1");
    const std::vector<MessageOrigin> origins = driver->GetOrigins();
    NS_TEST_ASSERT_MSG_EQ(origins.size(), 6, "two messages of pairs, and two of each collective");
    NS_TEST_EXPECT_MSG_EQ(origins[1].collective, MessageOrigin::NONE, "of a pair");
    NS_TEST_EXPECT_MSG_EQ(origins[3].collective, 0, "that of host 1");
    NS_TEST_EXPECT_MSG_EQ(origins[5].collective, 1, "that of host 3");
}

FABRIC_TEST_F(PairsTestCase, g_nodeOrder, "An iteration ends with its last node")
{
    int64_t endPs = 0;
    Trace(*driver, "Finished", [this, &endPs]() { endPs = driver->GetEndPs(); });
    for (const auto& [pair, ps] : {std::pair(0, 900), std::pair(1, 700)})
    {
        Receive(pair, ps);
        Complete(pair, ps);
        for (uint32_t gathered = 2 + 2 * pair; gathered < 4U + 2 * pair; ++gathered)
        {
            Receive(gathered, ps);
            Complete(gathered, ps);
        }
        Simulator::Run(); // nodes end soon
    }
    NS_TEST_EXPECT_MSG_EQ(driver->GetUnfinished(), 0, "all have ended");
    NS_TEST_EXPECT_MSG_EQ(endPs, 900, "the first pair was simulated first, and ended last");
}

FABRIC_TEST_F(NodeOrderTestCase, g_nodeOrder, "A frame on a cut link is lost when it is sent")
{
    constexpr int64_t MICROSECOND = 1'000'000;
    constexpr int64_t SENT_PS = 5 * MICROSECOND;
    const auto oracle = CreateObject<LossOracle>();
    oracle->SetAttribute("RoundTripTime", TimeValue(MicroSeconds(6)));
    oracle->Install(fabric->GetNicList(), fabric->GetSwitchList(), fabric->GetChannelList());
    FabricPort& port = *fabric->GetNic(0)->GetPort(0);
    std::vector<int64_t> lost;
    Trace(port, "Loss", [&lost](Ptr<const FabricFrame>, Time when) {
        lost.push_back(when.GetPicoSeconds());
    });
    port.GetTransmitter().SetLinkUp(false, 0);
    clock->dues.clear();
    port.GetTransmitter().Send(MakeFrame(*fabric, 0, 1, LOSSLESS_CLASS, 1000), SENT_PS);
    NS_TEST_EXPECT_MSG_EQ((lost == std::vector<int64_t>{SENT_PS}), true, "the time of the start");
    NS_TEST_ASSERT_MSG_EQ(clock->dues.size(), 1, "a report");
    NS_TEST_EXPECT_MSG_EQ(clock->dues.front(),
                          SENT_PS + 3 * MICROSECOND,
                          "half a round trip after the loss");
}
