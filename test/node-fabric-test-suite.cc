/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/message-service.h"
#include "ns3/node-fabric.h"

static Suite g_nodeFabric("ai-fabric-node-fabric", TestSuite::Type::SYSTEM);

namespace
{

constexpr int64_t LATENCY = 1'000'000;   //!< of the node's fabric, in picoseconds
constexpr uint64_t UNIT = 450'000;       //!< bytes that take UNIT_TIME
constexpr int64_t UNIT_TIME = 1'000'000; //!< in picoseconds

/// Two leaves with a node of four GPUs each, and messages between them.
struct World
{
    World()
    {
        const FabricGraph graph = LeafSpine(2, 1, 4);
        m_fabric = ClosHelper().Install(graph);
        m_service = CreateObject<MessageService>();
        m_service->Install(m_fabric->GetNicList());
        m_service->SetNodeFabric(CreateObject<NodeFabric>(),
                                 GpuNodes(graph, 4, GpuNodes::Mapping::RACK));
    }

    ~World()
    {
        m_service->Dispose();
        Simulator::Destroy();
    }

    World(const World&) = delete;
    World& operator=(const World&) = delete;

    /// Send a message at once.
    void Send(uint32_t source, uint32_t destination, uint64_t bytes)
    {
        m_service->Expect(1);
        m_service->Start(m_service->Add(Flow{0, source, destination, bytes}));
    }

    /// @return what became of the messages when all is over
    const std::vector<FlowRecord>& Run()
    {
        Simulator::Run();
        return m_service->GetRecords();
    }

    Ptr<MessageService> GetService() const
    {
        return m_service;
    }

    Ptr<Fabric> m_fabric;          //!< the fabric
    Ptr<MessageService> m_service; //!< carries the messages
};

} // namespace

/// What a message within a node takes.
FABRIC_TEST(g_nodeFabric, "Times of messages within a node")
{
    World world;
    world.Send(0, 1, UNIT);
    world.Send(0, 1, UNIT); // waits for the first
    world.Send(5, 6, UNIT); // of another node
    world.Send(2, 3, 1);
    const std::vector<FlowRecord>& records = world.Run();
    const auto check = [this, &records](uint32_t message, int64_t busyPs) {
        const FlowRecord& record = records[message];
        NS_TEST_EXPECT_MSG_EQ(record.flow.inNode, true, "it does not use the network");
        NS_TEST_EXPECT_MSG_EQ(record.received && record.completed, true, "it is done");
        NS_TEST_EXPECT_MSG_EQ(record.receivedAt.GetPicoSeconds(),
                              busyPs + LATENCY,
                              "when message " << message << " came");
        NS_TEST_EXPECT_MSG_EQ(record.completedAt.GetPicoSeconds(),
                              busyPs + 2 * LATENCY,
                              "when message " << message << " was completed");
    };
    check(0, UNIT_TIME);
    check(1, 2 * UNIT_TIME);
    check(2, UNIT_TIME);
    check(3, 3); // a byte takes 2.2 ps
}

/// Messages to a GPU that is busy do not hold back those behind them.
FABRIC_TEST(g_nodeFabric, "No message waits behind one to another GPU")
{
    World world;
    for (uint32_t source = 0; source < 4; ++source)
    {
        for (uint32_t destination = 0; destination < 4; ++destination)
        {
            if (destination != source) // all begin with GPU 0, or 1
            {
                world.Send(source, destination, UNIT);
            }
        }
    }
    int64_t last = 0;
    for (const FlowRecord& record : world.Run())
    {
        last = std::max(last, record.receivedAt.GetPicoSeconds());
    }
    NS_TEST_EXPECT_MSG_GT_OR_EQ(last, 3 * UNIT_TIME + LATENCY, "faster than its ends");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(last, 4 * UNIT_TIME + LATENCY, "a full exchange");
}

/// The network and the fabrics of nodes know nothing of each other.
FABRIC_TEST(g_nodeFabric, "Messages between nodes go by the network")
{
    World world;
    world.Send(0, 4, UNIT);
    world.Send(0, 1, UNIT);
    bool hasAll = false;
    Trace(*world.GetService(), "AllCompleted", [&hasAll]() { hasAll = true; });
    const std::vector<FlowRecord>& records = world.Run();
    NS_TEST_EXPECT_MSG_EQ(records[0].flow.inNode, false, "it uses the network");
    NS_TEST_EXPECT_MSG_EQ(records[0].completed, true, "it is done");
    NS_TEST_EXPECT_MSG_GT(records[0].receivedAt, NanoSeconds(4500), "800 Gb/s");
    NS_TEST_EXPECT_MSG_EQ(records[1].receivedAt.GetPicoSeconds(),
                          UNIT_TIME + LATENCY,
                          "it does not wait for the network");
    NS_TEST_EXPECT_MSG_EQ(hasAll, true, "both count");
}

/// What is aborted is never heard of.
FABRIC_TEST(g_nodeFabric, "Messages that are aborted")
{
    World world;
    world.Send(0, 1, UNIT);
    world.Send(0, 2, UNIT);
    Simulator::Schedule(PicoSeconds(UNIT_TIME / 2),
                        &MessageService::Abort,
                        PeekPointer(world.GetService()));
    Simulator::Schedule(PicoSeconds(UNIT_TIME), &World::Send, &world, 0, 1, UNIT);
    const std::vector<FlowRecord>& records = world.Run();
    NS_TEST_EXPECT_MSG_EQ(records[0].received, false, "it was aborted");
    NS_TEST_EXPECT_MSG_EQ(records[1].received, false, "it was aborted");
    NS_TEST_EXPECT_MSG_EQ(records[2].receivedAt.GetPicoSeconds(),
                          2 * UNIT_TIME + LATENCY,
                          "the ends are free again");
    NS_TEST_EXPECT_MSG_EQ(world.GetService()->GetCompleted(), 1, "only that one");
}
