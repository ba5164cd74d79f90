/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "label-switch-test.h"

#include "ns3/ecmp-balancer.h"
#include "ns3/ethereal-reps-balancer.h"
#include "ns3/host-counter-balancer.h"
#include "ns3/host-dr-balancer.h"
#include "ns3/host-permuted-balancer.h"
#include "ns3/oracle-recovery.h"
#include "ns3/path-label-balancer.h"
#include "ns3/path-view.h"
#include "ns3/pinned-balancer.h"
#include "ns3/plane-dr-balancer.h"
#include "ns3/plb-balancer.h"
#include "ns3/policy-registry.h"
#include "ns3/reps-balancer.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/subflow-balancer.h"

#include <limits>

static Suite g_hostBalancer("ai-fabric-host-balancer");

namespace
{

constexpr int64_t ROUND_TRIP = 1000; //!< of packets that are answered at once, in time steps

/// A balancer that overrides nothing.
struct SilentBalancer : HostBalancer
{
    /// @return the object TypeId
    static TypeId GetTypeId()
    {
        static TypeId tid =
            TypeId("ns3::aifabric::SilentBalancer").SetParent<HostBalancer>().SetGroupName("Test");
        return tid;
    }
};

} // namespace

/// A balancer that does not say that it keeps paths is taken for one that spreads packets, which
/// telemetry of one path does not bear.
FABRIC_TEST(g_hostBalancer, "Only what says so keeps paths, and the fixed entropy does")
{
    for (const char* name : {"HostBalancer", "OnePortBalancer", "PinnedBalancer", "PlbBalancer"})
    {
        NS_TEST_EXPECT_MSG_EQ(FactoryOf(name).Create<HostBalancer>()->KeepsPaths(), true, name);
    }
    NS_TEST_EXPECT_MSG_EQ(CreateObject<SilentBalancer>()->KeepsPaths(), false, "says nothing");
    NS_TEST_EXPECT_MSG_EQ(CreateObject<SubflowBalancer>()->KeepsPaths(), false, "subflow");
}

/// Packets are dealt to the subflows in turn, and a subflow is one path.
FABRIC_TEST(g_hostBalancer, "subflow: labels in turn, each in one plane")
{
    for (const uint32_t subflows : {1, 4, 7})
    {
        Ptr<SubflowBalancer> balancer = CreateWith<SubflowBalancer>({{"Subflows", subflows}});
        balancer->Start({}, 3);
        const std::vector<uint32_t> labels = TakeLabels(*balancer, subflows);
        NS_TEST_EXPECT_MSG_EQ(SetOf(labels).size(), subflows, "as many labels as subflows");
        NS_TEST_EXPECT_MSG_EQ((TakeLabels(*balancer, subflows) == labels), true, "in turn");
        std::map<uint32_t, uint32_t> planes;
        for (uint32_t i = 0; i < 3 * subflows; ++i)
        {
            const PathChoice path = ChoosePath(*balancer, 4);
            NS_TEST_EXPECT_MSG_EQ(path.entropy - PathChoice::FIRST_PORT,
                                  labels[i % subflows],
                                  "the plane takes no turn");
            NS_TEST_EXPECT_MSG_EQ(planes.emplace(path.entropy, path.plane).first->second,
                                  path.plane,
                                  "a subflow keeps its plane");
        }
    }
}

/// Each label once a round; queue pairs differ in their upper bits.
struct HostPermutedBalancerTestCase : FabricTestCase
{
    static constexpr uint32_t LABELS = 64; //!< of a queue pair
};

FABRIC_TEST_F(HostPermutedBalancerTestCase,
              g_hostBalancer,
              "host-permuted: each label once a round")
{
    std::set<uint32_t> blocks;
    for (int64_t stream = 1; stream <= 20; ++stream)
    {
        Ptr<HostPermutedBalancer> balancer =
            CreateWith<HostPermutedBalancer>({{"LogEntropies", 6}});
        balancer->Start({}, stream);
        std::set<std::vector<uint32_t>> orders;
        for (uint32_t round = 0; round < 5; ++round)
        {
            const std::vector<uint32_t> labels = TakeLabels(*balancer, LABELS);
            const std::set<uint32_t> seen(labels.begin(), labels.end());
            NS_TEST_EXPECT_MSG_EQ(seen.size(), LABELS, "each once");
            NS_TEST_EXPECT_MSG_EQ(*seen.begin() % LABELS, 0, "a block");
            NS_TEST_EXPECT_MSG_EQ(*seen.rbegin(), *seen.begin() + LABELS - 1, "of labels");
            blocks.insert(*seen.begin());
            orders.insert(labels);
        }
        NS_TEST_EXPECT_MSG_GT(orders.size(), 2, "orders differ from round to round");
    }
    NS_TEST_EXPECT_MSG_GT(blocks.size(), 15, "blocks differ from queue pair to queue pair");
}

/// PLB keeps its label until a round is congested. What it counts, traces and needs of switches.
struct PlbBalancerTestCase : FabricTestCase
{
    /// Send packets, one a time step, and have them answered.
    /// @param marks how many of ten are marked  @return the entropy of the last one
    uint16_t Exchange(HostBalancer& balancer, uint32_t count, uint32_t marks)
    {
        uint16_t entropy = 0;
        for (uint32_t i = 0; i < count; ++i, ++m_now)
        {
            entropy = ChoosePath(balancer).entropy;
            ChoosePath(balancer); // so that it never takes itself to be idle
            Acknowledge(balancer, entropy, m_now % 10 < marks, m_now, m_now + ROUND_TRIP);
        }
        return entropy;
    }

    uint32_t m_now{0}; //!< the time at the sender
};

