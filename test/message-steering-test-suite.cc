/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/dctcp-control.h"
#include "ns3/dqplb-steering.h"
#include "ns3/ecmp-balancer.h"
#include "ns3/end-to-end-steering.h"
#include "ns3/ethereal-reps-balancer.h"
#include "ns3/ethereal-steering.h"
#include "ns3/ethereal-v1-steering.h"
#include "ns3/host-counter-balancer.h"
#include "ns3/message-service.h"
#include "ns3/path-label-balancer.h"
#include "ns3/pinned-balancer.h"
#include "ns3/reps-balancer.h"
#include "ns3/round-robin-steering.h"
#include "ns3/single-steering.h"
#include "ns3/split-steering.h"
#include "ns3/subflow-balancer.h"

#include <tuple>

/// Messages, their pieces, and the queue pairs and paths that these take.
static Suite g_messageSteering("ai-fabric-message-steering", TestSuite::Type::SYSTEM);

namespace
{

constexpr int64_t NANOSECOND = 1000;                //!< in picoseconds
constexpr int64_t MICROSECOND = 1000 * NANOSECOND;  //!< in picoseconds
constexpr int64_t MILLISECOND = 1000 * MICROSECOND; //!< in picoseconds

/// How a group was divided.
using Report = SourceRoutedSteering::GroupReport;

FabricGraph
ThreeTier(const ThreeTierConfig& config)
{
    return MakeThreeTier(config);
}

/// @return the host balancer that a steering needs
TypeId
BalancerFor(TypeId type)
{
    return ObjectFactory(type.GetName())
        .Create<MessageSteering>()
        ->GetBalancer()
        .value_or(HostBalancer::GetTypeId());
}

/// A fabric without loss, its messages, and what was seen of both.
struct World
{
    World(const FabricGraph& graph, TypeId steering)
    {
        Default("MessageService::SteeringType", steering);
        Default("FabricSwitch::DetectionDelay", Time::Max());
        ClosHelper helper;
        helper.SetBalancerType(BalancerFor(steering));
        helper.SetAdmission(BufferFactory(64 << 20, 1 << LOSSLESS_CLASS));
        fabric = InstallFabric(helper, graph, 1000);
        const std::vector<Ptr<RoceNetDevice>>& nics = fabric->GetNicList();
        service = CreateObject<MessageService>();
        service->Install(nics);
        service->AssignStreams(1);
        Watch();
    }

    ~World()
    {
        driver->Dispose();
        service->Dispose();
        Simulator::Destroy();
    }

    World(const World&) = delete;
    World& operator=(const World&) = delete;

    void Send(const std::vector<Flow>& flows)
    {
        driver->Install(service, flows);
    }

    /// Send flows, and go on until all is done.
    void Run(const std::vector<Flow>& flows)
    {
        Send(flows);
        Simulator::Run();
        fabric->CatchUp();
    }

    SourceRoutedSteering& SourceRouted(uint32_t host) const
    {
        return *DynamicCast<SourceRoutedSteering>(service->GetSteering(host));
    }

    /// @return what steerings have counted  @param name the name of the counter
    uint64_t Counted(const std::string& name) const
    {
        PolicyCounters counters;
        for (uint32_t host = 0; host < service->GetNics().size(); ++host)
        {
            service->GetSteering(host)->Count(counters);
        }
        return counters[name];
    }

    /// Do something with each queue pair.  @param action what to do with it and its NIC
    void ForEachQueuePair(const std::function<void(const RoceNetDevice&, QueuePair&)>& action)
    {
        for (const Ptr<RoceNetDevice>& nic : service->GetNics())
        {
            for (std::size_t i = 0; i < nic->GetEndpointCount(); ++i)
            {
                action(*nic, *nic->GetQueuePair(i));
            }
        }
    }

    /// @return packets that were posted to all queue pairs
    uint64_t CountPosted()
    {
        uint64_t packets = 0;
        ForEachQueuePair([&packets](const RoceNetDevice&, QueuePair& queuePair) {
            packets += queuePair.GetPosted();
        });
        return packets;
    }

    Ptr<Fabric> fabric;                                 //!< the fabric
    Ptr<MessageService> service;                        //!< carries messages
    Ptr<FlowDriver> driver{CreateObject<FlowDriver>()}; //!< starts them
    std::map<uint32_t, uint64_t> up;                    //!< payload that climbed each link
    std::map<uint32_t, uint64_t> down;                  //!< payload that descended each link
    std::set<uint32_t> acksUp;                          //!< links that acknowledgements climbed
    std::set<uint32_t> acksDown;                        //!< links that they descended
    std::vector<std::pair<int64_t, uint32_t>> batches;  //!< times in picoseconds, and messages
    std::map<uint32_t, std::vector<Report>> groups;     //!< by host
    std::map<uint32_t, uint32_t> received;              //!< how often, by the bytes of the message
    uint32_t completed{0};                              //!< how often
    uint32_t allCompleted{0};                           //!< how often

    /// Look at all links, and at what is traced.
    void Watch()
    {
        for (uint32_t link = 0; link < fabric->GetChannelCount(); ++link)
        {
            const FabricLinkSpec& spec = fabric->GetGraph().Links()[link];
            const auto sink = [link](auto& payload, auto& acks) {
                return CallbackOf([link, &payload, &acks](Ptr<const FabricFrame> frame) {
                    if (frame->opcode == RC_ACK)
                    {
                        acks.insert(link);
                        return;
                    }
                    payload[link] += frame->payload;
                });
            };
            fabric->GetPort(spec.b)->TraceConnectWithoutContext("Receive", sink(up, acksUp));
            fabric->GetPort(spec.a)->TraceConnectWithoutContext("Receive", sink(down, acksDown));
        }
        Trace(*service, "Received", [this](uint32_t, const FlowRecord& record) {
            ++received[record.flow.bytes];
        });
        Trace(*service, "Completed", [this](uint32_t, const FlowRecord&) { ++completed; });
        Trace(*service, "AllCompleted", [this]() { ++allCompleted; });
        for (uint32_t host = 0; host < service->GetNics().size(); ++host)
        {
            const Ptr<MessageSteering> steering = service->GetSteering(host);
            Trace(*steering, "Batch", [this](uint32_t messages) {
                batches.emplace_back(FabricClock::Now(), messages);
            });
            Trace(*steering, "Group", [this, host](const Report& report) {
                groups[host].push_back(report);
            });
        }
    }
};

/// @return a message from each host to each other, at once
std::vector<Flow>
AllToAll(uint32_t hosts, uint64_t bytes)
{
    std::vector<Flow> flows;
    for (uint32_t source = 0; source < hosts; ++source)
    {
        for (uint32_t step = 1; step < hosts; ++step)
        {
            flows.push_back(MakeFlow(source, (source + step) % hosts, bytes));
        }
    }
    return flows;
}

/// @return a message from each host to the one that comes so many later
std::vector<Flow>
Shift(uint32_t hosts, uint32_t distance, uint64_t bytes)
{
    std::vector<Flow> flows;
    for (uint32_t source = 0; source < hosts; ++source)
    {
        flows.push_back(MakeFlow(source, (source + distance) % hosts, bytes));
    }
    return flows;
}

std::vector<TypeId>
AllSteerings()
{
    return {SingleSteering::GetTypeId(),
            SplitSteering::GetTypeId(),
            RoundRobinSteering::GetTypeId(),
            DqplbSteering::GetTypeId(),
            EtherealSteering::GetTypeId(),
            EndToEndSteering::GetTypeId(),
            EtherealV1Steering::GetTypeId()};
}

/// @return the payload of the links between each switch and those above it
std::map<uint32_t, std::vector<uint64_t>>
BySwitch(const World& world, const std::map<uint32_t, uint64_t>& payload)
{
    std::map<uint32_t, std::vector<uint64_t>> loads;
    const std::vector<FabricLinkSpec>& links = world.fabric->GetGraph().Links();
    for (uint32_t link = 0; link < links.size(); ++link)
    {
        if (!links[link].a.isHost)
        {
            const auto load = payload.find(link);
            loads[links[link].a.id].push_back(load == payload.end() ? 0 : load->second);
        }
    }
    return loads;
}

/// @return by how much two links between a switch and those above it differ at most
uint64_t
Spread(const World& world)
{
    uint64_t most = 0;
    for (const auto* payload : {&world.up, &world.down})
    {
        for (const auto& [id, loads] : BySwitch(world, *payload))
        {
            const auto [least, greatest] = std::minmax_element(loads.begin(), loads.end());
            most = std::max(most, *greatest - *least);
        }
    }
    return most;
}

} // namespace

/// Whatever the steering, the fabric and the messages: each message comes once and whole, and queue
/// pairs keep account of every packet.
struct SteeringDeliveryTestCase : FabricTestCase
{
    /// @return random messages, no two of them equally long
    static std::vector<Flow> RandomFlows(uint32_t hosts, int64_t stream)
    {
        const UniformInteger uniform = Uniform(stream);
        std::set<uint64_t> sizes = {1, 2, 3, 4, 4095, 4096, 4097, 8192, 12288};
        while (sizes.size() < 60)
        {
            sizes.insert(1 + uniform(60000));
        }
        std::vector<Flow> flows;
        for (const uint64_t bytes : sizes)
        {
            const uint32_t source = uniform(hosts);
            const uint32_t destination = (source + 1 + uniform(hosts - 1)) % hosts;
            flows.push_back(MakeFlow(source, destination, bytes, uniform(20) * 100 * NANOSECOND));
            flows.back().channel = uniform(3);
        }
        return flows;
    }

    /// Send random messages.  @param loss the part of all frames that each link loses
    void Check(const FabricGraph& graph, TypeId steering, int64_t stream, double loss)
    {
        const std::string name = steering.GetName();
        World world(graph, steering);
        const std::vector<Flow> flows = RandomFlows(graph.HostCount(), stream);
        for (uint32_t link = 0; loss > 0 && link < world.fabric->GetChannelCount(); ++link)
        {
            world.fabric->GetChannel(link)->SetLossProbability(loss);
        }
        world.Run(flows);
        uint64_t bytes = 0;
        for (const FlowRecord& record : world.service->GetRecords())
        {
            bytes += record.flow.bytes;
            NS_TEST_EXPECT_MSG_EQ((record.received && record.completed), true, name);
            NS_TEST_EXPECT_MSG_GT(record.receivedAt.GetPicoSeconds(), record.flow.startPs, name);
            NS_TEST_EXPECT_MSG_GT(record.completedAt, record.receivedAt, name);
            NS_TEST_EXPECT_MSG_EQ(world.received[record.flow.bytes], 1, name << ": once");
        }
        NS_TEST_EXPECT_MSG_EQ(world.completed, flows.size(), name << ": each once");
        NS_TEST_EXPECT_MSG_EQ(world.allCompleted, 1, name);
        NS_TEST_EXPECT_MSG_EQ(world.service->GetCompleted(), flows.size(), name);
        NS_TEST_EXPECT_MSG_EQ(world.service->GetStarted(), flows.size(), name);
        CheckAccounts(world, name, bytes, loss > 0);
    }

