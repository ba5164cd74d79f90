/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/failure-draw.h"
#include "ns3/loss-oracle.h"
#include "ns3/oracle-recovery.h"
#include "ns3/route-convergence.h"
#include "ns3/way-counter.h"

/// Failures, what switches learn of them, and what comes of it.
static Suite g_routeConvergence("ai-fabric-route-convergence", TestSuite::Type::SYSTEM);

namespace
{

constexpr uint16_t FRAME_BYTES = 1000; //!< bytes of a frame of a small test

/// @return a fabric  @param balancer of its switches or hosts
Ptr<Fabric>
Build(const FabricGraph& graph, const std::string& balancer)
{
    ClosHelper helper;
    helper.SetBalancerType(TypeId::LookupByName("ns3::aifabric::" + balancer));
    helper.SetSwitchAttribute("DetectionDelay", TimeValue(Time::Max()));
    helper.SetNicAttribute("RecoveryType", TypeIdValue(OracleRecovery::GetTypeId()));
    return InstallFabric(helper, graph);
}

/// @return id of a link
uint32_t
LinkNamed(const FabricGraph& graph, const std::string& name)
{
    return FailureHelper::FindLinks(graph, name).at(0);
}

/// Send frames that nobody answers, far enough apart that none is dropped.
void
SendFrames(const Fabric& fabric, uint32_t source, uint32_t destination, uint32_t count)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        ScheduleFunction(NanoSeconds(20 * i), [&fabric, source, destination]() {
            SendFrame(fabric, MakeFrame(fabric, source, destination, LOSSLESS_CLASS, FRAME_BYTES));
        });
    }
}

/// @return frames sent by each uplink of a switch
std::vector<uint64_t>
CountUplinks(const Fabric& fabric, uint32_t id)
{
    fabric.CatchUp();
    const PortGroup& up = fabric.GetGraph().Switches()[id].forwarding.up;
    std::vector<uint64_t> counts;
    for (uint32_t port = up.first; port < uint32_t{up.first} + up.count; ++port)
    {
        counts.push_back(
            fabric.GetSwitch(id)->GetPort(port)->GetTransmitter().GetCounters().sentFrames);
    }
    return counts;
}

/// @return frames that no link delivered and no switch forwarded
uint64_t
CountLost(const Fabric& fabric)
{
    uint64_t lost = 0;
    ForEachPort(fabric, [&lost](FabricPort& port) {
        lost += port.GetTransmitter().GetCounters().lostFrames;
    });
    for (uint32_t id = 0; id < fabric.GetSwitchCount(); ++id)
    {
        lost += fabric.GetSwitch(id)->GetDropped(FabricSwitch::NO_ROUTE);
    }
    return lost;
}

/// Notes the group of uplinks that it is asked to choose from.
struct GroupWitness : SwitchBalancer
{
    uint32_t Choose(const FabricFrame&, const EgressGroup& group, int64_t) override
    {
        ports = group.ports;
        return 0;
    }

    std::vector<uint16_t> ports; //!< the group
};

} // namespace

/// Frames to a waypoint are split by the weights that were set for it, and all others by default.
/// Over one schedule of a rotation each uplink has exactly its weight.
struct SwitchWeightsTestCase : FabricTestCase
{
    /// @return four spines; waypoint 1 has weights, 3 is cut off, 2 and 4 are as ever
    Ptr<Fabric> Prepare(const std::string& balancer)
    {
        Ptr<Fabric> fabric = Build(LeafSpine(5, 4, 2), balancer);
        FabricSwitch& leaf = *fabric->GetSwitch(0);
        leaf.SetWeights(1, {2, 4, 6, 2});
        leaf.SetWeights(2, {1, 0, 0, 0});
        leaf.SetWeights(2, {});
        leaf.SetWeights(3, {0, 0, 0, 0});
        NS_TEST_EXPECT_MSG_EQ(leaf.GetWeights(1).size(), 4, "those that were set");
        NS_TEST_EXPECT_MSG_EQ(leaf.GetWeights(2).size(), 0, "the default again");
        return fabric;
    }

