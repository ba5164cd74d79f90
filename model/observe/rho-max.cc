/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rho-max.h"

#include "ns3/way-counter.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

namespace
{

/**
 * Adds up what flows load on links, in units of the line rate.
 */
class LoadSum
{
  public:
    /// @param graph the fabric  @param alive whether frames cross a link, by link id
    LoadSum(const FabricGraph& graph, const std::vector<bool>& alive)
        : m_graph(graph),
          m_counter(graph, alive),
          m_leaves(m_counter.GetSwitches(0, 0).size()),
          m_numberOf(graph.Switches().size(), 0),
          m_demand(m_leaves * m_leaves, 0),
          m_planes(m_leaves * m_leaves, graph.Planes()),
          m_inflow(graph.Switches().size(), 0),
          m_load(2 * graph.Links().size(), 0),
          m_sent(graph.HostCount(), 0),
          m_received(graph.HostCount(), 0)
    {
        for (uint32_t leaf = 0; leaf < m_leaves; ++leaf)
        {
            m_numberOf[m_counter.GetSwitches(0, 0)[leaf]] = leaf;
        }
    }

    /// @return whether each flow has a path  @param flows the flows
    bool Add(const std::vector<Flow>& flows)
    {
        for (const Flow& flow : flows)
        {
            m_sent[flow.source] += flow.bytes;
        }
        const double most = *std::max_element(m_sent.begin(), m_sent.end());
        for (const Flow& flow : flows)
        {
            m_demand[PairOf(flow)] += flow.bytes / most;
        }
        for (uint32_t leaf = 0; leaf < m_leaves; ++leaf)
        {
            if (!AddTo(leaf))
            {
                return false;
            }
        }
        AddHosts(flows, most);
        return true;
    }

    /// @return the load of the most loaded direction of a link, as a part of its rate
    /// @param fabricSpeed the rate of links between switches
    double GetMost(double fabricSpeed) const
    {
        return std::max({*std::max_element(m_load.begin(), m_load.end()) / fabricSpeed,
                         *std::max_element(m_sent.begin(), m_sent.end()),
                         *std::max_element(m_received.begin(), m_received.end())});
    }

  private:
    /// @return position of a flow's leaves in the matrices  @param flow the flow
    std::size_t PairOf(const Flow& flow) const
    {
        return m_numberOf[m_graph.LeafOf(flow.destination)] * m_leaves +
               m_numberOf[m_graph.LeafOf(flow.source)];
    }

    /// Add what goes to the hosts of a leaf.  @param leaf number of the leaf
    /// @return whether there is a path from everywhere where there are flows
    bool AddTo(std::size_t leaf)
    {
        for (uint16_t plane = 0; plane < m_graph.Planes(); ++plane)
        {
            m_counter.CountTo(m_counter.GetSwitches(plane, 0)[leaf]);
        }
        for (std::size_t source = 0; source < m_leaves; ++source)
        {
            const std::size_t pair = leaf * m_leaves + source;
            m_planes[pair] = 0;
            for (uint16_t plane = 0; plane < m_graph.Planes(); ++plane)
            {
                m_planes[pair] += m_counter.GetWays(m_counter.GetSwitches(plane, 0)[source]) > 0;
            }
            if (m_planes[pair] == 0 && m_demand[pair] > 0)
            {
                return false;
            }
        }
        for (uint16_t plane = 0; plane < m_graph.Planes(); ++plane)
        {
            Push(leaf, plane);
        }
        return true;
    }

    /// Send the flows to a leaf through a plane, by the way of ForwardingRule.
    /// @param leaf number of the leaf  @param plane the plane
    void Push(std::size_t leaf, uint16_t plane)
    {
        const std::vector<uint32_t>& leaves = m_counter.GetSwitches(plane, 0);
        const uint32_t host = m_graph.Switches()[leaves[leaf]].forwarding.firstHost;
        for (std::size_t source = 0; source < m_leaves; ++source)
        {
            const std::size_t pair = leaf * m_leaves + source;
            const bool has = source != leaf && m_counter.GetWays(leaves[source]) > 0;
            m_inflow[leaves[source]] = has ? m_demand[pair] * m_graph.Planes() / m_planes[pair] : 0;
        }
        for (const bool down : {false, true})
        {
            for (uint8_t step = 0; step < m_graph.Tiers(); ++step)
            {
                const uint8_t tier = down ? m_graph.Tiers() - 1 - step : step;
                for (const uint32_t id : m_counter.GetSwitches(plane, tier))
                {
                    const ForwardingRule& rule = m_graph.Switches()[id].forwarding;
                    if (rule.IsBelow(host) == down && m_inflow[id] > 0)
                    {
                        Split(id, rule.GroupFor(host), tier > 0 || !down);
                    }
                }
            }
        }
    }

    /// Split what comes to a switch over its next hops.  @param id the switch
    /// @param group the next hops  @param goesOn whether it has not come to its leaf
    void Split(uint32_t id, const PortGroup& group, bool goesOn)
    {
        const double share = m_inflow[id] / m_counter.GetWays(id);
        m_inflow[id] = 0;
        for (uint32_t i = 0; goesOn && i < group.count; ++i)
        {
            const FabricEnd end{false, id, static_cast<uint16_t>(group.first + i)};
            const uint64_t ways = m_counter.GetWaysBy(id, end.port);
            const FabricEnd& peer = m_graph.PeerOf(end);
            const bool isUp = m_graph.Switches()[peer.id].tier > m_graph.Switches()[id].tier;
            m_load[2 * m_graph.LinkAt(end) + isUp] += share * ways;
            m_inflow[peer.id] += share * ways;
        }
    }

    /// Add what flows load on the links of hosts.  @param flows the flows
    /// @param most what the host that sends most sends, in bytes
    void AddHosts(const std::vector<Flow>& flows, double most)
    {
        std::fill(m_sent.begin(), m_sent.end(), 0);
        for (const Flow& flow : flows)
        {
            const double load = flow.bytes / most * m_graph.Planes() / m_planes[PairOf(flow)];
            m_sent[flow.source] += load;
            m_received[flow.destination] += load;
        }
    }

    const FabricGraph& m_graph;       //!< the fabric
    WayCounter m_counter;             //!< counts ways
    std::size_t m_leaves;             //!< leaves of a plane
    std::vector<uint32_t> m_numberOf; //!< number of each leaf of plane 0, by switch
    std::vector<double> m_demand;     //!< what leaves send to each other, by destination and source
    std::vector<uint32_t> m_planes;   //!< planes in which they have a path, likewise
    std::vector<double> m_inflow;     //!< what comes to each switch on its way to the present leaf
    std::vector<double> m_load;       //!< by link and direction
    std::vector<double> m_sent;       //!< by host; first in bytes
    std::vector<double> m_received;   //!< by host
};

} // namespace

double
RhoMax(const FabricGraph& graph,
       const std::vector<bool>& alive,
       const std::vector<Flow>& flows,
       double fabricSpeed)
{
    constexpr double ROUNDING = 1e-9;
    LoadSum sum(graph, alive);
    if (flows.empty())
    {
        return 1;
    }
    if (!sum.Add(flows))
    {
        return 0;
    }
    const double most = sum.GetMost(fabricSpeed);
    return most <= 1 + ROUNDING ? 1 : 1 / most;
}

} // namespace aifabric
} // namespace ns3
