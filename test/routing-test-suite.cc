/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-test.h"

#include "ns3/dqplb-steering.h"
#include "ns3/e-ecmp-balancer.h"
#include "ns3/message-service.h"
#include "ns3/one-port-balancer.h"
#include "ns3/path-pinning-balancer.h"
#include "ns3/te-balancer.h"
#include "ns3/traffic-engineer.h"

static Suite g_routing("ai-fabric-routing");

namespace
{

constexpr uint32_t HOSTS_PER_LEAF = 16; //!< of the sites of tests

/// @return the uplinks of a leaf  @param without one that is dead, counted from 0; else count
EgressGroup
MakeUplinks(uint32_t count, uint32_t without)
{
    EgressGroup group;
    for (uint32_t uplink = 0; uplink < count; ++uplink)
    {
        if (uplink != without)
        {
            group.members.push_back(nullptr); // no balancer of these tests looks at queues
            group.ports.push_back(HOSTS_PER_LEAF + uplink);
        }
    }
    return group;
}

/// @return where leaf 0 stands
SwitchSite
MakeLeafSite(uint32_t uplinks)
{
    SwitchSite site;
    site.firstUp = HOSTS_PER_LEAF;
    site.upCount = uplinks;
    site.hostCount = HOSTS_PER_LEAF;
    site.waypointHosts = HOSTS_PER_LEAF;
    site.fabricHosts = 64 * HOSTS_PER_LEAF;
    return site;
}

/// @return a balancer that has begun  @tparam T its class  @param stream its random stream
/// @param site where it is
template <typename T>
Ptr<T>
Begin(int64_t stream, const SwitchSite& site)
{
    Ptr<T> balancer = CreateObject<T>();
    balancer->AssignStreams(stream);
    balancer->SetSite(site);
    balancer->Initialize();
    return balancer;
}

/// Makes frames.
struct Frames
{
    Ptr<FabricFrame> Make(uint32_t source, uint32_t destination, uint32_t queuePair, uint16_t port)
    {
        Ptr<FabricFrame> frame = m_pool->Create();
        frame->source = source;
        frame->destination = destination;
        frame->destinationQp = queuePair;
        FrameCodec::SetFlow(*frame, port);
        return frame;
    }

    Ptr<FabricFramePool> m_pool{Create<FabricFramePool>()}; //!< where they come from
};

/// The hashes of ECMP and E-ECMP: uniform, independent between switches, constant for a queue pair.
struct QueuePairHashTestCase : FabricTestCase
{
    /// The counts of the uplinks are those of independent draws.
    void CheckUniform(const std::string& hash, uint32_t uplinks)
    {
        const EgressGroup group = MakeUplinks(uplinks, uplinks);
        const Ptr<EEcmpBalancer> one = Begin<EEcmpBalancer>(1, MakeLeafSite(uplinks));
        const Ptr<EEcmpBalancer> other = Begin<EEcmpBalancer>(2, MakeLeafSite(uplinks));
        Frames frames;
        std::vector<double> counts(uplinks);
        double draws = 0;
        double equal = 0;
        for (uint32_t host = 0; host < 512; ++host)
        {
            for (uint32_t queuePair = 1; queuePair <= 32; ++queuePair)
            {
                const auto frame = frames.Make(host, (host + 16) % 1024, queuePair, 0xC000);
                const uint32_t uplink = one->Choose(*frame, group, 0);
                ++counts[uplink];
                ++draws;
                equal += uplink == other->Choose(*frame, group, 0);
            }
        }
        double chi = 0;
        for (const double count : counts)
        {
            const double expected = draws / uplinks;
            chi += (count - expected) * (count - expected) / expected;
        }
        // A chi-square of d degrees of freedom has mean d and variance 2 d.
        const double degrees = uplinks - 1;
        NS_TEST_EXPECT_MSG_LT(chi, degrees + 5 * std::sqrt(2 * degrees), hash << " " << uplinks);
        if (hash == "Mix") // a CRC is linear: salts permute its values
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(equal / draws, 1.0 / uplinks, 0.02, hash << " " << uplinks);
        }
    }
};