    /// Send to a host and compare.
    void CheckSplit(const std::string& balancer,
                    uint32_t host,
                    uint32_t frames,
                    const std::vector<uint64_t>& expected,
                    double tolerance)
    {
        Ptr<Fabric> fabric = Prepare(balancer);
        SendFrames(*fabric, 0, host, frames);
        Simulator::Run();
        const std::vector<uint64_t> counts = CountUplinks(*fabric, 0);
        for (std::size_t i = 0; i < counts.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(counts[i]),
                                      static_cast<double>(expected[i]),
                                      tolerance,
                                      balancer << ", host " << host << ", uplink " << i);
        }
        NS_TEST_EXPECT_MSG_EQ(fabric->GetSwitch(0)->GetDropped(FabricSwitch::NO_ROUTE),
                              frames - std::accumulate(counts.begin(), counts.end(), uint64_t{0}),
                              "no way is no route");
        Simulator::Destroy();
    }
};

FABRIC_TEST_F(SwitchWeightsTestCase, g_routeConvergence, "Weights of uplinks, by waypoint")
{
    using Counts = std::vector<uint64_t>;
    CheckSplit("SimpleRrBalancer", 2, 140, {{20, 40, 60, 20}}, 0);
    CheckSplit("SimpleRrBalancer", 4, 140, {{35, 35, 35, 35}}, 0);
    CheckSplit("SimpleRrBalancer", 6, 140, Counts{0, 0, 0, 0}, 0);
    CheckSplit("SimpleRrBalancer", 8, 140, {{35, 35, 35, 35}}, 0);
    CheckSplit("RsqBalancer", 2, 7000, {{1000, 2000, 3000, 1000}}, 190);
    CheckSplit("RrBalancer", 2, 7 * 5 * 8, {{40, 80, 120, 40}}, 0);
}

/// A port that dies takes its weight with it, and brings it back.
FABRIC_TEST_F(SwitchWeightsTestCase, g_routeConvergence, "Switch weights: dead port")
{
    Ptr<Fabric> fabric = Prepare("SimpleRrBalancer");
    fabric->GetSwitch(0)->SetPortAlive(2 + 2, false);
    SendFrames(*fabric, 0, 2, 4 * 10);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((CountUplinks(*fabric, 0) == std::vector<uint64_t>{10, 20, 0, 10}),
                          true,
                          "the weights of the others");
    fabric->GetSwitch(0)->SetPortAlive(2 + 2, true);
    SendFrames(*fabric, 0, 2, 7 * 10);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ((CountUplinks(*fabric, 0) == std::vector<uint64_t>{20, 40, 30, 20}),
                          true,
                          "all weights");
}

/// Each switch serves its uplinks in an order of its own if they have weights.
FABRIC_TEST(g_routeConvergence, "Switch weights: orders")
{
    constexpr uint32_t LEAVES = 20;
    Ptr<Fabric> fabric = Build(LeafSpine(LEAVES + 2, 4, 1), "RsqBalancer");
    std::set<std::vector<uint16_t>> orders;
    for (uint32_t leaf = 0; leaf < LEAVES; ++leaf)
    {
        Ptr<GroupWitness> witness = CreateObject<GroupWitness>();
        fabric->GetSwitch(leaf)->SetBalancer(witness);
        fabric->GetSwitch(leaf)->SetWeights(LEAVES, {2, 1, 3, 1});
        SendFrames(*fabric, leaf, LEAVES + 1, 1);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ((witness->ports == std::vector<uint16_t>{1, 2, 3, 4}),
                              true,
                              "without weights, in the order of ports");
        SendFrames(*fabric, leaf, LEAVES, 1);
        Simulator::Run();
        orders.insert(witness->ports);
        std::sort(witness->ports.begin(), witness->ports.end());
        NS_TEST_EXPECT_MSG_EQ((witness->ports == std::vector<uint16_t>{1, 1, 2, 3, 3, 3, 4}),
                              true,
                              "each as often as its weight");
    }
    NS_TEST_EXPECT_MSG_GT(orders.size(), 8, "of the 24 that there are");
}

