/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "label-switch-test.h"

#include "ns3/bitmap-balancer.h"
#include "ns3/bitmap1-balancer.h"
#include "ns3/ecmp-balancer.h"
#include "ns3/host-counter-balancer.h"
#include "ns3/mixed-balancer.h"
#include "ns3/oracle-recovery.h"
#include "ns3/part-hash-balancer.h"
#include "ns3/path-view.h"
#include "ns3/permuted-label-balancer.h"
#include "ns3/plb-balancer.h"
#include "ns3/policy-registry.h"
#include "ns3/prime-balancer.h"
#include "ns3/reps-balancer.h"
#include "ns3/reps-fifo-balancer.h"
#include "ns3/sack-recovery.h"
#include "ns3/selective-repeat-recovery.h"
#include "ns3/unordered-ack-policy.h"

static Suite g_entropySelector("ai-fabric-entropy-selector");

namespace
{

/// Report on a label.  @param event what became of its packet
void
Report(HostBalancer& balancer, uint32_t label, PathEvent event)
{
    const bool isAnswered = event == PathEvent::GOOD || event == PathEvent::MARKED;
    balancer.Feedback(PathChoice::FIRST_PORT + label, event, isAnswered ? 10 : 0, 10);
}

/// PRIME that records the entropies of its packets, and of the reports on them.
struct RecordingPrimeBalancer : PrimeBalancer
{
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TestTypeId<RecordingPrimeBalancer, PrimeBalancer>("RecordingPrimeBalancer");
        return tid;
    }

    std::optional<PathChoice> Choose(const PathRequest& request) override
    {
        const std::optional<PathChoice> path = PrimeBalancer::Choose(request);
        used.push_back(path->entropy);
        return path;
    }

    void Feedback(uint32_t entropy, PathEvent event, int64_t delay, int64_t now) override
    {
        reported.push_back(entropy);
        PrimeBalancer::Feedback(entropy, event, delay, now);
    }

    std::vector<uint32_t> used;     //!< of each packet
    std::vector<uint32_t> reported; //!< of each report
};

NS_OBJECT_ENSURE_REGISTERED(RecordingPrimeBalancer);

} // namespace

/// PRIME's parts are those of the destination, and each combination is used once a cycle.
struct PrimePartsTestCase : FabricTestCase
{
    /// Go round the paths.  @param sizes of the parts of a path
    void CheckCycles(const FabricGraph& graph,
                     uint32_t source,
                     uint32_t destination,
                     const std::vector<uint32_t>& sizes,
                     uint32_t planes)
    {
        NS_TEST_EXPECT_MSG_EQ(graph.Planes(), planes, "the fabric");
        uint32_t paths = 1;
        for (const uint32_t size : sizes)
        {
            paths *= size;
        }
        for (int64_t stream = 1; stream <= 10; ++stream)
        {
            Ptr<PrimeBalancer> balancer = CreateObject<PrimeBalancer>();
            balancer->Start({}, stream);
            balancer->Connect(source, destination, std::make_shared<PathView>(graph));
            for (uint32_t cycle = 0; cycle < 5; ++cycle)
            {
                CheckCycle(*balancer, sizes, paths, planes);
            }
        }
    }

    /// Use each path once.  @param sizes of the parts of a path
    void CheckCycle(HostBalancer& balancer,
                    const std::vector<uint32_t>& sizes,
                    uint32_t paths,
                    uint32_t planes)
    {
        std::set<uint32_t> labels;
        std::set<uint32_t> lastPlanes;
        for (uint32_t step = 0; step < paths * planes; ++step)
        {
            const PathChoice path = ChoosePath(balancer, planes);
            const uint32_t label = path.entropy - PathChoice::FIRST_PORT;
            NS_TEST_EXPECT_MSG_LT(label, HostBalancer::ENTROPIES, "a label");
            NS_TEST_EXPECT_MSG_EQ(label / paths % planes, path.plane, "the plane is in the label");
            NS_TEST_EXPECT_MSG_EQ(path.anyPlane, false, "and no other may be taken");
            labels.insert(label % (paths * planes));
            if (step % planes == 0)
            {
                lastPlanes.clear();
            }
            lastPlanes.insert(path.plane);
            NS_TEST_EXPECT_MSG_EQ(lastPlanes.size(),
                                  step % planes + 1,
                                  "each plane, then the next");
            if (!sizes.empty() && step % (planes * sizes[0]) == planes * sizes[0] - 1)
            {
                std::set<uint32_t> uplinks;
                for (const uint32_t used : labels)
                {
                    uplinks.insert(used % sizes[0]);
                }
                NS_TEST_EXPECT_MSG_EQ(uplinks.size(), sizes[0], "each uplink of the leaf");
            }
        }
        NS_TEST_EXPECT_MSG_EQ(labels.size(), paths * planes, "each path once");
    }
};

FABRIC_TEST_F(PrimePartsTestCase,
              g_entropySelector,
              "prime: a part for each switch on the way up, and for the plane")
{
    const FabricGraph tree = FatTree(8);
    CheckCycles(tree, 0, 127, {4, 4}, 1);
    CheckCycles(tree, 0, 12, {4}, 1);
    CheckCycles(tree, 0, 1, {}, 1);
    CheckCycles(LeafSpine(3, 5, 2), 0, 5, {5}, 1);
    CheckCycles(LeafSpine(3, 5, 2, 3), 0, 5, {5}, 3);
    CheckCycles(LeafSpine(3, 5, 2, 3), 0, 1, {}, 3);
    CheckCycles(MakeThreeTier({3, 5, 2, 8, 4, 2}), 0, 59, {2, 4}, 2);
}

/// A NIC that does not know the paths takes the longest ones of the facts.
FABRIC_TEST_F(PrimePartsTestCase, g_entropySelector, "PRIME parts: facts")
{
    FabricFacts facts;
    facts.uplinks = {3, 2};
    Ptr<PrimeBalancer> balancer = CreateObject<PrimeBalancer>();
    balancer->Start(facts, 1);
    balancer->Connect(0, 1, nullptr);
    CheckCycle(*balancer, {3, 2}, 6, 1);
    balancer->Start(facts, 1);
    CheckCycle(*balancer, {3, 2}, 6, 1);
}