FABRIC_TEST_F(QueuePairHashTestCase,
              g_routing,
              "E-ECMP spreads queue pairs evenly, and ECMP does not tell them apart")
{
    for (const std::string hash : {"Mix", "Crc32"})
    {
        Default("EEcmpBalancer::Hash", hash);
        for (const uint32_t uplinks : {16U, 18U, 32U})
        {
            CheckUniform(hash, uplinks);
        }
    }
}

/// A queue pair keeps its uplink; queue pairs with one source port have one with ECMP only.
FABRIC_TEST(g_routing, "Queue pair hash: flows")
{
    const EgressGroup group = MakeUplinks(16, 16);
    const Ptr<EEcmpBalancer> enhanced = Begin<EEcmpBalancer>(1, MakeLeafSite(16));
    const Ptr<EcmpBalancer> plain = Begin<EcmpBalancer>(1, MakeLeafSite(16));
    Frames frames;
    std::set<uint32_t> ofEnhanced;
    std::set<uint32_t> ofPlain;
    for (uint32_t queuePair = 1; queuePair <= 64; ++queuePair)
    {
        const auto frame = frames.Make(3, 40, queuePair, 0xC123);
        const uint32_t uplink = enhanced->Choose(*frame, group, 0);
        NS_TEST_EXPECT_MSG_EQ(enhanced->Choose(*frame, group, 1000), uplink, "it keeps its uplink");
        NS_TEST_EXPECT_MSG_EQ(enhanced->Predict(*frame, group), static_cast<int>(uplink), "known");
        ofEnhanced.insert(uplink);
        ofPlain.insert(plain->Choose(*frame, group, 0));
    }
    NS_TEST_EXPECT_MSG_GT(ofEnhanced.size(), 12U, "queue pairs are spread");
    NS_TEST_EXPECT_MSG_EQ(ofPlain.size(), 1U, "ECMP does not see queue pairs");

    const Ptr<OnePortBalancer> host = CreateObject<OnePortBalancer>();
    host->SetFixedEntropy(0xC777);
    host->Connect(3, 40, nullptr);
    const uint32_t port = ChoosePath(*host).entropy;
    host->SetFixedEntropy(0xC778); // another queue pair
    host->Connect(3, 40, nullptr);
    NS_TEST_EXPECT_MSG_EQ(ChoosePath(*host).entropy, port, "one port for both");
    host->Connect(3, 41, nullptr);
    NS_TEST_EXPECT_MSG_NE(ChoosePath(*host).entropy, port, "another destination");
}

/// Path pinning: the uplink follows from the slice of the destination; ECMP after a failure.
struct PathPinningTestCase : FabricTestCase
{
    /// @return the uplink of each destination of leaf 1 to 3
    std::vector<uint32_t> Choose(PathPinningBalancer& balancer, const EgressGroup& group)
    {
        std::vector<uint32_t> uplinks;
        for (uint32_t destination = HOSTS_PER_LEAF; destination < 4 * HOSTS_PER_LEAF; ++destination)
        {
            const auto frame = m_frames.Make(5, destination, 1, 0xC000 + destination);
            const uint32_t place = balancer.Choose(*frame, group, 0);
            NS_TEST_EXPECT_MSG_EQ(balancer.Predict(*frame, group),
                                  static_cast<int>(place),
                                  "known");
            uplinks.push_back(group.ports[place] - HOSTS_PER_LEAF);
        }
        return uplinks;
    }

