/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/link-load.h"
#include "ns3/rank-plan.h"

namespace
{

/// @return what() of the exception that a plan throws, "" if none
std::string
ErrorOf(const FabricGraph& graph, uint32_t ranks, const RankPlan::Function& rankOf)
{
    return RefusalOf([&] { RankPlan(graph, ranks, rankOf); });
}

} // namespace

/// All queries agree with the function that the plan was made from.
TEST(RankPlan, AnswersAsTheFunctionSays)
{
    constexpr uint32_t RANKS = 5;
    const auto graph = MakeFatTree({4, 1, {}});
    std::mt19937 random(1);
    std::vector<uint32_t> hosts(graph.HostCount());
    std::vector<uint32_t> switches(graph.Switches().size());
    for (auto* ranks : {&hosts, &switches})
    {
        for (auto& rank : *ranks)
        {
            rank = random() % RANKS;
        }
    }
    const RankPlan plan(graph, RANKS, [&](const FabricEnd& node) {
        EXPECT_EQ(node.port, 0);
        return (node.isHost ? hosts : switches)[node.id];
    });

    EXPECT_EQ(plan.GetRanks(), RANKS);
    std::vector<uint32_t> cut;
    std::vector<double> work(RANKS);
    double total = 0;
    double crossing = 0;
    const auto loads = UniformLinkLoads(graph);
    for (uint32_t link = 0; link < loads.size(); ++link)
    {
        const FabricEnd& a = graph.Links()[link].a;
        const FabricEnd& b = graph.Links()[link].b;
        const auto rankA = a.isHost ? hosts[a.id] : switches[a.id];
        const auto rankB = switches[b.id];
        EXPECT_EQ(plan.RankOf(a), rankA);
        EXPECT_EQ(plan.RankOf(b), rankB);
        EXPECT_EQ(plan.IsCut(link), rankA != rankB);
        for (auto rank : {rankA, rankB})
        {
            work[rank] += loads[link];
            total += loads[link];
        }
        if (rankA != rankB)
        {
            cut.push_back(link);
            crossing += 2 * loads[link];
        }
    }
    EXPECT_EQ(plan.CutLinks(), cut);
    EXPECT_NEAR(plan.GetCrossingShare(), crossing / total, 1e-9);
    double most = 0;
    for (uint32_t a = 0; a < RANKS; ++a)
    {
        EXPECT_NEAR(plan.GetWorkShare(a), work[a] / total, 1e-9);
        most = std::max(most, work[a] / total);
    }
    EXPECT_NEAR(plan.GetImbalance(), most * RANKS, 1e-9);
}

/// One rank has all the work, and nothing crosses.
TEST(RankPlan, OfOneRankCutsNothing)
{
    const RankPlan plan(MakeFatTree({4, 1, {}}), 1, [](const FabricEnd&) { return 0; });
    EXPECT_TRUE(plan.CutLinks().empty());
    EXPECT_NEAR(plan.GetWorkShare(0), 1, 1e-9);
    EXPECT_NEAR(plan.GetImbalance(), 1, 1e-9);
    EXPECT_DOUBLE_EQ(plan.GetCrossingShare(), 0);
}

/// In one plane the links of hosts may be cut: hosts here, switches there.
TEST(RankPlan, MayCutLinksOfHostsInOnePlane)
{
    const auto graph = MakeLeafSpine({2, 1, 2});
    const RankPlan plan(graph, 2, [](const FabricEnd& node) { return node.isHost ? 0 : 1; });
    EXPECT_EQ(plan.CutLinks().size(), graph.HostCount());
}

/// With several planes a host stands with all its leaves; other links may be cut as one likes.
TEST(RankPlan, CutsNoLinksOfHostsInSeveralPlanes)
{
    const auto graph =
        MakeLeafSpine({2, 1, 2, 1, 2}); // switches 0 to 2 in plane 0, 3 to 5 in plane 1
    EXPECT_EQ(ErrorOf(graph, 2, [](const FabricEnd& node) { return !node.isHost && node.id > 2; }),
              "plan: host-0 is on rank 0, and plane1-leaf-0 on rank 1 (with several planes a host "
              "has to be with all its leaves)");
    const RankPlan plan(graph, 2, [](const FabricEnd& node) {
        return !node.isHost && (node.id == 2 || node.id == 5); // the spines
    });
    EXPECT_EQ(plan.CutLinks().size(), 4U);
}

/// A plan that cannot be run is refused with one line.
TEST(RankPlan, RefusesWrongPlans)
{
    const auto graph = MakeLeafSpine({2, 1, 2}); // 4 hosts, 3 switches
    auto all = [](uint32_t rank) { return [rank](const FabricEnd&) { return rank; }; };
    EXPECT_EQ(ErrorOf(graph, 2, all(1)),
              "plan: rank 0 has no host and no switch (each of the 2 ranks needs one)");
    EXPECT_EQ(ErrorOf(graph, 2, all(2)), "plan: rank 2 of host-0 is not in 0..1");
    EXPECT_EQ(ErrorOf(graph, 2, [](const FabricEnd& node) { return node.isHost ? 0 : 7; }),
              "plan: rank 7 of leaf-0 is not in 0..1");
    EXPECT_EQ(ErrorOf(graph, 0, all(0)), "ranks: 0 is not in 1..7 (each needs a host or a switch)");
    EXPECT_EQ(ErrorOf(graph, 8, all(0)), "ranks: 8 is not in 1..7 (each needs a host or a switch)");
    EXPECT_EQ(ErrorOf(graph,
                      7,
                      [](const FabricEnd& node) { return node.isHost ? node.id : 4 + node.id; }),
              "");
}