/// Switches learn of a cut and of a repair after the delay, and not of what happened since; how
/// many have to change is what the topology says.
struct ConvergenceTimeTestCase : FabricTestCase
{
    void Cut(const Fabric& fabric, int64_t start, int64_t stop, const std::string& where)
    {
        Fail(fabric,
             where,
             {{"Down", true}, {"Start", MicroSeconds(start)}, {"Stop", MicroSeconds(stop)}});
    }

    void Watch(RouteConvergence& convergence)
    {
        m_known.clear();
        m_updates.clear();
        Trace(convergence, "LinkKnown", [this](uint32_t link, bool alive) {
            m_known.push_back({Simulator::Now().GetPicoSeconds() / 1000, {link, alive}});
        });
        Trace(convergence, "Converged", [this](uint32_t, uint32_t switches) {
            m_updates.push_back(switches);
        });
    }

    /// Cut an edge's link and a core's link of a fat-tree, one after the other.
    void CheckFatTree(Time delay)
    {
        const FabricGraph graph = FatTree(8);
        Ptr<Fabric> fabric = Build(graph, "RsqBalancer");
        Ptr<RouteConvergence> convergence = FailureHelper::InstallConvergence(*fabric, delay);
        Watch(*convergence);
        const std::string edgeLink = "pod0-edge-0:4--pod0-agg-0:0";
        const std::string coreLink = "pod2-agg-1:7--core-7:2";
        Cut(*fabric, 100, 200, edgeLink);
        Cut(*fabric, 300, 400, coreLink);
        using Weights = std::vector<uint32_t>;
        auto expect =
            [&fabric](int64_t us, Time later, uint32_t id, uint32_t way, Weights weights) {
                ScheduleFunction(MicroSeconds(us) + later, [=]() {
                    NS_ABORT_MSG_IF(fabric->GetSwitch(id)->GetWeights(way) != weights,
                                    "weights of switch " << id << " at " << Simulator::Now());
                });
            };
        const Time before = delay - NanoSeconds(1);
        const Time after = delay + NanoSeconds(1);
        constexpr uint32_t REMOTE = 7 * 8; // edge 0 of pod 7
        const uint32_t agg = 4 + 1;        // aggregation 1 of pod 0
        expect(100, before, REMOTE, 0, {});
        expect(100, after, REMOTE, 0, {0, 1, 1, 1});
        expect(100, after, REMOTE, 1, {});
        expect(200, before, REMOTE, 0, {0, 1, 1, 1});
        expect(200, after, REMOTE, 0, {});
        expect(300, after, REMOTE, 8, {4, 3, 4, 4});
        expect(300, after, agg, 2, {1, 1, 1, 0});
        expect(400, after, REMOTE, 8, {});
        expect(400, after, agg, 2, {});
        Simulator::Run();
        const int64_t late = delay.GetNanoSeconds();
        const uint32_t edge = LinkNamed(graph, edgeLink);
        const uint32_t core = LinkNamed(graph, coreLink);
        const Known expected = {{100000 + late, {edge, false}},
                                {200000 + late, {edge, true}},
                                {300000 + late, {core, false}},
                                {400000 + late, {core, true}}};
        NS_TEST_EXPECT_MSG_EQ((m_known == expected), true, "known after the delay");
        NS_TEST_EXPECT_MSG_EQ((m_updates == std::vector<uint32_t>{33, 33, 41, 41}),
                              true,
                              "32 edges and an aggregation; and 8 aggregations and a core");
        NS_TEST_EXPECT_MSG_EQ(convergence->GetConvergences(), 4, "each time");
        NS_TEST_EXPECT_MSG_EQ(convergence->GetUpdatedSwitches(), 148, "added up");
        Simulator::Destroy();
    }

    /// Times in ns, links, and whether they are alive.
    using Known = std::vector<std::pair<int64_t, std::pair<uint32_t, bool>>>;

    Known m_known;                   //!< what became known
    std::vector<uint32_t> m_updates; //!< switches that had to change, each time
};

FABRIC_TEST_F(ConvergenceTimeTestCase,
              g_routeConvergence,
              "Convergence comes after the delay, in all switches")
{
    CheckFatTree(MicroSeconds(10));
    CheckFatTree(Time(0));
}

