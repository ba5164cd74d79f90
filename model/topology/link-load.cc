/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-load.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Sums up the loads of links from the hosts to the top.
class LoadSum
{
  public:
    /// Start without load on any link.
    explicit LoadSum(const FabricGraph& graph)
        : m_graph(graph),
          m_uplinks(graph.Switches().size()),
          m_arrived(graph.Switches().size()),
          m_loads(graph.Links().size())
    {
        for (const auto& link : graph.Links())
        {
            if (!link.a.isHost)
            {
                ++m_uplinks[link.a.id];
            }
        }
    }

    /// Load the links of a tier, after those of the tier below.
    void AddTier(uint8_t tier)
    {
        for (uint32_t id = 0; id < m_loads.size(); ++id)
        {
            const auto& link = m_graph.Links()[id];
            if (link.tier == tier)
            {
                m_loads[id] = LoadFrom(link.a);
                const auto others = HostsNotBelow(link.a);
                m_arrived[link.b.id] += others > 0 ? m_loads[id] / others : 0;
            }
        }
    }

    /// @return the loads by link
    const std::vector<double>& Get() const
    {
        return m_loads;
    }

  private:
    /// @return the hosts that are reached by the way up  @param end a port of a host or switch
    double HostsNotBelow(const FabricEnd& end) const
    {
        const auto below = end.isHost ? 1 : m_graph.Switches()[end.id].forwarding.hostCount;
        return static_cast<double>(m_graph.HostCount()) - below;
    }

    /// @return the load of an uplink  @param end its lower end
    double LoadFrom(const FabricEnd& end) const
    {
        return end.isHost ? 1.0 / m_graph.Planes()
                          : m_arrived[end.id] * HostsNotBelow(end) / m_uplinks[end.id];
    }

    const FabricGraph& m_graph;      //!< the fabric
    std::vector<uint32_t> m_uplinks; //!< uplinks by switch
    std::vector<double> m_arrived;   //!< by switch: from below, for each host it may be for
    std::vector<double> m_loads;     //!< by link
};

} // namespace

std::vector<double>
UniformLinkLoads(const FabricGraph& graph)
{
    LoadSum sum(graph);
    for (uint8_t tier = 0; tier < graph.Tiers(); ++tier)
    {
        sum.AddTier(tier);
    }
    return sum.Get();
}

} // namespace aifabric
} // namespace ns3
