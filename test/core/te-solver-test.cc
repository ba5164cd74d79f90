/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/te-solver.h"

namespace
{

constexpr uint32_t SWEEPS = 200; //!< of the refinement, at most

/// @return a snapshot without failures
TeSnapshot
Healthy(const FabricGraph& graph, const std::vector<TrafficDemand>& demands)
{
    return {std::vector<bool>(graph.Links().size(), true), demands, 1, 0};
}

/// @return a demand of 1 from each host to another one, at random
std::vector<TrafficDemand>
Permutation(uint32_t hosts, std::mt19937& random)
{
    std::vector<uint32_t> order(hosts);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    std::vector<TrafficDemand> demands;
    for (uint32_t host = 0; host < hosts; ++host)
    {
        demands.push_back({host, order[host], 1});
    }
    return demands;
}

/// Cut all links of some spines.  @param graph a fabric of two tiers
void
KillSpines(const FabricGraph& graph, uint32_t spines, std::vector<bool>& alive)
{
    for (uint32_t link = 0; link < graph.Links().size(); ++link)
    {
        const FabricLinkSpec& spec = graph.Links()[link];
        if (spec.tier == 1 && graph.Switches()[spec.b.id].index < spines)
        {
            alive[link] = false;
        }
    }
}

/// @return the least possible largest load, by trying all assignments
double
BruteForce(const FabricGraph& graph, const TeSnapshot& snapshot)
{
    LivePaths live(graph, snapshot.alive);
    std::vector<double> loads(2 * graph.Links().size());
    double least = 1e9;
    const std::function<void(std::size_t, double)> place = [&](std::size_t demand, double most) {
        if (most >= least)
        {
            return;
        }
        if (demand == snapshot.demands.size())
        {
            least = most;
            return;
        }
        const TrafficDemand& what = snapshot.demands[demand];
        const auto& paths = live.Between(what.source, what.destination, snapshot.plane);
        if (paths.empty())
        {
            place(demand + 1, most);
        }
        for (const LivePath& path : paths)
        {
            double now = most;
            for (const uint32_t link : path.links)
            {
                loads[link] += what.rate / snapshot.capacity;
                now = std::max(now, loads[link]);
            }
            place(demand + 1, now);
            for (const uint32_t link : path.links)
            {
                loads[link] -= what.rate / snapshot.capacity;
            }
        }
    };
    place(0, 0);
    return least;
}

} // namespace

TEST(LivePaths, CrossLiveLinksOnly)
{
    const FabricGraph graph = MakeLeafSpine({2, 3, 2});
    std::vector<bool> alive(graph.Links().size(), true);
    LivePaths all(graph, alive);
    EXPECT_TRUE(all.Between(0, 1, 0).empty()); // under one leaf
    ASSERT_EQ(all.Between(0, 2, 0).size(), 3U);
    for (const LivePath& path : all.Between(0, 2, 0))
    {
        EXPECT_EQ(path.hops.size(), 1U);
        EXPECT_EQ(path.links.size(), 2U);
        EXPECT_EQ(path.links[1] % 2, 1U);
    }
    KillSpines(graph, 2, alive);
    LivePaths left(graph, alive);
    ASSERT_EQ(left.Between(0, 2, 0).size(), 1U);
    alive.pop_back();
    EXPECT_THROW(LivePaths(graph, alive), std::invalid_argument);
}

/// A path does not go up again, and is no longer than without failures: switches have no entries
/// for it.
TEST(LivePaths, MakeNoDetours)
{
    const FabricGraph flat = MakeLeafSpine({3, 2, 1});
    std::vector<bool> alive(flat.Links().size(), true);
    for (uint32_t link = 0; link < flat.Links().size(); ++link)
    {
        const FabricLinkSpec& ends = flat.Links()[link];
        const uint32_t spine = ends.b.id - 3; // after three leaves
        alive[link] = ends.tier == 0 || !(ends.a.id == spine);
    }
    LivePaths paths(flat, alive); // leaf 0 has spine 1, leaf 1 has spine 0, leaf 2 has both
    EXPECT_TRUE(paths.Between(0, 1, 0).empty());
    EXPECT_EQ(paths.Between(0, 2, 0).size(), 1U);

    const FabricGraph deep = MakeThreeTier({2, 2, 1, 2, 1});
    alive.assign(deep.Links().size(), true);
    LivePaths whole(deep, alive);
    EXPECT_EQ(whole.Between(0, 1, 0)[0].links.size(), 2U); // in the pod
    for (const LivePath& path : whole.Between(0, 2, 0))
    {
        EXPECT_EQ(path.links.size(), 4U);
    }
}