FABRIC_TEST_F(PlbBalancerTestCase, g_hostBalancer, "plb: another label after a congested round")
{
    Ptr<PlbBalancer> balancer = CreateObject<PlbBalancer>();
    NS_TEST_EXPECT_MSG_EQ(balancer->GetMarkingShare(), 0.5, "marks at half of the buffer");
    std::vector<uint16_t> changes;
    Trace(*balancer, "Relabel", [&changes](uint16_t from, uint16_t to) {
        changes.push_back(from);
        changes.push_back(to);
    });
    balancer->Start({}, 1);
    const uint16_t first = Exchange(*balancer, 3000, 0);
    NS_TEST_EXPECT_MSG_EQ(ChoosePath(*balancer).entropy, first, "no marks, no change");
    Exchange(*balancer, 3000, 3);
    NS_TEST_EXPECT_MSG_EQ(balancer->GetRelabels(), 0, "30 % of marks, no change");
    Exchange(*balancer, ROUND_TRIP + 1, 4); // the round ends with the last one
    NS_TEST_EXPECT_MSG_EQ(balancer->GetRelabels(), 1, "40 % of marks, a change");
    const uint16_t second = ChoosePath(*balancer).entropy;
    NS_TEST_EXPECT_MSG_NE(second, first, "of the label");
    NS_TEST_EXPECT_MSG_EQ((changes == std::vector<uint16_t>{first, second}), true, "traced");
    Exchange(*balancer, 3 * ROUND_TRIP, 10);
    PolicyCounters counters = CountersOf(*balancer);
    NS_TEST_EXPECT_MSG_EQ(counters.at("plb_relabels"), 4, "one a round");
    balancer->Count(counters);
    NS_TEST_EXPECT_MSG_EQ(counters.at("plb_relabels"), 8, "a sum over queue pairs");
}

/// A round is as long as is set, however long the round trip is.
FABRIC_TEST_F(PlbBalancerTestCase, g_hostBalancer, "PLB balancer: round time")
{
    for (const uint32_t length : {ROUND_TRIP / 10, ROUND_TRIP / 2, ROUND_TRIP * 5})
    {
        Ptr<PlbBalancer> balancer = CreateWith<PlbBalancer>({{"RoundTime", PicoSeconds(length)}});
        balancer->Start({}, 1);
        Exchange(*balancer, 4 * length, 10);
        NS_TEST_EXPECT_MSG_EQ(balancer->GetRelabels(), 3, "the fourth round is not over");
        Exchange(*balancer, 1, 10);
        NS_TEST_EXPECT_MSG_EQ(balancer->GetRelabels(), 4, "rounds of " << length);
    }
}

/// With nothing on the way fewer rounds are enough. A loss, or the timer, says that nothing is.
FABRIC_TEST(g_hostBalancer, "PLB balancer: idle")
{
    Ptr<PlbBalancer> balancer = CreateWith<PlbBalancer>({{"Rounds", 3}});
    balancer->Start({}, 1);
    int64_t now = 0;
    const auto exchange = [&balancer, &now](uint32_t rounds) {
        for (; rounds > 0; --rounds, now += 2 * ROUND_TRIP)
        {
            const uint16_t entropy = ChoosePath(*balancer).entropy;
            Acknowledge(*balancer, entropy, true, now, now + ROUND_TRIP);
        }
    };
    exchange(4);
    NS_TEST_EXPECT_MSG_EQ(balancer->GetRelabels(), 3, "each but the one that begins");
    const uint16_t missing = ChoosePath(*balancer).entropy;
    exchange(3);
    NS_TEST_EXPECT_MSG_EQ(balancer->GetRelabels(), 4, "three rounds with one on the way");
    balancer->Feedback(missing, PathEvent::LOST, 0, now);
    exchange(1);
    NS_TEST_EXPECT_MSG_EQ(balancer->GetRelabels(), 5, "it is lost");
    ChoosePath(*balancer);
    ChoosePath(*balancer);
    balancer->Feedback(0, PathEvent::TIMED_OUT, 0, now);
    exchange(1);
    NS_TEST_EXPECT_MSG_EQ(balancer->GetRelabels(), 6, "the timer has expired");
}

/// With LeastAge congested rounds change the label only when it is old enough, the first time at
/// once.
FABRIC_TEST_F(PlbBalancerTestCase, g_hostBalancer, "PLB balancer: least age")
{
    Ptr<PlbBalancer> balancer = CreateWith<PlbBalancer>({{"LeastAge", 10}});
    FabricFacts facts;
    facts.baseRtt = PicoSeconds(ROUND_TRIP);
    balancer->Start(facts, 1);
    std::vector<uint32_t> changes;
    Trace(*balancer, "Relabel", [this, &changes](uint16_t, uint16_t) { changes.push_back(m_now); });
    Exchange(*balancer, 50 * ROUND_TRIP, 10);
    NS_TEST_EXPECT_MSG_EQ(changes.size(), 5, "of 49 rounds");
    for (std::size_t i = 1; i < changes.size(); ++i)
    {
        const uint32_t age = changes[i] - changes[i - 1];
        NS_TEST_EXPECT_MSG_EQ((age >= 10 * ROUND_TRIP && age <= 11 * ROUND_TRIP + 20),
                              true,
                              "after " << age);
    }
}

