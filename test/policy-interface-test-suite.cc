/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/congestion-control.h"
#include "ns3/trimming-buffer.h"

/// What balancers and congestion controls are asked and told.
static Suite g_policyInterface("ai-fabric-policy-interface", TestSuite::Type::SYSTEM);

namespace
{

/// A balancer that takes planes in turn, each only when its port is free, and notes what it is
/// told.
struct NotingBalancer : HostBalancer
{
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TestTypeId<NotingBalancer, HostBalancer>("NotingBalancer");
        return tid;
    }

    void Start(const FabricFacts& facts, int64_t stream) override
    {
        HostBalancer::Start(facts, stream);
        started = facts;
    }

    std::optional<PathChoice> Choose(const PathRequest& request) override
    {
        requests.push_back(request);
        if (!(request.freePorts >> m_plane & 1))
        {
            ++refusals;
            return std::nullopt;
        }
        const uint16_t plane = m_plane;
        m_plane = (m_plane + 1) % request.planes;
        entropies.push_back(PathChoice::FIRST_PORT + entropies.size());
        return PathChoice{entropies.back(), plane};
    }

    void Feedback(uint32_t entropy, PathEvent event, int64_t delay, int64_t) override
    {
        heard[event].push_back(entropy);
        delays.push_back(delay);
    }

    void PortsChanged(uint32_t local, uint32_t peer) override
    {
        ports.push_back(local);
        peerPorts.push_back(peer);
    }

    FabricFacts started;                              //!< what it was told at first
    std::vector<PathRequest> requests;                //!< what it was asked
    uint32_t refusals{0};                             //!< how often it gave no path
    std::vector<uint32_t> entropies;                  //!< what it chose
    std::map<PathEvent, std::vector<uint32_t>> heard; //!< entropies, by what became of the packets
    std::vector<int64_t> delays;                      //!< of the feedback
    std::vector<uint32_t> ports;                      //!< states of the ports
    std::vector<uint32_t> peerPorts;                  //!< states of the other end's ports

    uint16_t m_plane{0}; //!< whose turn it is
};

NS_OBJECT_ENSURE_REGISTERED(NotingBalancer);

/// A control whose window opens by itself, a packet each microsecond, and which notes what it
/// hears.
struct OpeningControl : CongestionControl
{
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid = TestTypeId<OpeningControl, CongestionControl>("OpeningControl");
        return tid;
    }

    void Start(const FabricFacts& facts) override
    {
        started = facts;
        m_window = facts.mtu;
        Simulator::Schedule(MicroSeconds(1), &OpeningControl::Open, this);
    }

    uint64_t GetWindow() const override
    {
        return m_window;
    }

    DataRate GetRate() const override
    {
        return started.portRate;
    }

    bool WantsSent() const override
    {
        return true;
    }

    bool PacketSent(uint32_t bytes, int64_t) override
    {
        sent += bytes;
        return false;
    }

    bool Acknowledged(uint32_t bytes, const AckReport&, int64_t) override
    {
        acknowledged += bytes;
        return false;
    }

    void Lost(const LossSample& loss, int64_t) override
    {
        lost[loss.reason] += loss.bytes;
    }

    void CnpReceived(int64_t) override
    {
        ++notifications;
    }

    bool ChangesByItself() const override
    {
        return true;
    }

    FabricFacts started;                 //!< what it was told at first
    uint64_t sent{0};                    //!< payload sent
    uint64_t acknowledged{0};            //!< payload acknowledged
    uint32_t notifications{0};           //!< CNPs
    std::map<LossReason, uint64_t> lost; //!< payload lost

    static constexpr uint64_t MOST = 40960; //!< of the window

    /// Open the window by a packet.
    void Open()
    {
        m_window += started.mtu;
        NotifyChange();
        if (m_window < MOST)
        {
            Simulator::Schedule(MicroSeconds(1), &OpeningControl::Open, this);
        }
    }

    uint64_t m_window{0}; //!< in bytes
};

NS_OBJECT_ENSURE_REGISTERED(OpeningControl);

/// Two connected queue pairs of hosts 0 and 2.
struct Pair
{
    Ptr<Fabric> fabric;  //!< two leaves, two spines, two hosts a leaf
    Ptr<QueuePair> near; //!< at host 0
    Ptr<QueuePair> far;  //!< at host 2
};

/// @return two queue pairs
Pair
Connect(uint32_t planes, const std::string& control, const std::string& recovery)
{
    ClosHelper clos = ClosOf({{"BalancerType", NotingBalancer::GetTypeId()},
                              {"ControlType", "ns3::aifabric::" + control},
                              {"RecoveryType", "ns3::aifabric::" + recovery}},
                             {{"DataRate", "400Gb/s"}});
    Pair pair;
    pair.fabric = clos.Install(LeafSpine(2, 2, 2, planes));
    pair.fabric->AssignStreams(1);
    std::tie(pair.near, pair.far) =
        RoceHelper().Connect(pair.fabric->GetNic(0), pair.fabric->GetNic(2));
    return pair;
}

} // namespace