    /// Twice as many uplinks.  @param candidate which of two a flow takes
    void CheckTwo(const std::string& candidate)
    {
        Default("PathPinningBalancer::Candidate", candidate);
        const Ptr<PathPinningBalancer> balancer = Begin<PathPinningBalancer>(1, MakeLeafSite(32));
        NS_TEST_EXPECT_MSG_EQ(balancer->CountCandidates(), 2U, "two uplinks a slice");
        const std::vector<uint32_t> all = Choose(*balancer, MakeUplinks(32, 32));
        const std::vector<uint32_t> left = Choose(*balancer, MakeUplinks(32, 10));
        for (uint32_t i = 0; i < all.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(all[i] / 2, i % HOSTS_PER_LEAF, "one of two");
            NS_TEST_EXPECT_MSG_EQ(left[i], (all[i] == 10 ? 11 : all[i]), "the other one is left");
        }
        const EgressGroup group = MakeUplinks(32, 32);
        const auto lower = m_frames.Make(7, 20, 1, 0xC000);
        const auto upper = m_frames.Make(8, 20, 1, 0xC000);
        if (candidate == "Source")
        {
            NS_TEST_EXPECT_MSG_NE(balancer->Choose(*lower, group, 0),
                                  balancer->Choose(*upper, group, 0),
                                  "the two halves of a leaf take different ones");
        }
        Config::Reset();
    }

    Frames m_frames; //!< makes frames
};

FABRIC_TEST_F(PathPinningTestCase,
              g_routing,
              "Path pinning takes the uplink of the destination's slice, and falls back")
{
    CheckTwo("Hash");
    CheckTwo("Source");
}

FABRIC_TEST_F(PathPinningTestCase, g_routing, "As many uplinks as hosts of a leaf")
{
    const Ptr<PathPinningBalancer> balancer = Begin<PathPinningBalancer>(1, MakeLeafSite(16));
    const std::vector<uint32_t> all = Choose(*balancer, MakeUplinks(16, 16));
    for (uint32_t i = 0; i < all.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(all[i], i % HOSTS_PER_LEAF, "slice k takes uplink k");
    }
    PolicyCounters counters = CountersOf(*balancer);
    NS_TEST_EXPECT_MSG_EQ(counters["pinning_fallbacks"], 0U, "no failure");
    const std::vector<uint32_t> left = Choose(*balancer, MakeUplinks(16, 3));
    for (uint32_t i = 0; i < left.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ((left[i] == all[i]), (all[i] != 3), "only slice 3 has moved");
    }
    balancer->Count(counters);
    NS_TEST_EXPECT_MSG_EQ(counters["pinning_fallbacks"], 3U, "one a destination of slice 3");
}

/// @return a fabric whose switches have a balancer  @tparam T the balancer  @param graph its shape
template <typename T>
Ptr<Fabric>
MakeFabric(const FabricGraph& graph)
{
    ClosHelper helper;
    helper.SetBalancerType(T::GetTypeId());
    return InstallFabric(helper, graph);
}

/// @return a demand of each host for the one that is some hosts further
std::vector<TrafficDemand>
ShiftedDemands(uint32_t hosts, uint32_t distance)
{
    std::vector<TrafficDemand> demands;
    for (uint32_t host = 0; host < hosts; ++host)
    {
        demands.push_back({host, (host + distance) % hosts, 1});
    }
    return demands;
}

/// @return the table of a switch
const TeBalancer::Table&
TableOf(const Fabric& fabric, uint32_t id)
{
    return DynamicCast<TeBalancer>(fabric.GetSwitch(id)->GetBalancer())->GetTable();
}