/// REPS uses good labels once more, draws others, and freezes. What it counts and traces.
FABRIC_TEST(g_hostBalancer, "reps: good labels again, freezing")
{
    Ptr<RepsBalancer> balancer =
        CreateWith<RepsBalancer>({{"FreezingTime", PicoSeconds(500)}, {"Entropies", 256}});
    NS_TEST_EXPECT_MSG_EQ(balancer->GetMarkingShare(), 0.1, "marks at a tenth of the buffer");
    uint64_t traced = 0;
    Trace(*balancer, "Freeze", [&traced](uint64_t freezes) { traced = freezes; });
    balancer->Start({}, 1);
    const std::vector<uint32_t> drawn = TakeLabels(*balancer, 2000);
    NS_TEST_EXPECT_MSG_LT(*std::max_element(drawn.begin(), drawn.end()), 256, "as it is set");
    NS_TEST_EXPECT_MSG_GT(SetOf(drawn).size(), 240, "random");
    for (const uint32_t label : {1000, 1001, 1002}) // which it would not draw
    {
        Acknowledge(*balancer, PathChoice::FIRST_PORT + label, label == 1001, 0, 10);
    }
    NS_TEST_EXPECT_MSG_EQ(TakeLabels(*balancer, 1)[0], 1000, "the oldest good one");
    NS_TEST_EXPECT_MSG_EQ(TakeLabels(*balancer, 1)[0], 1002, "the next good one");
    NS_TEST_EXPECT_MSG_LT(TakeLabels(*balancer, 1)[0], 256, "a new one");
    balancer->Feedback(0, PathEvent::TIMED_OUT, 0, 20);
    NS_TEST_EXPECT_MSG_EQ(traced, 1, "frozen");
    NS_TEST_EXPECT_MSG_EQ((TakeLabels(*balancer, 3) == std::vector<uint32_t>{1000, 1002, 1000}),
                          true,
                          "old ones in turn");
    Acknowledge(*balancer, PathChoice::FIRST_PORT + 1000, false, 15, 521);
    const std::vector<uint32_t> explored = TakeLabels(*balancer, 16);
    NS_TEST_EXPECT_MSG_LT(*std::max_element(explored.begin(), explored.end()), 256, "explores");
    NS_TEST_EXPECT_MSG_EQ(TakeLabels(*balancer, 1)[0], 1000, "and goes on");
    PolicyCounters counters = CountersOf(*balancer);
    NS_TEST_EXPECT_MSG_EQ(counters.at("reps_reused"), 6, "1000 four times, 1002 twice");
    NS_TEST_EXPECT_MSG_EQ(counters.at("reps_freezes"), 1, "freezes");
    NS_TEST_EXPECT_MSG_EQ(counters.at("reps_thaws"), 1, "thaws");
}

FABRIC_TEST(g_hostBalancer, "Eight labels are remembered, if nothing else is said")
{
    Ptr<RepsBalancer> balancer = CreateObject<RepsBalancer>();
    balancer->Start({}, 1);
    for (uint16_t label = 0; label < 10; ++label)
    {
        Acknowledge(*balancer, PathChoice::FIRST_PORT + label, false, 0, 10);
    }
    const std::vector<uint32_t> kept = {2, 3, 4, 5, 6, 7, 8, 9};
    NS_TEST_EXPECT_MSG_EQ((TakeLabels(*balancer, 8) == kept), true, "the newest eight");
}

/// REPS as in Ethereal's simulator stays on a label until a mark or a timeout.
struct EtherealRepsBalancerTestCase : FabricTestCase
{
    void ExpectLabel(HostBalancer& balancer, uint32_t label, const std::string& what)
    {
        NS_TEST_EXPECT_MSG_EQ((TakeLabels(balancer, 3) == std::vector<uint32_t>(3, label)),
                              true,
                              what);
    }
};

FABRIC_TEST_F(EtherealRepsBalancerTestCase,
              g_hostBalancer,
              "ethereal-reps: one label until a mark or a loss")
{
    Ptr<EtherealRepsBalancer> balancer = CreateObject<EtherealRepsBalancer>();
    balancer->Start({}, 1);
    std::vector<uint32_t> first(27);
    std::iota(first.begin(), first.end(), 0);
    for (const uint16_t label : {9, 4, 6, 8, 2})
    {
        Acknowledge(*balancer, PathChoice::FIRST_PORT + label, false, 0, 10);
    }
    NS_TEST_EXPECT_MSG_EQ((TakeLabels(*balancer, 27) == first), true, "it explores");
    ExpectLabel(*balancer, 9, "the oldest");
    Acknowledge(*balancer, PathChoice::FIRST_PORT + 2, true, 0, 20);
    ExpectLabel(*balancer, 4, "after a mark");
    balancer->Feedback(PathChoice::FIRST_PORT + 9, PathEvent::LOST, 0, 30);
    balancer->Feedback(0, PathEvent::TIMED_OUT, 0, 30);
    ExpectLabel(*balancer, 6, "after a loss, which is why the timer expires");
    balancer->Feedback(0, PathEvent::TIMED_OUT, 0, 40);
    ExpectLabel(*balancer, 8, "after a timeout");
    balancer->Feedback(PathChoice::FIRST_PORT + 8, PathEvent::LOST, 0, 50);
    balancer->Feedback(PathChoice::FIRST_PORT + 8, PathEvent::LOST, 0, 50);
    NS_TEST_EXPECT_MSG_EQ(TakeLabels(*balancer, 1)[0], 27, "nothing is left: it counts on");
    PolicyCounters counters = CountersOf(*balancer);
    NS_TEST_EXPECT_MSG_EQ(counters.at("reps_reused"), 12, "three of each");
    NS_TEST_EXPECT_MSG_EQ(counters.at("reps_removed"), 5, "all");
}

