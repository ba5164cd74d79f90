/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fluid-routes.h"

#include "ns3/abort.h"
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
                         const std::vector<Ptr<RoceNetDevice>>& nics,
                         const FluidSplit& split)
    : m_graph(graph),
      m_switches(std::move(switches)),
      m_connections(nics, QueuePair::KeyCallback(), QueuePair::KeyCallback()),
      m_split(split)
{
}

void
FluidRoutes::Open(const Flow& flow)
{
    m_connections.Get(flow, flow.channel);
}

FluidRoute
FluidRoutes::Find(const Flow& flow)
{
    const Ptr<QueuePair> queuePair = m_connections.Get(flow, flow.channel).queuePair;
    PathRequest request;
    request.planes = m_graph.Planes();
    const PathChoice choice = *queuePair->GetBalancer()->Choose(request);
    return {choice.plane,
            Walk(flow.source, flow.destination, choice),
            Walk(flow.destination, flow.source, choice)};
}

LinkShare
FluidRoutes::GetShare(uint32_t link) const
{
    const double speed = m_split.GetSpeed(link);
    NS_ABORT_MSG_IF(speed == 0,
                    "FluidRoutes: ECMP sends packets over the dead link "
                        << m_graph.LinkName(link / 2) << ", where they are lost without end");
    return {link, 1 / speed};
}

std::vector<LinkShare>
FluidRoutes::Walk(uint32_t source, uint32_t destination, const PathChoice& choice) const
{
    const Ptr<FabricFrame> frame = Create<FabricFramePool>()->Create();
    frame->source = source;
    frame->destination = destination;
    FrameCodec::SetFlow(*frame, choice.entropy);
    uint32_t link = m_graph.LinkAt({true, source, choice.plane});
    std::vector<LinkShare> links = {GetShare(2 * link)};
    FabricEnd end = m_graph.Links()[link].b;
    while (!end.isHost)
    {
        const uint32_t from = end.id;
        link = m_graph.LinkAt({false, from, FindPort(from, *frame)});
        const FabricLinkSpec& spec = m_graph.Links()[link];
        const bool isDown = !spec.b.isHost && spec.b.id == from;
        links.push_back(GetShare(2 * link + isDown));
        end = isDown ? spec.a : spec.b;
    }
    return links;
}

uint16_t
FluidRoutes::FindPort(uint32_t id, const FabricFrame& frame) const
{
    const EgressGroup& group = m_switches[id]->FindNextHops(frame.destination);
    NS_ABORT_MSG_IF(group.members.empty(),
                    "FluidRoutes: " << m_graph.SwitchName(id) << ", to which ECMP sends packets, "
                                    << "has no path to host-" << frame.destination
                                    << ": they are lost without end");
    const bool isOnly = group.members.size() == 1;
    return group.ports[isOnly ? 0 : m_switches[id]->GetBalancer()->Predict(frame, group)];
}

} // namespace aifabric
} // namespace ns3