TEST(LivePaths, CountThePathsOfThreeTiers)
{
    const FabricGraph graph = MakeFatTree({4, 1, {}});
    LivePaths live(graph, std::vector<bool>(graph.Links().size(), true));
    EXPECT_EQ(live.Between(0, 2, 0).size(), 2U); // in the pod
    ASSERT_EQ(live.Between(0, 4, 0).size(), 4U);
    EXPECT_EQ(live.Between(0, 4, 0)[0].hops.size(), 2U);
    EXPECT_EQ(live.Between(0, 4, 0)[0].links.size(), 4U);
}

TEST(TeSolver, EqualDemandsAreSpreadWithoutCollision)
{
    // Koenig: as many uplinks as hosts of a leaf suffice for a permutation.
    std::mt19937 random(1);
    for (const uint32_t uplinks : {8U, 9U, 16U})
    {
        const FabricGraph graph = MakeLeafSpine({16, uplinks, 8});
        for (int turn = 0; turn < 20; ++turn)
        {
            const TeSnapshot snapshot = Healthy(graph, Permutation(graph.HostCount(), random));
            const TeSolution solution = TeSolver(graph, snapshot, SWEEPS).Solve();
            EXPECT_NEAR(solution.maxLoad, 1, 1e-6) << uplinks;
            EXPECT_LE(solution.maxLoad, solution.greedyMaxLoad);
        }
    }
}

TEST(TeSolver, MoreDemandsThanUplinksAreSpreadEvenly)
{
    std::mt19937 random(2);
    const FabricGraph graph = MakeLeafSpine({8, 3, 8});
    for (int turn = 0; turn < 20; ++turn)
    {
        const TeSnapshot snapshot = Healthy(graph, Permutation(graph.HostCount(), random));
        std::vector<double> perLeaf(2 * 8);
        for (const TrafficDemand& demand : snapshot.demands)
        {
            const bool crosses = demand.source / 8 != demand.destination / 8;
            perLeaf[demand.source / 8] += crosses;
            perLeaf[8 + demand.destination / 8] += crosses;
        }
        const double most = *std::max_element(perLeaf.begin(), perLeaf.end());
        EXPECT_NEAR(TeSolver(graph, snapshot, SWEEPS).Solve().maxLoad, std::ceil(most / 3), 1e-6);
    }
}

TEST(TeSolver, IsAsGoodAsBruteForceOnSmallFabrics)
{
    std::mt19937 random(3);
    uint32_t optimal = 0;
    constexpr uint32_t TURNS = 300;
    for (uint32_t turn = 0; turn < TURNS; ++turn)
    {
        const bool isEqual = turn % 3 == 0;
        const uint32_t spines = 2 + random() % 2;
        const FabricGraph graph =
            turn % 5 == 4 ? MakeFatTree({4, 1, {}}) : MakeLeafSpine({3, spines, 2});
        TeSnapshot snapshot = Healthy(graph, {});
        for (int i = 0; i < 6; ++i)
        {
            const uint32_t source = random() % graph.HostCount();
            const uint32_t destination =
                (source + 1 + random() % (graph.HostCount() - 1)) % graph.HostCount();
            snapshot.demands.push_back(
                {source, destination, isEqual ? 1 : (1 + random() % 8) / 8.0});
        }
        if (!isEqual)
        {
            const uint32_t link = random() % graph.Links().size();
            snapshot.alive[link] = graph.Links()[link].tier == 0;
        }
        const double best = BruteForce(graph, snapshot);
        const TeSolution solution = TeSolver(graph, snapshot, SWEEPS).Solve();
        EXPECT_GE(solution.maxLoad, best - 1e-6);
        EXPECT_LE(solution.maxLoad, solution.greedyMaxLoad + 1e-6);
        if (isEqual && graph.Tiers() == 2)
        {
            EXPECT_NEAR(solution.maxLoad, best, 1e-6) << "turn " << turn;
        }
        optimal += solution.maxLoad < best + 1e-6;
    }
    EXPECT_GE(optimal, TURNS * 95 / 100);
}

TEST(TeSolver, LoadsAreThoseOfThePaths)
{
    std::mt19937 random(4);
    const FabricGraph graph = MakeThreeTier({2, 2, 2, 4, 4});
    const TeSnapshot snapshot = Healthy(graph, Permutation(graph.HostCount(), random));
    const TeSolution solution = TeSolver(graph, snapshot, SWEEPS).Solve();
    LivePaths live(graph, snapshot.alive);
    std::vector<double> loads(solution.loads.size());
    for (std::size_t i = 0; i < snapshot.demands.size(); ++i)
    {
        const TrafficDemand& demand = snapshot.demands[i];
        const auto& paths = live.Between(demand.source, demand.destination, 0);
        const auto path = std::find_if(paths.begin(), paths.end(), [&](const LivePath& each) {
            return each.hops == solution.paths[i];
        });
        EXPECT_EQ(solution.isPlaced[i], path != paths.end());
        if (path != paths.end())
        {
            for (const uint32_t link : path->links)
            {
                loads[link] += demand.rate;
            }
        }
    }
    for (std::size_t link = 0; link < loads.size(); ++link)
    {
        EXPECT_NEAR(loads[link], solution.loads[link], 1e-6);
    }
}