    /// Check the counters of all queue pairs.
    /// @param isLossy whether packets may have been sent again
    void CheckAccounts(World& world, const std::string& name, uint64_t bytes, bool isLossy)
    {
        uint64_t placed = 0;
        uint64_t posted = 0;
        uint64_t accepted = 0;
        uint64_t again = 0;
        world.ForEachQueuePair([&](const RoceNetDevice& nic, QueuePair& queuePair) {
            const QueuePair* peer = world.fabric->GetNic(queuePair.GetPeerHost())
                                        ->FindQueuePair(queuePair.GetPeerNumber());
            NS_TEST_ASSERT_MSG_NE(peer, nullptr, name);
            NS_TEST_EXPECT_MSG_EQ(peer->GetPeerHost(), nic.GetHost(), name);
            NS_TEST_EXPECT_MSG_EQ(queuePair.GetPendingMessages(), 0, name);
            NS_TEST_EXPECT_MSG_EQ(queuePair.GetPosted(),
                                  queuePair.GetRecovery().GetUnacknowledged(),
                                  name << ": all is acknowledged");
            NS_TEST_EXPECT_MSG_EQ(queuePair.GetPosted(),
                                  peer->GetCounters().packetsAccepted,
                                  name << ": each packet is placed once");
            placed += queuePair.GetCounters().bytesAccepted;
            posted += queuePair.GetPosted();
            accepted += queuePair.GetCounters().packetsAccepted;
            again += queuePair.GetCounters().retransmissions;
            NS_TEST_EXPECT_MSG_EQ(queuePair.GetCounters().dataPackets,
                                  queuePair.GetPosted() + queuePair.GetCounters().retransmissions,
                                  name << ": the first time or again");
        });
        NS_TEST_EXPECT_MSG_EQ(placed, bytes, name << ": bytes of pieces are those of messages");
        NS_TEST_EXPECT_MSG_EQ(accepted, posted, name);
        NS_TEST_EXPECT_MSG_EQ((again > 0), isLossy, name << ": nothing is sent again but for loss");
        for (const Ptr<RoceNetDevice>& nic : world.service->GetNics())
        {
            NS_TEST_EXPECT_MSG_EQ(nic->GetCounters().dropped, 0, name);
        }
    }
};

FABRIC_TEST_F(SteeringDeliveryTestCase, g_messageSteering, "Each message comes once and whole")
{
    const std::vector<FabricGraph> graphs = {LeafSpine(3, 3, 4),
                                             LeafSpine(3, 2, 3, 2),
                                             FatTree(4),
                                             ThreeTier({2, 2, 2, 6, 2, 1})};
    int64_t stream = 100;
    for (const TypeId& steering : AllSteerings())
    {
        for (const bool renews : {false, true})
        {
            for (const FabricGraph& graph : graphs)
            {
                Default("MessageSteering::Renew", renews);
                Check(graph, steering, ++stream, 0);
                Config::Reset();
            }
            Default("MessageSteering::Renew", renews);
            Check(graphs[0], steering, ++stream, 0.02);
            Default("MessageService::MaxMessageBytes", 9000);
            Check(graphs[0], steering, ++stream, 0.02);
            Config::Reset();
        }
    }
}

/// A message is as many writes as it takes, of full packets but the last.
FABRIC_TEST_F(SteeringDeliveryTestCase, g_messageSteering, "Steering delivery: writes")
{
    constexpr uint64_t WRITES = 13;
    for (const uint64_t limit : {8192, 9000, 12287}) // of packets of 4096 bytes, two fit
    {
        Default("MessageService::MaxMessageBytes", limit);
        World world(LeafSpine(2, 2, 2), SingleSteering::GetTypeId());
        Config::Reset();
        world.Send({MakeFlow(0, 2, (WRITES - 1) * 8192 + 1)});
        std::size_t pending = 0;
        ScheduleFunction(NanoSeconds(1), [&world, &pending]() {
            world.ForEachQueuePair([&pending](const RoceNetDevice&, QueuePair& queuePair) {
                pending += queuePair.GetPendingMessages();
            });
        });
        Simulator::Run();
        world.fabric->CatchUp();
        NS_TEST_EXPECT_MSG_EQ(pending, WRITES, "writes of at most " << limit << " bytes");
        NS_TEST_EXPECT_MSG_EQ(world.completed, 1, "one message");
        CheckAccounts(world, "cut", (WRITES - 1) * 8192 + 1, false);
        NS_TEST_EXPECT_MSG_EQ(world.CountPosted(),
                              2 * (WRITES - 1) + 1,
                              "no more packets than in one");
    }
}

/// A piece has its queue pair to itself until the last of its writes is acknowledged.
FABRIC_TEST(g_messageSteering, "Steering delivery: alone")
{
    constexpr uint64_t BYTES = 2'000'000; // much longer than a round trip
    const auto send = [](const std::vector<Flow>& flows) {
        Default("MessageService::MaxMessageBytes", 9000);
        World world(LeafSpine(2, 2, 2), EtherealSteering::GetTypeId());
        Config::Reset();
        world.Run(flows);
        return std::pair(world.service->GetMostActive(),
                         world.service->GetRecords()[0].completedAt.GetPicoSeconds());
    };
    const auto [active, end] = send({MakeFlow(0, 2, BYTES)});
    const auto both = send({MakeFlow(0, 2, BYTES), MakeFlow(0, 2, BYTES, end / 2)});
    NS_TEST_EXPECT_MSG_EQ(both.first, 2 * active, "the second has queue pairs of its own");
}

/// Under Ethereal all links between a switch and those above it carry the same bytes
/// (specification, 3.4, E2, E8); under ECMP they do not.
struct SteeringBalanceTestCase : FabricTestCase
{
    /// What is sent where.
    struct Case
    {
        FabricGraph graph;       //!< the fabric
        std::vector<Flow> flows; //!< what is sent
        std::string name;        //!< what it is
    };

    /// @return demands of which each message can be divided by any number of paths that there is
    static std::vector<Case> MakeCases()
    {
        constexpr uint64_t BYTES = 12 * 5000;
        const FabricGraph twoTiers = LeafSpine(4, 3, 4);
        const FabricGraph planes = LeafSpine(3, 3, 2, 2);
        const FabricGraph threeTiers = ThreeTier({2, 2, 2, 6, 3, 1});
        std::vector<Flow> pairs = Shift(16, 4, BYTES);
        const std::vector<Flow> more = Shift(16, 5, BYTES);
        pairs.insert(pairs.end(), more.begin(), more.end());
        return {{twoTiers, AllToAll(16, BYTES), "all-to-all"},
                {twoTiers, Shift(16, 4, BYTES), "one message a host"},
                {twoTiers, pairs, "one or two messages a leaf"},
                {twoTiers, {MakeFlow(0, 15, BYTES)}, "one message"},
                {planes, AllToAll(6, BYTES), "two planes"},
                {FatTree(4), AllToAll(16, BYTES), "fat-tree"},
                {FatTree(4), Shift(16, 4, BYTES), "fat-tree, between pods"},
                {FatTree(4), Shift(16, 2, BYTES), "fat-tree, within pods or not"},
                {threeTiers, AllToAll(12, BYTES), "three tiers"},
                {threeTiers, Shift(12, 6, BYTES), "three tiers, between pods"}};
    }
};

FABRIC_TEST_F(SteeringBalanceTestCase, g_messageSteering, "Compare all links")
{
    for (const Case& what : MakeCases())
    {
        for (const TypeId& steering :
             {EtherealSteering::GetTypeId(), EndToEndSteering::GetTypeId()})
        {
            World world(what.graph, steering);
            world.Run(what.flows);
            NS_TEST_EXPECT_MSG_EQ(Spread(world), 0, what.name);
            NS_TEST_EXPECT_MSG_GT(world.up.size(), what.graph.HostCount() / 8, "it is counted");
        }
        World world(what.graph, SingleSteering::GetTypeId());
        world.Run(what.flows);
        NS_TEST_EXPECT_MSG_GT(Spread(world), 0, what.name << ": not so with ECMP");
    }
}

/// The bytes that are left over make no more of a difference than they may.
FABRIC_TEST(g_messageSteering, "Steering balance: rounding")
{
    constexpr uint64_t GROUPS = 4 * 3; // of the hosts of a leaf, to other leaves
    const FabricGraph graph = LeafSpine(4, 3, 4);
    for (const uint64_t bytes : {1ULL, 2ULL, 4097ULL, 50000ULL, 50001ULL})
    {
        for (const std::string rounding : {"Cumulative", "LastPiece"})
        {
            Default("SourceRoutedSteering::Rounding", rounding);
            World world(graph, EtherealSteering::GetTypeId());
            world.Run(AllToAll(16, bytes));
            const uint64_t spread = rounding == "Cumulative" ? 1 : 2; // (r / g) (m - 1)
            NS_TEST_EXPECT_MSG_LT_OR_EQ(Spread(world), GROUPS * spread, bytes << rounding);
        }
        Config::Reset();
    }
}

