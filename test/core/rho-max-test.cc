/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/flow-list.h"
#include "ns3/rho-max.h"

#include <chrono>

namespace
{

/// @return a source of randomness
UniformInteger
Uniform(std::mt19937& random)
{
    return [&random](uint32_t bound) { return static_cast<uint32_t>(random() % bound); };
}

/// @return flows that leave the pod of their source
std::vector<Flow>
ToTheNextPod(const FabricGraph& graph)
{
    const uint32_t hosts = graph.HostCount();
    uint32_t shift = 0;
    while (graph.PodOf(shift) == graph.PodOf(0))
    {
        ++shift;
    }
    std::vector<Flow> flows;
    for (uint32_t host = 0; host < hosts; ++host)
    {
        flows.push_back({0, host, (host + shift) % hosts, 1 << 20});
    }
    return flows;
}

/// @return the links with one of them dead
std::vector<bool>
Without(const FabricGraph& graph, const std::string& name)
{
    std::vector<bool> alive(graph.Links().size(), true);
    uint32_t link = 0;
    while (graph.LinkName(link) != name)
    {
        ++link;
    }
    alive[link] = false;
    return alive;
}

/// The law by its definition: each flow, each path.
struct Enumeration
{
    Enumeration(const FabricGraph& graph, const std::vector<bool>& alive)
        : m_graph(graph),
          m_alive(alive)
    {
    }

    /// @return the share of the line rate; 0 if a flow has no path
    double Get(const std::vector<Flow>& flows)
    {
        std::map<uint32_t, double> sent;
        double most = 0;
        for (const Flow& flow : flows)
        {
            most = std::max(most, sent[flow.source] += flow.bytes);
        }
        for (const Flow& flow : flows)
        {
            m_paths.clear();
            for (uint16_t plane = 0; plane < m_graph.Planes(); ++plane)
            {
                const uint32_t link = m_graph.LinkAt({true, flow.source, plane});
                m_path = {{link, true}};
                if (m_alive[link])
                {
                    Walk(m_graph.LeafOf(flow.source, plane), flow.destination);
                }
            }
            for (const auto& path : m_paths)
            {
                for (const auto& direction : path)
                {
                    m_load[direction] += flow.bytes / most * m_graph.Planes() / m_paths.size();
                }
            }
            if (m_paths.empty())
            {
                return 0;
            }
        }
        double load = 1;
        for (const auto& entry : m_load)
        {
            load = std::max(load, entry.second);
        }
        return 1 / load;
    }

    /// Go on by each live port.
    void Walk(uint32_t at, uint32_t host)
    {
        const PortGroup& group = m_graph.Switches()[at].forwarding.GroupFor(host);
        for (uint32_t i = 0; i < group.count; ++i)
        {
            const FabricEnd end{false, at, static_cast<uint16_t>(group.first + i)};
            const FabricEnd peer = m_graph.PeerOf(end);
            const uint32_t link = m_graph.LinkAt(end);
            if (!m_alive[link])
            {
                continue;
            }
            const FabricEnd& lower = m_graph.Links()[link].a;
            m_path.emplace_back(link, !lower.isHost && lower.id == at);
            if (peer.isHost)
            {
                m_paths.push_back(m_path);
            }
            else
            {
                Walk(peer.id, host);
            }
            m_path.pop_back();
        }
    }

    const FabricGraph& m_graph;                                  //!< the fabric
    const std::vector<bool>& m_alive;                            //!< its links
    std::vector<std::pair<uint32_t, bool>> m_path;               //!< link, whether upwards
    std::vector<std::vector<std::pair<uint32_t, bool>>> m_paths; //!< of a flow
    std::map<std::pair<uint32_t, bool>, double> m_load;          //!< of each direction
};

} // namespace

/// The examples that follow from the study's definition.
TEST(RhoMax, OneDeadLink)
{
    const FabricGraph graph = MakeFatTree({8, 1, {}});
    const std::vector<Flow> flows = ToTheNextPod(graph);
    EXPECT_EQ(RhoMax(graph, std::vector<bool>(graph.Links().size(), true), flows), 1);
    EXPECT_NEAR(RhoMax(graph, Without(graph, "pod0-edge-1:4--pod0-agg-0:1"), flows), 0.75, 1e-12);
    EXPECT_NEAR(RhoMax(graph, Without(graph, "pod0-agg-2:5--core-9:0"), flows), 15.0 / 16, 1e-12);
    std::mt19937 random(1);
    const std::vector<Flow> all = AllToAll(graph.HostCount(), 4096, Uniform(random));
    EXPECT_EQ(RhoMax(graph, std::vector<bool>(graph.Links().size(), true), all), 1);
    // 4 hosts send 124 of 127 messages to other leaves, over 3 uplinks
    EXPECT_NEAR(RhoMax(graph, Without(graph, "pod0-edge-1:4--pod0-agg-0:1"), all),
                3.0 * 127 / (4 * 124),
                1e-12);
    // 4 hosts of an edge send 112 of 127 messages to other pods, 4/15 of them over the uplinks
    // that still lead to 4 cores, and 12 within the pod, evenly
    EXPECT_NEAR(RhoMax(graph, Without(graph, "pod0-agg-2:5--core-9:0"), all),
                127 / (4 * 112 * 4.0 / 15 + 12),
                1e-12);
}