/// What is above the label of the path differs from queue pair to queue pair and is kept.
FABRIC_TEST(g_entropySelector, "PRIME parts: constants")
{
    const FabricGraph graph = LeafSpine(3, 4, 2);
    const auto paths = std::make_shared<PathView>(graph);
    std::set<uint32_t> constants;
    std::set<std::vector<uint32_t>> orders;
    for (int64_t stream = 1; stream <= 40; ++stream)
    {
        Ptr<PrimeBalancer> balancer = CreateObject<PrimeBalancer>();
        balancer->Start({}, stream);
        balancer->Connect(0, 5, paths);
        std::vector<uint32_t> labels = TakeLabels(*balancer, 16);
        std::set<uint32_t> own;
        for (uint32_t& label : labels)
        {
            own.insert(label / 4);
            label %= 4;
        }
        NS_TEST_EXPECT_MSG_EQ(own.size(), 1, "it is kept");
        constants.insert(*own.begin());
        orders.insert(labels);
    }
    NS_TEST_EXPECT_MSG_GT(constants.size(), 35, "constants differ");
    NS_TEST_EXPECT_MSG_GT(orders.size(), 35, "orders differ");
}

/// What PRIME makes of feedback, of time, of the first bytes and of ports that fail.
struct PrimeFeedbackTestCase : FabricTestCase
{
    static constexpr uint32_t UPLINKS = 4; //!< of a leaf

    /// @return facts of two tiers, 100 Gb/s and a base round-trip time of 1 us
    FabricFacts MakeFacts()
    {
        FabricFacts facts = fabrictest::MakeFacts("100Gb/s", 1000);
        facts.baseRtt = MicroSeconds(1);
        facts.uplinks = {UPLINKS, 0};
        return facts;
    }

    /// @return for how many packets a part is skipped
    /// @param event what became of a packet with that part
    uint32_t CountSkips(HostBalancer& balancer, PathEvent event)
    {
        const uint32_t label = TakeLabel(balancer);
        Report(balancer, label, event);
        uint32_t packets = 0;
        while (TakeLabel(balancer) % UPLINKS != label % UPLINKS)
        {
            ++packets;
        }
        TakeLabels(balancer, 1000); // so that the penalty is gone
        return packets;
    }
};

/// A mark, a loss and a timeout cost penalties of their own; the rest costs nothing.
FABRIC_TEST_F(PrimeFeedbackTestCase, g_entropySelector, "PRIME feedback: events")
{
    const std::map<PathEvent, std::pair<uint32_t, std::string>> penalties = {
        {PathEvent::GOOD, {0, "good"}},
        {PathEvent::TRIMMED_LAST_HOP, {0, "trimmed in front of the receiver"}},
        {PathEvent::MARKED, {20, "marked"}},
        {PathEvent::LOST, {100, "lost"}},
        {PathEvent::TRIMMED, {100, "trimmed"}},
        {PathEvent::BAD, {100, "the receiver advises against it"}},
        {PathEvent::OVERDUE, {300, "overdue"}},
        {PathEvent::TIMED_OUT, {300, "timed out"}}};
    Ptr<PrimeBalancer> balancer = CreateWith<PrimeBalancer>(
        {{"PEcn", 20}, {"PNack", 100}, {"PTimeout", 300}, {"ExploreBytes", 1}});
    balancer->Start(MakeFacts(), 1);
    balancer->Choose({1, 1, 1000}); // explores
    for (const auto& [event, expected] : penalties)
    {
        const uint32_t packets = CountSkips(*balancer, event);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(packets, expected.first, expected.second);
        NS_TEST_EXPECT_MSG_LT(packets, expected.first + 2 * UPLINKS, expected.second);
    }
    PolicyCounters before = CountersOf(*balancer);
    NS_TEST_EXPECT_MSG_GT(before.at("prime_skipped"), 100, "skipped");
    NS_TEST_EXPECT_MSG_EQ(before.at("prime_forced"), 0, "there was always another one");
    Report(*balancer, TakeLabel(*balancer), PathEvent::LOST);
    balancer->Start(MakeFacts(), 1);
    NS_TEST_EXPECT_MSG_EQ(CountersOf(*balancer).at("prime_skipped"),
                          before.at("prime_skipped"),
                          "counters outlive a start");
    Report(*balancer, 0, PathEvent::LOST); // of a packet before the start
    std::set<uint32_t> uplinks;
    for (const uint32_t label : TakeLabels(*balancer, UPLINKS))
    {
        uplinks.insert(label % UPLINKS);
    }
    NS_TEST_EXPECT_MSG_EQ(uplinks.size(), UPLINKS, "penalties do not");
}

/// However many packets an acknowledgement covers, the choices are the same.
FABRIC_TEST_F(PrimeFeedbackTestCase, g_entropySelector, "PRIME feedback: coalescing")
{
    std::set<std::vector<uint32_t>> sequences;
    for (const uint32_t every : {1, 4, 15})
    {
        Ptr<PrimeBalancer> balancer = CreateObject<PrimeBalancer>();
        balancer->Start(MakeFacts(), 7);
        std::vector<uint32_t> labels;
        while (labels.size() < 300)
        {
            labels.push_back(balancer->Choose({1, 1, 1000})->entropy);
            if (labels.size() % every == 0)
            {
                Acknowledge(*balancer, labels.back(), false, 0, 10);
            }
        }
        sequences.insert(labels);
    }
    NS_TEST_EXPECT_MSG_EQ(sequences.size(), 1, "good packets change nothing");
}