TEST(TeSolver, TwoOfEighteenSpinesMayFail)
{
    std::mt19937 random(5);
    const FabricGraph graph = MakeLeafSpine({16, 18, 16});
    for (const uint32_t dead : {0U, 1U, 2U, 3U})
    {
        TeSnapshot snapshot = Healthy(graph, Permutation(graph.HostCount(), random));
        KillSpines(graph, dead, snapshot.alive);
        const double load = TeSolver(graph, snapshot, SWEEPS).Solve().maxLoad;
        if (dead < 3)
        {
            EXPECT_NEAR(load, 1, 1e-6) << dead;
        }
        else
        {
            EXPECT_LE(load, 2 + 1e-6);
        }
    }
}

/// @return the largest load of the links of a demand's path  @param demand its index
double
FindLoad(const FabricGraph& graph,
         const TeSnapshot& snapshot,
         const TeSolution& solution,
         std::size_t demand)
{
    LivePaths live(graph, snapshot.alive);
    const TrafficDemand& what = snapshot.demands[demand];
    const auto& paths = live.Between(what.source, what.destination, snapshot.plane);
    const auto path = std::find_if(paths.begin(), paths.end(), [&](const LivePath& each) {
        return each.hops == solution.paths[demand];
    });
    double most = 0;
    for (const uint32_t link : path->links)
    {
        most = std::max(most, solution.loads[link]);
    }
    return most;
}

TEST(TeSolver, LinksBesideStuckOnesAreRefined)
{
    // Leaf 0 has 4 uplinks for its 12 hosts, and its links stay at 3. The other leaves have more
    // uplinks than hosts: no two demands without an end in leaf 0 need to share a link.
    constexpr uint32_t HOSTS = 12; // of a leaf
    const FabricGraph graph = MakeLeafSpine({8, 14, HOSTS});
    for (const uint32_t seed : {11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    {
        std::mt19937 random(seed);
        TeSnapshot snapshot = Healthy(graph, Permutation(graph.HostCount(), random));
        for (uint32_t host = 0; host < graph.HostCount(); ++host) // acknowledgements
        {
            snapshot.demands.push_back({snapshot.demands[host].destination, host, 0.02});
        }
        for (uint32_t link = 0; link < graph.Links().size(); ++link)
        {
            const FabricLinkSpec& spec = graph.Links()[link];
            const bool isOfFirst = spec.tier == 1 && graph.Switches()[spec.a.id].index == 0;
            snapshot.alive[link] = !isOfFirst || graph.Switches()[spec.b.id].index >= 10;
        }
        const TeSolution solution = TeSolver(graph, snapshot, SWEEPS).Solve();
        uint32_t shared = 0;
        for (uint32_t host = HOSTS; host < graph.HostCount(); ++host)
        {
            const uint32_t destination = snapshot.demands[host].destination;
            const bool isFar = destination >= HOSTS && destination / HOSTS != host / HOSTS;
            shared += isFar && FindLoad(graph, snapshot, solution, host) > 1.5;
        }
        EXPECT_LT(solution.maxLoad, 4) << seed;
        EXPECT_EQ(shared, 0U) << seed;
    }
}

TEST(TeSolver, KeepsThePathsThatAreAlive)
{
    std::mt19937 random(6);
    const FabricGraph graph = MakeLeafSpine({8, 9, 8});
    TeSnapshot snapshot = Healthy(graph, Permutation(graph.HostCount(), random));
    const TeSolution before = TeSolver(graph, snapshot, SWEEPS).Solve();
    const TeSolution same = TeSolver(graph, snapshot, SWEEPS).Solve(before.paths);
    EXPECT_EQ(same.paths, before.paths);
    KillSpines(graph, 1, snapshot.alive);
    const TeSolution after = TeSolver(graph, snapshot, SWEEPS).Solve(before.paths);
    uint32_t changed = 0;
    for (std::size_t i = 0; i < before.paths.size(); ++i)
    {
        changed += before.paths[i] != after.paths[i];
    }
    EXPECT_GT(changed, 0U);
    EXPECT_LT(changed, before.paths.size() / 2);
    EXPECT_NEAR(after.maxLoad, 1, 1e-6);
}

TEST(TeSolver, RefusesWhatDoesNotFit)
{
    const FabricGraph graph = MakeLeafSpine({2, 2, 2});
    EXPECT_THROW(TeSolver(graph, Healthy(graph, {{0, 4, 1}}), SWEEPS), std::invalid_argument);
    EXPECT_THROW(TeSolver(graph, Healthy(graph, {{0, 2, 0}}), SWEEPS), std::invalid_argument);
}