/// A balancer is asked once a packet, with what the packet is; where it gives no path the queue
/// pair waits for a port. What became of packets is told with their entropies.
struct PathChoiceTestCase : FabricTestCase
{
    static constexpr uint32_t PACKETS = 100; //!< of the message

    void Check(uint32_t planes)
    {
        m_planes = planes;
        const Pair pair = Connect(m_planes, "FixedControl", "OracleRecovery");
        const auto balancer = DynamicCast<NotingBalancer>(pair.near->GetBalancer());
        const uint32_t bytes = PACKETS * 4096 - 1000;
        pair.near->PostWrite(
            bytes,
            FunctionCallback<void, Ptr<QueuePair>, uint64_t>(
                [this](const Ptr<QueuePair>&, uint64_t) { m_completedAt = Simulator::Now(); }));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(pair.near->GetPendingMessages(), 0, "the message has come");
        NS_TEST_EXPECT_MSG_EQ(balancer->entropies.size(), PACKETS, "one path a packet");
        NS_TEST_EXPECT_MSG_EQ((balancer->heard[PathEvent::GOOD].size()), PACKETS, "all are good");
        NS_TEST_EXPECT_MSG_EQ(balancer->heard.size(), 1, "nothing else was heard");
        NS_TEST_EXPECT_MSG_EQ((balancer->refusals > 0), (m_planes > 1), "it waits for ports");
        NS_TEST_EXPECT_MSG_GT(*std::min_element(balancer->delays.begin(), balancer->delays.end()),
                              0,
                              "with round-trip times");
        uint64_t asked = 0;
        uint64_t number = 0;
        for (const PathRequest& request : balancer->requests)
        {
            NS_TEST_EXPECT_MSG_EQ(request.planes, m_planes, "the planes");
            NS_TEST_EXPECT_MSG_EQ(+request.trafficClass, 3, "DSCP 26");
            NS_TEST_EXPECT_MSG_GT_OR_EQ(request.number, number, "in order");
            asked += number == request.number && number > 0 ? 0 : request.bytes;
            number = request.number;
        }
        NS_TEST_EXPECT_MSG_GT_OR_EQ(asked, bytes, "and their payload");
        CheckTime(pair);
    }

    /// Planes are used at the same time.
    void CheckTime(const Pair& pair)
    {
        const double line = 8.0 * PACKETS * 4096 / 400e9 / m_planes;
        NS_TEST_EXPECT_MSG_LT(m_completedAt.GetSeconds(), 1.1 * line + 10e-6, "at line rate");
        for (uint32_t plane = 0; plane < m_planes; ++plane)
        {
            const auto& transmitter = pair.fabric->GetNic(0)->GetPort(plane)->GetTransmitter();
            NS_TEST_EXPECT_MSG_EQ_TOL(transmitter.GetCounters().sentFrames,
                                      PACKETS / m_planes,
                                      1,
                                      "planes in turn");
        }
    }

    uint32_t m_planes;  //!< of the fabric
    Time m_completedAt; //!< when the message was acknowledged
};

/// Of many queue pairs that wait for ports, none is asked again before a port is free.
FABRIC_TEST(g_policyInterface, "Queue pairs that wait for ports")
{
    constexpr uint32_t PAIRS = 20;
    constexpr uint32_t PACKETS = 10; // of each
    const Pair first = Connect(2, "FixedControl", "OracleRecovery");
    std::vector<Ptr<QueuePair>> senders{first.near};
    for (uint32_t pair = 1; pair < PAIRS; ++pair)
    {
        senders.push_back(
            RoceHelper().Connect(first.fabric->GetNic(0), first.fabric->GetNic(2)).first);
    }
    for (const Ptr<QueuePair>& sender : senders)
    {
        sender->PostWrite(PACKETS * 4096);
    }
    Simulator::Run();
    for (const Ptr<QueuePair>& sender : senders)
    {
        NS_TEST_EXPECT_MSG_EQ(sender->GetPendingMessages(), 0, "all have come");
        const auto balancer = DynamicCast<NotingBalancer>(sender->GetBalancer());
        const auto inVain =
            std::count_if(balancer->requests.begin(),
                          balancer->requests.end(),
                          [](const PathRequest& request) { return request.freePorts == 0; });
        NS_TEST_EXPECT_MSG_LT_OR_EQ(inVain, PACKETS, "once a packet, when it gets in line");
    }
}