/// The first bandwidth-delay product of bytes ignores penalties: 12500 bytes here.
FABRIC_TEST_F(PrimeFeedbackTestCase, g_entropySelector, "PRIME feedback: exploration")
{
    Ptr<PrimeBalancer> balancer = CreateObject<PrimeBalancer>();
    balancer->Start(MakeFacts(), 1);
    const uint32_t first = balancer->Choose({1, 1, 1000})->entropy;
    balancer->Feedback(first, PathEvent::LOST, 0, 10);
    uint32_t uses = 0;
    for (uint32_t packet = 2; packet <= 30; ++packet)
    {
        const uint32_t entropy = balancer->Choose({1, 1, 1000})->entropy;
        uses += entropy % UPLINKS == first % UPLINKS ? 1 : 0;
        if (packet == 12)
        {
            NS_TEST_EXPECT_MSG_EQ(uses, 2, "one of each later round");
            balancer->Feedback(first, PathEvent::LOST, 0, 10);
        }
        if (packet == 13)
        {
            uses = 0; // the last packet that begins within 12500 bytes
        }
        if (packet == 28)
        {
            NS_TEST_EXPECT_MSG_EQ(uses, 0, "for 16 packets after the loss");
        }
    }
}

/// Penalties that decay with time do so while nothing is sent, at the time of the request.
FABRIC_TEST_F(PrimeFeedbackTestCase, g_entropySelector, "PRIME feedback: time")
{
    Ptr<PrimeBalancer> balancer =
        CreateWith<PrimeBalancer>({{"DecayMode", "Time"}, {"ExploreBytes", 1}});
    balancer->Start(MakeFacts(), 1);
    const auto choose = [&balancer](int64_t now) {
        return balancer->Choose({1, 1, 1000, 0, 0, 0, now})->entropy % UPLINKS;
    };
    const uint32_t first = choose(0);
    balancer->Feedback(PathChoice::FIRST_PORT + first, PathEvent::MARKED, 10, 5000);
    for (uint32_t i = 0; i < 100; ++i)
    {
        NS_TEST_EXPECT_MSG_NE(choose(3'999'999), first, "4 round-trip times are not over");
    }
    std::set<uint32_t> uplinks;
    for (uint32_t i = 0; i < 2 * UPLINKS; ++i)
    {
        uplinks.insert(choose(4'000'000));
    }
    NS_TEST_EXPECT_MSG_EQ(uplinks.size(), UPLINKS, "they are");
}

/// Planes without a link at either end are left out until they have one.
FABRIC_TEST_F(PrimeFeedbackTestCase, g_entropySelector, "PRIME feedback: ports")
{
    constexpr uint32_t PLANES = 4;
    Ptr<PrimeBalancer> balancer = CreateObject<PrimeBalancer>();
    balancer->Start(MakeFacts(), 1);
    const auto planes = [&balancer] {
        std::set<uint32_t> used;
        for (uint32_t i = 0; i < 40; ++i)
        {
            used.insert(balancer->Choose({PLANES, 1, 1000})->plane);
        }
        return used;
    };
    balancer->PortsChanged(0b1110, 0b1111);
    NS_TEST_EXPECT_MSG_EQ((planes() == std::set<uint32_t>{1, 2, 3}), true, "before it begins");
    balancer->PortsChanged(0b1110, 0b0111);
    NS_TEST_EXPECT_MSG_EQ((planes() == std::set<uint32_t>{1, 2}), true, "and later");
    balancer->PortsChanged(0b1111, 0b1111);
    NS_TEST_EXPECT_MSG_EQ(planes().size(), PLANES, "all work again");
    balancer->Start(MakeFacts(), 1);
    balancer->PortsChanged(0, 0);
    const auto uplink = [&balancer] { return TakeLabel(*balancer) % UPLINKS; };
    std::set<uint32_t> uplinks = {uplink(), uplink(), uplink(), uplink()};
    NS_TEST_EXPECT_MSG_EQ(uplinks.size(), UPLINKS, "one plane: there is no other");
}

FABRIC_TEST(g_entropySelector, "How switches use the entropy")
{
    const std::map<std::string, TypeId> types = {{"Direct", PermutedLabelBalancer::GetTypeId()},
                                                 {"PartHash", PartHashBalancer::GetTypeId()},
                                                 {"FullHash", EcmpBalancer::GetTypeId()}};
    for (const auto& [name, type] : types)
    {
        Ptr<PrimeBalancer> balancer = CreateWith<PrimeBalancer>({{"Forwarding", name}});
        NS_TEST_EXPECT_MSG_EQ(balancer->GetSwitchBalancer(), type, name);
    }
    Ptr<PrimeBalancer> balancer = CreateObject<PrimeBalancer>();
    NS_TEST_EXPECT_MSG_EQ(balancer->GetSwitchBalancer(),
                          PermutedLabelBalancer::GetTypeId(),
                          "the default");
    NS_TEST_EXPECT_MSG_EQ(balancer->GetMarkingShare(), 0.1, "it needs marks");
    const PolicyRegistry registry("Balancer", {HostBalancer::GetTypeId()});
    for (const std::string name : {"prime", "bitmap", "bitmap1", "reps-fifo", "mixed"})
    {
        NS_TEST_EXPECT_MSG_EQ(registry.Has(name), true, name);
    }
}

/// PRIME on a fabric: in a permutation without feedback, each uplink of a switch carries exactly as
/// many packets as the others, if switches use parts directly.
struct PrimeFabricTestCase : FabricTestCase
{
    /// @param cycle packets after which all paths were used
    void CheckEven(const FabricGraph& graph, uint32_t cycle, const TypeId& recovery)
    {
        const auto loads = Run(graph, cycle, recovery);
        NS_TEST_EXPECT_MSG_EQ(loads.size(), 1, "all uplinks of all leaves carry the same load");
        NS_TEST_EXPECT_MSG_GT(*loads.begin(), 0, "which is some");
    }