/// Without a path there is no rate, without flows no limit.
TEST(RhoMax, Borders)
{
    const FabricGraph graph = MakeFatTree({2, 1, {}});
    const auto cut = Without(graph, "pod0-agg-0:1--core-0:0");
    EXPECT_EQ(RhoMax(graph, cut, {{0, 0, 1, 1}}), 0);
    EXPECT_EQ(RhoMax(graph, cut, {}), 1);
    const FabricGraph incast = MakeLeafSpine({4, 4, 4});
    std::mt19937 random(1);
    EXPECT_NEAR(RhoMax(incast,
                       std::vector<bool>(incast.Links().size(), true),
                       Incast(16, 8, 0, 1000, Uniform(random))),
                1.0 / 8,
                1e-12);
}

/// The case of several planes that have lost different numbers of their paths: the uplinks of leaf
/// 0, six of eight, carry what four hosts send over two ports each. Local traffic is split by
/// halves.
TEST(RhoMax, SplitsByPathsOverPlanes)
{
    const FabricGraph graph = MakeLeafSpine({4, 4, 4, 1, 2});
    std::vector<bool> alive(graph.Links().size(), true);
    alive[graph.LinkAt({false, graph.LeafOf(0, 0), 4})] = false;
    alive[graph.LinkAt({false, graph.LeafOf(0, 0), 5})] = false;
    std::vector<Flow> flows;
    for (uint32_t host = 0; host < 16; ++host)
    {
        flows.push_back({0, host, (host + 4) % 16, 4096});
    }
    EXPECT_NEAR(RhoMax(graph, alive, flows), 0.75, 1e-12);
    EXPECT_EQ(RhoMax(graph, alive, {{0, 0, 1, 4096}}), 1);
    // One host that sends to leaf 0: two thirds of its two ports' rate over one port.
    EXPECT_NEAR(RhoMax(graph, alive, {{0, 4, 0, 4096}}), 0.75, 1e-12);
}

/// A host that has lost a plane sends and receives by the others.
TEST(RhoMax, HostWithoutAPlane)
{
    const FabricGraph graph = MakeLeafSpine({2, 4, 2, 1, 4});
    std::vector<bool> alive(graph.Links().size(), true);
    alive[graph.LinkAt({true, 3, 1})] = false;
    EXPECT_NEAR(RhoMax(graph, alive, {{0, 0, 3, 4096}}), 0.75, 1e-12);
    EXPECT_NEAR(RhoMax(graph, alive, {{0, 3, 2, 4096}}), 0.75, 1e-12);
    EXPECT_EQ(RhoMax(graph, alive, {{0, 0, 2, 4096}}), 1);
    for (uint16_t plane : {0, 2, 3})
    {
        alive[graph.LinkAt({true, 3, plane})] = false;
    }
    EXPECT_EQ(RhoMax(graph, alive, {{0, 0, 3, 4096}}), 0);
}

/// A leaf that has one plane of two left: the one port of its host has to carry all.
TEST(RhoMax, OnePlaneOfTwo)
{
    const FabricGraph graph = MakeLeafSpine({3, 4, 1, 1, 2});
    std::vector<bool> alive(graph.Links().size(), true);
    for (uint32_t link = 0; link < alive.size(); ++link)
    {
        const FabricEnd& lower = graph.Links()[link].a;
        alive[link] = lower.isHost || lower.id != graph.LeafOf(0, 1);
    }
    EXPECT_NEAR(RhoMax(graph, alive, {{0, 0, 1, 4096}, {0, 0, 2, 4096}}), 0.5, 1e-12);
}

/// It is what enumerating all paths of all flows gives.
TEST(RhoMax, IsWhatEnumerationGives)
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform;
    auto from = [&random](int64_t least, int64_t most) {
        return least + static_cast<int64_t>(random() % (most - least + 1));
    };
    uint32_t less = 0;
    for (uint32_t sample = 0; sample < 120; ++sample)
    {
        const FabricGraph graph =
            sample % 2
                ? MakeFatTree({2 * from(1, 3), from(1, 2), from(1, 3)})
                : MakeLeafSpine({from(2, 5), from(1, 4), from(1, 3), from(1, 3), from(1, 3)});
        std::vector<bool> alive;
        for (const FabricLinkSpec& link : graph.Links())
        {
            const double probability = 0.01 * (sample % 12) * (link.a.isHost ? 0.3 : 1);
            alive.push_back(uniform(random) >= probability);
        }
        std::vector<Flow> flows;
        for (int64_t i = from(1, 60); i > 0; --i)
        {
            const uint32_t source = random() % graph.HostCount();
            const uint32_t destination =
                (source + 1 + random() % (graph.HostCount() - 1)) % graph.HostCount();
            flows.push_back({0, source, destination, static_cast<uint64_t>(from(1, 1 << 20))});
        }
        const double rho = RhoMax(graph, alive, flows);
        EXPECT_NEAR(rho, Enumeration(graph, alive).Get(flows), 1e-9);
        less += rho > 0 && rho < 1;
        // Four times as fast between switches: what is left is a quarter of that, or the hosts'.
        const double faster = RhoMax(graph, alive, flows, 4);
        EXPECT_LE(faster, std::min(1.0, 4 * rho) + 1e-9);
        EXPECT_GE(faster, rho - 1e-9);
    }
    EXPECT_GT(less, 20U);
}

/// An all-to-all of 1024 hosts takes little time.
TEST(RhoMax, IsFast)
{
    const FabricGraph graph = MakeFatTree({16, 1, {}});
    std::mt19937 random(1);
    const std::vector<Flow> flows = AllToAll(graph.HostCount(), 4096, Uniform(random));
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_LT(RhoMax(graph, Without(graph, "pod0-agg-2:9--core-17:0"), flows), 1);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(2));
}
