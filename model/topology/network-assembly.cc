/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "network-assembly.h"

#include "clos-builder.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace aifabric
{

uint32_t
NetworkAssembly::AddSwitch(std::string name, uint32_t pod)
{
    m_pods.push_back(pod);
    m_names.push_back(std::move(name));
    return static_cast<uint32_t>(m_names.size() - 1);
}

bool
NetworkAssembly::Attach(uint32_t host, uint32_t to, const Cable& cable)
{
    m_hosts.resize(std::max<std::size_t>(m_hosts.size(), host + std::size_t{1}));
    if (m_hosts[host].isThere)
    {
        return false;
    }
    m_hosts[host] = {true, to, cable};
    return true;
}

void
NetworkAssembly::Join(uint32_t from, uint32_t to, const Cable& cable)
{
    m_links.push_back({from, to, cable});
}

void
NetworkAssembly::CheckNodes() const
{
    std::vector<uint32_t> links(m_names.size());
    for (std::size_t host = 0; host < m_hosts.size(); ++host)
    {
        if (!m_hosts[host].isThere)
        {
            throw std::invalid_argument("host-" + std::to_string(host) +
                                        " has no link; hosts are " + "host-0 to host-" +
                                        std::to_string(m_hosts.size() - 1));
        }
        links[m_hosts[host].to] += 2; // a path may end there
    }
    for (const SwitchLink& link : m_links)
    {
        ++links[link.from];
        ++links[link.to];
    }
    for (std::size_t id = 0; id < links.size(); ++id)
    {
        if (links[id] < 2)
        {
            throw std::invalid_argument("switch " + m_names[id] + " has " +
                                        (links[id] == 0 ? "no link" : "a single link") +
                                        " and no host, so no path crosses it");
        }
    }
}

FabricGraph
NetworkAssembly::Finish() const
{
    CheckNodes();
    std::vector<FabricSwitchSpec> switches(m_names.size());
    std::vector<FabricLinkSpec> links;
    const auto nextPort = [&switches, this](uint32_t id) {
        if (switches[id].portCount == MAX_SWITCH_PORTS)
        {
            throw std::invalid_argument("switch " + m_names[id] + " has more than " +
                                        std::to_string(MAX_SWITCH_PORTS) + " ports");
        }
        return FabricEnd{false, id, switches[id].portCount++};
    };
    for (uint32_t host = 0; host < m_hosts.size(); ++host)
    {
        const Cable& cable = m_hosts[host].cable;
        links.push_back(
            {{true, host, 0}, nextPort(m_hosts[host].to), 0, cable.rate, cable.delayPs});
    }
    for (const SwitchLink& link : m_links)
    {
        const FabricEnd from = nextPort(link.from);
        links.push_back({from, nextPort(link.to), 1, link.cable.rate, link.cable.delayPs});
    }
    for (uint32_t id = 0; id < switches.size(); ++id)
    {
        switches[id].index = id;
        switches[id].pod = m_pods[id];
    }
    return FabricGraph(static_cast<uint32_t>(m_hosts.size()),
                       std::move(switches),
                       std::move(links),
                       m_names);
}

} // namespace aifabric
} // namespace ns3
