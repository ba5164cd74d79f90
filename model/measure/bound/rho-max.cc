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
class FlowLoadSum
{
  public:
    /// @param alive whether frames cross a link, by link id
    FlowLoadSum(const FabricGraph& graph, const std::vector<bool>& alive)
        : m_graph(graph),
          m_alive(alive),
          m_counter(graph, alive),
          m_flowsTo(graph.Switches().size()),
          m_inflow(graph.Switches().size(), 0),
          m_load(2 * graph.Links().size(), 0),
          m_sources(graph.Planes()),
          m_shares(graph.Planes())
    {
    }

    /// @return whether each flow has a path
    bool Add(const std::vector<Flow>& flows)
    {
        std::vector<double> sent(m_graph.HostCount(), 0);
        for (const Flow& flow : flows)
        {
            if (flow.inNode)
            {
                continue;
            }
            sent[flow.source] += flow.bytes;
            m_flowsTo[m_graph.LeafOf(flow.destination)].push_back(&flow);
        }
        m_most = *std::max_element(sent.begin(), sent.end());
        for (std::size_t leaf = 0; leaf < m_counter.GetSwitches(0, 0).size(); ++leaf)
        {
            if (!AddTo(leaf))
            {
                return false;
            }
        }
        return true;
    }

    /// @return the load of the most loaded direction of a link, as a part of its rate
    /// @param fabricSpeed the rate of links between switches
    double GetMost(double fabricSpeed) const
    {
        double most = 0;
        for (std::size_t i = 0; i < m_load.size(); ++i)
        {
            const bool isHost = m_graph.Links()[i / 2].a.isHost;
            most = std::max(most, isHost ? m_load[i] : m_load[i] / fabricSpeed);
        }
        return most;
    }

  private:
    /// Add what goes to the hosts of a leaf.  @param leaf number of the leaf
    /// @return whether there is a path from everywhere where there are flows
    bool AddTo(std::size_t leaf)
    {
        const auto& flows = m_flowsTo[m_counter.GetSwitches(0, 0)[leaf]];
        if (flows.empty())
        {
            return true;
        }
        for (uint16_t plane = 0; plane < m_graph.Planes(); ++plane)
        {
            m_counter.CountTo(m_counter.GetSwitches(plane, 0)[leaf]);
        }
        for (const Flow* flow : flows)
        {
            if (!SplitOverPlanes(*flow))
            {
                return false;
            }
            AddHosts(*flow);
        }
        for (uint16_t plane = 0; plane < m_graph.Planes(); ++plane)
        {
            Push(m_counter.GetSwitches(plane, 0)[leaf], plane);
        }
        return true;
    }

    /// Compute the shares of a flow that planes carry: each path the same.
    /// @return whether there is a path
    bool SplitOverPlanes(const Flow& flow)
    {
        double all = 0;
        for (uint16_t plane = 0; plane < m_graph.Planes(); ++plane)
        {
            const bool isAlive = m_alive[m_graph.LinkAt({true, flow.source, plane})] &&
                                 m_alive[m_graph.LinkAt({true, flow.destination, plane})];
            const uint32_t leaf = m_graph.LeafOf(flow.source, plane);
            m_shares[plane] = isAlive ? m_counter.GetWays(leaf) : 0;
            all += m_shares[plane];
        }
        for (double& share : m_shares)
        {
            share = all > 0 ? share / all : 0;
        }
        return all > 0;
    }

    /// Add what a flow loads on the links of its hosts, and on their leaves.
    void AddHosts(const Flow& flow)
    {
        const bool isLocal = m_graph.LeafOf(flow.source) == m_graph.LeafOf(flow.destination);
        for (uint16_t plane = 0; plane < m_graph.Planes(); ++plane)
        {
            const double load = flow.bytes / m_most * m_graph.Planes() * m_shares[plane];
            m_load[2 * m_graph.LinkAt({true, flow.source, plane}) + UP] += load;
            m_load[2 * m_graph.LinkAt({true, flow.destination, plane})] += load;
            const uint32_t leaf = m_graph.LeafOf(flow.source, plane);
            if (!isLocal && m_inflow[leaf] == 0)
            {
                m_sources[plane].push_back(leaf);
            }
            m_inflow[leaf] += isLocal ? 0 : load;
        }
    }

    /// Send what has come to leaves on to another one, by the way of ForwardingRule.
    /// @param leaf id of the other one
    void Push(uint32_t leaf, uint16_t plane)
    {
        const uint32_t host = m_graph.Switches()[leaf].forwarding.firstHost;
        std::vector<uint32_t>& sources = m_sources[plane];
        std::sort(sources.begin(), sources.end());
        const std::vector<uint32_t> destination = {leaf};
        for (const bool down : {false, true})
        {
            for (uint8_t step = 0; step < m_graph.Tiers(); ++step)
            {
                const uint8_t tier = down ? m_graph.Tiers() - 1 - step : step;
                const std::vector<uint32_t>& leaves = down ? destination : sources;
                for (const uint32_t id : tier == 0 ? leaves : m_counter.GetSwitches(plane, tier))
                {
                    const ForwardingRule& rule = m_graph.Switches()[id].forwarding;
                    if (rule.IsBelow(host) == down && m_inflow[id] > 0)
                    {
                        Split(id, rule.GroupFor(host), tier > 0 || !down);
                    }
                }
            }
        }
        sources.clear();
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

    static constexpr uint32_t UP = 1; //!< the direction up of a link, in m_load

    const FabricGraph& m_graph;                      //!< the fabric
    const std::vector<bool>& m_alive;                //!< whether frames cross a link
    WayCounter m_counter;                            //!< counts ways
    std::vector<std::vector<const Flow*>> m_flowsTo; //!< by leaf of plane 0
    double m_most{0};                                //!< the most that a host sends, in bytes
    std::vector<double> m_inflow;                    //!< what comes to each switch
    std::vector<double> m_load;                      //!< by link and direction
    std::vector<std::vector<uint32_t>> m_sources;    //!< leaves with inflow, by plane
    std::vector<double> m_shares;                    //!< of the present flow, by plane
};

} // namespace

double
RhoMax(const FabricGraph& graph,
       const std::vector<bool>& alive,
       const std::vector<Flow>& flows,
       double fabricSpeed)
{
    constexpr double ROUNDING = 1e-9;
    FlowLoadSum sum(graph, alive);
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
