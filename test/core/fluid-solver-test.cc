/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/fluid-solver.h"

#include <algorithm>
#include <map>
#include <vector>

namespace
{

/// Flows by number.
using Flows = std::map<uint32_t, std::vector<LinkShare>>;

/// @return max-min fair rates, by search of the tightest link, again and again
/// @param free the capacities  @param flows the flows; what is served first does not count
std::map<uint32_t, double>
SolveShares(std::vector<double> free, Flows flows)
{
    std::map<uint32_t, double> rates;
    for (auto& [flow, shares] : flows)
    {
        shares.erase(std::remove_if(shares.begin(),
                                    shares.end(),
                                    [](const LinkShare& share) { return share.isFirst; }),
                     shares.end());
    }
    while (!flows.empty())
    {
        std::vector<double> weights(free.size());
        for (const auto& [flow, shares] : flows)
        {
            for (const LinkShare& share : shares)
            {
                weights[share.link] += share.weight;
            }
        }
        uint32_t tightest = 0;
        double rate = std::numeric_limits<double>::infinity();
        for (uint32_t link = 0; link < free.size(); ++link)
        {
            if (weights[link] > 0 && free[link] / weights[link] < rate)
            {
                rate = std::max(0.0, free[link] / weights[link]);
                tightest = link;
            }
        }
        for (auto flow = flows.begin(); flow != flows.end();)
        {
            const std::vector<LinkShare>& shares = flow->second;
            if (std::none_of(shares.begin(), shares.end(), [&](const LinkShare& share) {
                    return share.link == tightest;
                }))
            {
                ++flow;
                continue;
            }
            for (const LinkShare& share : shares)
            {
                free[share.link] -= rate * share.weight;
            }
            rates[flow->first] = rate;
            flow = flows.erase(flow);
        }
    }
    return rates;
}

/// @return max-min fair rates of what what is served first leaves
/// @param capacities of the links  @param flows the flows
std::map<uint32_t, double>
SolveNaively(const std::vector<double>& capacities, const Flows& flows)
{
    constexpr uint32_t ROUNDS = 50;
    std::map<uint32_t, double> rates;
    for (uint32_t round = 0; round < ROUNDS; ++round)
    {
        std::vector<double> free = capacities;
        for (const auto& [flow, rate] : rates)
        {
            for (const LinkShare& share : flows.at(flow))
            {
                free[share.link] -= share.isFirst ? rate * share.weight : 0;
            }
        }
        rates = SolveShares(free, flows);
    }
    return rates;
}

/// @return what a flow takes of some links  @param random a source of randomness
/// @param hasFirst whether something of it may be served first
std::vector<LinkShare>
DrawShares(std::mt19937& random, uint32_t links, bool hasFirst)
{
    std::vector<LinkShare> shares;
    for (uint32_t link = 0; link < links; ++link)
    {
        if (random() % 4 == 0)
        {
            const bool isWhole = hasFirst || random() % 2;
            shares.push_back({link, isWhole ? 1.0 : (1 + random() % 100) / 64.0});
        }
    }
    if (shares.empty())
    {
        shares.push_back({static_cast<uint32_t>(random() % links), 1});
    }
    if (hasFirst)
    {
        const uint32_t link = random() % links;
        if (std::none_of(shares.begin(), shares.end(), [link](const LinkShare& share) {
                return share.link == link;
            }))
        {
            shares.push_back({link, 0.02, true});
        }
    }
    return shares;
}

/// Add a group of one flow.  @return its number
uint32_t
AddFlow(FluidSolver& solver, const std::vector<LinkShare>& shares)
{
    const uint32_t group = solver.AddGroup(shares);
    solver.Join(group, 1);
    return group;
}

} // namespace

TEST(FluidSolver, OneLinkIsShared)
{
    FluidSolver solver({12});
    const uint32_t first = AddFlow(solver, {{0, 1}});
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(first), 12);
    const uint32_t second = AddFlow(solver, {{0, 1}});
    const uint32_t third = AddFlow(solver, {{0, 2}});
    EXPECT_EQ(solver.Solve().size(), 3U);
    EXPECT_DOUBLE_EQ(solver.GetRate(first), 3);
    EXPECT_DOUBLE_EQ(solver.GetRate(third), 3);
    EXPECT_DOUBLE_EQ(solver.GetLoad(0), 12);
    solver.Leave(third, 1);
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(second), 6);
}

