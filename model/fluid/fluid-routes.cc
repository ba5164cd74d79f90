/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-routes.h"

#include "ns3/egress-group.h"
#include "ns3/fabric-frame-pool.h"
#include "ns3/frame-codec.h"
#include "ns3/host-balancer.h"
#include "ns3/switch-balancer.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

FluidRoutes::FluidRoutes(const FabricGraph& graph,
                         std::vector<Ptr<FabricSwitch>> switches,
                         const std::vector<Ptr<RoceNetDevice>>& nics)
    : m_graph(graph),
      m_switches(std::move(switches)),
      m_connections(nics, QueuePair::KeyCallback(), QueuePair::KeyCallback())
{
}

void
FluidRoutes::Open(const Flow& flow)
{
    m_connections.Get(flow, flow.channel);
}

uint32_t
FluidRoutes::FindEntropy(const Flow& flow)
{
    const Ptr<QueuePair> queuePair = m_connections.Get(flow, flow.channel).queuePair;
    return queuePair->GetBalancer()->Choose(PathRequest())->entropy;
}

std::vector<uint32_t>
FluidRoutes::FindLinks(const Flow& flow)
{
    return Walk(flow.source, flow.destination, FindEntropy(flow));
}

std::vector<uint32_t>
FluidRoutes::FindAckLinks(const Flow& flow)
{
    return Walk(flow.destination, flow.source, FindEntropy(flow));
}

std::vector<uint32_t>
FluidRoutes::Walk(uint32_t source, uint32_t destination, uint32_t entropy) const
{
    const Ptr<FabricFrame> frame = Create<FabricFramePool>()->Create();
    frame->source = source;
    frame->destination = destination;
    FrameCodec::SetFlow(*frame, entropy);
    uint32_t link = m_graph.LinkAt({true, source, 0});
    std::vector<uint32_t> links = {2 * link};
    FabricEnd end = m_graph.Links()[link].b;
    while (!end.isHost)
    {
        const uint32_t from = end.id;
        link = m_graph.LinkAt({false, from, FindPort(from, *frame)});
        const FabricLinkSpec& spec = m_graph.Links()[link];
        const bool isDown = !spec.b.isHost && spec.b.id == from;
        links.push_back(2 * link + isDown);
        end = isDown ? spec.a : spec.b;
    }
    return links;
}

uint16_t
FluidRoutes::FindPort(uint32_t id, const FabricFrame& frame) const
{
    const PortGroup& ports = m_graph.Switches()[id].forwarding.GroupFor(frame.destination);
    if (ports.count == 1)
    {
        return ports.first;
    }
    EgressGroup group;
    group.members.resize(ports.count);
    return ports.first +
           static_cast<uint16_t>(m_switches[id]->GetBalancer()->Predict(frame, group));
}

} // namespace aifabric
} // namespace ns3