FABRIC_TEST(g_messageSteering, "E8: six queue pairs to each remote leaf, three of them pieces")
{
    World world(LeafSpine(4, 3, 4), EtherealSteering::GetTypeId());
    world.Run(AllToAll(16, 30000));
    for (uint32_t host = 0; host < 16; ++host)
    {
        NS_TEST_ASSERT_MSG_EQ(world.groups[host].size(), 3, "a group a leaf");
        std::set<uint32_t> leaves;
        for (const Report& report : world.groups[host])
        {
            leaves.insert(report.leaf);
            NS_TEST_EXPECT_MSG_EQ(report.messages, 4, "n");
            NS_TEST_EXPECT_MSG_EQ(report.paths, 3, "s");
            NS_TEST_EXPECT_MSG_EQ(report.shares.whole, 3, "q s");
            NS_TEST_EXPECT_MSG_EQ(report.shares.split, 1, "r");
            NS_TEST_EXPECT_MSG_EQ(report.shares.factor, 3, "m");
            NS_TEST_EXPECT_MSG_EQ(report.pieces, 6, "queue pairs");
        }
        leaves.insert(host / 4);
        NS_TEST_EXPECT_MSG_EQ(leaves.size(), 4, "all leaves");
    }
    NS_TEST_EXPECT_MSG_EQ(world.Counted("steering_pieces"), 16 * (3 * 6 + 3), "pieces");
    NS_TEST_EXPECT_MSG_EQ(world.Counted("steering_split_messages"), 16 * 3, "split");
    NS_TEST_EXPECT_MSG_EQ(world.Counted("steering_batches"), 16, "a batch a host");
    NS_TEST_EXPECT_MSG_EQ(world.Counted("steering_reroutes"), 0, "no failure");
    NS_TEST_EXPECT_MSG_EQ(world.service->GetMostActive(), 3 * 6 + 3, "all at once");
}

/// How many queue pairs of a host send at once (specification, 3.5).
struct SteeringQueuePairsTestCase : FabricTestCase
{
    /// @param most how many queue pairs send at once
    void Expect(const FabricGraph& graph,
                TypeId steering,
                const std::vector<Flow>& flows,
                uint32_t most)
    {
        for (const bool renews : {false, true})
        {
            Default("MessageSteering::Renew", renews);
            World world(graph, steering);
            world.Run(flows);
            NS_TEST_EXPECT_MSG_EQ(world.service->GetMostActive(), most, steering.GetName());
        }
        Config::Reset();
    }
};

FABRIC_TEST_F(SteeringQueuePairsTestCase, g_messageSteering, "How many queue pairs send at once")
{
    const FabricGraph leafSpine = LeafSpine(4, 4, 4);
    const FabricGraph fatTree = FatTree(4);
    // all-to-all; n = 1, 2 to another leaf; under one leaf
    const std::vector<std::pair<TypeId, std::vector<uint32_t>>> expected = {
        {SingleSteering::GetTypeId(), {15, 1, 2, 1}},
        {SplitSteering::GetTypeId(), {60, 4, 8, 4}},
        {RoundRobinSteering::GetTypeId(), {15, 1, 2, 1}},
        {EtherealSteering::GetTypeId(), {15, 4, 4, 1}},
        {EtherealV1Steering::GetTypeId(), {15, 4, 4, 1}},
        {EndToEndSteering::GetTypeId(), {15, 4, 4, 1}}};
    for (const auto& [steering, most] : expected)
    {
        Expect(leafSpine, steering, AllToAll(16, 20000), most[0]);
        Expect(leafSpine, steering, {MakeFlow(0, 5, 20000)}, most[1]);
        Expect(leafSpine, steering, {MakeFlow(0, 5, 20000), MakeFlow(0, 6, 20000)}, most[2]);
        Expect(leafSpine, steering, {MakeFlow(0, 1, 20000)}, most[3]);
    }
    const TypeId ethereal = EtherealSteering::GetTypeId();
    Expect(fatTree, ethereal, {MakeFlow(0, 15, 20000)}, 4);
    Expect(fatTree, ethereal, {MakeFlow(0, 2, 20000)}, 2);
    Expect(fatTree, ethereal, {MakeFlow(0, 1, 20000)}, 1);
    Expect(fatTree, ethereal, {MakeFlow(0, 15, 20000), MakeFlow(0, 3, 20000)}, 6);
    Expect(fatTree, ethereal, {MakeFlow(0, 15, 3)}, 3);
}

/// Queue pairs are opened when they are needed, and used again when they are idle.
FABRIC_TEST(g_messageSteering, "Steering queue pairs: reuse")
{
    constexpr uint32_t MESSAGES = 100;
    const std::vector<std::tuple<TypeId, bool, uint32_t, uint32_t>> expected = {
        {SingleSteering::GetTypeId(), false, 1, 1},
        {SingleSteering::GetTypeId(), true, 1, 1},
        {SplitSteering::GetTypeId(), true, 4, 4},
        {RoundRobinSteering::GetTypeId(), false, 4, 1},
        {RoundRobinSteering::GetTypeId(), true, 1, 1},
        {EtherealSteering::GetTypeId(), true, 4, 4},
        {EtherealSteering::GetTypeId(), false, 4, 4}};
    for (const auto& [steering, renews, count, active] : expected)
    {
        Default("MessageSteering::Renew", renews);
        World world(LeafSpine(2, 4, 2), steering);
        std::vector<Flow> flows;
        for (uint32_t i = 0; i < MESSAGES; ++i)
        {
            flows.push_back(MakeFlow(0, 2, 5000, i * 20 * MICROSECOND));
            flows.push_back(MakeFlow(2, 0, 5000, i * 20 * MICROSECOND)); // on the same lanes
        }
        world.Run(flows);
        NS_TEST_EXPECT_MSG_EQ(world.service->GetCompleted(), flows.size(), "all done");
        NS_TEST_EXPECT_MSG_EQ(world.fabric->GetNic(0)->GetEndpointCount(),
                              count,
                              steering.GetName());
        NS_TEST_EXPECT_MSG_EQ(world.fabric->GetNic(2)->GetEndpointCount(), count, "there");
        NS_TEST_EXPECT_MSG_EQ(world.fabric->GetNic(1)->GetEndpointCount(), 0, "elsewhere");
        NS_TEST_EXPECT_MSG_EQ(world.service->GetMostActive(), active, "one after the other");
        Config::Reset();
    }
}

FABRIC_TEST(g_messageSteering, "Channels have queue pairs of their own, unless each piece has")
{
    const std::vector<std::tuple<TypeId, std::size_t, uint32_t>> expected = {
        {SingleSteering::GetTypeId(), 3, 1},
        {SplitSteering::GetTypeId(), 12, 4},
        {RoundRobinSteering::GetTypeId(), 3, 1}, // of each channel one of four
        {EtherealSteering::GetTypeId(), 4, 4}};
    for (const auto& [steering, count, active] : expected)
    {
        World world(LeafSpine(2, 4, 2), steering);
        std::vector<Flow> flows;
        for (uint16_t channel = 0; channel < 3; ++channel)
        {
            flows.push_back(MakeFlow(0, 2, 5000, channel * 20 * MICROSECOND));
            flows.back().channel = channel;
        }
        world.Run(flows);
        NS_TEST_EXPECT_MSG_EQ(world.fabric->GetNic(0)->GetEndpointCount(),
                              count,
                              steering.GetName());
        NS_TEST_EXPECT_MSG_EQ(world.service->GetMostActive(), active, "one after the other");
    }
}

/// Without FragmentBytes each queue pair gets an equal part, of a byte or more.
FABRIC_TEST(g_messageSteering, "A message of fewer bytes than queue pairs has a byte a fragment")
{
    Default("DqplbSteering::FragmentBytes", 0);
    World world(LeafSpine(2, 4, 2), DqplbSteering::GetTypeId());
    world.Run({MakeFlow(0, 2, 3)});
    NS_TEST_EXPECT_MSG_EQ(world.CountPosted(), 3, "three fragments of a byte");
}

/// What is a batch, and what is a group.
struct SteeringBatchTestCase : FabricTestCase
{
    /// @return when each queue pair of host 0 was opened, in picoseconds after the batch was closed
    /// @param jitter the most that a start is delayed
    static std::vector<int64_t> FindStarts(Time jitter)
    {
        Default("SourceRoutedSteering::StartJitterMax", jitter);
        World world(LeafSpine(2, 4, 8), EtherealSteering::GetTypeId());
        std::vector<Flow> flows;
        for (uint32_t i = 0; i < 160; ++i)
        {
            flows.push_back(MakeFlow(0, 8 + i % 8, 1000000));
        }
        world.Send(flows);
        std::vector<int64_t> starts;
        const Ptr<RoceNetDevice> nic = world.fabric->GetNic(0);
        for (int64_t ps = -1; ps < 80 * NANOSECOND; ps += 500)
        {
            ScheduleFunction(PicoSeconds(100 * NANOSECOND + ps),
                             [&starts, nic, ps] { starts.resize(nic->GetEndpointCount(), ps); });
        }
        Simulator::Stop(NanoSeconds(200));
        Simulator::Run();
        Config::Reset();
        return starts;
    }
};

FABRIC_TEST(g_messageSteering, "Messages gather from the first one on")
{
    const FabricGraph graph = LeafSpine(3, 2, 2);
    const int64_t window = 100 * NANOSECOND;
    {
        World world(graph, EtherealSteering::GetTypeId());
        world.Run({MakeFlow(0, 2, 1000),
                   MakeFlow(0, 4, 1000, 50 * NANOSECOND),
                   MakeFlow(0, 1, 1000, 60 * NANOSECOND),
                   MakeFlow(0, 3, 1000, window - 1),
                   MakeFlow(0, 2, 1000, window + 1),
                   MakeFlow(1, 2, 1000, 10 * NANOSECOND)});
        const std::vector<std::pair<int64_t, uint32_t>> expected = {{window, 3},
                                                                    {window + 10 * NANOSECOND, 1},
                                                                    {2 * window + 1, 1}};
        NS_TEST_EXPECT_MSG_EQ((world.batches == expected), true, "each source by itself");
        NS_TEST_EXPECT_MSG_EQ(world.service->GetCompleted(), 6, "all is sent");
    }
    Default("SourceRoutedSteering::BatchWindow", Time(0));
    World world(graph, EtherealSteering::GetTypeId());
    world.Run({MakeFlow(0, 2, 1000), MakeFlow(0, 3, 1000), MakeFlow(0, 2, 1000, 1)});
    const std::vector<std::pair<int64_t, uint32_t>> expected = {{0, 2}, {1, 1}};
    NS_TEST_EXPECT_MSG_EQ((world.batches == expected), true, "those of one instant");
}