/// Two links of 10 and 4: a flow over both is held by the second one, and the first one gives the
/// rest to its other flow.
TEST(FluidSolver, TheRestGoesToWhoCanUseIt)
{
    FluidSolver solver({10, 4});
    const uint32_t both = AddFlow(solver, {{0, 1}, {1, 1}});
    const uint32_t wide = AddFlow(solver, {{0, 1}});
    const uint32_t narrow = AddFlow(solver, {{1, 1}});
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(both), 2);
    EXPECT_DOUBLE_EQ(solver.GetRate(narrow), 2);
    EXPECT_DOUBLE_EQ(solver.GetRate(wide), 8);
}

TEST(FluidSolver, OnlyTheReachedPartIsComputedAnew)
{
    FluidSolver solver({8, 8, 100});
    const uint32_t left = AddFlow(solver, {{0, 1}, {2, 1}});
    const uint32_t right = AddFlow(solver, {{1, 1}, {2, 1}});
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(right), 8);
    const uint32_t more = AddFlow(solver, {{0, 1}, {2, 1}});
    EXPECT_EQ(solver.Solve(), (std::vector<uint32_t>{left, more}));
    EXPECT_DOUBLE_EQ(solver.GetRate(left), 4);
    EXPECT_TRUE(solver.Solve().empty());
}

/// The acknowledgements of one flow on the full link of another one do not hold the first one back.
TEST(FluidSolver, WhatIsServedFirstHoldsNobodyBack)
{
    FluidSolver solver({100, 40});
    const uint32_t fast = AddFlow(solver, {{0, 1}, {1, 0.1, true}});
    const uint32_t slow = AddFlow(solver, {{1, 1}});
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(fast), 100);
    EXPECT_DOUBLE_EQ(solver.GetRate(slow), 30);
    EXPECT_DOUBLE_EQ(solver.GetLoad(1), 40);
    solver.Leave(fast, 1);
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(slow), 40);
}

/// Flows of a group have equal rates, and one that takes the place of another changes nothing.
TEST(FluidSolver, FlowsThatAreAlikeAreOneGroup)
{
    FluidSolver solver({12, 12});
    const uint32_t alike = AddFlow(solver, {{0, 1}, {1, 0.02, true}});
    solver.Join(alike, 1);
    const uint32_t other = AddFlow(solver, {{0, 1}});
    EXPECT_EQ(solver.Solve(), (std::vector<uint32_t>{alike, other}));
    EXPECT_DOUBLE_EQ(solver.GetRate(alike), 4);
    EXPECT_DOUBLE_EQ(solver.GetLoad(1), 0.16);
    solver.Leave(alike, 1);
    solver.Join(alike, 1);
    EXPECT_TRUE(solver.Solve().empty());
    solver.Leave(alike, 1);
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(other), 6);
}

/// A link gets slow, and a flow takes twice as much of another one: the rates are those of a solver
/// that has it so from the start.
TEST(FluidSolver, LinksChange)
{
    FluidSolver solver({10, 4, 100});
    const uint32_t both = AddFlow(solver, {{0, 1}, {1, 1}, {2, 0.02, true}});
    const uint32_t wide = AddFlow(solver, {{0, 1}, {2, 0.02, true}});
    const uint32_t narrow = AddFlow(solver, {{1, 1}, {2, 0.02, true}});
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(wide), 8);
    solver.SetCapacity(0, 3);
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(both), 1.5);
    EXPECT_DOUBLE_EQ(solver.GetRate(wide), 1.5);
    EXPECT_DOUBLE_EQ(solver.GetRate(narrow), 2.5);
    solver.SetWeights(narrow, {2, 0.02});
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(both), 4.0 / 3);
    EXPECT_DOUBLE_EQ(solver.GetRate(wide), 3 - 4.0 / 3);
    EXPECT_DOUBLE_EQ(solver.GetRate(narrow), 4.0 / 3);
    EXPECT_DOUBLE_EQ(solver.GetLoad(1), 4);
    solver.SetCapacity(0, 10);
    solver.SetWeights(narrow, {1, 0.02});
    solver.Solve();
    EXPECT_DOUBLE_EQ(solver.GetRate(wide), 8);
    EXPECT_NEAR(solver.GetLoad(2), 0.02 * (solver.GetRate(both) + 8 + 2), 1e-9);
}