/// A balancer hears of ports that fail, and of a timeout with the entropy of the oldest packet.
FABRIC_TEST(g_policyInterface, "Ports that fail, and timeouts")
{
    const Pair pair = Connect(2, "FixedControl", "SackRecovery");
    const auto balancer = DynamicCast<NotingBalancer>(pair.near->GetBalancer());
    const FabricGraph& graph = pair.fabric->GetGraph();
    const uint32_t link = graph.LinkAt({true, 0, 1});
    const Ptr<FabricChannel> channel = pair.fabric->GetChannel(link);
    pair.near->PostWrite(4 * 4096);
    Simulator::Schedule(NanoSeconds(10), &FabricChannel::SetUp, channel, false);
    Simulator::Schedule(MilliSeconds(2), &FabricChannel::SetUp, channel, true);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((balancer->ports == std::vector<uint32_t>{1, 3}), true, "its ports");
    NS_TEST_EXPECT_MSG_EQ(pair.near->GetPendingMessages(), 0, "the message has come at last");
    const std::vector<uint32_t>& timedOut = balancer->heard[PathEvent::TIMED_OUT];
    NS_TEST_ASSERT_MSG_EQ(timedOut.empty(), false, "a timeout");
    NS_TEST_EXPECT_MSG_EQ(timedOut[0], balancer->entropies[1], "of the first that is missing");
}

/// A balancer hears of ports of the other end that have no link, when hosts know of it
/// (RoceNetDevice::GetPaths), and not before; of none if no plane would be left.
FABRIC_TEST(g_policyInterface, "Ports of the other end that fail")
{
    const Pair pair = Connect(2, "FixedControl", "SackRecovery");
    const auto balancer = DynamicCast<NotingBalancer>(pair.near->GetBalancer());
    const FabricGraph& graph = pair.fabric->GetGraph();
    const auto post = [&]() { pair.near->PostWrite(4096); };
    const auto learn = [&](uint32_t host, uint16_t plane, bool alive) {
        pair.fabric->GetPaths()->SetLinkAlive(graph.LinkAt({true, host, plane}), alive);
        pair.near->PostWrite(4096);
    };
    ScheduleFunction(MicroSeconds(10), post);
    ScheduleFunction(MicroSeconds(20), [&]() { learn(2, 1, false); });
    ScheduleFunction(MicroSeconds(30), post);
    ScheduleFunction(MicroSeconds(40), [&]() { learn(2, 0, false); });
    ScheduleFunction(MicroSeconds(50), [&]() { learn(2, 0, true); });
    ScheduleFunction(MicroSeconds(60), [&]() { learn(2, 1, true); });
    ScheduleFunction(MicroSeconds(70), [&]() { learn(3, 1, false); });
    Simulator::Run();
    const uint32_t one = ~uint32_t{2};
    const std::vector<uint32_t> peer{one, UINT32_MAX, one, UINT32_MAX, UINT32_MAX};
    NS_TEST_EXPECT_MSG_EQ((balancer->peerPorts == peer), true, "ports of the other end");
    NS_TEST_EXPECT_MSG_EQ((balancer->ports == std::vector<uint32_t>(5, 3)), true, "its own");
    NS_TEST_EXPECT_MSG_EQ(pair.near->GetPendingMessages(), 0, "all has come");
}

/// A control is told of each byte sent, acknowledged and lost; when it changes by itself, the queue
/// pair goes on.
struct ControlInterfaceTestCase : FabricTestCase
{
    static constexpr uint64_t BYTES = 30 * 4096 + 5; //!< of the message
};

/// Before the first acknowledgement only the window's own changes let packets go.
FABRIC_TEST_F(ControlInterfaceTestCase, g_policyInterface, "Control interface: opening")
{
    const Pair pair = Connect(1, "OpeningControl", "OracleRecovery");
    for (uint32_t link = 0; link < pair.fabric->GetChannelCount(); ++link)
    {
        pair.fabric->GetChannel(link)->SetAttribute("Delay", TimeValue(MicroSeconds(20)));
    }
    pair.near->PostWrite(BYTES);
    Simulator::Stop(NanoSeconds(5500));
    Simulator::Run();
    const auto control = DynamicCast<OpeningControl>(pair.near->GetControl());
    NS_TEST_EXPECT_MSG_EQ(control->acknowledged, 0, "nothing has come back");
    NS_TEST_EXPECT_MSG_EQ(control->sent, 6 * 4096, "one packet at first, five more since");
    Simulator::Stop(MilliSeconds(10));
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(control->sent, BYTES, "each byte was sent");
    NS_TEST_EXPECT_MSG_EQ(control->acknowledged, BYTES, "and acknowledged");
    NS_TEST_EXPECT_MSG_EQ(control->lost.empty(), true, "none was lost");
}

