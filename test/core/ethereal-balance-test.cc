/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/ethereal-planner.h"
#include "ns3/path-view.h"
#include "ns3/uniform-integer.h"

namespace
{

/// A square table of numbers.
using Table = std::vector<std::vector<uint64_t>>;

/// The demands of Theorem 1: the hosts of all leaves send flows to leaves.
struct Demands
{
    uint32_t leaves{0}; //!< number of leaves
    uint32_t spines{0}; //!< number of spines
    uint32_t hosts{0};  //!< hosts below a leaf
    std::vector<uint64_t>
        bytes;   //!< size of all flows of a host, a multiple of the number of spines
    Table flows; //!< how many flows a host has to a leaf

    uint32_t LeafOf(uint32_t host) const
    {
        return host / hosts;
    }
};

/// The bytes that cross each link of a leaf-spine fabric.
struct LeafSpineLoads
{
    Table up;   //!< by leaf and spine
    Table down; //!< by leaf and spine

    LeafSpineLoads(uint32_t leaves, uint32_t spines)
        : up(leaves, std::vector<uint64_t>(spines)),
          down(up)
    {
    }

    /// @return whether all uplinks of each leaf have the same load, and all of its downlinks
    bool IsUniform() const
    {
        const auto isUniform = [](const std::vector<uint64_t>& links) {
            return std::count(links.begin(), links.end(), links[0]) ==
                   static_cast<int64_t>(links.size());
        };
        return std::all_of(up.begin(), up.end(), isUniform) &&
               std::all_of(down.begin(), down.end(), isUniform);
    }
};

/// @return demands within the limits of the theorem's test
/// @param size greatest size of a flow, before it is made a multiple of the number of spines
Demands
RandomDemands(std::mt19937& random, uint32_t size)
{
    Demands demands;
    demands.leaves = 2 + random() % 7;
    demands.spines = 1 + random() % 24;
    demands.hosts = 1 + random() % 4;
    for (uint32_t host = 0; host < demands.leaves * demands.hosts; ++host)
    {
        demands.bytes.push_back((1 + random() % size) * demands.spines);
        demands.flows.emplace_back();
        for (uint32_t leaf = 0; leaf < demands.leaves; ++leaf)
        {
            demands.flows.back().push_back(leaf == demands.LeafOf(host) ? 0 : random() % 41);
        }
    }
    return demands;
}

/// @return the numbers from 0 on, shuffled
std::vector<uint16_t>
ShuffledRange(uint32_t count, const UniformInteger& uniform)
{
    std::vector<uint16_t> range(count);
    std::iota(range.begin(), range.end(), 0);
    Shuffle(range, uniform);
    return range;
}

/// Plan all demands.  @param plan gives the pieces of the flows of a host to a leaf
/// @return the loads
template <typename Plan>
LeafSpineLoads
LoadsOf(const Demands& demands, Plan&& plan)
{
    LeafSpineLoads loads(demands.leaves, demands.spines);
    for (uint32_t host = 0; host < demands.bytes.size(); ++host)
    {
        for (uint32_t leaf = 0; leaf < demands.leaves; ++leaf)
        {
            for (const auto& piece : plan(host, leaf))
            {
                loads.up[demands.LeafOf(host)][piece.path] += piece.bytes;
                loads.down[leaf][piece.path] += piece.bytes;
            }
        }
    }
    return loads;
}

/// Expect each link to have its share.  @param loads those of the links of a leaf
/// @param total the bytes that the leaf sends or receives
void
ExpectShares(const std::vector<uint64_t>& loads, uint64_t total)
{
    for (const uint64_t load : loads)
    {
        ASSERT_EQ(load * loads.size(), total);
    }
}

/// The links that a label names on the way up and down, as a switch of tier 1 is wired to the same
/// cores in all pods.
struct ThreeTierLoads
{
    /// @param middles aggregation switches of a pod
    explicit ThreeTierLoads(uint32_t middles)
        : m_middles(middles)
    {
    }

    /// @param source pod and leaf where bytes come from  @param destination pod and leaf where they
    /// go  @param piece the bytes and their path
    void Add(std::pair<uint32_t, uint32_t> source,
             std::pair<uint32_t, uint32_t> destination,
             const EtherealPlanner::Piece& piece)
    {
        const uint32_t middle = piece.path % m_middles;
        const uint32_t core = piece.path / m_middles;
        leafUp[source][middle] += piece.bytes;
        leafDown[destination][middle] += piece.bytes;
        if (source.first != destination.first)
        {
            coreUp[source.first][{middle, core}] += piece.bytes;
            coreDown[destination.first][{middle, core}] += piece.bytes;
        }
    }

    /// By leaf and switch of tier 1.
    std::map<std::pair<uint32_t, uint32_t>, std::map<uint32_t, uint64_t>> leafUp, leafDown;
    /// By pod, switch of tier 1 and its core.
    std::map<uint32_t, std::map<std::pair<uint32_t, uint32_t>, uint64_t>> coreUp, coreDown;