/// Groups are of one leaf and one size, but for a byte of rounding, and what stays under a leaf is
/// of none.
FABRIC_TEST(g_messageSteering, "Steering batch: groups")
{
    World world(LeafSpine(3, 2, 2), EtherealSteering::GetTypeId());
    world.Run({MakeFlow(0, 1, 1000),
               MakeFlow(0, 2, 1000),
               MakeFlow(0, 3, 1001),
               MakeFlow(0, 3, 1003),
               MakeFlow(0, 4, 1000)});
    std::multiset<std::pair<uint32_t, uint32_t>> groups;
    for (const Report& report : world.groups[0])
    {
        groups.emplace(report.leaf, report.messages);
        NS_TEST_EXPECT_MSG_EQ(report.paths, 2, "spines");
    }
    const std::multiset<std::pair<uint32_t, uint32_t>> expected = {{1, 2}, {1, 1}, {2, 1}};
    NS_TEST_EXPECT_MSG_EQ((groups == expected), true, "by leaf and size");
    const FlowRecord& below = world.service->GetRecords()[0];
    NS_TEST_EXPECT_MSG_LT(below.receivedAt, MicroSeconds(2), "sent at once");
}

FABRIC_TEST(g_messageSteering, "Without randomness, queue pairs are as the planner has them")
{
    Default("SourceRoutedSteering::Randomize", false);
    World world(LeafSpine(2, 4, 6), EtherealSteering::GetTypeId());
    std::vector<Flow> flows;
    for (uint32_t i = 0; i < 6; ++i)
    {
        flows.push_back(MakeFlow(0, 11 - i, 80001));
    }
    world.Send(flows);
    Simulator::Stop(NanoSeconds(101));
    Simulator::Run();
    const auto plan = EtherealPlanner(EtherealPlanner::Parameters{})
                          .Plan(std::vector<uint64_t>(6, 80001), {0, 1, 2, 3});
    const Ptr<RoceNetDevice> nic = world.fabric->GetNic(0);
    NS_TEST_ASSERT_MSG_EQ(nic->GetEndpointCount(), plan.size(), "one a piece, at once");
    for (std::size_t i = 0; i < plan.size(); ++i)
    {
        const Ptr<QueuePair> queuePair = nic->GetQueuePair(i);
        const auto balancer = DynamicCast<PinnedBalancer>(queuePair->GetBalancer());
        NS_TEST_EXPECT_MSG_EQ(queuePair->GetPeerHost(), 11 - plan[i].flow, "in order");
        NS_TEST_EXPECT_MSG_EQ(*balancer->GetPath(), plan[i].path, "its path");
        NS_TEST_EXPECT_MSG_EQ(queuePair->GetPosted(),
                              queuePair->CountPackets(plan[i].bytes),
                              "its length");
    }
}

/// Each host serves leaves in an order of its own, and begins with a path of its own.
FABRIC_TEST(g_messageSteering, "Steering batch: shuffles")
{
    constexpr uint32_t HOSTS = 18;
    for (const bool randomizes : {true, false})
    {
        Default("SourceRoutedSteering::Randomize", randomizes);
        Default("SourceRoutedSteering::StartJitterMax", Time(0));
        World world(LeafSpine(HOSTS, 9, 1), EtherealSteering::GetTypeId());
        world.Run(AllToAll(HOSTS, 900));
        std::set<std::vector<uint32_t>> orders;
        std::set<uint16_t> paths;
        for (uint32_t host = 0; host < HOSTS; ++host)
        {
            std::vector<uint32_t> order;
            for (const Report& report : world.groups[host])
            {
                order.push_back((report.leaf + HOSTS - host) % HOSTS);
            }
            orders.insert(order);
            NS_TEST_EXPECT_MSG_EQ(order.size(), HOSTS - 1, "all leaves");
            for (uint32_t i = 0; i < world.fabric->GetNic(host)->GetEndpointCount(); ++i)
            {
                const auto queuePair = world.fabric->GetNic(host)->GetQueuePair(i);
                if (queuePair->GetPosted() > 0)
                {
                    const auto balancer = DynamicCast<PinnedBalancer>(queuePair->GetBalancer());
                    paths.insert(*balancer->GetPath());
                    break;
                }
            }
        }
        NS_TEST_EXPECT_MSG_EQ(orders.size(), HOSTS, "leaves are always shuffled");
        NS_TEST_EXPECT_MSG_EQ((paths.size() > 5), randomizes, "paths are if it is asked for");
    }
}

/// In version 1 a piece takes the path on which the host has least to send, wherever it goes.
FABRIC_TEST(g_messageSteering, "Steering batch: least outstanding")
{
    Default("SourceRoutedSteering::MinPieceBytes", 4000000); // nothing is split
    World world(LeafSpine(6, 4, 1), EtherealV1Steering::GetTypeId());
    std::vector<Flow> flows;
    for (uint32_t i = 0; i < 4; ++i)
    {
        flows.push_back(MakeFlow(0, 1 + i, i == 0 ? 1000000 : 2000000, i * 200 * NANOSECOND));
    }
    flows.push_back(MakeFlow(0, 5, 500000, 60 * MICROSECOND)); // the first has been sent
    world.Run(flows);
    std::vector<uint16_t> paths;
    for (uint32_t i = 0; i < 5; ++i)
    {
        const Ptr<QueuePair> queuePair = world.fabric->GetNic(0)->GetQueuePair(i);
        const auto balancer = DynamicCast<PinnedBalancer>(queuePair->GetBalancer());
        paths.push_back(*balancer->GetPath());
    }
    NS_TEST_EXPECT_MSG_EQ(std::set<uint16_t>(paths.begin(), paths.begin() + 4).size(),
                          4,
                          "four paths, though to four leaves");
    NS_TEST_EXPECT_MSG_EQ(paths[4], paths[0], "the one with nothing to send");
}

/// Starts are delayed by whole nanoseconds, all equally likely, and no more than is said.
FABRIC_TEST_F(SteeringBatchTestCase, g_messageSteering, "Steering batch: jitter")
{
    const std::vector<int64_t> none = FindStarts(PicoSeconds(999));
    NS_TEST_ASSERT_MSG_EQ(none.size(), 160, "all are started");
    NS_TEST_EXPECT_MSG_EQ(SetOf(none).size(), 1, "at once");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(none.back(), 499, "when the batch is closed");
    const std::vector<int64_t> starts = FindStarts(NanoSeconds(50));
    NS_TEST_ASSERT_MSG_EQ(starts.size(), 160, "all are started");
    NS_TEST_EXPECT_MSG_GT_OR_EQ(starts.front(), 0, "not before the batch is closed");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(starts.back(), 50 * NANOSECOND + 499, "in time");
    NS_TEST_EXPECT_MSG_GT(starts.back(), 45 * NANOSECOND, "as late as may be");
    const std::set<int64_t> times(starts.begin(), starts.end());
    NS_TEST_EXPECT_MSG_GT(times.size(), 35, "one of 51 times each");
    NS_TEST_EXPECT_MSG_LT(times.size(), 52, "whole nanoseconds");
    const bool tooLong =
        Config::SetDefaultFailSafe("ns3::aifabric::SourceRoutedSteering::StartJitterMax",
                                   TimeValue(Seconds(5)));
    NS_TEST_EXPECT_MSG_EQ(tooLong, false, "more than 2^32 ns is refused");
}

FABRIC_TEST(g_messageSteering, "The longest delay that is allowed")
{
    Default("SourceRoutedSteering::StartJitterMax", Seconds(1));
    World world(LeafSpine(2, 4, 1), EtherealSteering::GetTypeId());
    world.Run({MakeFlow(0, 1, 1000)});
    const Time end = world.service->GetRecords()[0].completedAt;
    NS_TEST_EXPECT_MSG_EQ(world.service->GetCompleted(), 1, "it comes");
    NS_TEST_EXPECT_MSG_GT(end, MilliSeconds(200), "the last of four is hardly that early");
    NS_TEST_EXPECT_MSG_LT(end, Seconds(1) + MicroSeconds(10), "in time");
}

/// Hosts whose cables are known to be cut do not decide about others under their leaf.
FABRIC_TEST(g_messageSteering, "Steering batch: reach")
{
    for (const bool cutFirst : {true, false})
    {
        const uint32_t cut = cutFirst ? 2 : 3;
        World world(LeafSpine(2, 2, 2, 2), EtherealSteering::GetTypeId());
        const FabricGraph& graph = world.fabric->GetGraph();
        world.fabric->GetPaths()->SetLinkAlive(graph.LinkAt({true, cut, 1}), false);
        world.Run({MakeFlow(0, 2, 1000), MakeFlow(0, 3, 1000)});
        std::multiset<uint32_t> paths;
        for (const Report& report : world.groups[0])
        {
            paths.insert(report.paths);
        }
        NS_TEST_EXPECT_MSG_EQ((paths == std::multiset<uint32_t>{2, 4}), true, "one plane, two");
        const std::size_t up = world.up.count(graph.LinkAt({true, 0, 1}));
        NS_TEST_EXPECT_MSG_EQ(up, 1, "the other host has both");
        NS_TEST_EXPECT_MSG_EQ(world.down.count(graph.LinkAt({true, cut, 1})), 0, "dead");
    }
    World world(LeafSpine(2, 2, 2), EtherealSteering::GetTypeId());
    const uint32_t cable = world.fabric->GetGraph().LinkAt({true, 2, 0});
    world.Send({MakeFlow(0, 2, 1000),
                MakeFlow(0, 2, 1000, 20 * MICROSECOND),
                MakeFlow(0, 3, 1000, 20 * MICROSECOND)});
    Simulator::Stop(MicroSeconds(20));
    Simulator::Run();
    world.fabric->GetPaths()->SetLinkAlive(cable, false);
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(world.groups[0].size(), 2, "then nobody knows a way to one");
    NS_TEST_EXPECT_MSG_EQ(world.groups[0][1].messages, 1, "which is no affair of the other");
    NS_TEST_EXPECT_MSG_EQ(world.service->GetCompleted(), 3, "the cable is not really cut");
    uint32_t hashed = 0;
    for (uint32_t i = 0; i < world.fabric->GetNic(0)->GetEndpointCount(); ++i)
    {
        const Ptr<QueuePair> queuePair = world.fabric->GetNic(0)->GetQueuePair(i);
        hashed += !DynamicCast<PinnedBalancer>(queuePair->GetBalancer())->GetPath();
    }
    NS_TEST_EXPECT_MSG_EQ(hashed, 1, "one that had a path has none any more");
}

