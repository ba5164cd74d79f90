/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ev-denylist.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/function-callback.h"
#include "ns3/mrc-balancer.h"
#include "ns3/nic-change.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

EvDenylist::EvDenylist(const FabricGraph& graph, const std::vector<Ptr<RoceNetDevice>>& nics)
    : m_graph(graph),
      m_nics(nics),
      m_view(graph)
{
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        nic->TraceConnectWithoutContext(
            "QueuePairConnected",
            FunctionCallback<void, Ptr<const QueuePair>>(
                [this, host = nic->GetHost()](Ptr<const QueuePair> queuePair) {
                    if (!m_isEmpty)
                    {
                        Apply(host, *queuePair);
                    }
                }));
    }
}

void
EvDenylist::SetBad(const std::set<FabricElement>& bad)
{
    for (uint32_t link = 0; link < m_graph.Links().size(); ++link)
    {
        m_view.SetLinkAlive(link, true);
    }
    for (const FabricElement& element : bad)
    {
        Exclude(element);
    }
    m_isEmpty = bad.empty();
    const int64_t now = FabricClock::Now();
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        for (std::size_t i = 0; i < nic->GetEndpointCount(); ++i)
        {
            const Ptr<QueuePair> queuePair = nic->GetQueuePair(i);
            if (queuePair && queuePair->GetPeerNumber() != 0)
            {
                // packets that started before now have their paths
                const NicChange change(*nic, PeekPointer(queuePair), now);
                Apply(nic->GetHost(), *queuePair);
            }
        }
    }
}

void
EvDenylist::Exclude(const FabricElement& element)
{
    switch (element.kind)
    {
    case FabricElement::NIC_PORT:
        m_view.SetLinkAlive(m_graph.LinkAt({true, element.id, element.plane}), false);
        return;
    case FabricElement::LINK:
        m_view.SetLinkAlive(element.id, false);
        return;
    default:
        for (uint16_t port = 0; port < m_graph.Switches()[element.id].portCount; ++port)
        {
            m_view.SetLinkAlive(m_graph.LinkAt({false, element.id, port}), false);
        }
    }
}

void
EvDenylist::Apply(uint32_t host, const QueuePair& queuePair) const
{
    const Ptr<MrcBalancer> balancer = DynamicCast<MrcBalancer>(queuePair.GetBalancer());
    const uint32_t peer = queuePair.GetPeerHost();
    if (!balancer || peer == host)
    {
        return;
    }
    NS_ABORT_MSG_IF(balancer->HashesPaths(),
                    "EvDenylist: switches hash entropy values, so nobody knows their paths");
    std::vector<std::vector<uint16_t>> usable;
    bool hasPath = false;
    for (uint16_t plane = 0; plane < m_graph.Planes(); ++plane)
    {
        usable.push_back(m_view.UsablePaths(host, peer, plane));
        hasPath |= !usable.back().empty();
    }
    for (uint16_t plane = 0; hasPath && plane < m_graph.Planes(); ++plane)
    {
        ApplyPlane(plane, *balancer, usable[plane]);
    }
}

void
EvDenylist::ApplyPlane(uint16_t plane, MrcBalancer& balancer, const std::vector<uint16_t>& usable)
{
    for (uint32_t path = 0; path < balancer.GetPathCount(); ++path)
    {
        const uint32_t entropy = balancer.GetEntropy(plane, path);
        std::binary_search(usable.begin(), usable.end(), path) ? balancer.Allow(entropy)
                                                               : balancer.Deny(entropy);
    }
}

} // namespace aifabric
} // namespace ns3