    uint32_t m_middles; //!< aggregation switches of a pod
};

/// Expect equal loads on all links of each switch.  @param links number of links of a switch
template <typename Loads>
void
ExpectEqual(const Loads& loads, std::size_t links)
{
    for (const auto& [owner, byLink] : loads)
    {
        ASSERT_EQ(byLink.size(), links);
        for (const auto& [link, load] : byLink)
        {
            ASSERT_EQ(load, byLink.begin()->second);
        }
    }
}

/// Add the bytes of a piece to the links between switches that it crosses, following its label as
/// switches do; there are no parallel links.  @param destination a host below another leaf
/// @param piece the bytes and their path  @param [out] loads by link and whether they go up
void
Walk(const FabricGraph& graph,
     uint32_t source,
     uint32_t destination,
     const EtherealPlanner::Piece& piece,
     std::map<std::pair<uint32_t, bool>, uint64_t>& loads)
{
    uint32_t digits = piece.path;
    uint32_t at = graph.LeafOf(source);
    while (at != graph.LeafOf(destination))
    {
        const auto& node = graph.Switches()[at];
        const bool isUp = !node.forwarding.IsBelow(destination);
        const auto& group = node.forwarding.GroupFor(destination);
        const uint16_t port = group.first + (isUp ? digits % group.count : 0);
        digits /= isUp ? group.count : 1;
        const FabricEnd end{false, at, port};
        loads[{graph.LinkAt(end), isUp}] += piece.bytes;
        at = graph.PeerOf(end).id;
    }
}

} // namespace

/// Theorem 1: whatever the demands, and in whatever order paths are taken, each link between leaves
/// and spines has exactly the load that ideal spraying gives it.
TEST(EtherealBalance, EqualsIdealSpraying)
{
    std::mt19937 random(1);
    const UniformInteger uniform = [&](uint32_t n) { return random() % n; };
    for (const auto split :
         {EtherealPlanner::Split::EQUAL_PIECES, EtherealPlanner::Split::END_TO_END})
    {
        const EtherealPlanner planner({split, {}, 1});
        for (uint32_t trial = 0; trial < 3000; ++trial)
        {
            const Demands demands = RandomDemands(random, 1000000);
            const auto loads = LoadsOf(demands, [&](uint32_t host, uint32_t leaf) {
                return planner.Plan(
                    std::vector<uint64_t>(demands.flows[host][leaf], demands.bytes[host]),
                    ShuffledRange(demands.spines, uniform));
            });
            for (uint32_t leaf = 0; leaf < demands.leaves; ++leaf)
            {
                uint64_t sent = 0;
                uint64_t received = 0;
                for (uint32_t host = 0; host < demands.bytes.size(); ++host)
                {
                    const auto& flows = demands.flows[host];
                    received += flows[leaf] * demands.bytes[host];
                    sent += demands.LeafOf(host) != leaf
                                ? 0
                                : std::accumulate(flows.begin(), flows.end(), uint64_t{0}) *
                                      demands.bytes[host];
                }
                ASSERT_NO_FATAL_FAILURE(ExpectShares(loads.up[leaf], sent));
                ASSERT_NO_FATAL_FAILURE(ExpectShares(loads.down[leaf], received));
            }
        }
    }
}

/// One random path a flow (ECMP) hardly ever has that law, so that the test above says something.
TEST(EtherealBalance, RandomPathsAreUnequal)
{
    std::mt19937 random(2);
    uint32_t cases = 0;
    uint32_t unequal = 0;
    while (cases < 3000)
    {
        const Demands demands = RandomDemands(random, 1000000);
        const bool splits = std::any_of(demands.flows.begin(), demands.flows.end(), [&](auto& row) {
            return std::any_of(row.begin(), row.end(), [&](uint64_t flows) {
                return flows % demands.spines > 0;
            });
        });
        if (!splits)
        {
            continue;
        }
        ++cases;
        const auto loads = LoadsOf(demands, [&](uint32_t host, uint32_t leaf) {
            std::vector<EtherealPlanner::Piece> pieces(demands.flows[host][leaf]);
            for (auto& piece : pieces)
            {
                piece.bytes = demands.bytes[host];
                piece.path = random() % demands.spines;
            }
            return pieces;
        });
        unequal += loads.IsUniform() ? 0 : 1;
    }
    EXPECT_GE(unequal, cases - cases / 1000);
}