/// Changes that follow each other faster than they are known.
FABRIC_TEST_F(ConvergenceTimeTestCase, g_routeConvergence, "Convergence time: flapping")
{
    const FabricGraph graph = LeafSpine(3, 3, 2);
    Ptr<Fabric> fabric = Build(graph, "RsqBalancer");
    Watch(*FailureHelper::InstallConvergence(*fabric, MicroSeconds(50)));
    Cut(*fabric, 100, 120, "leaf-0--spine-0");
    Cut(*fabric, 100, 130, "leaf-1--spine-1");
    auto frames = [&](int64_t us, uint32_t host, uint16_t port, bool goes) {
        ScheduleFunction(MicroSeconds(us), [=]() {
            const auto before = CountUplinks(*fabric, 0)[port];
            SendFrames(*fabric, 0, host, 100);
            ScheduleFunction(NanoSeconds(3900), [=]() {
                const bool went = CountUplinks(*fabric, 0)[port] > before;
                NS_ABORT_MSG_IF(went != goes,
                                "frames to host " << host << " at " << us << " us by spine " << port
                                                  << ": " << went);
            });
        });
    };
    frames(140, 2, 1, true);  // nobody knows yet
    frames(151, 2, 1, false); // leaf 1 is not reached over spine 1
    frames(155, 4, 1, true);  // but leaf 2 is
    frames(159, 4, 0, true);  // the link to spine 0 is up again, and its leaf can see that
    frames(163, 2, 0, false); // but routing believes that it is not
    frames(171, 2, 0, true);
    frames(175, 2, 1, false);
    frames(181, 2, 1, true);
    Simulator::Run();
    const Known expected = {{150000, {6, false}},
                            {150000, {10, false}},
                            {170000, {6, true}},
                            {180000, {10, true}}};
    NS_TEST_EXPECT_MSG_EQ((m_known == expected), true, "each change, a delay later");
    NS_TEST_EXPECT_MSG_EQ(m_updates.size(), 3, "what is known together is one change");
}

FABRIC_TEST_F(ConvergenceTimeTestCase, g_routeConvergence, "Nobody ever learns of anything")
{
    Ptr<Fabric> fabric = Build(LeafSpine(2, 2, 2), "SimpleRrBalancer");
    Ptr<RouteConvergence> convergence = FailureHelper::InstallConvergence(*fabric, Time::Max());
    Cut(*fabric, 0, 0, "leaf-0--spine-0");
    SendFrames(*fabric, 0, 2, 100);
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(CountUplinks(*fabric, 0)[0], 50, "half of all is sent there");
    NS_TEST_EXPECT_MSG_EQ(CountLost(*fabric), 50, "and lost");
    NS_TEST_EXPECT_MSG_EQ(convergence->GetConvergences(), 0, "for ever");
    NS_TEST_EXPECT_MSG_LT(Simulator::Now(), Seconds(1), "nothing is scheduled for it");
}

/// A link that is cut before anybody watches it is known a delay later.
FABRIC_TEST_F(ConvergenceTimeTestCase, g_routeConvergence, "Convergence time: dead before")
{
    Ptr<Fabric> fabric = Build(LeafSpine(2, 2, 2), "SimpleRrBalancer");
    Cut(*fabric, 0, 0, "leaf-0--spine-0");
    Ptr<RouteConvergence> convergence = FailureHelper::InstallConvergence(*fabric, MicroSeconds(1));
    SendFrames(*fabric, 0, 2, 250); // one in 20 ns, the last at 4.98 us
    SendFrames(*fabric, 2, 0, 250);
    Simulator::Run();
    const uint64_t lost = CountLost(*fabric);
    NS_TEST_EXPECT_MSG_GT(lost, 0, "at first");
    NS_TEST_EXPECT_MSG_LT(lost, 120, "and not for ever");
    NS_TEST_EXPECT_MSG_EQ(convergence->IsKnownAlive(4), false, "it is known");
    NS_TEST_EXPECT_MSG_EQ(convergence->IsKnownAlive(5), true, "the other is alive");
}

