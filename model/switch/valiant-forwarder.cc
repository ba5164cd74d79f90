/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "valiant-forwarder.h"

#include "ns3/ecmp-balancer.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(ValiantForwarder);

TypeId
ValiantForwarder::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::ValiantForwarder")
                            .SetParent<SwitchForwarder>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<ValiantForwarder>();
    return tid;
}

bool
ValiantForwarder::HasDetours() const
{
    return true;
}

std::string
ValiantForwarder::FindObstacle(const FabricGraph& graph) const
{
    constexpr uint32_t LEAST_GROUPS = 3; // of the source, of the destination, between them
    const uint32_t groups = graph.IsClos() ? 1 : graph.PodOf(graph.HostCount() - 1) + 1;
    return groups < LEAST_GROUPS ? "less than three groups; a dragonfly has groups" : "";
}

void
ValiantForwarder::InstallDetours(const FabricGraph& graph, uint32_t id)
{
    const std::vector<FabricSwitchSpec>& switches = graph.Switches();
    const uint32_t groups = graph.PodOf(graph.HostCount() - 1) + 1;
    m_group = switches[id].pod;
    m_groupHosts = graph.HostCount() / groups;
    m_entries.resize(groups);
    for (uint32_t router = 0; router < switches.size(); ++router)
    {
        if (switches[router].pod == m_group)
        {
            NoteEntries(graph, router);
        }
    }
    for (uint16_t port = 0; port < switches[id].portCount; ++port)
    {
        const FabricEnd& peer = graph.PeerOf({false, id, port});
        m_isGlobal.push_back(!peer.isHost && switches[peer.id].pod != m_group);
    }
    for (uint32_t host = 0; host < m_groupHosts; ++host)
    {
        m_isHere.push_back(graph.LeafOf(m_group * m_groupHosts + host) == id);
    }
}

void
ValiantForwarder::NoteEntries(const FabricGraph& graph, uint32_t router)
{
    const std::vector<FabricSwitchSpec>& switches = graph.Switches();
    for (uint16_t port = 0; port < switches[router].portCount; ++port)
    {
        const FabricEnd& peer = graph.PeerOf({false, router, port});
        if (!peer.isHost && switches[peer.id].pod != m_group)
        {
            // The links of a switch to its hosts have its first ports.
            m_entries[switches[peer.id].pod] = graph.PeerOf({false, peer.id, 0}).id;
        }
    }
}

uint32_t
ValiantForwarder::DrawHost(const FabricFrame& frame, uint32_t from, uint32_t to) const
{
    constexpr uint32_t SALT = 0xA11; // the same at all switches, unlike those of EcmpBalancer
    const auto [low, high] = std::minmax(from, to);
    const uint64_t others = (m_entries.size() - 2) * m_groupHosts;
    auto host = static_cast<uint32_t>(EcmpBalancer::Mix(frame.flowHash, SALT) * others >> 32);
    host += host >= low * m_groupHosts ? m_groupHosts : 0;
    host += host >= high * m_groupHosts ? m_groupHosts : 0;
    return host;
}

uint32_t
ValiantForwarder::FindTarget(const FabricFrame& frame) const
{
    constexpr uint8_t FIRST_SWITCHES = 2; // of the first group, where no link is cut
    constexpr uint8_t MOST_SWITCHES = 7;  // of all three groups
    const uint32_t from = frame.source / m_groupHosts;
    const uint32_t to = frame.destination / m_groupHosts;
    if (to == m_group || frame.GetHops() > MOST_SWITCHES)
    {
        return frame.destination;
    }
    const uint32_t by = DrawHost(frame, from, to);
    if (by / m_groupHosts == m_group && m_isGlobal[frame.ingress] && !m_isHere[by % m_groupHosts])
    {
        return by;
    }
    const bool isFirst = from == m_group && frame.GetHops() <= FIRST_SWITCHES;
    return m_entries[isFirst ? by / m_groupHosts : to];
}

} // namespace aifabric
} // namespace ns3