    /// Send each host's message to another leaf, as far away as possible.
    /// @return the numbers of frames on uplinks of leaves
    /// @param cycle packets after which all paths were used
    std::set<uint64_t> Run(const FabricGraph& graph, uint32_t cycle, const TypeId& recovery)
    {
        constexpr uint32_t CYCLES = 7;
        ClosHelper helper;
        helper.SetBalancerType(PrimeBalancer::GetTypeId());
        helper.SetNicAttribute("RecoveryType", TypeIdValue(recovery));
        Ptr<Fabric> fabric = InstallFabric(helper, graph);
        std::vector<Flow> flows;
        const uint32_t hosts = graph.HostCount();
        for (uint32_t host = 0; host < hosts; ++host)
        {
            flows.push_back({0, host, (host + hosts / 2) % hosts, CYCLES * cycle * 4096});
        }
        const auto driver = StartFlows(*fabric, flows);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(driver->GetService()->GetCompleted(), hosts, "all arrive");
        std::set<uint64_t> loads;
        for (uint32_t id = 0; id < graph.Switches().size(); ++id)
        {
            const FabricSwitchSpec& spec = graph.Switches()[id];
            const uint16_t first = spec.forwarding.up.first;
            for (uint16_t i = 0; spec.tier == 0 && i < spec.forwarding.up.count; ++i)
            {
                const auto port = static_cast<uint16_t>(first + i);
                loads.insert(fabric->GetPort({false, id, port})
                                 ->GetTransmitter()
                                 .GetCounters()
                                 .deliveredFrames);
            }
        }
        fabric->Dispose();
        Simulator::Destroy();
        return loads;
    }
};

FABRIC_TEST_F(PrimeFabricTestCase,
              g_entropySelector,
              "prime on a fabric: uplinks carry equally many packets")
{
    for (const TypeId& recovery : {OracleRecovery::GetTypeId(), SackRecovery::GetTypeId()})
    {
        CheckEven(FatTree(4), 4, recovery);
        CheckEven(LeafSpine(4, 5, 3), 5, recovery);
        CheckEven(LeafSpine(4, 3, 3, 2), 3 * 2, recovery);
    }
    CheckEven(MakeThreeTier({3, 5, 2, 8, 4, 2}), 2 * 4 * 2, OracleRecovery::GetTypeId());
    for (const std::string mode : {"PartHash", "FullHash"})
    {
        Default("PrimeBalancer::Forwarding", mode);
        const auto loads = Run(LeafSpine(4, 5, 3), 5, OracleRecovery::GetTypeId());
        NS_TEST_EXPECT_MSG_GT(loads.size(), 1, mode + " is not even");
    }
}

/// PRIME on a healthy fabric with coalesced acknowledgements: a permutation takes as long as with
/// an acknowledgement per packet, over the same paths, and with AckDeaggregation each packet is
/// reported.
struct PrimeCoalescingTestCase : FabricTestCase
{
    static constexpr uint32_t MTU = 4096;    //!< payload of a packet, in bytes
    static constexpr uint32_t PACKETS = 256; //!< of the message of each host

    /// What a permutation gives.
    struct Outcome
    {
        Time last;                      //!< when the last message is acknowledged
        std::vector<uint32_t> used;     //!< entropies of all packets
        std::vector<uint32_t> reported; //!< entropies of all reports
    };

    /// @return whether each entropy is reported as often as packets use it, although
    /// acknowledgements overtake each other
    bool CoversAll(const Outcome& outcome)
    {
        std::map<uint32_t, int> missing;
        for (const uint32_t entropy : outcome.used)
        {
            ++missing[entropy];
        }
        for (const uint32_t entropy : outcome.reported)
        {
            --missing[entropy];
        }
        return std::all_of(missing.begin(), missing.end(), [](const auto& entry) {
            return entry.second == 0;
        });
    }

    /// Send each host's message to the leaf opposite.  @return what it gives
    /// @param every packets that an acknowledgement covers
    Outcome Run(uint32_t every, bool deaggregates)
    {
        Default("UnorderedAckPolicy::Bytes", every * MTU);
        ClosHelper clos;
        clos.SetBalancerType(RecordingPrimeBalancer::GetTypeId());
        clos.SetNicAttribute("AckPolicyType", TypeIdValue(UnorderedAckPolicy::GetTypeId()));
        clos.SetNicAttribute("RecoveryType", TypeIdValue(SelectiveRepeatRecovery::GetTypeId()));
        Ptr<Fabric> fabric = InstallFabric(clos, LeafSpine(4, 4, 4));
        RoceHelper roce;
        roce.SetQueuePair(FactoryOf("SprayQueuePair"));
        roce.SetQueuePairAttribute("AckDeaggregation", BooleanValue(deaggregates));
        Outcome outcome;
        std::vector<Ptr<QueuePair>> senders;
        const auto hosts = static_cast<uint32_t>(fabric->GetNicList().size());
        for (uint32_t host = 0; host < hosts; ++host)
        {
            const uint32_t peer = (host + hosts / 2) % hosts;
            senders.push_back(roce.Connect(fabric->GetNic(host), fabric->GetNic(peer)).first);
            senders.back()->PostWrite(PACKETS * MTU,
                                      CallbackOf([&outcome](Ptr<QueuePair>, uint64_t) {
                                          outcome.last = Simulator::Now();
                                      }));
        }
        Simulator::Run();
        for (const Ptr<QueuePair>& sender : senders)
        {
            const auto balancer = DynamicCast<RecordingPrimeBalancer>(sender->GetBalancer());
            outcome.used.insert(outcome.used.end(), balancer->used.begin(), balancer->used.end());
            outcome.reported.insert(outcome.reported.end(),
                                    balancer->reported.begin(),
                                    balancer->reported.end());
        }
        NS_TEST_EXPECT_MSG_EQ(outcome.used.size(), hosts * PACKETS, "no retransmissions");
        fabric->Dispose();
        Simulator::Destroy();
        return outcome;
    }
};

FABRIC_TEST_F(PrimeCoalescingTestCase,
              g_entropySelector,
              "prime on a fabric: coalesced acknowledgements cost little")
{
    for (const bool deaggregates : {false, true})
    {
        const Outcome single = Run(1, deaggregates);
        NS_TEST_EXPECT_MSG_EQ(CoversAll(single), true, "each packet");
        for (const uint32_t every : {4, 15})
        {
            const Outcome outcome = Run(every, deaggregates);
            const double ratio = outcome.last.GetDouble() / single.last.GetDouble();
            NS_TEST_EXPECT_MSG_EQ_TOL(ratio, 1, 0.03, "an acknowledgement per " << every);
            NS_TEST_EXPECT_MSG_EQ((outcome.used == single.used), true, "the same paths");
            NS_TEST_EXPECT_MSG_EQ(CoversAll(outcome), deaggregates, "each of " << every);
            if (!deaggregates)
            {
                NS_TEST_EXPECT_MSG_LT(outcome.reported.size(),
                                      1.2 * outcome.used.size() / every,
                                      "one of " << every);
            }
        }
    }
}

