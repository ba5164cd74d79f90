/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "multi-plane-clos.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t ETHERNET_BYTES = 18; //!< header and FCS
constexpr uint32_t GAP_BYTES = 20;      //!< preamble and gap

/// @return a power
uint64_t
Power(uint64_t base, uint32_t exponent)
{
    return exponent == 0 ? 1 : base * Power(base, exponent - 1);
}

} // namespace

MultiPlaneClos::MultiPlaneClos(uint64_t switchGbps, uint64_t nicGbps, uint32_t planes)
    : m_planes(planes),
      m_portGbps(planes > 0 ? nicGbps / planes : 0),
      m_radix(m_portGbps > 0 ? switchGbps / m_portGbps : 0)
{
    if (m_radix < 2 || m_radix % 2 != 0 || m_radix * m_portGbps != switchGbps ||
        m_portGbps * planes != nicGbps)
    {
        throw std::invalid_argument("planes: " + std::to_string(planes) + " of a NIC of " +
                                    std::to_string(nicGbps) + " Gb/s and switches of " +
                                    std::to_string(switchGbps) +
                                    " Gb/s give no even number of equal ports of a switch");
    }
}

uint32_t
MultiPlaneClos::GetPlanes() const
{
    return m_planes;
}

uint64_t
MultiPlaneClos::GetRadix() const
{
    return m_radix;
}

uint64_t
MultiPlaneClos::GetPortGbps() const
{
    return m_portGbps;
}

uint64_t
MultiPlaneClos::CountHostsPerLeaf() const
{
    return m_radix / 2;
}

uint64_t
MultiPlaneClos::CountHosts(uint32_t tiers) const
{
    return 2 * Power(m_radix / 2, tiers);
}

uint64_t
MultiPlaneClos::CountSwitches(uint32_t tiers) const
{
    return m_planes * (2 * tiers - 1) * Power(m_radix / 2, tiers - 1);
}

uint64_t
MultiPlaneClos::CountLeaves() const
{
    return m_radix;
}

uint64_t
MultiPlaneClos::CountSpines() const
{
    return m_radix / 2;
}

uint64_t
MultiPlaneClos::CountLinksPerHost() const
{
    return 2 * m_planes;
}

uint64_t
MultiPlaneClos::CountPaths() const
{
    return m_planes * m_radix / 2;
}

uint32_t
MultiPlaneClos::CountHops(uint32_t tiers)
{
    return 2 * tiers - 1;
}

double
MultiPlaneClos::GetLinkShare() const
{
    return 2.0 / static_cast<double>(m_radix);
}

LeafSpineConfig
MultiPlaneClos::MakeConfig(uint32_t leaves) const
{
    LeafSpineConfig config;
    config.leaves = leaves > 0 ? leaves : static_cast<int64_t>(CountLeaves());
    config.spines = static_cast<int64_t>(CountSpines());
    config.hostsPerLeaf = static_cast<int64_t>(CountHostsPerLeaf());
    config.planes = m_planes;
    return config;
}

double
MultiPlaneClos::GetGoodput(double gbps, uint32_t payload, uint32_t headers)
{
    return gbps * payload / (payload + headers + ETHERNET_BYTES + GAP_BYTES);
}

} // namespace aifabric
} // namespace ns3