/// The label counts packets from a random start on, and wraps.
FABRIC_TEST(g_hostBalancer, "host-counter: labels in ascending order")
{
    std::set<uint32_t> starts;
    for (int64_t stream = 1; stream <= 100; ++stream)
    {
        Ptr<HostCounterBalancer> balancer = CreateObject<HostCounterBalancer>();
        balancer->Start({}, stream);
        const std::vector<uint32_t> labels = TakeLabels(*balancer, HostBalancer::ENTROPIES + 3);
        for (uint32_t i = 0; i < labels.size(); ++i)
        {
            NS_TEST_ASSERT_MSG_EQ(labels[i],
                                  (labels[0] + i) % HostBalancer::ENTROPIES,
                                  "packet " << i);
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(labels[0], 256, "the start");
        starts.insert(labels[0]);
    }
    NS_TEST_EXPECT_MSG_GT(starts.size(), 60, "starts differ");
    NS_TEST_EXPECT_MSG_LT(*starts.begin(), 20, "from the low ones");
    NS_TEST_EXPECT_MSG_GT(*starts.rbegin(), 236, "to the high ones");
}

/// Whatever has failed: Host DR goes round what is alive, so that as many packets as there are
/// paths in all planes, one after the other, take each path once. In a plane without parallel links
/// the numbers of packets over any two paths differ by at most one at any time.
struct HostDrBalancerTestCase : FabricTestCase
{
    void DoSetup() override
    {
        FabricTestCase::DoSetup();
        m_random->SetStream(1);
    }

    /// @return a random number
    uint32_t Draw(uint32_t bound)
    {
        return m_random->GetInteger(0, bound - 1);
    }

    /// Send packets, and see which paths they take.
    void CheckRotation(HostBalancer& balancer,
                       const PathView& paths,
                       uint32_t source,
                       uint32_t destination)
    {
        std::vector<std::map<uint32_t, uint32_t>> sent(paths.GetPlanes());
        std::vector<std::map<uint32_t, uint32_t>> weights(paths.GetPlanes());
        uint32_t round = 0;
        for (uint16_t plane = 0; plane < paths.GetPlanes(); ++plane)
        {
            for (const LabelledPaths& choice : paths.CountPaths(source, destination, plane))
            {
                sent[plane][choice.label] = 0;
                weights[plane][choice.label] = choice.paths;
                round += choice.paths;
            }
        }
        for (uint32_t i = 0; i < 3 * std::max(round, 1U); ++i)
        {
            const auto [entropy, plane, any] = ChoosePath(balancer, sent.size());
            if (round == 0)
            {
                NS_TEST_EXPECT_MSG_EQ(entropy, PathChoice::FIRST_PORT, "no path is label 0");
                continue;
            }
            const auto path = sent.at(plane).find(entropy - PathChoice::FIRST_PORT);
            NS_TEST_EXPECT_MSG_EQ((path != sent[plane].end()), true, "a path that is alive");
            if (IsStatusFailure())
            {
                return;
            }
            ++path->second;
            if (Spread(weights[plane]) == 0)
            {
                NS_TEST_EXPECT_MSG_LT_OR_EQ(Spread(sent[plane]), 1, "paths are even");
            }
            if ((i + 1) % round == 0)
            {
                CheckRound(sent, weights, (i + 1) / round);
            }
        }
    }

    /// See that each path was taken as often.  @param sent packets by plane and label
    void CheckRound(const std::vector<std::map<uint32_t, uint32_t>>& sent,
                    std::vector<std::map<uint32_t, uint32_t>> weights,
                    uint32_t rounds)
    {
        for (auto& plane : weights)
        {
            for (auto& path : plane)
            {
                path.second *= rounds;
            }
        }
        NS_TEST_EXPECT_MSG_EQ((sent == weights), true, "each path once a round");
    }

    /// @return the difference between the largest and the least
    uint32_t Spread(const std::map<uint32_t, uint32_t>& counts)
    {
        const auto [least, most] =
            std::minmax_element(counts.begin(), counts.end(), [](const auto& a, const auto& b) {
                return a.second < b.second;
            });
        return most->second - least->second;
    }

    /// In digit reversal, whose order is fixed, a queue pair begins anywhere: in any plane, there
    /// on any path.  @param paths between its first host and its last
    void CheckStarts(const FabricGraph& graph, uint32_t paths)
    {
        const auto view = std::make_shared<PathView>(graph);
        std::set<std::pair<uint32_t, uint16_t>> starts;
        for (int64_t stream = 1; stream <= 200; ++stream)
        {
            Ptr<HostDrBalancer> balancer = CreateObject<HostDrBalancer>();
            balancer->Start({}, stream);
            balancer->Connect(0, graph.HostCount() - 1, view);
            const PathChoice path = ChoosePath(*balancer, graph.Planes());
            starts.emplace(path.plane, path.entropy);
        }
        NS_TEST_EXPECT_MSG_EQ(starts.size(), paths, "starts are random");
    }

    Ptr<UniformRandomVariable> m_random{CreateObject<UniformRandomVariable>()}; //!< of the test
};

FABRIC_TEST_F(HostDrBalancerTestCase,
              g_hostBalancer,
              "host-dr: each path of all planes once a round")
{
    const std::vector<FabricGraph> graphs = {FatTree(4),
                                             FatTree(8),
                                             LeafSpine(4, 6, 3),
                                             LeafSpine(3, 4, 2, 3),
                                             MakeLeafSpine({3, 3, 2, 2, 2})};
    for (uint32_t trial = 0; trial < 200; ++trial)
    {
        const FabricGraph& graph = graphs[trial % graphs.size()];
        auto paths = std::make_shared<PathView>(graph);
        const uint32_t source = Draw(graph.HostCount());
        const uint32_t shift = 1 + Draw(graph.HostCount() - 1);
        const uint32_t destination = (source + shift) % graph.HostCount();
        Ptr<HostDrBalancer> balancer = CreateWith<HostDrBalancer>(
            {{"Order", trial / graphs.size() % 2 == 0 ? "DigitReversal" : "Random"}});
        balancer->Start({}, trial);
        balancer->Connect(source, destination, paths);
        for (uint32_t failures = 0; failures < 4; ++failures)
        {
            CheckRotation(*balancer, *paths, source, destination);
            paths->SetLinkAlive(Draw(graph.Links().size()), false);
            paths->SetLinkAlive(Draw(graph.Links().size()), Draw(2) == 0);
        }
    }
    CheckStarts(FatTree(8), 16);
    CheckStarts(LeafSpine(3, 4, 2, 3), 3 * 4);
}

/// A balancer that is connected to another host takes the paths to that one.
FABRIC_TEST_F(HostDrBalancerTestCase, g_hostBalancer, "Host DR balancer: another destination")
{
    const FabricGraph graph = FatTree(4);
    const auto paths = std::make_shared<PathView>(graph);
    const Ptr<HostDrBalancer> balancer = CreateObject<HostDrBalancer>();
    balancer->Start({}, 1);
    for (const uint32_t destination : {15, 2, 1, 9})
    {
        balancer->Connect(0, destination, paths);
        CheckRotation(*balancer, *paths, 0, destination);
    }
}

/// Digit reversal goes up one label by one, random orders are each another.
FABRIC_TEST(g_hostBalancer, "Host DR balancer: orders")
{
    constexpr uint32_t PATHS = 16;
    const FabricGraph graph = FatTree(8);
    auto paths = std::make_shared<PathView>(graph);
    std::set<std::vector<uint32_t>> orders;
    for (int64_t stream = 1; stream <= 20; ++stream)
    {
        Ptr<HostDrBalancer> reversed = CreateObject<HostDrBalancer>();
        Ptr<HostDrBalancer> random = CreateWith<HostDrBalancer>({{"Order", "Random"}});
        for (const Ptr<HostDrBalancer>& balancer : {reversed, random})
        {
            balancer->Start({}, stream);
            balancer->Connect(0, 127, paths);
        }
        const std::vector<uint32_t> labels = TakeLabels(*reversed, PATHS);
        for (uint32_t i = 1; i < PATHS; ++i)
        {
            NS_TEST_EXPECT_MSG_EQ(labels[i], (labels[0] + i) % PATHS, "digit reversal");
        }
        std::vector<uint32_t> order = TakeLabels(*random, PATHS);
        NS_TEST_EXPECT_MSG_EQ((TakeLabels(*random, PATHS) == order), true, "is kept");
        std::rotate(order.begin(), std::find(order.begin(), order.end(), 0), order.end());
        orders.insert(order);
    }
    NS_TEST_EXPECT_MSG_EQ(orders.size(), 20, "random orders differ, not their starts only");
}

/// Rotation over planes: alive ones are even, to a packet; dead ones are spared.
struct PlaneDrBalancerTestCase : FabricTestCase
{
    static constexpr uint32_t PLANES = 4; //!< of the fabric

    /// Send packets.  @param alive the planes that are to be used
    void CheckPlanes(HostBalancer& balancer, const std::set<uint32_t>& alive)
    {
        std::map<uint32_t, uint32_t> sent;
        for (const uint32_t plane : alive)
        {
            sent[plane] = 0;
        }
        const uint16_t entropy = ChoosePath(balancer).entropy;
        for (uint32_t i = 0; i < 50; ++i)
        {
            const PathChoice path = ChoosePath(balancer, PLANES);
            ++sent[path.plane];
            uint32_t least = std::numeric_limits<uint32_t>::max();
            uint32_t most = 0;
            for (const auto& entry : sent)
            {
                least = std::min(least, entry.second);
                most = std::max(most, entry.second);
            }
            NS_TEST_EXPECT_MSG_EQ(sent.size(), alive.size(), "no plane that is dead");
            NS_TEST_EXPECT_MSG_LT_OR_EQ(most - least, 1, "planes are even");
            NS_TEST_EXPECT_MSG_EQ(path.entropy, entropy, "the entropy is kept");
        }
    }
};

FABRIC_TEST_F(PlaneDrBalancerTestCase,
              g_hostBalancer,
              "plane-dr: planes are even, a lost one is spared")
{
    const FabricGraph graph = LeafSpine(3, 2, 2, PLANES);
    std::set<uint32_t> starts;
    for (int64_t stream = 1; stream <= 40; ++stream)
    {
        auto paths = std::make_shared<PathView>(graph);
        Ptr<PlaneDrBalancer> balancer = CreateObject<PlaneDrBalancer>();
        balancer->Start({}, stream);
        balancer->Connect(0, 5, paths);
        starts.insert(ChoosePath(*balancer, PLANES).plane);
        CheckPlanes(*balancer, {0, 1, 2, 3});
        const uint32_t spine = graph.LinkAt({false, graph.LeafOf(0, 1), 2});
        paths->SetLinkAlive(spine, false); // plane 1 has one spine left of two
        std::map<uint32_t, uint32_t> sent;
        for (uint32_t i = 0; i < 7 * 10; ++i)
        {
            ++sent[ChoosePath(*balancer, PLANES).plane];
        }
        const std::map<uint32_t, uint32_t> expected = {{0, 20}, {1, 10}, {2, 20}, {3, 20}};
        NS_TEST_EXPECT_MSG_EQ((sent == expected), true, "by what is left of each");
        paths->SetLinkAlive(spine, true);
        paths->SetLinkAlive(graph.LinkAt({true, 0, 2}), false); // the sender's link
        paths->SetLinkAlive(graph.LinkAt({true, 5, 3}), false); // the receiver's
        CheckPlanes(*balancer, {0, 1});
        paths->SetLinkAlive(graph.LinkAt({true, 0, 2}), true);
        CheckPlanes(*balancer, {0, 1, 2});
    }
    NS_TEST_EXPECT_MSG_EQ(starts.size(), PLANES, "starts are random");
}

FABRIC_TEST(g_hostBalancer, "Both of two planes are in use, and plane 0 where there is one")
{
    const FabricGraph graph = LeafSpine(2, 2, 2, 2);
    const auto paths = std::make_shared<PathView>(graph);
    for (const std::string name : {"PlaneDr", "HostRandom"})
    {
        const auto balancer = FactoryOf(name + "Balancer").Create<HostBalancer>();
        balancer->Start({}, 1);
        balancer->Connect(0, 2, paths);
        NS_TEST_EXPECT_MSG_EQ(ChoosePath(*balancer).plane, 0, name << ": one plane");
        std::set<uint16_t> planes;
        for (uint32_t i = 0; i < 20; ++i)
        {
            planes.insert(ChoosePath(*balancer, 2).plane);
        }
        NS_TEST_EXPECT_MSG_EQ(planes.size(), 2, name << ": two planes");
    }
}

/// A pinned queue pair keeps its path, and asks for another one when the timer expires.
struct PinnedBalancerTestCase : FabricTestCase
{
    /// It asks, at each timeout and only then.
    void CheckFailure(Ptr<PinnedBalancer> balancer)
    {
        std::vector<uint16_t> asked;
        balancer->SetFailureCallback(
            CallbackOf([&asked, balancer](uint16_t failed) -> std::optional<uint16_t> {
                asked.push_back(failed);
                if (asked.size() == 2)
                {
                    balancer->SetPath(0, 3);
                }
                return asked.size() == 3 ? std::nullopt : std::optional<uint16_t>(failed + 1);
            }));
        balancer->Feedback(PathChoice::FIRST_PORT + 37, PathEvent::LOST, 0, 15);
        CheckPath(*balancer, PathChoice::FIRST_PORT + 37, 2, "a loss is no failure");
        balancer->Feedback(0, PathEvent::TIMED_OUT, 0, 20);
        CheckPath(*balancer, PathChoice::FIRST_PORT + 38, 2, "another path in the plane");
        balancer->Feedback(0, PathEvent::TIMED_OUT, 0, 30);
        CheckPath(*balancer, PathChoice::FIRST_PORT + 39, 3, "in another plane");
        balancer->Feedback(0, PathEvent::TIMED_OUT, 0, 40);
        NS_TEST_EXPECT_MSG_EQ(balancer->GetPath().has_value(), false, "no path is left");
        balancer->Feedback(0, PathEvent::TIMED_OUT, 0, 50);
        NS_TEST_EXPECT_MSG_EQ((asked == std::vector<uint16_t>{37, 38, 39}), true, "what it asked");
        balancer->Dispose();
        balancer->SetPath(5, 1);
        balancer->Feedback(0, PathEvent::TIMED_OUT, 0, 60);
        NS_TEST_EXPECT_MSG_EQ(asked.size(), 3, "it asks nobody when it is disposed of");
    }

    /// @param plane the plane that it should choose of 4
    void CheckPath(HostBalancer& balancer,
                   uint16_t entropy,
                   uint32_t plane,
                   const std::string& what)
    {
        for (uint32_t i = 0; i < 3; ++i)
        {
            const PathChoice path = ChoosePath(balancer, 4);
            NS_TEST_EXPECT_MSG_EQ(path.plane, plane, what);
            NS_TEST_EXPECT_MSG_EQ(path.entropy, entropy, what);
        }
    }
};

FABRIC_TEST_F(PinnedBalancerTestCase,
              g_hostBalancer,
              "pinned: one path, and another after a timeout")
{
    Ptr<PinnedBalancer> balancer = CreateObject<PinnedBalancer>();
    NS_TEST_EXPECT_MSG_EQ(balancer->GetSwitchBalancer(),
                          PathLabelBalancer::GetTypeId(),
                          "source routing");
    NS_TEST_EXPECT_MSG_EQ(PolicyRegistry("Balancer", {HostBalancer::GetTypeId()}).Has("pinned"),
                          false,
                          "not to be chosen by name");
    Ptr<HostBalancer> ordinary = CreateObject<HostBalancer>();
    ordinary->SetFixedEntropy(0xE123);
    balancer->SetFixedEntropy(0xE123);
    balancer->Start({}, 1);
    CheckPath(*balancer, 0xA123, ChoosePath(*ordinary, 4).plane, "no path: an ordinary NIC");
    balancer->Feedback(0, PathEvent::TIMED_OUT, 0, 5);
    CheckPath(*balancer, 0xA123, ChoosePath(*ordinary, 4).plane, "nobody to ask");
    balancer->SetPath(37, 2);
    CheckPath(*balancer, PathChoice::FIRST_PORT + 37, 2, "label and plane");
    balancer->Feedback(0, PathEvent::TIMED_OUT, 0, 10);
    CheckPath(*balancer, PathChoice::FIRST_PORT + 37, 2, "nobody to ask: the path is kept");
    CheckFailure(balancer);
    balancer->SetPath(std::nullopt);
    NS_TEST_EXPECT_MSG_EQ(balancer->GetPath().has_value(), false, "unpinned");
    CheckPath(*balancer, 0xA123, ChoosePath(*ordinary, 4).plane, "an ordinary NIC again");
}

/// A switch takes the uplink that a label names, and hashes where it cannot.
struct PathLabelBalancerTestCase : LabelSwitchTestCase
{
    void CheckUp(uint8_t tier, const std::vector<uint16_t>& ports)
    {
        EgressGroup group;
        group.ports = ports;
        group.members.assign(ports.size(), nullptr);
        Ptr<PathLabelBalancer> balancer = MakeBalancer<PathLabelBalancer>(tier, 9);
        Ptr<EcmpBalancer> ecmp = MakeBalancer<EcmpBalancer>(tier, 9);
        for (uint32_t label = 0; label < 2 * UPLINKS * UPLINKS; ++label)
        {
            const Ptr<FabricFrame> frame = MakeFrame(label, 5);
            const uint32_t port = FIRST_UP + (tier == 0 ? label : label / UPLINKS) % UPLINKS;
            const bool isThere = std::find(ports.begin(), ports.end(), port) != ports.end();
            const uint32_t chosen = balancer->Choose(*frame, group, 0);
            const uint32_t expected = isThere ? port : ports[ecmp->Choose(*frame, group, 0)];
            NS_TEST_EXPECT_MSG_EQ(static_cast<uint32_t>(balancer->Predict(*frame, group)),
                                  chosen,
                                  "as predicted");
            NS_TEST_EXPECT_MSG_EQ(ports.at(chosen),
                                  expected,
                                  "label " << label << " at tier " << +tier);
            Ptr<PinnedBalancer> unpinned = CreateObject<PinnedBalancer>();
            unpinned->SetFixedEntropy(frame->entropy);
            const Ptr<FabricFrame> plain =
                MakeFrame(ChoosePath(*unpinned).entropy - PathChoice::FIRST_PORT, 5);
            NS_TEST_EXPECT_MSG_EQ(balancer->Choose(*plain, group, 0),
                                  ecmp->Choose(*plain, group, 0),
                                  "who is not pinned sets no label");
            frame->kind = FrameKind::IP;
            NS_TEST_EXPECT_MSG_EQ(balancer->Choose(*frame, group, 0),
                                  ecmp->Choose(*frame, group, 0),
                                  "what is not RoCE has no label");
        }
    }

    void CheckDown(uint8_t tier, uint32_t width)
    {
        EgressGroup group;
        for (uint32_t i = 0; i < width; ++i)
        {
            group.ports.push_back(i);
        }
        group.members.assign(width, nullptr);
        Ptr<PathLabelBalancer> balancer = MakeBalancer<PathLabelBalancer>(tier, 9);
        for (uint32_t label = 0; label < UPLINKS * UPLINKS; ++label)
        {
            const uint32_t digit = tier == 1 ? label % UPLINKS : label / UPLINKS;
            NS_TEST_EXPECT_MSG_EQ(balancer->Choose(*MakeFrame(label, 103), group, 0),
                                  digit % width,
                                  "label " << label << " down from tier " << +tier);
        }
    }
};

FABRIC_TEST_F(PathLabelBalancerTestCase,
              g_hostBalancer,
              "path labels: the uplink of the digit, else as ecmp")
{
    for (uint8_t tier = 0; tier < 2; ++tier)
    {
        CheckUp(tier, {4, 5, 6, 7, 8});
        CheckUp(tier, {4, 6, 8});
        CheckUp(tier, {5, 6, 7});
        CheckUp(tier, {8, 4, 8, 6, 4}); // weights, in any order
    }
    CheckDown(1, 3);
    CheckDown(2, 2);
    const PolicyRegistry registry("Balancer", {SwitchBalancer::GetTypeId()});
    NS_TEST_EXPECT_MSG_EQ(registry.Has("path-label"), false, "makes no sense alone");
    NS_TEST_EXPECT_MSG_EQ(registry.Has("ns3::aifabric::PathLabelBalancer"), true, "but exists");
}

/// Host DR on a fabric: a flow loads all links of a layer that it may use evenly, there and back,
/// to a frame. What is noted to be dead is not used from then on.
struct HostDrFabricTestCase : FabricTestCase
{
    static constexpr uint32_t ROUNDS = 3; //!< times that each path is to be used

    /// Send one message, and look at the links.  @param dead links that nothing may cross
    void CheckEven(const FabricGraph& graph,
                   uint32_t source,
                   uint32_t destination,
                   const std::set<uint32_t>& dead)
    {
        ClosHelper helper;
        helper.SetBalancerType(HostDrBalancer::GetTypeId());
        helper.SetNicAttribute("RecoveryType", TypeIdValue(OracleRecovery::GetTypeId()));
        Ptr<Fabric> fabric = InstallFabric(helper, graph);
        uint32_t paths = 0;
        for (const uint32_t link : dead)
        {
            fabric->GetPaths()->SetLinkAlive(link, false);
        }
        for (uint16_t plane = 0; plane < graph.Planes(); ++plane)
        {
            paths += fabric->GetPaths()->UsablePaths(source, destination, plane).size();
        }
        const uint64_t packets = uint64_t{ROUNDS} * paths;
        const auto driver = StartFlows(*fabric, {{0, source, destination, packets * 4096}});
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(driver->GetService()->GetCompleted(), 1, "it arrives");
        CheckLinks(*fabric, packets, dead);
        fabric->Dispose();
        Simulator::Destroy();
    }

    /// @param fabric where a message has been sent  @param dead links that nothing may cross
    void CheckLinks(const Fabric& fabric, uint64_t packets, const std::set<uint32_t>& dead)
    {
        std::map<std::pair<uint32_t, bool>, std::set<uint64_t>> loads; // by tier and direction
        std::map<std::pair<uint32_t, bool>, uint64_t> sums;
        for (uint32_t link = 0; link < fabric.GetChannelCount(); ++link)
        {
            for (const bool up : {false, true})
            {
                const uint64_t frames = fabric.GetChannel(link)
                                            ->GetPort(up ? 0 : 1)
                                            ->GetTransmitter()
                                            .GetCounters()
                                            .deliveredFrames;
                const std::pair<uint32_t, bool> layer(fabric.GetGraph().Links()[link].tier, up);
                NS_TEST_EXPECT_MSG_EQ((frames > 0 && dead.count(link) > 0),
                                      false,
                                      fabric.GetGraph().LinkName(link) << " is dead");
                if (frames > 0)
                {
                    loads[layer].insert(frames);
                    sums[layer] += frames;
                }
            }
        }
        for (const auto& [layer, frames] : loads)
        {
            NS_TEST_EXPECT_MSG_EQ(sums.at(layer), 2 * packets, "data and acknowledgements");
            // With a dead link some aggregations have fewer cores; else all links are even.
            NS_TEST_EXPECT_MSG_EQ((frames.size() == 1 || !dead.empty()), true, "even");
            NS_TEST_EXPECT_MSG_EQ(*frames.begin() % ROUNDS, 0, "each path in each round");
        }
    }
};

FABRIC_TEST_F(HostDrFabricTestCase,
              g_hostBalancer,
              "host-dr on a fabric: links are even, dead ones are spared")
{
    LeafSpineConfig bundles;
    bundles.leaves = 3;
    bundles.spines = 2;
    bundles.hostsPerLeaf = 2;
    bundles.linksPerSpine = 3;
    CheckEven(FatTree(4), 0, 15, {});
    CheckEven(FatTree(8), 3, 127, {});
    CheckEven(FatTree(8), 0, 12, {});
    CheckEven(LeafSpine(3, 5, 2), 0, 5, {});
    CheckEven(LeafSpine(3, 5, 2, 2), 0, 5, {});
    CheckEven(MakeLeafSpine(bundles), 0, 5, {});
    CheckEven(MakeThreeTier({8, 4, 4, 16, 16}), 0, 511, {});
    CheckEven(MakeThreeTier({3, 5, 2, 8, 4, 2}), 0, 59, {});
    CheckEven(MakeThreeTier({3, 5, 2, 8, 4, 2}), 1, 17, {});
    const FabricGraph graph = FatTree(8);
    CheckEven(graph, 0, 127, {graph.LinkAt({false, graph.LeafOf(0), 5})});
    CheckEven(graph, 0, 127, {graph.LinkAt({false, graph.LeafOf(127), 4})});
}

/// On a fabric whose links between switches are faster, a message goes by the path whose label its
/// queue pair was given, all of it and its acknowledgements, and one that stays below its leaf
/// arrives without a path.
struct PinnedPathsTestCase : FabricTestCase
{
    static constexpr uint64_t PACKETS = 5; //!< of a message

    /// Send a message by each path.
    void Check(const ThreeTierConfig& config)
    {
        const FabricGraph graph = MakeThreeTier(config);
        ClosHelper helper = ClosOf({}, {{"DataRate", "400Gb/s"}});
        helper.SetFabricRate(DataRate("1600Gb/s"));
        helper.SetBalancerType(PinnedBalancer::GetTypeId());
        helper.SetNicAttribute("RecoveryType", TypeIdValue(OracleRecovery::GetTypeId()));
        Ptr<Fabric> fabric = InstallFabric(helper, graph);
        const uint32_t last = graph.HostCount() - 1;
        const auto ends = RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(last));
        Ptr<PinnedBalancer> balancer = DynamicCast<PinnedBalancer>(ends.first->GetBalancer());
        std::map<uint32_t, uint64_t> expected; // frames that leave each core
        for (uint16_t plane = 0; plane < graph.Planes(); ++plane)
        {
            for (const uint16_t label : fabric->GetPaths()->UsablePaths(0, last, plane))
            {
                const uint32_t cores = config.cores / config.spinesPerPod;
                const uint32_t core =
                    label % config.spinesPerPod * cores + label / config.spinesPerPod;
                balancer->SetPath(label, plane);
                ends.first->PostWrite(PACKETS * 4096);
                Simulator::Run();
                expected[plane * config.cores + core] += 2 * PACKETS; // with the answers
                CheckCores(*fabric, expected);
            }
        }
        const std::size_t cores = graph.Planes() * config.cores;
        NS_TEST_EXPECT_MSG_EQ(expected.size(), cores, "each core once");
        const auto near = RoceHelper().Connect(fabric->GetNic(0), fabric->GetNic(1));
        near.first->PostWrite(PACKETS * 4096);
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(near.first->GetPendingMessages(), 0, "below the leaf");
        CheckCores(*fabric, expected);
        fabric->Dispose();
        Simulator::Destroy();
    }

    /// @param expected frames that have left each core, of all planes
    void CheckCores(const Fabric& fabric, const std::map<uint32_t, uint64_t>& expected)
    {
        uint32_t core = 0;
        for (uint32_t id = 0; id < fabric.GetGraph().Switches().size(); ++id)
        {
            const FabricSwitchSpec& spec = fabric.GetGraph().Switches()[id];
            if (spec.tier < 2)
            {
                continue;
            }
            uint64_t frames = 0;
            for (uint16_t port = 0; port < spec.portCount; ++port)
            {
                const Ptr<FabricPort> device = fabric.GetPort({false, id, port});
                NS_TEST_EXPECT_MSG_EQ(device->GetDataRate(), DataRate("1600Gb/s"), "its rate");
                frames += device->GetTransmitter().GetCounters().deliveredFrames;
            }
            const auto found = expected.find(core++);
            const uint64_t right = found == expected.end() ? 0 : found->second;
            NS_TEST_EXPECT_MSG_EQ(frames, right, fabric.GetGraph().SwitchName(id));
        }
    }
};