/// How a switch reads the parts of a label.
struct PartForwardingTestCase : LabelSwitchTestCase
{
    void DoSetup() override
    {
        LabelSwitchTestCase::DoSetup();
        m_group.ports = {4, 5, 6, 7, 8};
        m_group.members.assign(UPLINKS, nullptr);
    }

    uint32_t Choose(SwitchBalancer& balancer, uint32_t label, uint32_t destination = 5)
    {
        const Ptr<FabricFrame> frame = MakeFrame(label, destination);
        const uint32_t chosen = balancer.Choose(*frame, m_group, 0);
        NS_TEST_EXPECT_MSG_EQ(static_cast<uint32_t>(balancer.Predict(*frame, m_group)),
                              chosen,
                              "as predicted");
        return chosen;
    }

    EgressGroup m_group; //!< the uplinks
};

/// Each switch has an order of its own, in which each part is another uplink.
FABRIC_TEST_F(PartForwardingTestCase, g_entropySelector, "Part forwarding: permuted")
{
    std::set<std::vector<uint32_t>> orders;
    for (int64_t stream = 1; stream <= 40; ++stream)
    {
        const uint8_t tier = stream % 2;
        const auto balancer = MakeBalancer<PermutedLabelBalancer>(tier, stream);
        std::vector<uint32_t> order;
        for (uint32_t part = 0; part < UPLINKS; ++part)
        {
            order.push_back(Choose(*balancer, tier == 0 ? part : part * UPLINKS));
            const uint32_t other = tier == 0 ? part + 3 * UPLINKS : part * UPLINKS + 3;
            NS_TEST_EXPECT_MSG_EQ(Choose(*balancer, other), order.back(), "one part counts");
            const uint32_t above = (tier == 0 ? part : part * UPLINKS) + 25 * 7;
            NS_TEST_EXPECT_MSG_EQ(Choose(*balancer, above), order.back(), "the rest is ignored");
        }
        orders.insert(order);
        std::sort(order.begin(), order.end());
        NS_TEST_EXPECT_MSG_EQ((order == std::vector<uint32_t>{0, 1, 2, 3, 4}), true, "all");
    }
    NS_TEST_EXPECT_MSG_GT(orders.size(), 25, "orders differ");
}

/// Frames whose uplink is dead take the others in turn, although they have one label; all other
/// labels keep their uplinks.
FABRIC_TEST_F(PartForwardingTestCase, g_entropySelector, "Part forwarding: dead")
{
    const auto balancer = MakeBalancer<PermutedLabelBalancer>(0, 1);
    std::vector<uint32_t> ports;
    uint32_t dead = 0;
    for (uint32_t part = 0; part < UPLINKS; ++part)
    {
        ports.push_back(m_group.ports[Choose(*balancer, part)]);
        dead = ports.back() == 6 ? part : dead;
    }
    EgressGroup alive;
    alive.ports = {4, 5, 7, 8};
    alive.members.assign(UPLINKS - 1, nullptr);
    std::map<uint16_t, uint32_t> uses;
    for (uint32_t i = 0; i < 8 * UPLINKS; ++i)
    {
        const Ptr<FabricFrame> frame = MakeFrame(i % UPLINKS, 5);
        const uint16_t port = alive.ports[balancer->Choose(*frame, alive, 0)];
        const bool isDead = i % UPLINKS == dead;
        NS_TEST_EXPECT_MSG_EQ(isDead || port == ports[i % UPLINKS], true, "others stay");
        uses[port] += isDead;
    }
    for (const uint16_t port : alive.ports)
    {
        NS_TEST_EXPECT_MSG_EQ(uses[port], 2, "each of the others in turn");
    }
}

/// A hash depends on the own part alone and on the switch; downwards the 5-tuple counts.
FABRIC_TEST_F(PartForwardingTestCase, g_entropySelector, "Part forwarding: hash")
{
    std::set<std::vector<uint32_t>> maps;
    std::set<uint32_t> used;
    std::set<uint32_t> down;
    for (int64_t stream = 1; stream <= 40; ++stream)
    {
        const uint8_t tier = stream % 2;
        const auto balancer = MakeBalancer<PartHashBalancer>(tier, stream);
        std::vector<uint32_t> map;
        for (uint32_t part = 0; part < UPLINKS; ++part)
        {
            map.push_back(Choose(*balancer, tier == 0 ? part : part * UPLINKS));
            used.insert(map.back());
            const uint32_t other = tier == 0 ? part + 3 * UPLINKS : part * UPLINKS + 3;
            NS_TEST_EXPECT_MSG_EQ(Choose(*balancer, other), map.back(), "one part counts");
        }
        maps.insert(map);
        for (uint32_t i = 0; tier == 1 && i < 20; ++i)
        {
            down.insert(Choose(*balancer, 3 + i * UPLINKS, 103));
        }
    }
    NS_TEST_EXPECT_MSG_GT(maps.size(), 30, "switches differ");
    NS_TEST_EXPECT_MSG_EQ(used.size(), UPLINKS, "all uplinks");
    NS_TEST_EXPECT_MSG_EQ(down.size(), UPLINKS, "all links down");
}