/// A label leads by the switches that it names, there and back.
struct SourceRoutingTestCase : FabricTestCase
{
    /// @return the links that a path climbs, and those that it descends
    static std::pair<std::set<uint32_t>, std::set<uint32_t>> Walk(const FabricGraph& graph,
                                                                  uint32_t source,
                                                                  uint32_t destination,
                                                                  uint16_t label,
                                                                  uint16_t plane)
    {
        std::set<uint32_t> up;
        std::set<uint32_t> down;
        std::vector<uint32_t> digits = {uint32_t{label} % graph.LeafUplinks(),
                                        uint32_t{label} / graph.LeafUplinks()};
        FabricEnd out{true, source, plane};
        FabricEnd at = graph.PeerOf(out);
        up.insert(graph.LinkAt(out));
        uint32_t tier = 0;
        while (!graph.Switches()[at.id].forwarding.IsBelow(destination))
        {
            const PortGroup& group = graph.Switches()[at.id].forwarding.up;
            out = {false, at.id, static_cast<uint16_t>(group.first + digits[tier++])};
            up.insert(graph.LinkAt(out));
            at = graph.PeerOf(out);
        }
        while (!at.isHost)
        {
            const PortGroup& group = graph.Switches()[at.id].forwarding.GroupFor(destination);
            const uint32_t digit = group.count == 1 ? 0 : digits[--tier] % group.count;
            out = {false, at.id, static_cast<uint16_t>(group.first + digit)};
            down.insert(graph.LinkAt(out));
            at = graph.PeerOf(out);
        }
        return {up, down};
    }

    /// @return the numbers of links
    static std::set<uint32_t> Links(const std::map<uint32_t, uint64_t>& payload)
    {
        std::set<uint32_t> links;
        for (const auto& [link, bytes] : payload)
        {
            links.insert(link);
        }
        return links;
    }

    /// Send a message by each path between some hosts.
    /// @param most paths of a plane between the first host and the last
    void CheckPaths(const FabricGraph& graph, std::size_t most)
    {
        const uint32_t last = graph.HostCount() - 1;
        World world(graph, EtherealSteering::GetTypeId());
        const PathView& view = *world.fabric->GetPaths();
        NS_TEST_EXPECT_MSG_EQ(view.UsablePaths(0, last).size(), most, "all paths");
        for (uint32_t destination = 1; destination <= last; ++destination)
        {
            for (uint16_t plane = 0; plane < graph.Planes(); ++plane)
            {
                for (const uint16_t label : view.UsablePaths(0, destination, plane))
                {
                    CheckPath(world, destination, label, plane);
                }
            }
        }
        world.Run({}); // nothing
    }

    /// Send a message from the first host by one path.
    void CheckPath(World& world, uint32_t destination, uint16_t label, uint16_t plane)
    {
        world.up.clear();
        world.down.clear();
        world.acksUp.clear();
        world.acksDown.clear();
        const auto [near, far] =
            RoceHelper().Connect(world.fabric->GetNic(0), world.fabric->GetNic(destination));
        DynamicCast<PinnedBalancer>(near->GetBalancer())->SetPath(label, plane);
        near->PostWrite(20000);
        Simulator::Run();
        const auto [up, down] = Walk(world.fabric->GetGraph(), 0, destination, label, plane);
        const std::string where =
            "to " + std::to_string(destination) + " by " + std::to_string(label);
        NS_TEST_EXPECT_MSG_EQ(near->GetPendingMessages(), 0, where);
        NS_TEST_EXPECT_MSG_EQ((Links(world.up) == up), true, where << ": up");
        NS_TEST_EXPECT_MSG_EQ((Links(world.down) == down), true, where << ": down");
        NS_TEST_EXPECT_MSG_EQ((world.acksDown == up), true, where << ": acknowledgements down");
        NS_TEST_EXPECT_MSG_EQ((world.acksUp == down), true, where << ": acknowledgements up");
    }
};

FABRIC_TEST_F(SourceRoutingTestCase, g_messageSteering, "Labels name paths")
{
    LeafSpineConfig parallel;
    parallel.leaves = 2;
    parallel.spines = 2;
    parallel.hostsPerLeaf = 1;
    parallel.linksPerSpine = 2;
    CheckPaths(LeafSpine(3, 3, 2), 3);
    CheckPaths(LeafSpine(2, 3, 1, 2), 3);
    CheckPaths(MakeLeafSpine(parallel), 4);
    CheckPaths(FatTree(4), 4);
    CheckPaths(ThreeTier({2, 2, 2, 6, 1, 2}), 6);
}

/// A label whose second digit is no uplink is hashed there, and leads to the destination.
FABRIC_TEST(g_messageSteering, "Source routing: no uplink")
{
    World world(FatTree(4), EtherealSteering::GetTypeId());
    const FabricGraph& graph = world.fabric->GetGraph();
    std::vector<Ptr<QueuePair>> queuePairs;
    for (uint32_t i = 0; i < 40; ++i)
    {
        const auto ends = RoceHelper().Connect(world.fabric->GetNic(0), world.fabric->GetNic(15));
        const uint16_t label = (2 + i) * graph.LeafUplinks() + 1; // there are digits 0 and 1
        DynamicCast<PinnedBalancer>(ends.first->GetBalancer())->SetPath(label);
        ends.first->PostWrite(1000);
        queuePairs.push_back(ends.first);
    }
    world.Run({});
    for (const Ptr<QueuePair>& queuePair : queuePairs)
    {
        NS_TEST_EXPECT_MSG_EQ(queuePair->GetPendingMessages(), 0, "it comes");
    }
    const std::map<uint32_t, std::vector<uint64_t>> loads = BySwitch(world, world.up);
    const uint32_t leaf = graph.LeafOf(0);
    const FabricEnd second{false, leaf, uint16_t(graph.Switches()[leaf].forwarding.up.first + 1)};
    NS_TEST_EXPECT_MSG_EQ((loads.at(leaf) == std::vector<uint64_t>{0, 40000}),
                          true,
                          "the first digit is obeyed");
    const std::vector<uint64_t>& middle = loads.at(graph.PeerOf(second).id);
    NS_TEST_EXPECT_MSG_GT(middle[0], 0, "the second is hashed");
    NS_TEST_EXPECT_MSG_GT(middle[1], 0, "the second is hashed");
}

FABRIC_TEST(g_messageSteering, "What has no label goes as with EcmpBalancer")
{
    std::vector<std::map<uint32_t, uint64_t>> loads;
    for (const TypeId& type : {EcmpBalancer::GetTypeId(), PathLabelBalancer::GetTypeId()})
    {
        ClosHelper helper = ClosOf({{"BalancerType", PinnedBalancer::GetTypeId()}});
        helper.SetBalancer(ObjectFactory(type.GetName()));
        const Ptr<Fabric> fabric = InstallFabric(helper, FatTree(4));
        std::map<uint32_t, uint64_t> load;
        for (uint32_t link = 0; link < fabric->GetChannelCount(); ++link)
        {
            Trace(*fabric->GetPort(fabric->GetGraph().Links()[link].b),
                  "Receive",
                  [&load, link](Ptr<const FabricFrame>) { ++load[link]; });
        }
        for (uint32_t i = 0; i < 60; ++i)
        {
            RoceHelper()
                .Connect(fabric->GetNic(i % 16), fabric->GetNic((i * 7 + 3 + i % 16) % 16))
                .first->PostWrite(5000 + i);
        }
        Simulator::Run();
        Simulator::Destroy();
        loads.push_back(load);
    }
    NS_TEST_EXPECT_MSG_GT(loads[0].size(), 40, "it goes everywhere");
    NS_TEST_EXPECT_MSG_EQ((loads[0] == loads[1]), true, "the same way");
}

/// A cable is cut, and nobody tells (specification, 4.3, 4.4, E6).
struct SteeringFailureTestCase : FabricTestCase
{
    /// A queue pair got another path.
    struct Reroute
    {
        uint32_t host;        //!< its host
        uint32_t destination; //!< its destination
        uint16_t from;        //!< the path that failed
        uint16_t to;          //!< the new one
        bool wasFailed;       //!< whether the new one is marked
        int64_t at;           //!< when, in picoseconds
    };

    void DoSetup() override
    {
        FabricTestCase::DoSetup();
        Default("RcQueuePair::AckTimeout", MilliSeconds(1));
    }

    /// Cut cables.  @param start when, in picoseconds  @param stop until when; 0: for ever
    static void Cut(const World& world,
                    const std::string& where,
                    int64_t start = MICROSECOND,
                    int64_t stop = 0)
    {
        Fail(*world.fabric,
             where,
             {{"Down", true}, {"Start", PicoSeconds(start)}, {"Stop", PicoSeconds(stop)}});
    }

    /// Note all changes of paths.
    static void Follow(const World& world, std::vector<Reroute>& reroutes)
    {
        const FabricGraph& graph = world.fabric->GetGraph();
        for (uint32_t host = 0; host < graph.HostCount(); ++host)
        {
            SourceRoutedSteering* steering = &world.SourceRouted(host);
            Trace(*steering,
                  "Reroute",
                  [&reroutes, &graph, steering, host](uint32_t destination,
                                                      uint16_t from,
                                                      uint16_t to) {
                      const int64_t now = FabricClock::Now();
                      const bool wasFailed =
                          steering->GetHealth().IsFailed(graph.LeafOf(destination), to, now);
                      reroutes.push_back({host, destination, from, to, wasFailed, now});
                  });
        }
    }

    /// @return when the last message was acknowledged, in picoseconds
    static int64_t FindEnd(const World& world)
    {
        int64_t end = 0;
        for (const FlowRecord& record : world.service->GetRecords())
        {
            end = std::max(end, record.completed ? record.completedAt.GetPicoSeconds() : INT64_MAX);
        }
        return end;
    }

    /// @return four messages from host 0 to leaf 1  @param starts when, each four
    static std::vector<Flow> Fours(const std::vector<int64_t>& starts)
    {
        std::vector<Flow> flows;
        for (const int64_t start : starts)
        {
            for (uint32_t i = 0; i < 4; ++i)
            {
                flows.push_back(MakeFlow(0, 4 + i, 120000, start));
            }
        }
        return flows;
    }

