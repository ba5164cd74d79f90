/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "core-test.h"

#include "ns3/clos-builder.h"
#include "ns3/link-load.h"

namespace
{

/// Sends an all-to-all through the forwarding rules, split evenly at each switch.
struct AllToAllFlood
{
    explicit AllToAllFlood(const FabricGraph& graph)
        : m_graph(graph),
          m_up(graph.Links().size()),
          m_down(graph.Links().size())
    {
        const double amount = 1.0 / (graph.HostCount() - 1) / graph.Planes();
        for (uint32_t source = 0; source < graph.HostCount(); ++source)
        {
            for (uint32_t destination = 0; destination < graph.HostCount(); ++destination)
            {
                for (uint16_t plane = 0; source != destination && plane < graph.Planes(); ++plane)
                {
                    Send({true, source, plane}, destination, amount);
                }
            }
        }
    }

    /// @return what crosses a link up and down
    std::pair<double, double> Get(uint32_t link) const
    {
        return {m_up[link], m_down[link]};
    }

    /// Send out of a port.
    void Send(const FabricEnd& end, uint32_t destination, double amount)
    {
        const auto link = m_graph.LinkAt(end);
        const auto& lower = m_graph.Links()[link].a;
        const bool isUp = lower.isHost == end.isHost && lower.id == end.id;
        (isUp ? m_up : m_down)[link] += amount;
        const auto& peer = m_graph.PeerOf(end);
        if (peer.isHost)
        {
            return;
        }
        const auto& group = m_graph.Switches()[peer.id].forwarding.GroupFor(destination);
        for (uint16_t i = 0; i < group.count; ++i)
        {
            const auto port = static_cast<uint16_t>(group.first + i);
            Send({false, peer.id, port}, destination, amount / group.count);
        }
    }

    const FabricGraph& m_graph; //!< the fabric
    std::vector<double> m_up;   //!< by link
    std::vector<double> m_down; //!< by link
};

} // namespace

/// The loads are those of an all-to-all that the forwarding rules split evenly, in both directions.
TEST(LinkLoad, IsThatOfAnAllToAll)
{
    const std::map<std::string, FabricGraph> fabrics = {
        {"k2", MakeFatTree({2, 1, {}})},
        {"k4", MakeFatTree({4, 1, {}})},
        {"k4Planes2", MakeFatTree({4, 2, {}})},
        {"k4Oversubscribed", MakeFatTree({4, 1, 5})},
        {"k6Undersubscribed", MakeFatTree({6, 1, 1})},
        {"threeTierUneven", MakeThreeTier({3, 5, 2, 8, 4, 2})},
        {"leafSpine", MakeLeafSpine({6, 4, 3})},
        {"leafSpineBundles", MakeLeafSpine({3, 5, 4, 3})},
        {"leafSpinePlanes4", MakeLeafSpine({4, 2, 3, 2, 4})},
        {"oneLeaf", MakeLeafSpine({1, 2, 5})},
    };
    for (const auto& [name, graph] : fabrics)
    {
        const AllToAllFlood flood(graph);
        const auto loads = UniformLinkLoads(graph);
        ASSERT_EQ(loads.size(), graph.Links().size());
        for (uint32_t link = 0; link < loads.size(); ++link)
        {
            EXPECT_NEAR(loads[link], flood.Get(link).first, 1e-9)
                << name << " " << graph.LinkName(link);
            EXPECT_NEAR(loads[link], flood.Get(link).second, 1e-9)
                << name << " " << graph.LinkName(link);
        }
    }
}

/// A single host has nobody to send to, and loads stay finite.
TEST(LinkLoad, OfOneHostIsFinite)
{
    for (auto load : UniformLinkLoads(MakeLeafSpine({1, 2, 1})))
    {
        EXPECT_GE(load, 0);
        EXPECT_LE(load, 1);
    }
}
