/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/link-load.h"
#include "ns3/rank-planner.h"

namespace
{

constexpr int RANDOM_FABRICS = 150; //!< fabrics a property is checked on

/// A fabric with a name for messages.
struct NamedFabric
{
    std::string name;  //!< its builder and numbers
    FabricGraph graph; //!< the fabric
};

/// @return a number
int64_t
Draw(std::mt19937& random, int64_t low, int64_t high)
{
    return low + static_cast<int64_t>(random() % (high - low + 1));
}

/// @return a random small fat-tree
NamedFabric
RandomFatTree(std::mt19937& random)
{
    const FatTreeConfig config{2 * Draw(random, 1, 5), Draw(random, 1, 3), Draw(random, 1, 8)};
    return {"k=" + std::to_string(config.k) + " planes=" + std::to_string(config.planes) +
                " hostsPerEdge=" + std::to_string(*config.hostsPerEdge),
            MakeFatTree(config)};
}

/// @return a random small leaf-spine fabric
NamedFabric
RandomLeafSpine(std::mt19937& random)
{
    const LeafSpineConfig config{Draw(random, 1, 24),
                                 Draw(random, 1, 12),
                                 Draw(random, 1, 10),
                                 Draw(random, 1, 3),
                                 Draw(random, 1, 4)};
    return {"leaves=" + std::to_string(config.leaves) + " spines=" + std::to_string(config.spines) +
                " hosts=" + std::to_string(config.hostsPerLeaf) + " links=" +
                std::to_string(config.linksPerSpine) + " planes=" + std::to_string(config.planes),
            MakeLeafSpine(config)};
}

/// @return a random small three-tier fabric
NamedFabric
RandomThreeTier(std::mt19937& random)
{
    const int64_t spines = Draw(random, 1, 4);
    const int64_t bundle = Draw(random, 1, 3);
    const ThreeTierConfig config{Draw(random, 2, 6),
                                 Draw(random, 1, 5),
                                 spines,
                                 spines * bundle,
                                 Draw(random, 1, 8),
                                 Draw(random, 1, 3)};
    return {"pods=" + std::to_string(config.pods) +
                " leaves=" + std::to_string(config.leavesPerPod) +
                " spines=" + std::to_string(spines) + " cores=" + std::to_string(config.cores) +
                " hosts=" + std::to_string(config.hostsPerLeaf) +
                " planes=" + std::to_string(config.planes),
            MakeThreeTier(config)};
}

/// @return a random small fabric
NamedFabric
RandomFabric(std::mt19937& random)
{
    return random() % 2 == 0 ? RandomFatTree(random) : RandomLeafSpine(random);
}

/// @return the number of blocks, which is that of leaves of a plane
uint32_t
CountBlocks(const FabricGraph& graph)
{
    uint32_t blocks = 0;
    for (const auto& spec : graph.Switches())
    {
        blocks += spec.tier == 0 && spec.plane == 0;
    }
    return blocks;
}

/// Check a property on plans of random fabrics for random numbers of ranks.
void
ForRandomPlans(uint32_t seed, const std::function<void(const FabricGraph&, const RankPlan&)>& check)
{
    std::mt19937 random(seed);
    for (int i = 0; i < RANDOM_FABRICS; ++i)
    {
        const auto fabric = RandomFabric(random);
        const auto ranks = static_cast<uint32_t>(Draw(random, 1, CountBlocks(fabric.graph)));
        SCOPED_TRACE(fabric.name + " ranks=" + std::to_string(ranks));
        check(fabric.graph, PlanRanks(fabric.graph, ranks));
        if (testing::Test::HasFailure())
        {
            return;
        }
    }
}

/// @return the expected work of each switch
std::vector<double>
SwitchWork(const FabricGraph& graph)
{
    const auto loads = UniformLinkLoads(graph);
    std::vector<double> work(graph.Switches().size());
    for (uint32_t id = 0; id < work.size(); ++id)
    {
        for (uint16_t port = 0; port < graph.Switches()[id].portCount; ++port)
        {
            work[id] += loads[graph.LinkAt({false, id, port})];
        }
    }
    return work;
}

/// Draw a plan that is balanced too: leaves with their hosts in any order, as many to each rank,
/// then all other switches in any order, each to the rank with the least work.  @return the plan
RankPlan
RandomBalancedPlan(const FabricGraph& graph, uint32_t ranks, std::mt19937& random)
{
    const auto switchWork = SwitchWork(graph);
    std::vector<uint32_t> rankOfSwitch(switchWork.size());
    std::vector<uint32_t> rankOfBlock(CountBlocks(graph));
    for (uint32_t block = 0; block < rankOfBlock.size(); ++block)
    {
        rankOfBlock[block] = block % ranks;
    }
    std::shuffle(rankOfBlock.begin(), rankOfBlock.end(), random);
    std::vector<double> work(ranks);
    const uint32_t hostsPerLeaf = graph.HostCount() / CountBlocks(graph);
    for (uint32_t host = 0; host < graph.HostCount(); ++host)
    {
        const auto rank = rankOfBlock[host / hostsPerLeaf];
        work[rank] += 1;
        for (uint16_t plane = 0; plane < graph.Planes(); ++plane)
        {
            const auto leaf = graph.LeafOf(host, plane);
            work[rank] += host % hostsPerLeaf == 0 ? switchWork[leaf] : 0;
            rankOfSwitch[leaf] = rank;
        }
    }
    std::vector<uint32_t> others;
    for (uint32_t id = 0; id < switchWork.size(); ++id)
    {
        if (graph.Switches()[id].tier > 0)
        {
            others.push_back(id);
        }
    }
    std::shuffle(others.begin(), others.end(), random);
    for (auto id : others)
    {
        const auto least = std::min_element(work.begin(), work.end());
        *least += switchWork[id];
        rankOfSwitch[id] = static_cast<uint32_t>(least - work.begin());
    }
    return RankPlan(graph, ranks, [&](const FabricEnd& node) {
        return node.isHost ? rankOfBlock[node.id / hostsPerLeaf] : rankOfSwitch[node.id];
    });
}

/// @return what() of the exception that a plan throws, "" if none
std::string
ErrorOf(const FabricGraph& graph, uint32_t ranks)
{
    return RefusalOf([&] { PlanRanks(graph, ranks); });
}

} // namespace