/// Tables of central traffic engineering: entries, what has none, what does not fit.
FABRIC_TEST(g_routing, "One switch")
{
    const Ptr<TeBalancer> balancer = Begin<TeBalancer>(1, MakeLeafSite(16));
    NS_TEST_EXPECT_MSG_EQ(balancer->Program({{TeBalancer::KeyOf(1, 20), 16 + 7}}), 1U, "added");
    Frames frames;
    const auto known = frames.Make(1, 20, 5, 0xC000);
    const auto reverse = frames.Make(20, 1, 5, 0xC000);
    NS_TEST_EXPECT_MSG_EQ(balancer->Choose(*known, MakeUplinks(16, 16), 0), 7U, "its entry");
    NS_TEST_EXPECT_MSG_EQ(balancer->Choose(*known, MakeUplinks(16, 2), 0), 6U, "port 7 moved up");
    NS_TEST_EXPECT_MSG_LT(balancer->Choose(*known, MakeUplinks(16, 7), 0), 15U, "it is dead");
    balancer->Choose(*reverse, MakeUplinks(16, 16), 0);
    PolicyCounters counters = CountersOf(*balancer);
    NS_TEST_EXPECT_MSG_EQ(counters["te_hits"], 2U, "frames with a live entry");
    NS_TEST_EXPECT_MSG_EQ(counters["te_fallbacks"], 2U, "frames without");
    NS_TEST_EXPECT_MSG_EQ(
        balancer->Program({{TeBalancer::KeyOf(1, 20), 16 + 8}, {TeBalancer::KeyOf(2, 20), 16 + 8}}),
        2U,
        "one changed, one added");
    NS_TEST_EXPECT_MSG_EQ(balancer->Program({}), 2U, "both removed");
}

FABRIC_TEST(g_routing, "Tables that are too small hold the fastest demands")
{
    Default("TeBalancer::Entries", 3);
    const FabricGraph graph = LeafSpine(4, 4, 4);
    const Ptr<Fabric> fabric = MakeFabric<TeBalancer>(graph);
    std::vector<TrafficDemand> demands = ShiftedDemands(16, 4);
    demands[6].rate = 0.5; // of leaf 1
    const Ptr<TrafficEngineer> engineer = CreateObject<TrafficEngineer>();
    engineer->Install(graph, fabric->GetSwitchList(), fabric->GetChannelList(), demands, 1);
    for (uint32_t leaf = 0; leaf < 4; ++leaf)
    {
        NS_TEST_EXPECT_MSG_EQ(TableOf(*fabric, leaf).size(), 3U, "full");
    }
    NS_TEST_EXPECT_MSG_EQ(TableOf(*fabric, 1).count(TeBalancer::KeyOf(6, 10)), 0U, "the slow one");
    NS_TEST_EXPECT_MSG_EQ(CountersOf(*engineer)["te_demands_left"], 4U, "one a leaf");
    engineer->Dispose();
    fabric->Dispose();
}

FABRIC_TEST(g_routing, "Each switch with a choice has an entry")
{
    const FabricGraph graph = FatTree(4);
    const Ptr<Fabric> fabric = MakeFabric<TeBalancer>(graph);
    const Ptr<TrafficEngineer> engineer = CreateObject<TrafficEngineer>();
    engineer->Install(graph,
                      fabric->GetSwitchList(),
                      fabric->GetChannelList(),
                      ShiftedDemands(16, 4),
                      1);
    uint32_t entries = 0;
    for (uint32_t id = 0; id < graph.Switches().size(); ++id)
    {
        const std::size_t size = TableOf(*fabric, id).size();
        NS_TEST_EXPECT_MSG_EQ((size > 0), (graph.Switches()[id].tier < 2), "not at the top");
        entries += size;
    }
    NS_TEST_EXPECT_MSG_EQ(entries, 32U, "leaf and tier 1 of each demand");
    NS_TEST_EXPECT_MSG_EQ_TOL(engineer->GetMaxLoad(), 1, 1e-6, "no collision");
    engineer->Dispose();
    fabric->Dispose();
}

