/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-assembly.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return groups of `width` ports each, from port 0 on  @param width ports
std::vector<PortGroup>
DownGroups(uint32_t count, uint32_t width)
{
    std::vector<PortGroup> groups;
    groups.reserve(count);
    for (uint32_t i = 0; i < count; ++i)
    {
        groups.push_back({static_cast<uint16_t>(i * width), static_cast<uint16_t>(width)});
    }
    return groups;
}

} // namespace

FabricAssembly::FabricAssembly(uint64_t switches, uint64_t links)
{
    m_switches.reserve(switches);
    m_links.reserve(links);
}

void
FabricAssembly::AddSwitch(FabricSwitchSpec spec,
                          uint32_t firstHost,
                          uint32_t chunk,
                          uint32_t down,
                          uint32_t width,
                          uint32_t up)
{
    auto downPorts = static_cast<uint16_t>(down * width);
    auto upPorts = static_cast<uint16_t>(up);
    spec.portCount = downPorts + upPorts;
    spec.forwarding.firstHost = firstHost;
    spec.forwarding.hostCount = down * chunk;
    spec.forwarding.chunk = chunk;
    spec.forwarding.down = DownGroups(down, width);
    spec.forwarding.up = up > 0 ? PortGroup{downPorts, upPorts} : PortGroup{};
    m_switches.push_back(std::move(spec));
}

void
FabricAssembly::AttachHosts(uint32_t leaf, uint32_t firstHost, uint32_t count, uint16_t plane)
{
    for (uint32_t i = 0; i < count; ++i)
    {
        auto port = static_cast<uint16_t>(i);
        m_links.push_back({{true, firstHost + i, plane}, {false, leaf, port}, 0});
    }
}

void
FabricAssembly::Join(uint32_t lower, uint32_t lowerPort, uint32_t upper, uint32_t upperPort)
{
    m_links.push_back({{false, lower, static_cast<uint16_t>(lowerPort)},
                       {false, upper, static_cast<uint16_t>(upperPort)},
                       static_cast<uint8_t>(m_switches[lower].tier + 1)});
}

uint32_t
FabricAssembly::NextSwitch() const
{
    return static_cast<uint32_t>(m_switches.size());
}

FabricGraph
FabricAssembly::Finish(uint32_t hosts, uint16_t planes, bool sharesNics)
{
    return FabricGraph(hosts, planes, std::move(m_switches), std::move(m_links), sharesNics);
}

} // namespace aifabric
} // namespace ns3