/// bitmap and bitmap1 skip labels that were marked or lost.
struct BitmapBalancerTestCase : FabricTestCase
{
    /// With ExcludedRtts a bad label is skipped for that time, whatever was wrong with it, unless
    /// most are bad.
    void CheckTime(HostBalancer& balancer)
    {
        constexpr uint32_t LABELS = 64;
        constexpr int64_t RTT = 10000;
        FabricFacts facts;
        facts.baseRtt = PicoSeconds(RTT);
        balancer.Start(facts, 1);
        const auto takeRound = [&balancer](uint32_t count, int64_t now) {
            PathRequest request;
            request.now = now;
            std::set<uint32_t> labels;
            for (uint32_t i = 0; i < count; ++i)
            {
                labels.insert(balancer.Choose(request)->entropy);
            }
            return labels;
        };
        const std::set<uint32_t> all = takeRound(LABELS, 0);
        NS_TEST_EXPECT_MSG_EQ(all.size(), LABELS, "each once");
        auto next = all.begin();
        balancer.Feedback(*next, PathEvent::TRIMMED_LAST_HOP, 0, 50);
        for (const PathEvent event : {PathEvent::MARKED, PathEvent::TRIMMED, PathEvent::TIMED_OUT})
        {
            balancer.Feedback(*++next, event, 0, 100);
        }
        const uint64_t good = LABELS - 3;
        takeRound(1, 100); // of mixed: the one that is good
        NS_TEST_EXPECT_MSG_EQ(takeRound(2 * good, 100).size(), good, "three are skipped");
        NS_TEST_EXPECT_MSG_EQ(takeRound(2 * good, 99 + RTT * 3 / 2).size(), good, "still");
        NS_TEST_EXPECT_MSG_EQ(takeRound(2 * LABELS, 100 + RTT * 3 / 2).size(), LABELS, "all");
        next = all.begin();
        for (uint32_t i = 0; i < LABELS / 2; ++i)
        {
            balancer.Feedback(*next++, PathEvent::MARKED, 1, 50000);
        }
        NS_TEST_EXPECT_MSG_EQ(takeRound(LABELS, 50000).size(), LABELS / 2, "half of them");
        balancer.Feedback(*next, PathEvent::MARKED, 1, 50000);
        NS_TEST_EXPECT_MSG_EQ(takeRound(2 * LABELS, 50000).size(), LABELS, "too many");
        balancer.Start(facts, 1);
        NS_TEST_EXPECT_MSG_EQ(takeRound(LABELS, 50000).size(), LABELS, "a start forgets");
    }

    /// Go round the labels, of which one is bad.  @param balancer who chooses, not started
    /// @param event what becomes of a packet  @param turns how many turns that costs its label
    void CheckTurns(HostBalancer& balancer, uint32_t count, PathEvent event, uint32_t turns)
    {
        balancer.Start({}, 1);
        const std::vector<uint32_t> first = TakeLabels(balancer, count);
        const std::set<uint32_t> all(first.begin(), first.end());
        NS_TEST_EXPECT_MSG_EQ(all.size(), count, "each once");
        NS_TEST_EXPECT_MSG_EQ(*all.begin() % count, 0, "a block");
        const uint32_t bad = first[count / 2];
        Report(balancer, bad, event);
        if (balancer.GetInstanceTypeId() == MixedBalancer::GetTypeId() && turns == 0)
        {
            NS_TEST_EXPECT_MSG_EQ(TakeLabel(balancer), bad, "a good one comes first");
        }
        for (uint32_t round = 0; round < turns; ++round)
        {
            const std::vector<uint32_t> labels = TakeLabels(balancer, count - 1);
            const std::set<uint32_t> seen(labels.begin(), labels.end());
            NS_TEST_EXPECT_MSG_EQ(seen.size(), count - 1, "all others once");
            NS_TEST_EXPECT_MSG_EQ(seen.count(bad), 0, "it is skipped");
        }
        const std::vector<uint32_t> last = TakeLabels(balancer, count);
        NS_TEST_EXPECT_MSG_EQ((SetOf(last) == all), true, "each once again");
    }
};

FABRIC_TEST_F(BitmapBalancerTestCase, g_entropySelector, "bitmap, bitmap1: bad labels lose turns")
{
    const std::map<PathEvent, std::pair<uint32_t, uint32_t>> turns = {
        {PathEvent::GOOD, {0, 0}},
        {PathEvent::TRIMMED_LAST_HOP, {0, 0}},
        {PathEvent::MARKED, {1, 1}},
        {PathEvent::LOST, {4, 1}},
        {PathEvent::TRIMMED, {4, 1}},
        {PathEvent::BAD, {4, 1}},
        {PathEvent::OVERDUE, {15, 1}},
        {PathEvent::TIMED_OUT, {15, 1}}};
    for (const auto& [event, expected] : turns)
    {
        CheckTurns(*CreateObject<BitmapBalancer>(), 64, event, expected.first);
        CheckTurns(*CreateObject<Bitmap1Balancer>(), 256, event, expected.second);
        CheckTurns(*CreateObject<MixedBalancer>(), 64, event, expected.first);
    }
    Ptr<BitmapBalancer> balancer =
        CreateWith<BitmapBalancer>({{"LogEntropies", 3}, {"LossSkips", 7}, {"MaxSkips", 5}});
    CheckTurns(*balancer, 8, PathEvent::LOST, 5);
    CheckTime(*CreateWith<BitmapBalancer>({{"ExcludedRtts", 1.5}}));
    CheckTime(*CreateWith<MixedBalancer>({{"ExcludedRtts", 1.5}}));
    NS_TEST_EXPECT_MSG_EQ(balancer->GetMarkingShare(), 0.1, "it needs marks");
    Report(*balancer, TakeLabel(*balancer), PathEvent::LOST);
    balancer->Start({}, 3);
    const std::vector<uint32_t> labels = TakeLabels(*balancer, 8);
    NS_TEST_EXPECT_MSG_EQ(SetOf(labels).size(), 8, "a start forgets");
    PolicyCounters counters = CountersOf(*balancer);
    NS_TEST_EXPECT_MSG_EQ(counters.at("bitmap_skipped"), 5, "but counters are kept");
}

/// Each label that a packet of bitmap1 skips loses one turn, and not more.
FABRIC_TEST(g_entropySelector, "Bitmap balancer: neighbors")
{
    constexpr uint32_t LABELS = 256;
    Ptr<Bitmap1Balancer> balancer = CreateObject<Bitmap1Balancer>();
    balancer->Start({}, 1);
    for (const uint32_t label : TakeLabels(*balancer, LABELS))
    {
        Report(*balancer, label, PathEvent::LOST);
    }
    const std::vector<uint32_t> labels = TakeLabels(*balancer, LABELS);
    NS_TEST_EXPECT_MSG_EQ(SetOf(labels).size(), LABELS, "one packet has skipped them all");
}