/// Acknowledgements on the full link of another flow do not bring those that this flow meets.
TEST(FluidSolver, AcknowledgementsReachNoFurther)
{
    FluidSolver solver({100, 100, 100});
    const uint32_t first = AddFlow(solver, {{0, 1}, {1, 0.0001, true}});
    AddFlow(solver, {{1, 1}, {2, 0.0001, true}});
    solver.Solve();
    solver.Join(first, 1);
    EXPECT_EQ(solver.Solve(), (std::vector<uint32_t>{first}));
}

/// Adds and removes flows at random, and compares with the naive solver after each few changes.
/// @param hasFirst whether something of flows is served first  @param close relative error
void
CompareWithNaive(bool hasFirst, double close)
{
    std::mt19937 random(41);
    for (uint32_t round = 0; round < 200; ++round)
    {
        const uint32_t links = 1 + random() % 12;
        std::vector<double> capacities;
        for (uint32_t link = 0; link < links; ++link)
        {
            capacities.push_back(random() % 3 ? 100 : (hasFirst ? 50 : 1) + random() % 400);
        }
        FluidSolver solver(capacities);
        Flows flows;
        std::vector<std::vector<LinkShare>> groups;
        std::map<uint32_t, uint32_t> groupOf; // by flow
        for (uint32_t step = 0; step < 40; ++step)
        {
            for (uint32_t change = 0; change <= random() % 3; ++change)
            {
                if (flows.size() > 2 && random() % 2)
                {
                    const auto gone = std::next(flows.begin(), random() % flows.size());
                    solver.Leave(groupOf[gone->first], 1);
                    flows.erase(gone);
                    continue;
                }
                const uint32_t flow = step * 3 + change;
                if (groups.empty() || random() % 2)
                {
                    groups.push_back(DrawShares(random, links, hasFirst));
                    solver.AddGroup(groups.back());
                }
                groupOf[flow] = random() % groups.size();
                flows[flow] = groups[groupOf[flow]];
                solver.Join(groupOf[flow], 1);
            }
            solver.Solve();
            for (const auto& [flow, rate] : SolveNaively(capacities, flows))
            {
                ASSERT_NEAR(solver.GetRate(groupOf[flow]), rate, close * (1 + rate))
                    << "round " << round << " step " << step;
            }
        }
    }
}

TEST(FluidSolver, EqualsTheNaiveSolver)
{
    CompareWithNaive(false, 1e-9);
}

TEST(FluidSolver, IsCloseToTheNaiveSolverWithWhatIsServedFirst)
{
    CompareWithNaive(true, 0.02);
}

/// An all-to-all of more than 4,096 flows with acknowledgements, of which each host loses one: all
/// are computed anew, and have the rates that they have in a solver without the others, once the
/// acknowledgements have those of the rates.
TEST(FluidSolver, ManyGroupsAreComputedAtOnce)
{
    constexpr uint32_t HOSTS = 70;
    std::vector<double> capacities(HOSTS, 1);
    capacities.resize(2 * HOSTS, 2);
    capacities[HOSTS] = 0.1; // the last port before host 0
    FluidSolver many(capacities);
    FluidSolver fresh(capacities);
    for (uint32_t i = 0; i < HOSTS * HOSTS; ++i)
    {
        const std::vector<LinkShare> shares = {{i / HOSTS, 1},
                                               {HOSTS + i % HOSTS, 1},
                                               {i % HOSTS, 0.02, true}};
        many.AddGroup(shares);
        fresh.AddGroup(shares);
        many.Join(i, 1);
        if (i % HOSTS != 1)
        {
            fresh.Join(i, 1);
        }
    }
    EXPECT_EQ(many.Solve().size(), HOSTS * HOSTS);
    for (uint32_t host = 0; host < HOSTS; ++host)
    {
        many.Leave(host * HOSTS + 1, 1);
    }
    fresh.Solve();
    const std::vector<uint32_t> changed = many.Solve();
    EXPECT_EQ(changed.size(), HOSTS * (HOSTS - 2)); // not those to hosts 0 and 1
    EXPECT_FALSE(many.IsSettled());                 // host 1 has no acknowledgements to send
    many.Solve();
    EXPECT_TRUE(many.IsSettled());
    for (uint32_t i = 0; i < HOSTS * HOSTS; ++i)
    {
        if (i % HOSTS != 1)
        {
            const double rate = fresh.GetRate(i);
            EXPECT_NEAR(many.GetRate(i), rate, 1e-3 * rate); // acknowledgements: 0.05 % of a link
        }
    }
}