    /// New messages avoid the path for some time, and so are split.
    void CheckMarks(TypeId steering)
    {
        Default("SourceRoutedSteering::FailedPathTimeout", MilliSeconds(5));
        World world(LeafSpine(3, 4, 4), steering);
        Cut(world, "leaf-0--spine-0", MICROSECOND, 6 * MILLISECOND);
        std::vector<Flow> flows = Fours({0, 2 * MILLISECOND, 7 * MILLISECOND});
        flows.push_back(MakeFlow(0, 8, 120000, 2 * MILLISECOND)); // another leaf, which is not met
        world.Run(flows);
        const std::vector<Report>& groups = world.groups[0];
        std::vector<uint32_t> paths;
        std::vector<uint32_t> pieces;
        for (const Report& report : groups)
        {
            if (report.leaf == 1)
            {
                paths.push_back(report.paths);
                pieces.push_back(report.pieces);
            }
            else
            {
                NS_TEST_EXPECT_MSG_EQ(report.paths, 4, "marks are by leaf");
            }
        }
        NS_TEST_EXPECT_MSG_EQ((paths == std::vector<uint32_t>{4, 3, 4}), true, "s, s - 1, s");
        NS_TEST_EXPECT_MSG_EQ((pieces == std::vector<uint32_t>{4, 6, 4}), true, "one in s - 1");
        NS_TEST_EXPECT_MSG_LT(FindEnd(world), 7 * MILLISECOND + 20 * MICROSECOND, "all come");
        Default("SourceRoutedSteering::FailedPathTimeout", MilliSeconds(100));
    }
};

FABRIC_TEST_F(SteeringFailureTestCase, g_messageSteering, "Paths that fail")
{
    for (const TypeId& steering : {EtherealSteering::GetTypeId(), EtherealV1Steering::GetTypeId()})
    {
        CheckMarks(steering);
    }
}

/// An all-to-all of which a link is cut takes one retransmission time longer.
FABRIC_TEST_F(SteeringFailureTestCase, g_messageSteering, "Steering failure: one timeout")
{
    constexpr uint64_t BYTES = 60000;
    const FabricGraph graph = LeafSpine(4, 4, 4);
    int64_t usual = 0;
    {
        World world(graph, EtherealSteering::GetTypeId());
        world.Run(AllToAll(16, BYTES));
        usual = FindEnd(world);
    }
    World world(graph, EtherealSteering::GetTypeId());
    std::vector<Reroute> reroutes;
    Follow(world, reroutes);
    Cut(world, "leaf-0--spine-0");
    world.Run(AllToAll(16, BYTES));
    const int64_t end = FindEnd(world);
    NS_TEST_EXPECT_MSG_LT(usual, 20 * MICROSECOND, "in good times");
    NS_TEST_EXPECT_MSG_GT(end, MILLISECOND, "one timeout");
    NS_TEST_EXPECT_MSG_LT(end, MILLISECOND + 2 * usual, "and no more");
    uint32_t late = 0;
    world.ForEachQueuePair([&](const RoceNetDevice&, QueuePair& queuePair) {
        NS_TEST_EXPECT_MSG_LT_OR_EQ(queuePair.GetCounters().timeouts, 1, "once");
        late += queuePair.GetCounters().timeouts;
    });
    // each host of leaf 0 to each of three leaves, and each other host to leaf 0
    NS_TEST_EXPECT_MSG_EQ(late, 4 * 3 + 12, "those that took the cut link");
    NS_TEST_EXPECT_MSG_EQ(reroutes.size(), late, "each got another path");
    NS_TEST_EXPECT_MSG_EQ(world.Counted("steering_reroutes"), late, "counted");
    NS_TEST_EXPECT_MSG_EQ(world.Counted("steering_failed_marks"), late, "marked");
    for (const Reroute& reroute : reroutes)
    {
        NS_TEST_EXPECT_MSG_EQ(reroute.from, 0, "the path that was cut");
        NS_TEST_EXPECT_MSG_EQ((reroute.to != 0 && reroute.to < 4), true, "another");
        NS_TEST_EXPECT_MSG_EQ((reroute.host < 4 || reroute.destination < 4), true, "leaf 0");
    }
    for (uint32_t host = 0; host < 16; ++host)
    {
        const uint32_t marks = world.SourceRouted(host).GetHealth().CountFailed(end);
        NS_TEST_EXPECT_MSG_EQ(marks, (host < 4 ? 3 : 1), "by leaf and path");
    }
    for (const FlowRecord& record : world.service->GetRecords())
    {
        const bool isBelow = record.flow.source / 4 == record.flow.destination / 4;
        NS_TEST_EXPECT_MSG_EQ((isBelow && record.completedAt > MilliSeconds(1)), false, "below");
    }
}

FABRIC_TEST_F(SteeringFailureTestCase, g_messageSteering, "With a time of zero no path is excluded")
{
    Default("SourceRoutedSteering::FailedPathTimeout", Time(0));
    World world(LeafSpine(2, 4, 4), EtherealSteering::GetTypeId());
    Cut(world, "leaf-0--spine-0");
    world.Run(Fours({0, 2 * MILLISECOND}));
    NS_TEST_ASSERT_MSG_EQ(world.groups[0].size(), 2, "two batches");
    NS_TEST_EXPECT_MSG_EQ(world.groups[0][1].paths, 4, "all paths");
    NS_TEST_EXPECT_MSG_EQ(world.Counted("steering_reroutes"), 2, "the path fails again");
    NS_TEST_EXPECT_MSG_GT(FindEnd(world), 3 * MILLISECOND, "at a cost");
}

FABRIC_TEST_F(SteeringFailureTestCase, g_messageSteering, "If all paths have failed all are used")
{
    World world(LeafSpine(2, 4, 4), EtherealSteering::GetTypeId());
    for (const std::string spine : {"0", "1", "2", "3"})
    {
        Cut(world, "leaf-0--spine-" + spine, MICROSECOND, MILLISECOND + 500 * MICROSECOND);
    }
    world.Run(Fours({0, 4 * MILLISECOND}));
    NS_TEST_ASSERT_MSG_EQ(world.groups[0].size(), 2, "two batches");
    NS_TEST_EXPECT_MSG_EQ(world.SourceRouted(0).GetHealth().CountFailed(4 * MILLISECOND),
                          4,
                          "all are marked");
    NS_TEST_EXPECT_MSG_EQ(world.groups[0][1].paths, 4, "so all are used");
    NS_TEST_EXPECT_MSG_LT(FindEnd(world), 4 * MILLISECOND + 20 * MICROSECOND, "all come");
}

/// Another path may be one that has failed, unless that is excluded.
FABRIC_TEST_F(SteeringFailureTestCase, g_messageSteering, "Steering failure: exclusion")
{
    for (const bool excludes : {false, true})
    {
        Default("SourceRoutedSteering::ExcludeFailedOnReroute", excludes);
        World world(LeafSpine(2, 4, 8), EtherealSteering::GetTypeId());
        std::vector<Reroute> reroutes;
        Follow(world, reroutes);
        Cut(world, "leaf-0--spine-0");
        Cut(world, "leaf-0--spine-2");
        std::vector<Flow> flows;
        for (uint32_t i = 0; i < 64; ++i)
        {
            flows.push_back(MakeFlow(i / 8, 8 + i % 8, 100000));
        }
        world.Run(flows);
        NS_TEST_EXPECT_MSG_EQ(world.service->GetCompleted(), flows.size(), "all come");
        // where nothing is excluded, a third of 32 take the other dead path
        NS_TEST_EXPECT_MSG_GT_OR_EQ(reroutes.size(), 32, "half of all");
        uint32_t early = 0;
        uint32_t wrong = 0;
        for (const Reroute& reroute : reroutes)
        {
            early += reroute.at < MILLISECOND + 500 * MICROSECOND;
            wrong += reroute.wasFailed;
        }
        NS_TEST_EXPECT_MSG_EQ(early, 32, "half of all");
        NS_TEST_EXPECT_MSG_EQ((wrong == 0), excludes, "a path that is known to have failed");
    }
}

FABRIC_TEST_F(SteeringFailureTestCase, g_messageSteering, "Between pods both digits change")
{
    const FabricGraph graph = ThreeTier({2, 2, 3, 6, 3, 1});
    World world(graph, EtherealSteering::GetTypeId());
    std::vector<Reroute> reroutes;
    Follow(world, reroutes);
    Cut(world, "pod0-edge-0--pod0-agg-0");
    std::vector<Flow> flows = Shift(12, 6, 200000);
    const std::vector<Flow> within = Shift(12, 3, 200000);
    flows.insert(flows.end(), within.begin(), within.end());
    world.Run(flows);
    uint32_t between = 0;
    for (const Reroute& reroute : reroutes)
    {
        NS_TEST_EXPECT_MSG_NE(reroute.from % 3, reroute.to % 3, "another uplink");
        if (graph.PodOf(reroute.host) == graph.PodOf(reroute.destination))
        {
            NS_TEST_EXPECT_MSG_EQ(reroute.from, 0, "the cut one");
            NS_TEST_EXPECT_MSG_LT(reroute.to, 3, "there is but one digit");
            continue;
        }
        ++between;
        NS_TEST_EXPECT_MSG_NE(reroute.from / 3, reroute.to / 3, "another core port");
        NS_TEST_EXPECT_MSG_LT(reroute.to, 6, "there are six paths");
    }
    // leaf 0 sends to leaves 1 and 2, and hears from 2 and 3, of which only 1 is in its pod
    NS_TEST_EXPECT_MSG_EQ(between, 3 * 3 * 2, "two of six pieces");
    NS_TEST_EXPECT_MSG_EQ(reroutes.size() - between, 3, "one of three within the pod");
    NS_TEST_EXPECT_MSG_LT(FindEnd(world), 2 * MILLISECOND, "all come after one timeout");
}

/// With two planes, a queue pair leaves the plane if it has to.
FABRIC_TEST_F(SteeringFailureTestCase, g_messageSteering, "Steering failure: planes")
{
    World world(LeafSpine(2, 1, 2, 2), EtherealSteering::GetTypeId());
    std::vector<Reroute> reroutes;
    Follow(world, reroutes);
    Cut(world, "plane1-leaf-0--plane1-spine-0");
    world.Run(Shift(4, 2, 2000000));
    NS_TEST_EXPECT_MSG_EQ(reroutes.size(), 4, "one of two pieces");
    for (const Reroute& reroute : reroutes)
    {
        NS_TEST_EXPECT_MSG_EQ(reroute.from, 1, "in the second plane");
        NS_TEST_EXPECT_MSG_EQ(reroute.to, 0, "in the first");
    }
    NS_TEST_EXPECT_MSG_LT(FindEnd(world), 2 * MILLISECOND, "after one timeout");
}