/// Once routing has converged nothing is lost any more: on random fabrics with random dead links, a
/// permutation completes without one loss, whatever the balancer.
struct ConvergedFabricTestCase : FabricTestCase
{
    /// @param balancer of the switches or hosts
    void Check(const std::string& balancer)
    {
        m_balancer = balancer;
        const std::vector<FabricGraph> graphs = {FatTree(4),
                                                 FatTree(8),
                                                 LeafSpine(4, 3, 4),
                                                 LeafSpine(3, 4, 3, 2),
                                                 MakeLeafSpine({4, 2, 4, 2, 1})};
        uint32_t failed = 0;
        for (int64_t sample = 0; sample < 15; ++sample)
        {
            failed += CheckSample(graphs[sample % graphs.size()], sample);
        }
        NS_TEST_EXPECT_MSG_GT(failed, 30, "there were dead links");
    }

    /// @return how many links were dead
    std::size_t CheckSample(const FabricGraph& graph, int64_t stream)
    {
        Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(stream);
        const auto links = DrawFailures(graph, 0.1, [random]() { return random->GetValue(0, 1); });
        NS_TEST_EXPECT_MSG_EQ(links.has_value(), true, "hosts can be connected");
        Ptr<Fabric> fabric = Build(graph, m_balancer);
        FailureHelper::InstallConvergence(*fabric, Time(0));
        FailureHelper helper;
        helper.SetAttribute("Down", BooleanValue(true));
        for (const uint32_t link : *links)
        {
            helper.Install(*fabric, link);
        }
        Ptr<FlowDriver> driver =
            StartFlows(*fabric, RandomPermutation(graph.HostCount(), 100000, Uniform(stream)));
        Simulator::Run();
        fabric->CatchUp();
        NS_TEST_EXPECT_MSG_EQ(driver->GetService()->GetCompleted(),
                              graph.HostCount(),
                              "all messages arrive");
        NS_TEST_EXPECT_MSG_EQ(CountLost(*fabric), 0, "no frame is lost");
        Simulator::Destroy();
        return links->size();
    }

    std::string m_balancer; //!< of the switches or hosts
};

/// After convergence the uplinks of a leaf carry what the weights say: on random fabrics with
/// random dead links, a rotation gives each exactly its weight in each round, and a random choice
/// gives it in expectation.
struct ConvergedSharesTestCase : FabricTestCase
{
    /// @param balancer of the switches or hosts  @param isExact whether it is a rotation
    void Check(const std::string& balancer, bool isExact, const std::vector<FabricGraph>& graphs)
    {
        m_balancer = balancer;
        m_isExact = isExact;
        for (int64_t sample = 0; sample < 30; ++sample)
        {
            CheckSample(graphs[sample % graphs.size()], sample);
        }
        NS_TEST_EXPECT_MSG_GT(m_uneven, 10, "there were unequal weights");
    }