/// Three tiers of any shape have plans; each rank has hosts, which stand with their leaves.
TEST(RankPlanner, ThreeTiersOfAnyShape)
{
    std::mt19937 random(8);
    for (int i = 0; i < RANDOM_FABRICS; ++i)
    {
        const auto [name, graph] = RandomThreeTier(random);
        const auto ranks = static_cast<uint32_t>(Draw(random, 1, CountBlocks(graph)));
        const auto plan = PlanRanks(graph, ranks);
        std::vector<uint32_t> hosts(ranks);
        for (uint32_t host = 0; host < graph.HostCount(); ++host)
        {
            ++hosts.at(plan.RankOfHost(host));
            for (uint16_t plane = 0; plane < graph.Planes(); ++plane)
            {
                const uint32_t leaf = graph.LeafOf(host, plane);
                EXPECT_EQ(plan.RankOfSwitch(leaf), plan.RankOfHost(host)) << name;
            }
        }
        EXPECT_GT(*std::min_element(hosts.begin(), hosts.end()), 0U) << name;
    }
}

/// Each node has a rank, and each rank has hosts.
TEST(RankPlanner, EachRankHasHosts)
{
    ForRandomPlans(1, [](const FabricGraph& graph, const RankPlan& plan) {
        std::vector<uint32_t> hosts(plan.GetRanks());
        for (uint32_t host = 0; host < graph.HostCount(); ++host)
        {
            ASSERT_LT(plan.RankOfHost(host), plan.GetRanks());
            ++hosts[plan.RankOfHost(host)];
        }
        for (uint32_t id = 0; id < graph.Switches().size(); ++id)
        {
            ASSERT_LT(plan.RankOfSwitch(id), plan.GetRanks());
        }
        EXPECT_GT(*std::min_element(hosts.begin(), hosts.end()), 0U);
        const auto fair = static_cast<double>(CountBlocks(graph)) / plan.GetRanks();
        const auto hostsPerLeaf = graph.HostCount() / CountBlocks(graph);
        if (graph.Tiers() == 2)
        {
            EXPECT_GE(*std::min_element(hosts.begin(), hosts.end()),
                      std::floor(fair) * hostsPerLeaf);
            EXPECT_LE(*std::max_element(hosts.begin(), hosts.end()),
                      std::ceil(fair) * hostsPerLeaf);
        }
    });
}

/// Hosts stand with their leaves of all planes: no link of a host is cut.
TEST(RankPlanner, HostsStandWithTheirLeaves)
{
    ForRandomPlans(2, [](const FabricGraph& graph, const RankPlan& plan) {
        for (auto link : plan.CutLinks())
        {
            ASSERT_FALSE(graph.Links()[link].a.isHost) << graph.LinkName(link);
        }
    });
}