/// All paths of either plane but the one that failed may be next.
FABRIC_TEST_F(SteeringFailureTestCase, g_messageSteering, "Steering failure: any plane")
{
    World world(LeafSpine(2, 2, 12, 2), EtherealSteering::GetTypeId());
    std::vector<Reroute> reroutes;
    Follow(world, reroutes);
    Cut(world, "plane1-leaf-0--plane1-spine-1");
    world.Run(Shift(24, 12, 400000));
    std::set<uint16_t> next;
    for (const Reroute& reroute : reroutes)
    {
        NS_TEST_EXPECT_MSG_EQ(reroute.from, 3, "the second spine of the second plane");
        next.insert(reroute.to);
    }
    NS_TEST_EXPECT_MSG_EQ(reroutes.size(), 24, "one a host");
    NS_TEST_EXPECT_MSG_EQ((next == std::set<uint16_t>{0, 1, 2}), true, "all others");
    NS_TEST_EXPECT_MSG_LT(FindEnd(world), 2 * MILLISECOND, "after one timeout");
}

/// A queue pair that is still sending when its timer expires leaves the plane at once.
FABRIC_TEST_F(SteeringFailureTestCase, g_messageSteering, "Steering failure: plane amidst")
{
    Default("RcQueuePair::AckTimeout", MicroSeconds(8));
    World world(LeafSpine(2, 1, 1, 2), EtherealSteering::GetTypeId());
    std::vector<Reroute> reroutes;
    Follow(world, reroutes);
    Cut(world, "plane1-leaf-0--plane1-spine-0");
    world.Run({MakeFlow(0, 1, 8000000)});
    NS_TEST_EXPECT_MSG_EQ(reroutes.size(), 1, "one timeout, and no other");
    NS_TEST_EXPECT_MSG_LT(FindEnd(world), 100 * MICROSECOND, "it takes one plane from then on");
    const uint32_t cable = world.fabric->GetGraph().LinkAt({true, 0, 1});
    NS_TEST_EXPECT_MSG_LT(world.up[cable], 1100000, "and not the other");
}

/// The queue pair goes back to the first missing packet and to line rate.
FABRIC_TEST_F(SteeringFailureTestCase, g_messageSteering, "Steering failure: reset")
{
    Default("RoceNetDevice::ControlType", DctcpControl::GetTypeId());
    World world(LeafSpine(2, 2, 1), EtherealSteering::GetTypeId());
    Cut(world, "leaf-0--spine-0");
    uint64_t cut = 0;
    ScheduleFunction(NanoSeconds(900), [&world, &cut] {
        world.ForEachQueuePair([&cut](const RoceNetDevice& nic, QueuePair& queuePair) {
            if (nic.GetHost() == 0)
            {
                const int64_t now = FabricClock::Now();
                queuePair.GetControl()->Acknowledged(4096, MakeReport(true, now), now);
                cut += queuePair.GetControl()->GetRate().GetBitRate() < 700000000000;
            }
        });
    });
    uint32_t checked = 0;
    Trace(world.SourceRouted(0),
          "Reroute",
          [this, &world, &checked](uint32_t, uint16_t from, uint16_t) {
              world.ForEachQueuePair([&](const RoceNetDevice& nic, QueuePair& queuePair) {
                  const auto balancer = DynamicCast<PinnedBalancer>(queuePair.GetBalancer());
                  if (nic.GetHost() != 0 || balancer->GetPath() != from)
                  {
                      return;
                  }
                  ++checked;
                  const uint64_t rate = queuePair.GetControl()->GetRate().GetBitRate();
                  NS_TEST_EXPECT_MSG_EQ(rate, 800000000000, "line rate");
                  NS_TEST_EXPECT_MSG_EQ(queuePair.GetRecovery().GetOutstanding(), 0, "back");
                  NS_TEST_EXPECT_MSG_GT(queuePair.GetRecovery().GetSent(),
                                        queuePair.GetRecovery().GetUnacknowledged(),
                                        "something was lost");
              });
          });
    world.Run({MakeFlow(0, 1, 400000)});
    NS_TEST_EXPECT_MSG_EQ(cut, 2, "both rates were cut");
    NS_TEST_EXPECT_MSG_EQ(checked, 1, "one was rerouted");
    NS_TEST_EXPECT_MSG_EQ(world.service->GetCompleted(), 1, "the message comes");
}

/// What is random is the same each time, and each host's own affair.
struct SteeringDeterminismTestCase : FabricTestCase
{
    /// What happened.
    struct Outcome
    {
        std::vector<int64_t> completed;                  //!< when, by message
        std::map<uint32_t, std::vector<uint32_t>> paths; //!< of the queue pairs, by host
    };

    /// @return what happens  @param hasMore whether host 0 sends something more, before all others
    static Outcome Run(TypeId steering, const std::string& scheduler, bool hasMore)
    {
        ObjectFactory factory(scheduler);
        Simulator::SetScheduler(factory);
        World world(LeafSpine(3, 3, 4), steering);
        Outcome outcome;
        std::vector<Flow> flows =
            hasMore ? std::vector<Flow>{MakeFlow(0, 1, 777)} : std::vector<Flow>{};
        if (hasMore)
        {
            flows.push_back(MakeFlow(0, 5, 778));
        }
        const std::vector<Flow> all = AllToAll(12, 9001);
        flows.insert(flows.end(), all.begin(), all.end());
        world.Run(flows);
        for (const FlowRecord& record : world.service->GetRecords())
        {
            outcome.completed.push_back(record.completedAt.GetPicoSeconds());
        }
        // which packets a host sent to whom, and by which paths
        world.ForEachQueuePair([&outcome](const RoceNetDevice& nic, QueuePair& queuePair) {
            if (queuePair.GetPeerHost() == 0 || queuePair.GetPosted() == 0)
            {
                return;
            }
            const auto balancer = DynamicCast<PinnedBalancer>(queuePair.GetBalancer());
            const uint32_t path = balancer ? balancer->GetPath().value_or(UINT16_MAX) : 0;
            outcome.paths[nic.GetHost()].push_back(queuePair.GetPeerHost() << 16 | path);
            outcome.paths[nic.GetHost()].push_back(queuePair.GetPosted());
        });
        return outcome;
    }
};

FABRIC_TEST_F(SteeringDeterminismTestCase, g_messageSteering, "Choices can be repeated")
{
    for (const TypeId& steering : AllSteerings())
    {
        Default("MessageSteering::Renew", true);
        const Outcome first = Run(steering, "ns3::MapScheduler", false);
        for (const std::string scheduler : {"ns3::HeapScheduler",
                                            "ns3::ListScheduler",
                                            "ns3::CalendarScheduler",
                                            "ns3::aifabric::MonotoneScheduler"})
        {
            const Outcome other = Run(steering, scheduler, false);
            NS_TEST_EXPECT_MSG_EQ((first.completed == other.completed), true, scheduler);
            NS_TEST_EXPECT_MSG_EQ((first.paths == other.paths), true, scheduler);
        }
        Outcome more = Run(steering, "ns3::MapScheduler", true);
        for (uint32_t host = 1; host < 12; ++host)
        {
            NS_TEST_EXPECT_MSG_EQ((first.paths.at(host) == more.paths.at(host)),
                                  true,
                                  steering.GetName() << ": host " << host);
        }
        NS_TEST_EXPECT_MSG_EQ((first.paths.at(0) == more.paths.at(0)), false, "but host 0");
        Config::Reset();
    }
}

/// A queue pair that begins anew is as good as one that was just opened.
struct RenewTestCase : FabricTestCase
{
    /// Whatever a congestion control has heard of, once it begins anew it does what one does that
    /// has heard of nothing.
    void CheckControl(TypeId type)
    {
        constexpr uint32_t MTU = 1000;
        ObjectFactory factory;
        factory.SetTypeId(type);
        const Ptr<CongestionControl> old = factory.Create<CongestionControl>();
        const Ptr<CongestionControl> fresh = factory.Create<CongestionControl>();
        const UniformInteger uniform = Uniform(78);
        int64_t now = 0;
        const auto tell = [&](const std::vector<Ptr<CongestionControl>>& controls) {
            now += 1 + uniform(1000000);
            const uint32_t what = uniform(100);
            const bool marked = uniform(3) == 0;
            const int64_t sentAt = now - 3000000 - uniform(9000000);
            for (const Ptr<CongestionControl>& control : controls)
            {
                if (what == 0)
                {
                    control->Lost({0, LossReason::TIMEOUT}, now);
                }
                else if (what == 1)
                {
                    control->Lost({MTU, LossReason::GAP}, now);
                }
                else
                {
                    control->Acknowledged(MTU, MakeReport(marked, sentAt), now);
                }
            }
        };
        FabricFacts facts = MakeFacts("400Gb/s", MTU);
        facts.baseRtt = MicroSeconds(3);
        old->Start(facts);
        for (uint32_t i = 0; i < 1000; ++i)
        {
            tell({old});
        }
        now += MILLISECOND;
        old->Start(facts);
        fresh->Start(facts);
        for (uint32_t i = 0; i < 1000; ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(old->GetRate(), fresh->GetRate(), type.GetName() << ": rate");
            NS_TEST_ASSERT_MSG_EQ(old->GetWindow(), fresh->GetWindow(), type.GetName());
            tell({old, fresh});
        }
    }
};

FABRIC_TEST_F(RenewTestCase, g_messageSteering, "A queue pair begins anew")
{
    for (uint16_t i = 0; i < TypeId::GetRegisteredN(); ++i)
    {
        const TypeId type = TypeId::GetRegistered(i);
        if (type.IsChildOf(CongestionControl::GetTypeId()) && type.HasConstructor())
        {
            CheckControl(type);
        }
    }
}