    void CheckSample(const FabricGraph& graph, int64_t stream)
    {
        const UniformInteger uniform = Uniform(1000 + stream);
        const auto links =
            DrawFailures(graph, 0.1, [&uniform]() { return uniform(1 << 30) / (1.0 * (1 << 30)); });
        Ptr<Fabric> fabric = Build(graph, m_balancer);
        FailureHelper helper;
        helper.SetAttribute("Down", BooleanValue(true));
        std::vector<bool> alive(graph.Links().size(), true);
        for (const uint32_t link : *links)
        {
            helper.Install(*fabric, link);
            alive[link] = false;
        }
        FailureHelper::InstallConvergence(*fabric, Time(0));
        const uint32_t source = uniform(graph.HostCount());
        const uint32_t leaf = graph.LeafOf(source);
        uint32_t destination = uniform(graph.HostCount());
        while (graph.LeafOf(destination) == leaf)
        {
            destination = uniform(graph.HostCount());
        }
        // Counted here by themselves: the ways that begin with each uplink.
        WayCounter counter(graph, alive);
        counter.CountTo(graph.LeafOf(destination));
        const PortGroup& up = graph.Switches()[leaf].forwarding.up;
        std::vector<uint64_t> ways;
        for (uint32_t port = up.first; port < uint32_t{up.first} + up.count; ++port)
        {
            ways.push_back(counter.GetWaysBy(leaf, port));
        }
        const uint64_t all = std::accumulate(ways.begin(), ways.end(), uint64_t{0});
        const uint32_t frames = all * (m_isExact ? 5 : 2000 / all + 1);
        const Ptr<FlowDriver> driver =
            StartFlows(*fabric, {{0, source, destination, uint64_t{frames} * 4096}});
        Simulator::Run();
        const std::vector<uint64_t> counts = CountUplinks(*fabric, leaf);
        for (std::size_t i = 0; i < ways.size(); ++i)
        {
            const double expected = static_cast<double>(frames * ways[i]) / all;
            const double deviation = std::sqrt(expected * (all - ways[i]) / all);
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(counts[i]),
                                      expected,
                                      (m_isExact ? 0 : 5 * deviation),
                                      "uplink " << i << " of " << graph.SwitchName(leaf));
        }
        m_uneven += fabric->GetSwitch(leaf)->GetWeights(
                        fabric->GetSwitch(leaf)->GetSite().WaypointOf(destination)) !=
                    std::vector<uint32_t>{};
        NS_TEST_EXPECT_MSG_EQ(CountLost(*fabric), 0, "nothing is lost");
        Simulator::Destroy();
    }

    std::string m_balancer; //!< of the switches or hosts
    bool m_isExact;         //!< it is a rotation
    uint32_t m_uneven{0};   //!< samples with unequal weights
};

/// The known bad case (arXiv 2507.21372, appendix F): in an all-to-all at line rate every flow is
/// locked to one core by the rotation. When a core's link dies, a flow loses everything that it
/// sends from then on, until routing has converged. Random spraying loses a part of each flow.
struct RotationLockTestCase : FabricTestCase
{
    /// Send frames from all hosts to all others in turn, at line rate; nobody answers.
    /// @return flows that lose every frame that they send since the cut
    uint32_t CountVictims(const std::string& balancer, Time delay, const std::string& link)
    {
        constexpr uint32_t ROUNDS = 40;
        constexpr uint32_t CUT = 15; // in this round
        constexpr uint16_t BYTES = 4178;
        const FabricGraph graph = FatTree(4);
        const uint32_t hosts = graph.HostCount();
        const Time slot = PicoSeconds((BYTES + 20) * 10); // at 800 Gb/s, with the gap
        Ptr<Fabric> fabric = Build(graph, balancer);
        FailureHelper::InstallConvergence(*fabric, delay);
        Fail(*fabric,
             link,
             {{"Down", true}, {"Start", PicoSeconds(CUT * (hosts - 1) * slot.GetPicoSeconds())}});
        // Frames are known by the round in which they are sent.
        std::map<std::pair<uint32_t, uint32_t>, uint32_t> lost;
        auto lose = [&lost](Ptr<const FabricFrame> frame, Time) {
            lost[{frame->source, frame->destination}] += frame->psn > CUT;
        };
        ForEachPort(*fabric, [&lose](FabricPort& port) { Trace(port, "Loss", lose); });
        const UniformInteger uniform = Uniform(7);
        for (uint32_t host = 0; host < hosts; ++host)
        {
            const Time jitter = PicoSeconds(uniform(slot.GetPicoSeconds()));
            const uint32_t first = uniform(hosts - 1);
            for (uint32_t i = 0; i < ROUNDS * (hosts - 1); ++i)
            {
                const uint32_t to = (host + 1 + (first + i) % (hosts - 1)) % hosts;
                const uint32_t round = i / (hosts - 1);
                ScheduleFunction(jitter + PicoSeconds(i * slot.GetPicoSeconds()),
                                 [&fabric, host, to, round]() {
                                     auto frame =
                                         MakeFrame(*fabric, host, to, LOSSLESS_CLASS, BYTES);
                                     frame->psn = round;
                                     SendFrame(*fabric, frame);
                                 });
            }
        }
        Simulator::Run();
        Simulator::Destroy();
        return std::count_if(lost.begin(), lost.end(), [](const auto& entry) {
            return entry.second == ROUNDS - CUT - 1;
        });
    }
};