/// reps-fifo and mixed use good labels once more, in the order of the acknowledgements.
struct FifoBalancerTestCase : FabricTestCase
{
    /// @return the label of a packet  @param window in bytes
    uint32_t Choose(HostBalancer& balancer, uint64_t number, uint64_t window)
    {
        const auto path = balancer.Choose({1, 1, 1000, 0, number, window});
        return path->entropy - PathChoice::FIRST_PORT;
    }

    /// Have labels reported.  @param balancer who chooses, not started
    void CheckGoodLabels(HostBalancer& balancer)
    {
        balancer.Start({}, 1);
        std::vector<uint32_t> good;
        for (uint32_t i = 0; i < 100; ++i)
        {
            const bool isGood = i % 3 == 0;
            good.push_back(1000 + i);
            Report(balancer, 1000 + i, isGood ? PathEvent::GOOD : PathEvent::TRIMMED_LAST_HOP);
            Report(balancer, 2000 + i, PathEvent::LOST);
            Report(balancer, 3000 + i, PathEvent::MARKED);
            Report(balancer, 4000 + i, PathEvent::TRIMMED);
        }
        Report(balancer, 5000, PathEvent::TIMED_OUT);
        Report(balancer, 6000, PathEvent::OVERDUE);
        NS_TEST_EXPECT_MSG_EQ((TakeLabels(balancer, 100) == good), true, "the oldest first");
        NS_TEST_EXPECT_MSG_EQ(CountersOf(balancer).at("reps_reused"), 100, "counted");
    }
};

FABRIC_TEST_F(FifoBalancerTestCase,
              g_entropySelector,
              "reps-fifo, mixed: good labels once more, without a bound")
{
    Ptr<RepsFifoBalancer> fifo = CreateWith<RepsFifoBalancer>({{"Entropies", 50}});
    CheckGoodLabels(*fifo);
    std::set<uint32_t> drawn;
    for (const uint32_t label : TakeLabels(*fifo, 1000))
    {
        drawn.insert(label);
    }
    NS_TEST_EXPECT_MSG_EQ(drawn.size(), 50, "else it draws");
    NS_TEST_EXPECT_MSG_EQ(*drawn.rbegin(), 49, "as many as set");
    Ptr<MixedBalancer> mixed = CreateObject<MixedBalancer>();
    CheckGoodLabels(*mixed);
    std::vector<uint32_t> round = TakeLabels(*mixed, 64);
    NS_TEST_EXPECT_MSG_EQ(SetOf(round).size(), 64, "else it goes round");
    Report(*mixed, 9999, PathEvent::GOOD);
    mixed->Start({}, 2);
    NS_TEST_EXPECT_MSG_NE(TakeLabel(*mixed), 9999, "a start forgets");
}

/// The labels of the first window ascend from 1 on, whatever is acknowledged.
FABRIC_TEST_F(FifoBalancerTestCase, g_entropySelector, "Fifo balancer: first window")
{
    Ptr<RepsFifoBalancer> balancer = CreateWith<RepsFifoBalancer>({{"Entropies", 4}});
    FabricFacts facts;
    facts.mtu = 1000;
    for (uint32_t start = 0; start < 2; ++start)
    {
        balancer->Start(facts, 1);
        std::vector<uint32_t> labels;
        for (uint64_t number = 0; number < 4; ++number)
        {
            labels.push_back(Choose(*balancer, number, 9000));
            Report(*balancer, 100 + number, PathEvent::GOOD);
        }
        NS_TEST_EXPECT_MSG_EQ((labels == std::vector<uint32_t>{1, 2, 3, 0}), true, "ascending");
        NS_TEST_EXPECT_MSG_EQ(Choose(*balancer, 4, 9000), 100, "then good ones");
        NS_TEST_EXPECT_MSG_EQ(Choose(*balancer, 2, 9000), 101, "also when sent again");
    }
    balancer->Start(facts, 1);
    NS_TEST_EXPECT_MSG_EQ(Choose(*balancer, 0, 9000), 1, "the first packet");
    Report(*balancer, 100, PathEvent::GOOD);
    NS_TEST_EXPECT_MSG_EQ(Choose(*balancer, 0, 9000), 2, "sent again in the first window");
    NS_TEST_EXPECT_MSG_EQ(Choose(*balancer, 1, 1999), 100, "the window is less");
}

/// What other simulators do and the defaults do not: REPS that freezes only without congestion, PLB
/// that changes its label at a timeout, a counter of few labels.
struct SelectorAttributesTestCase : FabricTestCase
{
    /// @return how often labels have been frozen
    uint64_t GetFreezes(const RepsBalancer& balancer)
    {
        PolicyCounters counters = CountersOf(balancer);
        return counters.at("reps_freezes");
    }