/// Where a group may use only some paths, these have equal loads; the links of its leaves have not.
TEST(EtherealBalance, FewerPaths)
{
    std::mt19937 random(3);
    const UniformInteger uniform = [&](uint32_t n) { return random() % n; };
    for (uint32_t trial = 0; trial < 1000; ++trial)
    {
        Demands demands = RandomDemands(random, 1000);
        const uint32_t s = demands.spines;
        if (s == 1)
        {
            continue;
        }
        auto few = ShuffledRange(s, uniform);
        few.resize(1 + random() % (s - 1));
        const uint32_t last = demands.leaves - 1;
        demands.flows[0][last] += 1;
        const uint64_t n = demands.flows[0][last];
        const uint64_t f = demands.bytes[0] *= few.size();
        std::map<uint16_t, uint64_t> group;
        const auto loads = LoadsOf(demands, [&](uint32_t host, uint32_t leaf) {
            const bool isGroup = host == 0 && leaf == last;
            const auto plan = EtherealPlanner({}).Plan(
                std::vector<uint64_t>(demands.flows[host][leaf], demands.bytes[host]),
                isGroup ? few : ShuffledRange(s, uniform));
            for (const auto& piece : plan)
            {
                group[piece.path] += isGroup ? piece.bytes : 0;
            }
            return plan;
        });
        for (const uint16_t path : few)
        {
            ASSERT_EQ(group[path] * few.size(), n * f);
        }
        for (const auto* links : {&loads.up[0], &loads.down[last]})
        {
            const auto [least, most] = std::minmax_element(links->begin(), links->end());
            ASSERT_EQ((*most - *least) * few.size(), n * f);
        }
    }
}

/// Three tiers: the rule with all cores as paths between pods, with the aggregation switches as
/// paths within one, whatever the numbers of these and of leaves.
TEST(EtherealBalance, ThreeTiers)
{
    std::mt19937 random(4);
    const UniformInteger uniform = [&](uint32_t n) { return random() % n; };
    for (uint32_t trial = 0; trial < 500; ++trial)
    {
        const uint32_t pods = 2 + random() % 3;
        const uint32_t leaves = 1 + random() % 4;
        const uint32_t middles = 1 + random() % 6;
        const uint32_t cores = 1 + random() % 6; // of each aggregation switch
        ThreeTierLoads loads(middles);
        for (uint32_t pair = 0; pair < pods * leaves * pods * leaves; ++pair)
        {
            const uint32_t from = pair / (pods * leaves);
            const uint32_t to = pair % (pods * leaves);
            if (from == to)
            {
                continue;
            }
            const std::pair source{from / leaves, from % leaves};
            const std::pair destination{to / leaves, to % leaves};
            const uint32_t s = source.first == destination.first ? middles : middles * cores;
            const uint64_t bytes = (1 + random() % 1000000) * s;
            const uint32_t flows = 1 + random() % 40;
            for (const auto& piece : EtherealPlanner({}).Plan(std::vector<uint64_t>(flows, bytes),
                                                              ShuffledRange(s, uniform)))
            {
                loads.Add(source, destination, piece);
            }
        }
        ASSERT_NO_FATAL_FAILURE(ExpectEqual(loads.leafUp, middles));
        ASSERT_NO_FATAL_FAILURE(ExpectEqual(loads.leafDown, middles));
        ASSERT_NO_FATAL_FAILURE(ExpectEqual(loads.coreUp, middles * cores));
        ASSERT_NO_FATAL_FAILURE(ExpectEqual(loads.coreDown, middles * cores));
    }
}

/// With the labels of PathView on a fabric of this module: all links of a tier have equal loads in
/// an all-to-all.
TEST(EtherealBalance, AllToAllOnFabrics)
{
    const std::map<std::string, FabricGraph> fabrics{
        {"4 x 3 x 4", MakeLeafSpine({4, 3, 4})},
        {"3 x 5 x 4", MakeLeafSpine({3, 5, 4})},
        {"k4", MakeFatTree({4, 1, {}})},
        {"k6, 4 hosts an edge", MakeFatTree({6, 1, 4})},
    };
    for (const auto& [name, graph] : fabrics)
    {
        const PathView view(graph);
        std::map<std::pair<uint32_t, bool>, uint64_t> loads;
        for (uint32_t source = 0; source < graph.HostCount(); ++source)
        {
            std::map<uint32_t, std::vector<uint32_t>> batch;
            for (uint32_t host = 0; host < graph.HostCount(); ++host)
            {
                batch[graph.LeafOf(host)].push_back(host);
            }
            batch.erase(graph.LeafOf(source));
            for (const auto& [leaf, hosts] : batch)
            {
                const auto paths = view.UsablePaths(source, hosts[0]);
                const auto plan =
                    EtherealPlanner({}).Plan(std::vector<uint64_t>(hosts.size(), 1260), paths);
                if (name == "4 x 3 x 4")
                {
                    EXPECT_EQ(plan.size(), 6U); // queue pairs to a leaf, three of them pieces
                }
                for (const auto& piece : plan)
                {
                    Walk(graph, source, hosts[piece.flow], piece, loads);
                }
            }
        }
        std::map<std::pair<uint8_t, bool>, std::set<uint64_t>> byTier;
        std::size_t links = 0;
        for (const auto& link : graph.Links())
        {
            links += link.tier > 0 ? 2 : 0;
        }
        EXPECT_EQ(loads.size(), links) << name;
        for (const auto& [link, load] : loads)
        {
            byTier[{graph.Links()[link.first].tier, link.second}].insert(load);
        }
        for (const auto& [tier, values] : byTier)
        {
            EXPECT_EQ(values.size(), 1U) << name << ", tier " << +tier.first;
        }
    }
}