/// Lost packets are sent again, and counted.
FABRIC_TEST_F(ControlInterfaceTestCase, g_policyInterface, "Control interface: loss")
{
    const Pair pair = Connect(1, "OpeningControl", "SackRecovery");
    pair.fabric->GetChannel(0)->SetLossProbability(0.1);
    pair.near->PostWrite(BYTES);
    Simulator::Run();
    const auto control = DynamicCast<OpeningControl>(pair.near->GetControl());
    const uint64_t again = pair.near->GetCounters().retransmissions;
    NS_TEST_EXPECT_MSG_GT(again, 0, "some are lost");
    NS_TEST_EXPECT_MSG_EQ(control->acknowledged, BYTES, "all is acknowledged");
    NS_TEST_EXPECT_MSG_GT(control->sent, BYTES, "what is sent again is told, too");
    NS_TEST_EXPECT_MSG_LT_OR_EQ(control->sent, BYTES + again * 4096, "once each");
    uint64_t lost = 0;
    for (const auto& [reason, bytes] : control->lost)
    {
        lost += bytes;
        NS_TEST_EXPECT_MSG_EQ(bytes % 4096, 0, "full packets");
    }
    NS_TEST_EXPECT_MSG_GT(lost, 0, "losses are told");
}

/// A congestion notification packet reaches the control of its queue pair.
FABRIC_TEST(g_policyInterface, "Control interface: notification")
{
    const Pair pair = Connect(1, "OpeningControl", "OracleRecovery");
    Ptr<FabricFrame> frame = pair.fabric->GetPool()->Create();
    frame->opcode = ROCE_CNP;
    frame->source = 2;
    frame->destination = 0;
    frame->destinationQp = pair.near->GetNumber();
    frame->wireBytes = FrameCodec::RoceWireBytes(ROCE_CNP, 0, false);
    pair.near->Receive(frame, Outbox(*pair.fabric->GetNic(0), 0, FabricClock::Now()));
    const auto control = DynamicCast<OpeningControl>(pair.near->GetControl());
    NS_TEST_EXPECT_MSG_EQ(control->notifications, 1, "heard");
}

/// Policies are told what they stand on.
struct FabricFactsTestCase : FabricTestCase
{
    /// @param fabric two planes of two leaves
    void Check(const FabricFacts& facts, const Fabric& fabric)
    {
        NS_TEST_EXPECT_MSG_EQ(facts.portRate, DataRate("400Gb/s"), "of a port");
        NS_TEST_EXPECT_MSG_EQ(facts.planes, 2, "planes");
        NS_TEST_EXPECT_MSG_EQ(facts.mtu, 4096, "payload of a packet");
        NS_TEST_EXPECT_MSG_EQ(facts.baseRtt, fabric.GetRoundTripTime(4096), "nothing waits");
        NS_TEST_EXPECT_MSG_EQ((facts.uplinks == std::array<uint32_t, 2>{2, 0}), true, "tiers");
        const double bdp = 50e9 * facts.baseRtt.GetSeconds();
        NS_TEST_EXPECT_MSG_EQ_TOL(1.0 * facts.GetPortBdp(), bdp, 1.0, "BDP of a port");
        NS_TEST_EXPECT_MSG_EQ(facts.GetBdp(), 2 * facts.GetPortBdp(), "BDP of all");
    }
};

FABRIC_TEST_F(FabricFactsTestCase, g_policyInterface, "Facts of the fabric")
{
    const Pair pair = Connect(2, "OpeningControl", "OracleRecovery");
    const FabricFacts& facts = DynamicCast<NotingBalancer>(pair.near->GetBalancer())->started;
    Check(facts, *pair.fabric);
    Check(DynamicCast<OpeningControl>(pair.near->GetControl())->started, *pair.fabric);
    NS_TEST_EXPECT_MSG_EQ(facts.trims, false, "switches drop");
    Simulator::Destroy();
    ClosHelper clos;
    clos.SetAdmission(FactoryOf("TrimmingBuffer"));
    const Ptr<Fabric> tree = clos.Install(FatTree(4));
    const FabricFacts treeFacts = tree->GetNic(0)->GetFacts(1000);
    NS_TEST_EXPECT_MSG_EQ((treeFacts.uplinks == std::array<uint32_t, 2>{2, 2}), true, "tiers");
    NS_TEST_EXPECT_MSG_EQ(treeFacts.trims, true, "switches trim");
    NS_TEST_EXPECT_MSG_EQ(treeFacts.mtu, 1000, "as asked");
}

FABRIC_ROWS(g_policyInterface)
{
    for (const uint32_t planes : {1, 2, 4})
    {
        rows.AddRow<PathChoiceTestCase>("A path a packet, planes: " + std::to_string(planes),
                                        planes);
    }
}