    /// @return how often timeouts freeze labels in an epoch with long delays
    /// @param longest of these, in base round-trip times
    uint64_t CountFreezes(RepsBalancer& balancer, double longest, bool trims)
    {
        constexpr uint32_t ENTROPY = PathChoice::FIRST_PORT;
        FabricFacts facts;
        facts.baseRtt = NanoSeconds(1);
        facts.trims = trims;
        balancer.Start(facts, 1);
        const uint64_t before = GetFreezes(balancer);
        const auto delay = static_cast<int64_t>(longest * 1000);
        balancer.Feedback(ENTROPY, PathEvent::GOOD, delay, 5000);
        balancer.Feedback(ENTROPY, PathEvent::MARKED, 1100, 5000);
        for (const PathEvent event : {PathEvent::TIMED_OUT, PathEvent::TIMED_OUT})
        {
            balancer.Feedback(ENTROPY, event, 0, 6000); // packets of one window
        }
        balancer.Feedback(ENTROPY, PathEvent::OVERDUE, 0, 7000);
        balancer.Feedback(ENTROPY, PathEvent::GOOD, 1100, 15'000); // 10 round trips
        balancer.Feedback(ENTROPY, PathEvent::GOOD, 0, 15'001);    // without a delay
        balancer.Feedback(ENTROPY, PathEvent::TIMED_OUT, 0, 15'002);
        const uint64_t freezes = GetFreezes(balancer) - before;
        balancer.Feedback(ENTROPY, PathEvent::GOOD, 1100, 15'003);
        balancer.Feedback(ENTROPY, PathEvent::OVERDUE, 0, 15'004);
        NS_TEST_EXPECT_MSG_EQ(GetFreezes(balancer) - before,
                              (m_freezes ? 1 : 0),
                              "in the next epoch at the latest");
        return freezes;
    }

    bool m_freezes{true}; //!< what is expected of the attribute Freezing
};

FABRIC_TEST(g_entropySelector, "reps, plb, host-counter: attributes for other simulators")
{
    Ptr<HostCounterBalancer> counter = CreateWith<HostCounterBalancer>({{"Entropies", 3}});
    counter->Start({}, 1);
    const std::vector<uint32_t> labels = TakeLabels(*counter, 7);
    for (uint32_t i = 0; i < labels.size(); ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(labels[i], (labels[0] + i) % 3, "in turn");
    }
}

/// Freezing needs short delays if that is set, and does not happen if it is off.
FABRIC_TEST_F(SelectorAttributesTestCase, g_entropySelector, "Selector attributes: freezing")
{
    Ptr<RepsBalancer> reps = CreateObject<RepsBalancer>();
    NS_TEST_EXPECT_MSG_EQ(CountFreezes(*reps, 9, false), 1, "by default always");
    reps->SetAttribute("FreezingRtt", DoubleValue(1.65));
    NS_TEST_EXPECT_MSG_EQ(CountFreezes(*reps, 1.649, false), 1, "no congestion");
    NS_TEST_EXPECT_MSG_EQ(CountFreezes(*reps, 1.65, false), 0, "congestion");
    NS_TEST_EXPECT_MSG_EQ(CountFreezes(*reps, 9, true), 1, "which trimming would show");
    reps->SetAttribute("FreezingEpoch", DoubleValue(9.9));
    NS_TEST_EXPECT_MSG_EQ(CountFreezes(*reps, 9, false), 1, "a shorter epoch");
    reps->SetAttribute("Freezing", BooleanValue(false));
    m_freezes = false;
    NS_TEST_EXPECT_MSG_EQ(CountFreezes(*reps, 1, true), 0, "never");
}

/// A packet that was trimmed in front of the receiver took a good path.
FABRIC_TEST(g_entropySelector, "Selector attributes: trimmed")
{
    Ptr<RepsBalancer> reps = CreateWith<RepsBalancer>({{"Entropies", 10}, {"Uses", 2}});
    reps->Start({}, 1);
    Report(*reps, 100, PathEvent::TRIMMED);
    Report(*reps, 101, PathEvent::TRIMMED_LAST_HOP);
    Report(*reps, 102, PathEvent::BAD);
    Report(*reps, 103, PathEvent::LOST);
    Report(*reps, 104, PathEvent::GOOD);
    NS_TEST_EXPECT_MSG_EQ((TakeLabels(*reps, 4) == std::vector<uint32_t>{101, 101, 104, 104}),
                          true,
                          "good ones twice");
    NS_TEST_EXPECT_MSG_LT(TakeLabel(*reps), 10, "then it draws");
}

FABRIC_TEST(g_entropySelector, "PLB keeps its label at a timeout, or changes it")
{
    Ptr<PlbBalancer> plb = CreateObject<PlbBalancer>();
    plb->Start({}, 1);
    const uint32_t first = TakeLabel(*plb);
    Report(*plb, first, PathEvent::TIMED_OUT);
    NS_TEST_EXPECT_MSG_EQ(TakeLabel(*plb), first, "by default it keeps its label");
    plb->SetAttribute("RelabelOnTimeout", BooleanValue(true));
    Report(*plb, first, PathEvent::LOST);
    NS_TEST_EXPECT_MSG_EQ(TakeLabel(*plb), first, "a loss is no timeout");
    for (uint32_t i = 0; i < 5; ++i)
    {
        Report(*plb, first, PathEvent::TIMED_OUT);
        NS_TEST_EXPECT_MSG_EQ(plb->GetRelabels(), 1, "one for all packets of a window");
    }
    NS_TEST_EXPECT_MSG_NE(TakeLabel(*plb), first, "another one");
    plb->SetAttribute("Entropies", UintegerValue(8));
    std::set<uint32_t> labels;
    for (uint32_t i = 1; i <= 100; ++i)
    {
        Report(*plb, TakeLabel(*plb), PathEvent::TIMED_OUT);
        labels.insert(TakeLabel(*plb));
        NS_TEST_EXPECT_MSG_EQ(plb->GetRelabels(), 1 + i, "one a timeout of the new label");
    }
    NS_TEST_EXPECT_MSG_EQ(labels.size(), 8, "all of them");
    NS_TEST_EXPECT_MSG_EQ(*labels.rbegin(), 7, "below 8");
    plb->Start({}, 1);
    Report(*plb, first, PathEvent::TIMED_OUT);
    NS_TEST_EXPECT_MSG_EQ(plb->GetRelabels(), 101, "without a label there is none to change");
}

/// A timeout that changes the label of PLB ends the sequence of congested rounds.
FABRIC_TEST(g_entropySelector, "Selector attributes: rounds after timeout")
{
    Ptr<PlbBalancer> plb =
        CreateWith<PlbBalancer>({{"Rounds", 2}, {"IdleRounds", 2}, {"RelabelOnTimeout", true}});
    plb->Start({}, 1);
    int64_t now = 0;
    const auto exchange = [&plb, &now] {
        const uint32_t entropy = ChoosePath(*plb).entropy;
        Acknowledge(*plb, entropy, true, now, now + 10);
        now += 20;
    };
    exchange(); // the first round begins
    exchange(); // and is congested
    Report(*plb, TakeLabel(*plb), PathEvent::TIMED_OUT);
    exchange();
    exchange();
    NS_TEST_EXPECT_MSG_EQ(plb->GetRelabels(), 1, "one congested round since the timeout");
    exchange();
    NS_TEST_EXPECT_MSG_EQ(plb->GetRelabels(), 2, "two");
}
