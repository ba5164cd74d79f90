/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "next-hop-groups.h"

#include "ns3/abort.h"
#include "ns3/fabric-transmitter.h"
#include "ns3/iwrr-schedule.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ns3
{
namespace aifabric
{

NextHopGroups::NextHopGroups(NextHops& hops)
    : m_hops(hops),
      m_random(CreateObject<UniformRandomVariable>())
{
}

void
NextHopGroups::AddPort(FabricTransmitter& port)
{
    m_ports.push_back(&port);
    m_alive.push_back(true);
}

void
NextHopGroups::SetRule(const ForwardingRule& rule)
{
    m_hops.m_firstHost = rule.firstHost;
    m_hops.m_hostCount = rule.hostCount;
    m_hops.m_chunk = rule.chunk;
    m_groupPorts = rule.down;
    m_hops.m_upGroup = m_groupPorts.size();
    m_groupPorts.push_back(rule.up);
    m_hops.m_groups.resize(m_groupPorts.size());
    m_hops.m_only = std::make_unique<FabricTransmitter*[]>(m_groupPorts.size());
    m_weights.assign(m_groupPorts.size(), {});
    m_hops.m_upGroups.clear();
    m_hops.m_weighted = 0;
    for (uint16_t group = 0; group < m_groupPorts.size(); ++group)
    {
        Rebuild(group);
    }
}

void
NextHopGroups::Rebuild(uint16_t group)
{
    EgressGroup& rebuilt = m_hops.m_groups[group];
    const PortGroup& ports = m_groupPorts[group];
    rebuilt.id = group;
    rebuilt.members.clear();
    rebuilt.ports.clear();
    std::vector<uint32_t> weights = m_weights[group];
    const bool isWeighted = !weights.empty();
    weights.resize(ports.count, 1);
    for (uint32_t i = 0; i < ports.count; ++i)
    {
        weights[i] *= m_alive.at(ports.first + i);
    }
    std::vector<uint32_t> order(ports.count);
    std::iota(order.begin(), order.end(), 0);
    if (isWeighted && m_hops.m_upGroup > 0) // without a rule, weights are routes and not shares
    {
        order = RandomOrder(ports.count,
                            [this](uint32_t bound) { return m_random->GetInteger(0, bound - 1); });
    }
    for (const uint32_t i : InterleavedSchedule(weights, order))
    {
        rebuilt.ports.push_back(ports.first + i);
        rebuilt.members.push_back(m_ports[ports.first + i]);
    }
    if (group < m_hops.m_upGroup)
    {
        m_hops.m_only[group] = rebuilt.members.size() == 1 ? rebuilt.members.front() : nullptr;
    }
}

std::vector<uint16_t>
NextHopGroups::SetAlive(uint16_t port, bool alive)
{
    std::vector<uint16_t> changed;
    if (m_alive.at(port) == alive)
    {
        return changed;
    }
    m_alive[port] = alive;
    for (uint16_t group = 0; group < m_groupPorts.size(); ++group)
    {
        const PortGroup& ports = m_groupPorts[group];
        const bool contains = port >= ports.first && port < ports.first + ports.count;
        if (contains && (m_weights[group].empty() || m_weights[group][port - ports.first] > 0))
        {
            Rebuild(group);
            changed.push_back(group);
        }
    }
    return changed;
}

const EgressGroup&
NextHopGroups::GetGroup(uint16_t group) const
{
    return m_hops.m_groups[group];
}

void
NextHopGroups::SetWeights(uint32_t waypoint, const std::vector<uint32_t>& weights)
{
    std::vector<uint16_t>& upGroups = m_hops.m_upGroups;
    const uint16_t usual = m_hops.m_upGroup;
    NS_ABORT_MSG_IF(!weights.empty() && weights.size() != m_groupPorts[usual].count,
                    "FabricSwitch::SetWeights: " << weights.size() << " weights for "
                                                 << m_groupPorts[usual].count << " uplinks");
    const uint16_t group = weights.empty() ? usual : GetWeightedGroup(weights);
    upGroups.resize(std::max<std::size_t>(upGroups.size(), waypoint + 1), usual);
    m_hops.m_weighted -= upGroups[waypoint] != usual;
    m_hops.m_weighted += group != usual;
    upGroups[waypoint] = group;
}

const std::vector<uint32_t>&
NextHopGroups::GetWeights(uint32_t waypoint) const
{
    const std::vector<uint16_t>& upGroups = m_hops.m_upGroups;
    return m_weights[waypoint < upGroups.size() ? upGroups[waypoint] : m_hops.m_upGroup];
}

uint16_t
NextHopGroups::GetWeightedGroup(const std::vector<uint32_t>& weights)
{
    const auto first = m_weights.begin() + m_hops.m_upGroup + 1;
    const auto known = std::find(first, m_weights.end(), weights);
    const std::size_t group = known - m_weights.begin();
    if (known == m_weights.end())
    {
        NS_ABORT_MSG_IF(group > std::numeric_limits<uint16_t>::max(),
                        "FabricSwitch::SetWeights: more than 65535 groups");
        m_weights.push_back(weights);
        m_groupPorts.push_back(m_groupPorts[m_hops.m_upGroup]);
        m_hops.m_groups.emplace_back();
        Rebuild(group);
    }
    return group;
}

void
NextHopGroups::SetStream(int64_t stream)
{
    m_random->SetStream(stream);
}

void
NextHopGroups::Dispose()
{
    m_hops.m_groups.clear();
    m_ports.clear();
}

} // namespace aifabric
} // namespace ns3