FABRIC_TEST_F(RotationLockTestCase,
              g_routeConvergence,
              "A rotation locks flows to a dead core link")
{
    const Time never = Time::Max();
    const std::string link = "pod0-agg-0:2--core-0:0";
    const uint32_t locked = CountVictims("SimpleRrBalancer", never, link);
    NS_TEST_EXPECT_MSG_GT(locked, 0, "flows lose everything");
    NS_TEST_EXPECT_MSG_EQ(CountVictims("RsqBalancer", never, link), 0, "each loses a part");
    NS_TEST_EXPECT_MSG_EQ(CountVictims("SimpleRrBalancer", Time(0), link), 0, "until it is known");
}

/// A queue pair whose only path is dead for good gives up in time, although an oracle tells it of
/// each loss long before its timer expires; and it survives a path that is dead for long.
struct GiveUpTestCase : FabricTestCase
{
    /// @param repair when the link is restored; 0: never
    void Check(Time repair, bool fails)
    {
        Default("RcQueuePair::AckTimeout", MicroSeconds(100));
        Default("RcQueuePair::RetryTime", Time(0));
        Ptr<Fabric> fabric = Build(LeafSpine(2, 1, 1), "RsqBalancer");
        Ptr<LossOracle> oracle = CreateObject<LossOracle>();
        const std::vector<Ptr<FabricSwitch>>& switches = fabric->GetSwitchList();
        const std::vector<Ptr<FabricChannel>>& channels = fabric->GetChannelList();
        oracle->Install({fabric->GetNic(0), fabric->GetNic(1)}, switches, channels);
        Fail(*fabric, "leaf-1--spine-0", {{"Down", true}, {"Stop", repair}});
        Ptr<FlowDriver> driver = StartFlows(*fabric, {{0, 0, 1, 40960}});
        Simulator::Stop(MilliSeconds(50));
        Simulator::Run();
        const Ptr<QueuePair> queuePair = fabric->GetNic(0)->GetQueuePair(0);
        NS_TEST_EXPECT_MSG_EQ(queuePair->HasFailed(), fails, "it has given up");
        NS_TEST_EXPECT_MSG_EQ(driver->GetService()->GetCompleted(),
                              (fails ? 0 : 1),
                              "or is through");
        NS_TEST_EXPECT_MSG_GT(queuePair->GetCounters().retransmissions, 10 * 100, "of many tries");
        NS_TEST_EXPECT_MSG_LT(queuePair->GetCounters().retransmissions, 10 * 150, "not of more");
        Simulator::Destroy();
    }
};

FABRIC_TEST_F(GiveUpTestCase, g_routeConvergence, "A queue pair on a dead path ends")
{
    Check(Time(0), true);
    Check(MicroSeconds(700), false); // of 800 us that it is patient
}

FABRIC_ROWS(g_routeConvergence)
{
    for (const std::string balancer : {"RsqBalancer",
                                       "EcmpBalancer",
                                       "SimpleRrBalancer",
                                       "RrBalancer",
                                       "OfanBalancer",
                                       "HostDrBalancer"})
    {
        rows.AddRow<ConvergedFabricTestCase>("Nothing is lost then: " + balancer, balancer);
    }
    const std::vector<FabricGraph> trees = {FatTree(6), FatTree(8)};
    std::vector<FabricGraph> graphs = trees;
    graphs.push_back(MakeLeafSpine({4, 3, 4, 2, 1}));
    for (const std::string balancer : {"SimpleRrBalancer", "RrBalancer", "OfanBalancer"})
    {
        rows.AddRow<ConvergedSharesTestCase>("Shares: " + balancer, balancer, true, graphs);
    }
    rows.AddRow<ConvergedSharesTestCase>("Shares: RsqBalancer", "RsqBalancer", false, graphs);
    // A label names no link of a bundle down, so in bundles paths are not ways.
    rows.AddRow<ConvergedSharesTestCase>("Shares: HostDrBalancer", "HostDrBalancer", true, trees);
}