/// No rank has more work than max(ceil(B / R) * w, mean + v), where w is the work of one of B equal
/// blocks and v that of a switch of no pod, or a tenth more. Dealing gives a rank at most ceil(B /
/// R) blocks; and who is given a switch had no more than the mean before.
TEST(RankPlanner, WorkIsBalanced)
{
    ForRandomPlans(3, [](const FabricGraph& graph, const RankPlan& plan) {
        const auto work = SwitchWork(graph);
        double blocks = graph.HostCount();
        double others = 0;
        double heaviest = 0;
        for (uint32_t id = 0; id < work.size(); ++id)
        {
            const bool inPod = graph.Switches()[id].pod != FabricSwitchSpec::NO_POD;
            (inPod ? blocks : others) += work[id];
            heaviest = inPod ? heaviest : std::max(heaviest, work[id]);
        }
        const double blockWork = blocks / CountBlocks(graph);
        const uint32_t most = (CountBlocks(graph) + plan.GetRanks() - 1) / plan.GetRanks();
        const double mean = (blocks + others) / plan.GetRanks();
        EXPECT_LE(plan.GetImbalance() * mean,
                  1.1 * std::max(most * blockWork, mean + heaviest) + 1e-6);
    });
}

/// If the ranks divide the pods, each has as many, in order, with all switches of theirs.
TEST(RankPlanner, PodsStayWhole)
{
    for (int64_t k : {4, 6, 8, 12, 16})
    {
        const auto graph = MakeFatTree({k, 1, {}});
        for (uint32_t ranks = 1; ranks <= k; ++ranks)
        {
            if (k % ranks == 0)
            {
                const auto plan = PlanRanks(graph, ranks);
                for (uint32_t id = 0; id < graph.Switches().size(); ++id)
                {
                    const auto pod = graph.Switches()[id].pod;
                    if (pod != FabricSwitchSpec::NO_POD)
                    {
                        ASSERT_EQ(plan.RankOfSwitch(id), pod * ranks / k);
                    }
                }
            }
        }
    }
}

/// With whole pods and as many on each rank, a core's links lead evenly to all ranks, so all but
/// one of R are cut: (k/2)^2 * k * (R - 1) / R. For k = 8 and two ranks: 16 * 8 / 2 = 64.
TEST(RankPlanner, CutsAsManyLinksAsDerived)
{
    EXPECT_EQ(PlanRanks(MakeFatTree({8, 1, {}}), 2).CutLinks().size(), 64U);
    for (int64_t k : {4, 8, 16})
    {
        for (int64_t planes : {1, 2})
        {
            for (uint32_t ranks = 1; ranks <= k; ranks *= 2)
            {
                const auto plan = PlanRanks(MakeFatTree({k, planes, {}}), ranks);
                EXPECT_EQ(plan.CutLinks().size(), planes * k * k * k / 4 * (ranks - 1) / ranks);
                EXPECT_NEAR(plan.GetImbalance(), 1, 1e-9);
            }
        }
    }
    // Spines have as many links to each rank too.
    EXPECT_EQ(PlanRanks(MakeLeafSpine({16, 8, 4, 2, 3}), 4).CutLinks().size(),
              16U * 8 * 2 * 3 * 3 / 4);
}

/// The table of doc/mpi.rst, doc/results/mpi-partition.csv.
TEST(RankPlanner, TheManualIsRight)
{
    struct Row
    {
        FabricGraph graph;
        uint32_t ranks;
        std::size_t cutLinks;
        double crossingPercent;
        double imbalance;
    };

    const auto k8 = MakeFatTree({8, 1, {}});
    const auto k16 = MakeFatTree({16, 1, {}});
    const auto k32 = MakeFatTree({32, 1, {}});
    const auto leafSpine = MakeLeafSpine({64, 32, 32});
    const std::vector<Row> rows = {
        {k8, 2, 64, 15.4, 1},
        {k8, 4, 96, 23.1, 1},
        {k8, 7, 142, 35.1, 1.01},
        {k8, 8, 112, 27.0, 1},
        {k16, 2, 512, 16.0, 1},
        {k16, 3, 696, 21.8, 1.005},
        {k16, 4, 768, 24.0, 1},
        {k16, 16, 960, 30.0, 1},
        {k16, 32, 1472, 46.9, 1},
        {k32, 2, 4096, 16.3, 1},
        {k32, 32, 7936, 31.6, 1},
        {leafSpine, 2, 1024, 24.8, 1},
        {leafSpine, 4, 1536, 37.2, 1},
        {leafSpine, 64, 2016, 48.8, 1.248},
    };
    for (const auto& row : rows)
    {
        const auto plan = PlanRanks(row.graph, row.ranks);
        EXPECT_EQ(plan.CutLinks().size(), row.cutLinks);
        EXPECT_NEAR(100 * plan.GetCrossingShare(), row.crossingPercent, 0.0501);
        EXPECT_NEAR(plan.GetImbalance(), row.imbalance, 0.000501);
    }
}