/// New paths come late: after the debounce or with the next period, the computation and the
/// writing.
struct TeReactionTestCase : FabricTestCase
{
    /// A spine fails.  @param debounce until paths are computed, at most
    /// @param programmed when the switches have new entries
    void Check(Time debounce, Time cut, Time programmed)
    {
        Default("TrafficEngineer::Debounce", debounce);
        Default("TrafficEngineer::Interval", MilliSeconds(4));
        const FabricGraph graph = LeafSpine(4, 5, 4);
        const Ptr<Fabric> fabric = MakeFabric<TeBalancer>(graph);
        const Ptr<TrafficEngineer> engineer = CreateObject<TrafficEngineer>();
        engineer->Install(graph,
                          fabric->GetSwitchList(),
                          fabric->GetChannelList(),
                          ShiftedDemands(16, 4),
                          1);
        std::vector<Time> times;
        Trace(*engineer, "Programmed", [&times](uint32_t changes, double) {
            times.push_back(Simulator::Now());
            times.insert(times.end(), changes == 0, Time(0)); // there is something to change
        });
        const TeBalancer::Table before = TableOf(*fabric, 0);
        const uint16_t dead = before.begin()->second;
        std::set<uint16_t> late;
        Simulator::Schedule(cut, &Cut, fabric, dead);
        Simulator::Schedule(programmed - NanoSeconds(1), &Collect, fabric, &late);
        Simulator::Stop(MilliSeconds(20));
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(times.size(), 1U, "programmed once");
        NS_TEST_EXPECT_MSG_EQ(times.at(0), programmed, "at the right time");
        NS_TEST_EXPECT_MSG_EQ(late.count(dead), 1U, "old entries until then");
        std::set<uint16_t> after;
        Collect(fabric, &after);
        NS_TEST_EXPECT_MSG_EQ(after.count(dead), 0U, "no entry of the dead link");
        NS_TEST_EXPECT_MSG_EQ_TOL(engineer->GetMaxLoad(), 1, 1e-6, "four links are enough");
        engineer->Dispose();
        fabric->Dispose();
        Simulator::Destroy();
        Config::Reset();
    }

    /// Cut an uplink of leaf 0.
    static void Cut(Ptr<Fabric> fabric, uint16_t port)
    {
        fabric->GetChannel(fabric->GetGraph().LinkAt({false, 0, port}))->SetUp(false);
    }

    /// Add the ports of the entries of leaf 0.
    static void Collect(Ptr<Fabric> fabric, std::set<uint16_t>* ports)
    {
        for (const auto& entry : TableOf(*fabric, 0))
        {
            ports->insert(entry.second);
        }
    }
};

FABRIC_TEST_F(TeReactionTestCase,
              g_routing,
              "Traffic engineering reacts to failures as late as its constants say")
{
    const Time cut = MicroSeconds(1300);
    Check(MilliSeconds(1), cut, cut + MicroSeconds(1000 + 1500));
    Check(MicroSeconds(200), cut, cut + MicroSeconds(200 + 1500));
    Check(Time::Max(), cut, MicroSeconds(4000 + 1500)); // periods of 4 ms
    Check(MilliSeconds(3), cut, MicroSeconds(4000 + 1500));
}

/// Fragments of messages on queue pairs.
struct DqplbSteeringTestCase : FabricTestCase
{
    /// Attributes of the steering.
    struct Limits
    {
        uint64_t fragmentBytes; //!< FragmentBytes
        uint32_t maxFragments;  //!< MaxFragments
    };

    /// What the messages to one host need.
    struct Needs
    {
        uint64_t fragments; //!< of all messages
        uint64_t held;      //!< fragments that must wait
        uint64_t pending;   //!< the most writes of a queue pair at a time
    };

