/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-paths.h"

#include "ns3/abort.h"

#include <algorithm>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

FluidPaths::FluidPaths(const FabricGraph& graph, double hostRate, double fabricRate)
    : m_graph(graph),
      m_hostRate(hostRate),
      m_fabricRate(fabricRate),
      m_firstPod(2 * (graph.HostCount() + static_cast<uint32_t>(graph.Switches().size())))
{
    CheckUniform();
    uint32_t pods = 0;
    for (const FabricSwitchSpec& spec : graph.Switches())
    {
        pods = spec.pod == FabricSwitchSpec::NO_POD ? pods : std::max(pods, spec.pod + 1);
    }
    m_rates.resize(m_firstPod + 2 * pods);
    std::fill_n(m_rates.begin(), 2 * graph.HostCount(), graph.Planes() * hostRate);
    for (const FabricSwitchSpec& spec : graph.Switches())
    {
        const double rate = spec.forwarding.up.count * fabricRate;
        if (rate == 0)
        {
            continue;
        }
        const uint32_t up = spec.tier == 0 ? UpFromLeaf(graph.LeafOf(spec.forwarding.firstHost))
                                           : UpFromPod(spec.pod);
        m_rates[up] += rate;
        m_rates[up + 1] += rate;
    }
    m_isNonBlocking = FindNonBlocking();
}

void
FluidPaths::CheckUniform() const
{
    if (!m_graph.IsClos())
    {
        throw std::invalid_argument("the fabric is no Clos network");
    }
    const uint8_t top = m_graph.Tiers() - 1;
    for (const FabricSwitchSpec& spec : m_graph.Switches())
    {
        if (spec.tier < top && spec.forwarding.up.count != m_graph.Uplinks(spec.tier))
        {
            throw std::invalid_argument("switches of a tier have different numbers of uplinks");
        }
    }
    for (const FabricLinkSpec& link : m_graph.Links())
    {
        if (link.rate != 0 || link.delayPs)
        {
            throw std::invalid_argument("links have rates or delays of their own");
        }
    }
}

std::vector<double>
FluidPaths::GetPortRates() const
{
    std::vector<double> rates(m_rates.size(), m_fabricRate);
    std::fill_n(rates.begin(), 2 * m_graph.HostCount(), m_hostRate);
    return rates;
}

bool
FluidPaths::FindNonBlocking() const
{
    constexpr double ROUNDING = 1e-9;          // share of a sum of rates
    std::vector<double> below(m_rates.size()); // rate of the hosts, by way up
    for (uint32_t host = 0; host < m_graph.HostCount(); ++host)
    {
        const double rate = m_rates[UpFromHost(host)];
        below[UpFromLeaf(m_graph.LeafOf(host))] += rate;
        if (const uint32_t up = UpFromPod(m_graph.PodOf(host)); up < below.size())
        {
            below[up] += rate;
        }
    }
    for (uint32_t up = UpFromLeaf(0); up < m_rates.size(); up += 2)
    {
        if (m_rates[up] > 0 && below[up] > (1 + ROUNDING) * m_rates[up])
        {
            return false;
        }
    }
    return true;
}

std::vector<uint32_t>
FluidPaths::FindWay(uint32_t from, uint32_t to) const
{
    constexpr uint32_t WITHIN_LEAF = 2; // links
    constexpr uint32_t WITHIN_POD = 4;
    const uint32_t links = m_graph.PathLinks(from, to);
    std::vector<uint32_t> way = {UpFromHost(from)};
    if (links > WITHIN_LEAF)
    {
        way.push_back(UpFromLeaf(m_graph.LeafOf(from)));
    }
    if (links > WITHIN_POD)
    {
        way.push_back(UpFromPod(m_graph.PodOf(from)));
        way.push_back(UpFromPod(m_graph.PodOf(to)) + 1);
    }
    if (links > WITHIN_LEAF)
    {
        way.push_back(UpFromLeaf(m_graph.LeafOf(to)) + 1);
    }
    way.push_back(UpFromHost(to) + 1);
    return way;
}

std::vector<uint32_t>
FluidPaths::FindLimits(uint32_t from, uint32_t to) const
{
    return m_isNonBlocking ? std::vector<uint32_t>{UpFromHost(from), UpFromHost(to) + 1}
                           : FindWay(from, to);
}

std::vector<LinkShare>
FluidPaths::GetShares(uint32_t source, uint32_t destination, double back) const
{
    std::vector<LinkShare> shares;
    for (const uint32_t link : FindLimits(source, destination))
    {
        shares.push_back({link, 1});
    }
    if (back > 0)
    {
        for (const uint32_t link : FindLimits(destination, source)) // none of the links there
        {
            shares.push_back({link, back, true});
        }
    }
    return shares;
}

std::vector<LinkShare>
FluidPaths::GetShares(uint32_t source, uint32_t destination, const std::vector<double>& loads) const
{
    NS_ABORT_MSG_IF(loads.empty(),
                    "FluidPaths: host-" << source << " has no path to host-" << destination);
    std::vector<LinkShare> shares;
    for (const uint32_t link : FindWay(source, destination))
    {
        shares.push_back({link, loads[shares.size()]});
    }
    return shares;
}

} // namespace aifabric
} // namespace ns3