FABRIC_TEST_F(PinnedPathsTestCase, g_hostBalancer, "pinned on a fabric: each label is its core")
{
    Check({8, 4, 4, 16, 16});
    Check({3, 5, 2, 8, 4, 2});
}

/// The planes of ordinary queue pairs are as if drawn at random: over runs each plane has its
/// share, and the share of a run scatters as that of independent draws, also in a ring, whose queue
/// pairs have the same numbers at all hosts.
struct BondHashTestCase : FabricTestCase
{
    static constexpr uint32_t RUNS = 200; //!< how often the planes are chosen anew

    /// Connect a ring in many runs, and count the planes.
    void CheckRing(const LeafSpineConfig& config)
    {
        Ptr<Fabric> fabric = ClosHelper().Install(MakeLeafSpine(config));
        const uint32_t hosts = fabric->GetGraph().HostCount();
        std::vector<std::pair<Ptr<QueuePair>, Ptr<QueuePair>>> ring;
        for (uint32_t host = 0; host < hosts; ++host)
        {
            ring.push_back(
                RoceHelper().Connect(fabric->GetNic(host), fabric->GetNic((host + 1) % hosts)));
        }
        double sum = 0;
        double squares = 0;
        for (uint32_t run = 1; run <= RUNS; ++run)
        {
            RngSeedManager::SetRun(run);
            uint32_t count = 0; // of queue pairs in plane 1
            for (uint32_t host = 0; host < hosts; ++host)
            {
                const auto& [from, to] = ring[host];
                from->Connect((host + 1) % hosts, to->GetNumber());
                count += ChoosePath(*from->GetBalancer(), config.planes).plane == 1;
            }
            sum += count;
            squares += count * count;
        }
        const double share = 1.0 / config.planes;
        const double mean = sum / RUNS;
        const double variance = hosts * share * (1 - share);
        NS_TEST_EXPECT_MSG_EQ_TOL(mean,
                                  hosts * share,
                                  4 * std::sqrt(variance / RUNS),
                                  "queue pairs of a plane, mean of the runs");
        NS_TEST_EXPECT_MSG_EQ_TOL(squares / RUNS - mean * mean,
                                  variance,
                                  0.4 * variance,
                                  "their variance over the runs");
        fabric->Dispose();
        Simulator::Destroy();
    }
};

FABRIC_TEST_F(BondHashTestCase,
              g_hostBalancer,
              "planes of ordinary queue pairs: a hash with a salt of the run")
{
    const uint64_t run = RngSeedManager::GetRun();
    for (const uint16_t planes : {2, 3, 8})
    {
        LeafSpineConfig config{4, 2, 4};
        config.planes = planes;
        CheckRing(config);
    }
    RngSeedManager::SetRun(run);
}