/// Congestion control begins at line rate, packets are counted on, and so are marks.
FABRIC_TEST(g_messageSteering, "Renew: queue pair")
{
    constexpr uint64_t LINE_RATE = 800000000000;
    Default("RoceNetDevice::ControlType", DctcpControl::GetTypeId());
    const Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(2, 2, 1));
    const auto [near, far] = RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(1));
    std::vector<uint32_t> keys;
    far->SetReceiveCallback(
        CallbackOf([&keys](Ptr<QueuePair>, uint64_t, uint32_t key) { keys.push_back(key); }));
    near->PostWrite(10000, {}, 70000);
    near->PostWrite(0, {}, 4000000000);
    Simulator::Run();
    const int64_t now = FabricClock::Now();
    near->GetControl()->Acknowledged(4096, MakeReport(true, now), now);
    NS_TEST_EXPECT_MSG_LT(near->GetControl()->GetRate().GetBitRate(), LINE_RATE, "cut");
    const uint16_t port = ChoosePath(*near->GetBalancer()).entropy;
    near->Renew();
    NS_TEST_EXPECT_MSG_EQ(near->GetControl()->GetRate().GetBitRate(), LINE_RATE, "line rate");
    NS_TEST_EXPECT_MSG_NE(ChoosePath(*near->GetBalancer()).entropy, port, "another source port");
    PolicyCounters counters;
    near->CountPolicies(counters);
    NS_TEST_EXPECT_MSG_EQ(counters["dctcp_marks"], 1, "what was counted stays");
    NS_TEST_EXPECT_MSG_EQ(counters["dctcp_cuts"], 1, "what was counted stays");
    near->PostWrite(10000, {}, 3);
    far->PostWrite(10000); // the other end did not begin anew
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(near->GetPendingMessages() + far->GetPendingMessages(), 0, "done");
    NS_TEST_EXPECT_MSG_EQ(near->GetPosted(), 3 + 1 + 3, "packets are counted on");
    NS_TEST_EXPECT_MSG_EQ(near->GetRecovery().GetUnacknowledged(), 7, "they were sent");
    NS_TEST_EXPECT_MSG_EQ(far->GetRecovery().GetExpected(), 7, "and were expected");
    NS_TEST_EXPECT_MSG_EQ((keys == std::vector<uint32_t>{70000, 4000000000, 3}), true, "keys");
}

/// Each life has another source port, and all are those of a RoCE sender.
FABRIC_TEST(g_messageSteering, "Renew: ports")
{
    const Ptr<Fabric> fabric = ClosHelper().Install(LeafSpine(2, 2, 1));
    const auto [near, far] = RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(1));
    std::set<uint16_t> ports;
    for (uint32_t life = 0; life < HostBalancer::ENTROPIES; ++life)
    {
        ports.insert(ChoosePath(*near->GetBalancer()).entropy);
        near->Renew();
    }
    NS_TEST_EXPECT_MSG_EQ(ports.size(), HostBalancer::ENTROPIES, "all are different");
    NS_TEST_EXPECT_MSG_EQ(*ports.begin(), PathChoice::FIRST_PORT, "no lower ones");
}

/// What balancers have learned or drawn is forgotten, and what they counted is not.
FABRIC_TEST(g_messageSteering, "Renew: balancers")
{
    Ptr<HostCounterBalancer> counter = CreateWith<HostCounterBalancer>({{"Starts", 1}});
    Ptr<SubflowBalancer> subflow = CreateWith<SubflowBalancer>({{"Subflows", 1}});
    counter->Start({}, 1);
    subflow->Start({}, 2);
    ChoosePath(*counter);
    const uint16_t old = ChoosePath(*subflow).entropy;
    counter->Start({}, 1);
    subflow->Start({}, 2);
    NS_TEST_EXPECT_MSG_EQ(ChoosePath(*counter).entropy, PathChoice::FIRST_PORT, "from the start");
    NS_TEST_EXPECT_MSG_NE(ChoosePath(*subflow).entropy, old, "another label");
    for (const TypeId& type : {RepsBalancer::GetTypeId(), EtherealRepsBalancer::GetTypeId()})
    {
        const Ptr<HostBalancer> reps = ObjectFactory(type.GetName()).Create<HostBalancer>();
        reps->Start({}, 3);
        for (uint32_t i = 0; i < 1000; ++i)
        {
            Acknowledge(*reps, ChoosePath(*reps).entropy, false, i, i + 1);
        }
        PolicyCounters before = CountersOf(*reps);
        NS_TEST_EXPECT_MSG_GT(before["reps_reused"], 0, "labels were used again");
        reps->Start({}, 3);
        PolicyCounters after = CountersOf(*reps);
        NS_TEST_EXPECT_MSG_EQ((before == after), true, "what was counted stays");
    }
}

/// Who hears of a message may add others, and start them.
struct MessageServiceTestCase : FabricTestCase, public MessageUser
{
    void MessageReceived(uint32_t message) override
    {
        ++m_received[message];
        Follow();
    }

    void MessageCompleted(uint32_t message) override
    {
        ++m_completed[message];
        Follow();
    }

    static constexpr uint32_t MESSAGES = 200; //!< in all

    /// Let one message lead to others.
    void Check(TypeId steering)
    {
        World world(LeafSpine(3, 2, 2), steering);
        m_service = world.service;
        m_received.clear();
        m_completed.clear();
        m_uniform = Uniform(77);
        const auto follow = CallbackOf([this](uint32_t, const FlowRecord&) { Follow(); });
        uint32_t seen = 0; // by one that comes after who adds messages
        const auto look = CallbackOf(
            [&seen](uint32_t, const FlowRecord& record) { seen += record.flow.bytes > 0; });
        for (const std::string source : {"Received", "Completed"})
        {
            m_service->TraceConnectWithoutContext(source, follow);
            m_service->TraceConnectWithoutContext(source, look);
        }
        m_service->Expect(MESSAGES);
        Follow();
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(m_received.size(), MESSAGES, "all have come");
        NS_TEST_EXPECT_MSG_EQ(m_completed.size(), MESSAGES, "all are acknowledged");
        NS_TEST_EXPECT_MSG_EQ(seen, 2 * MESSAGES, "records are whole");
        NS_TEST_EXPECT_MSG_EQ(world.allCompleted, 1, "once");
        for (uint32_t message = 0; message < MESSAGES; ++message)
        {
            NS_TEST_EXPECT_MSG_EQ(m_received[message], 1, "once");
            NS_TEST_EXPECT_MSG_EQ(m_completed[message], 1, "once");
        }
        m_service = nullptr;
    }

    /// Start one more message, unless there are enough.
    void Follow()
    {
        if (m_service->GetRecords().size() < MESSAGES)
        {
            const uint32_t source = m_uniform(6);
            const uint32_t destination = (source + 1 + m_uniform(5)) % 6;
            m_service->Start(
                m_service->Add(MakeFlow(source, destination, 1 + m_uniform(20000)), this));
        }
    }

    Ptr<MessageService> m_service;            //!< carries messages
    UniformInteger m_uniform;                 //!< randomness
    std::map<uint32_t, uint32_t> m_received;  //!< how often, by message
    std::map<uint32_t, uint32_t> m_completed; //!< how often, by message
};

FABRIC_TEST_F(MessageServiceTestCase, g_messageSteering, "Messages that follow messages")
{
    for (const TypeId& steering : AllSteerings())
    {
        for (const bool renews : {false, true})
        {
            Default("MessageSteering::Renew", renews);
            Check(steering);
            Config::Reset();
        }
    }
}

/// An empty message needs no packet: a link's delay brings it, and another one its acknowledgement.
/// One that is aborted does not come.
FABRIC_TEST_F(MessageServiceTestCase, g_messageSteering, "Message service: empty")
{
    for (const TypeId& steering : AllSteerings())
    {
        World world(LeafSpine(2, 3, 2), steering);
        world.Run({MakeFlow(0, 2, 0), MakeFlow(0, 1, 0)});
        NS_TEST_EXPECT_MSG_EQ(world.service->GetCompleted(), 2, steering.GetName());
        NS_TEST_EXPECT_MSG_EQ(world.received[0], 2, "they come");
        for (const FlowRecord& record : world.service->GetRecords())
        {
            const Time delay = world.fabric->GetChannel(0)->GetDelay();
            NS_TEST_EXPECT_MSG_EQ(record.receivedAt, delay, "after a link's delay");
            NS_TEST_EXPECT_MSG_EQ(record.completedAt, delay + delay, "and back");
        }
    }
    World world(LeafSpine(2, 3, 2), AllSteerings().front());
    world.service->Expect(1);
    world.service->Start(world.service->Add(MakeFlow(0, 2, 0)));
    world.service->Abort();
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(world.service->GetCompleted(), 0, "it is forgotten");
}

/// Who sends messages may go while the simulation goes on: what was posted is sent and
/// acknowledged, and sent again where frames are lost, and nobody is told.
struct SteeringDisposeTestCase : FabricTestCase
{
    /// Let it go.  @param ns when, in nanoseconds
    void Check(TypeId steering, int64_t ns)
    {
        World world(LeafSpine(2, 4, 3), steering);
        for (uint32_t link = 0; link < world.fabric->GetChannelCount(); ++link)
        {
            world.fabric->GetChannel(link)->SetLossProbability(0.05);
        }
        std::vector<Flow> flows = AllToAll(6, 50000);
        flows.push_back(MakeFlow(0, 4, 1, 2 * ns * NANOSECOND)); // never starts
        world.Send(flows);
        Simulator::Stop(NanoSeconds(ns));
        Simulator::Run();
        std::map<uint32_t, uint64_t> posted;
        world.ForEachQueuePair([&posted](const RoceNetDevice& nic, QueuePair& queuePair) {
            posted[nic.GetHost()] += queuePair.GetPosted();
        });
        const uint32_t completed = world.completed;
        world.driver->Dispose();
        world.service->Dispose();
        world.driver = CreateObject<FlowDriver>();
        world.service = CreateObject<MessageService>();
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(world.completed, completed, "nobody is told");
        for (uint32_t host = 0; host < 6; ++host)
        {
            const Ptr<RoceNetDevice> nic = world.fabric->GetNic(host);
            uint64_t after = 0;
            for (std::size_t i = 0; i < nic->GetEndpointCount(); ++i)
            {
                after += nic->GetQueuePair(i)->GetPosted();
                NS_TEST_EXPECT_MSG_EQ(nic->GetQueuePair(i)->GetPendingMessages(),
                                      0,
                                      steering.GetName() << ": what was posted is sent");
            }
            NS_TEST_EXPECT_MSG_EQ(after, posted[host], steering.GetName() << ": no more");
        }
    }
};

FABRIC_TEST_F(SteeringDisposeTestCase,
              g_messageSteering,
              "A service that is disposed of while messages are on their way")
{
    Default("RcQueuePair::AckTimeout", MicroSeconds(20));
    Default("RcQueuePair::RetryLimit", 100);
    for (const TypeId& steering : AllSteerings())
    {
        // before a batch closes, while starts are delayed, and while packets are lost
        for (const int64_t ns : {50, 110, 130, 2000, 30000})
        {
            Check(steering, ns);
        }
    }
}
