/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-traffic.h"

#include <cstddef>

namespace ns3
{
namespace aifabric
{

FluidTraffic::FluidTraffic(const FabricGraph& graph, const FluidSplit& split)
    : m_graph(graph),
      m_split(split),
      m_fixed(2 * graph.Links().size())
{
}

void
FluidTraffic::AddRoute(const FabricEnd& port,
                       const std::vector<LinkShare>& links,
                       const Amount& amount)
{
    m_fixed[2 * m_graph.LinkAt(port)].Add(amount, 1);
    for (const LinkShare& share : links)
    {
        m_fixed[share.link].Add(amount, 1);
    }
}

void
FluidTraffic::AddRoutes(const FluidTraffic& other)
{
    for (std::size_t link = 0; link < m_fixed.size(); ++link)
    {
        m_fixed[link].Add(other.m_fixed[link], 1);
    }
}

void
FluidTraffic::AddSplit(uint32_t source, uint32_t destination, const Amount& amount)
{
    const bool isAlike = m_split.HasAlikeHosts();
    const uint32_t from = isAlike ? m_graph.LeafOf(source) : source;
    const uint32_t to = isAlike ? m_graph.LeafOf(destination) : destination;
    m_demands[{from, to}].push_back({source, destination, amount});
}

std::vector<FluidTraffic::Amount>
FluidTraffic::GetSums() const
{
    std::vector<Amount> sums = m_fixed;
    for (const auto& [ends, demands] : m_demands)
    {
        AddAlike(demands, sums);
    }
    return sums;
}

void
FluidTraffic::AddAlike(const std::vector<Demand>& demands, std::vector<Amount>& sums) const
{
    Amount all;
    for (const Demand& demand : demands)
    {
        all.Add(demand.amount, 1);
    }
    // Between switches all take the links of the first one; each has links of its own hosts.
    std::vector<double> planes(m_graph.Planes(), 0);
    const Demand& first = demands.front();
    m_split.Visit(first.source,
                  first.destination,
                  [&](uint32_t link, double share, std::size_t stage) {
                      const FabricEnd& lower = m_graph.Links()[link / 2].a;
                      if (!lower.isHost)
                      {
                          sums[link].Add(all, share);
                      }
                      else if (stage == 0)
                      {
                          planes[lower.port] = share;
                      }
                  });
    for (const Demand& demand : demands)
    {
        for (uint16_t plane = 0; plane < m_graph.Planes(); ++plane)
        {
            const uint32_t up = 2 * m_graph.LinkAt({true, demand.source, plane});
            const uint32_t down = 2 * m_graph.LinkAt({true, demand.destination, plane}) + 1;
            sums[up].Add(demand.amount, planes[plane]);
            sums[down].Add(demand.amount, planes[plane]);
        }
    }
}

} // namespace aifabric
} // namespace ns3