/// No random plan as balanced as this one cuts fewer links.
TEST(RankPlanner, CutsNoMoreThanRandomPlans)
{
    std::mt19937 random(4);
    uint32_t fewer = 0;
    ForRandomPlans(5, [&](const FabricGraph& graph, const RankPlan& plan) {
        for (int i = 0; i < 10; ++i)
        {
            const auto other = RandomBalancedPlan(graph, plan.GetRanks(), random);
            ASSERT_LE(plan.CutLinks().size(), other.CutLinks().size());
            fewer += plan.CutLinks().size() < other.CutLinks().size();
        }
    });
    EXPECT_GT(fewer, 0U);
}

/// Pods are split when whole ones leave ranks idle: of 8 pods one of 7 ranks would have two.
TEST(RankPlanner, SplitsPodsForTheSakeOfBalance)
{
    const auto graph = MakeFatTree({8, 1, {}});
    EXPECT_LT(PlanRanks(graph, 7).GetImbalance(), 1.05);
    const auto fine = PlanRanks(graph, 16); // half a pod each
    EXPECT_NEAR(fine.GetImbalance(), 1, 1e-9);
    // Half of the 4 * 4 links in each of 8 pods are cut, and all but one of the 8 of each of 16
    // cores: the one to the rank that the core stands on.
    EXPECT_EQ(fine.CutLinks().size(), 8U * 16 / 2 + 16 * 7);
}

/// Of ranks with equal work the one with more leaves takes a spine. Seven leaves of one host have
/// work 3 each, seven spines 1 each. Three ranks get 2, 3, 2 leaves, and six spines make them
/// equal: on the first and the last, where each has 5 links cut. The last spine has 4 cut on the
/// second.
TEST(RankPlanner, PutsSpinesWhereTheirLeavesAre)
{
    const auto plan = PlanRanks(MakeLeafSpine({7, 7, 1}), 3);
    EXPECT_EQ(plan.CutLinks().size(), 6U * 5 + 4);
}

/// A switch of a pod stands with the pod, also a leaf without hosts.
TEST(RankPlanner, PlansFabricsWithEmptyLeaves)
{
    auto full = MakeLeafSpine({3, 1, 1});
    auto switches = full.Switches(); // leaf-0, leaf-1, leaf-2, spine-0
    std::vector<FabricLinkSpec> links;
    for (const auto& link : full.Links())
    {
        if (!(link.a.isHost && link.a.id == 2))
        {
            links.push_back(link);
        }
    }
    switches[2].forwarding = {0, 0, 1, {}, {0, 1}};
    switches[2].portCount = 1;
    switches[3].forwarding.hostCount = 2;
    for (auto& link : links)
    {
        link.a.port = link.a.isHost || link.a.id != 2 ? link.a.port : 0;
    }
    const FabricGraph graph(2, 1, switches, links);
    const auto plan = PlanRanks(graph, 2);
    EXPECT_NE(plan.RankOfHost(0), plan.RankOfHost(1));
    EXPECT_EQ(plan.RankOfSwitch(0), plan.RankOfHost(0));
    EXPECT_EQ(plan.RankOfSwitch(1), plan.RankOfHost(1));
    EXPECT_LT(plan.RankOfSwitch(2), 2U);
    EXPECT_EQ(ErrorOf(graph, 3), "ranks: 3 is not in 1..2 (each needs a leaf with hosts)");
}

/// There is a rank for each leaf at most, and at least one.
TEST(RankPlanner, RefusesTooManyRanks)
{
    EXPECT_EQ(ErrorOf(MakeFatTree({4, 1, {}}), 9),
              "ranks: 9 is not in 1..8 (each needs a leaf with hosts)");
    EXPECT_EQ(ErrorOf(MakeLeafSpine({3, 2, 2, 1, 4}), 4),
              "ranks: 4 is not in 1..3 (each needs a leaf with hosts)");
    EXPECT_EQ(ErrorOf(MakeLeafSpine({3, 2, 2}), 0),
              "ranks: 0 is not in 1..3 (each needs a leaf with hosts)");
    EXPECT_EQ(ErrorOf(MakeFatTree({4, 1, {}}), 8), "");
}
