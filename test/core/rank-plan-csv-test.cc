/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/rank-plan-csv.h"
#include "ns3/rank-planner.h"

namespace
{

/// A plan of the fabric below for two ranks.
const std::string GOOD = "node,rank\nleaf-0,0\nleaf-1,1\nspine-0,1\n";

/// @return two leaves, a spine and four hosts
FabricGraph
SmallFabric()
{
    return MakeLeafSpine({2, 1, 2});
}

/// @return the plan of a text for two ranks
RankPlan
Read(const std::string& text)
{
    std::istringstream input(text);
    return ReadRankPlanCsv(input, "plan.csv", SmallFabric(), 2);
}

/// @return what() of the exception that reading a text throws
std::string
ErrorOf(const std::string& text)
{
    return RefusalOf([&] { Read(text); });
}

/// @return a plan as a text
std::string
Write(const FabricGraph& graph, const RankPlan& plan)
{
    std::ostringstream text;
    text << "node,rank\n";
    for (uint32_t id = 0; id < graph.Switches().size(); ++id)
    {
        text << graph.SwitchName(id) << "," << plan.RankOfSwitch(id) << "\n";
    }
    for (uint32_t host = 0; host < graph.HostCount(); ++host)
    {
        text << "host-" << host << "," << plan.RankOfHost(host) << "\n";
    }
    return text.str();
}

} // namespace

/// A host without a line is with its leaf; one with a line is where that says.
TEST(RankPlanCsv, HostsFollowTheirLeaves)
{
    const auto plain = Read(GOOD);
    EXPECT_EQ(plain.CutLinks().size(), 1U);
    EXPECT_EQ(plain.RankOfSwitch(2), 1U);
    for (uint32_t host = 0; host < 4; ++host)
    {
        EXPECT_EQ(plain.RankOfHost(host), host / 2);
    }
    const auto moved = Read("# by hand\n\n node , rank\r\n host-1,1\n" + GOOD.substr(10));
    EXPECT_EQ(moved.RankOfHost(0), 0U);
    EXPECT_EQ(moved.RankOfHost(1), 1U);
    EXPECT_EQ(moved.CutLinks().size(), 2U);
}

/// What is written of a plan reads as the same plan, with several planes too.
TEST(RankPlanCsv, ReadsEveryName)
{
    for (const auto& graph : {MakeFatTree({4, 2, {}}), MakeLeafSpine({5, 3, 2, 1, 3})})
    {
        const auto plan = PlanRanks(graph, 3);
        std::istringstream input(Write(graph, plan));
        const auto read = ReadRankPlanCsv(input, "plan.csv", graph, 3);
        EXPECT_EQ(Write(graph, read), Write(graph, plan));
    }
}

/// What is wrong is said in one line.
TEST(RankPlanCsv, RefusesWrongTexts)
{
    EXPECT_EQ(ErrorOf(""), "plan.csv: is empty (the first line must be node,rank)");
    EXPECT_EQ(
        ErrorOf("name,rank\n"),
        "plan.csv:1: there is no column 'name' (did you mean 'node'?); columns are node, rank");
    EXPECT_EQ(ErrorOf("node,rank\nleaf-0\n"),
              "plan.csv:2: column rank: missing (a line is node,rank)");
    EXPECT_EQ(ErrorOf("node,rank\nleaf-7,0\n"),
              "plan.csv:2: column node: 'leaf-7' is not a host or switch of this fabric (such as "
              "host-0 or leaf-0)");
    EXPECT_EQ(ErrorOf("node,rank\nhost-4,0\n").substr(0, 40),
              "plan.csv:2: column node: 'host-4' is not");
    EXPECT_EQ(ErrorOf("node,rank\nleaf-0,2\n"),
              "plan.csv:2: column rank: '2' is not a rank (0..1)");
    EXPECT_EQ(ErrorOf("node,rank\nleaf-0,-1\n"),
              "plan.csv:2: column rank: '-1' is not a rank (0..1)");
    EXPECT_EQ(ErrorOf("node,rank\nleaf-0,0\nleaf-0,0\n"),
              "plan.csv:3: column node: 'leaf-0' is not new: it has a line above");
    EXPECT_EQ(ErrorOf("node,rank\nleaf-0,0\nspine-0,1\n"),
              "plan.csv: has no line for leaf-1 (each switch needs one)");
    EXPECT_EQ(ErrorOf("node,rank\nleaf-0,0\nleaf-1,0\nspine-0,0\n"),
              "plan: rank 1 has no host and no switch (each of the 2 ranks needs one)");
    EXPECT_EQ(ErrorOf(GOOD), "");
}

/// An option names the automatic plan or a file.
TEST(RankPlanCsv, AnOptionNamesAPlan)
{
    const auto graph = SmallFabric();
    EXPECT_EQ(Write(graph, MakeRankPlan("auto", graph, 2)), Write(graph, PlanRanks(graph, 2)));

    const std::string path = testing::TempDir() + "rank-plan-csv-test.csv";
    std::ofstream(path) << GOOD;
    EXPECT_EQ(Write(graph, MakeRankPlan(path, graph, 2)), Write(graph, Read(GOOD)));
    std::remove(path.c_str());
    EXPECT_EQ(RefusalOf([&] { MakeRankPlan(path, graph, 2); }), path + ": cannot be read");
    EXPECT_EQ(RefusalOf([&] { MakeRankPlan("auto", graph, 3); }),
              "ranks: 3 is not in 1..2 (each needs a leaf with hosts)");
}