    /// One host sends messages to each of two, all at the same time.
    /// @param sizes lengths of the messages to a host
    void Check(const Limits& limits, const std::vector<uint64_t>& sizes, const Needs& needs)
    {
        const std::string name = "ns3::aifabric::DqplbSteering::";
        Config::SetDefault(name + "QueuePairs", UintegerValue(4));
        Config::SetDefault(name + "FragmentBytes", UintegerValue(limits.fragmentBytes));
        Config::SetDefault(name + "MaxFragments", UintegerValue(limits.maxFragments));
        Default("MessageService::SteeringType", DqplbSteering::GetTypeId());
        ClosHelper helper;
        helper.SetBalancerType(EEcmpBalancer::GetTypeId());
        helper.SetAdmission(BufferFactory(64 << 20, 1 << LOSSLESS_CLASS));
        const Ptr<Fabric> fabric = InstallFabric(helper, LeafSpine(2, 4, 4));
        std::vector<Flow> flows;
        for (const uint64_t bytes : sizes)
        {
            flows.push_back({0, 0, 5, bytes});
            flows.push_back({0, 0, 6, bytes});
        }
        const Ptr<FlowDriver> driver = StartFlows(*fabric, flows);
        m_mostPending = 0;
        Simulator::Schedule(NanoSeconds(1), &DqplbSteeringTestCase::Watch, this, fabric, driver);
        Simulator::Run();
        CheckNeeds(*driver->GetService(), needs);
        driver->Dispose();
        fabric->Dispose();
        Simulator::Destroy();
    }

    /// Compare with what was expected.
    void CheckNeeds(const MessageService& service, const Needs& needs)
    {
        uint64_t fragments = 0;
        for (const FlowRecord& record : service.GetRecords())
        {
            fragments += record.flow.pieces;
        }
        const uint64_t queuePairs = std::min<uint64_t>(4, needs.fragments);
        PolicyCounters counters;
        service.CountSteerings(counters);
        NS_TEST_EXPECT_MSG_EQ(service.GetCompleted(), service.GetRecords().size(), "all has come");
        NS_TEST_EXPECT_MSG_EQ(fragments, 2 * needs.fragments, "fragments");
        NS_TEST_EXPECT_MSG_EQ(service.GetMostActive(), 2 * queuePairs, "queue pairs");
        NS_TEST_EXPECT_MSG_EQ(counters["dqplb_fragments_held"], 2 * needs.held, "that waited");
        NS_TEST_EXPECT_MSG_EQ(m_mostPending, needs.pending, "outstanding on a queue pair");
    }

    /// Look at the queue pairs of the sender now and then.
    void Watch(Ptr<Fabric> fabric, Ptr<FlowDriver> driver)
    {
        const Ptr<RoceNetDevice> nic = fabric->GetNic(0);
        for (std::size_t i = 0; i < nic->GetEndpointCount(); ++i)
        {
            m_mostPending =
                std::max<uint64_t>(m_mostPending, nic->GetQueuePair(i)->GetPendingMessages());
        }
        const MessageService& service = *driver->GetService();
        if (service.GetCompleted() < service.GetRecords().size())
        {
            Simulator::Schedule(NanoSeconds(500),
                                &DqplbSteeringTestCase::Watch,
                                this,
                                fabric,
                                driver);
        }
    }

    uint64_t m_mostPending{0}; //!< the most writes of a queue pair at a time
};

FABRIC_TEST_F(DqplbSteeringTestCase,
              g_routing,
              "Fragments take queue pairs in turn, and wait at the limit")
{
    const uint64_t half = 524288;
    Check({half, 128}, {10 << 20}, {20, 0, 5});
    Check({half, 2}, {10 << 20}, {20, 12, 2}); // 4 queue pairs have room for 8
    Check({half, 128}, {3}, {1, 0, 1});
    Check({half, 1}, std::vector<uint64_t>(10, 1000), {10, 6, 1}); // short ones count as full
    Check({0, 128}, {1000001}, {4, 0, 1});
    Check({0, 128}, {16 << 20, 1600}, {8, 0, 2}); // fragments of 4 MiB and of 400 bytes
    Default("MessageService::MaxMessageBytes", 200000);
    Check({half, 1}, {10 << 20}, {20, 16, 3}); // the third write ends a fragment
    Check({half, 2}, {10 << 20, 1000}, {21, 13, 6});
}

} // namespace
