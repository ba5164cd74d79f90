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
      m_split(split),
      m_frame(Create<FabricFramePool>()->Create())
{
}

FluidRoute
FluidRoutes::Find(const QueuePair& queuePair, uint32_t source, uint32_t destination) const
{
    PathRequest request;
    request.planes = m_graph.Planes();
    const PathChoice choice = *queuePair.GetBalancer()->Choose(request);
    const FluidLabel data{source, destination, queuePair.GetPeerNumber(), choice};
    const FluidLabel acks{destination, source, queuePair.GetNumber(), choice};
    return {data, acks, Walk(data), Walk(acks)};
}

LinkShare
FluidRoutes::GetShare(uint32_t link) const
{
    const double speed = m_split.GetSpeed(link);
    NS_ABORT_MSG_IF(speed == 0,
                    "FluidRoutes: ECMP sends packets over the dead link "
                        << m_graph.LinkName(link / 2)
                        << ", where they are lost without end; where hosts spray, none are");
    return {link, 1 / speed};
}

std::vector<LinkShare>
FluidRoutes::Walk(const FluidLabel& label) const
{
    std::vector<LinkShare> links = {
        GetShare(2 * m_graph.LinkAt({true, label.source, label.choice.plane})),
    };
    while (!GetEnd(links.back().link).isHost)
    {
        const auto next = FindNext(label, links, links.size());
        NS_ABORT_MSG_IF(!next,
                        "FluidRoutes: "
                            << m_graph.SwitchName(GetEnd(links.back().link).id)
                            << ", to which ECMP sends packets, has no path to host-"
                            << label.destination
                            << ": they are lost without end; where hosts spray, none are");
        links.push_back(*next);
    }
    return links;
}

bool
FluidRoutes::Update(FluidRoute& route) const
{
    const bool isData = UpdateLinks(route.label, route.data);
    return UpdateLinks(route.ackLabel, route.acks) || isData;
}

bool
FluidRoutes::UpdateLinks(const FluidLabel& label, std::vector<LinkShare>& links) const
{
    bool isOther = false;
    std::vector<LinkShare> found;
    while (found.size() < links.size())
    {
        const auto next = FindNext(label, found, found.size());
        if (!next)
        {
            return false;
        }
        isOther = isOther || next->link != links[found.size()].link;
        found.push_back(*next);
    }
    links = found;
    return isOther;
}

std::optional<LinkShare>
FluidRoutes::FindNext(const FluidLabel& label,
                      const std::vector<LinkShare>& links,
                      std::size_t index) const
{
    const uint32_t before = index > 0
                                ? links[index - 1].link
                                : 2 * m_graph.LinkAt({true, label.source, label.choice.plane});
    m_frame->source = label.source;
    m_frame->destination = label.destination;
    m_frame->destinationQp = label.queuePair;
    FrameCodec::SetFlow(*m_frame, label.choice.entropy);
    const std::optional<uint32_t> link = FindLink(GetEnd(before).id, *m_frame);
    return link ? std::optional<LinkShare>(GetShare(*link)) : std::nullopt;
}

FabricEnd
FluidRoutes::GetEnd(uint32_t link) const
{
    const FabricLinkSpec& spec = m_graph.Links()[link / 2];
    return link % 2 == 0 ? spec.b : spec.a;
}

std::optional<uint32_t>
FluidRoutes::FindLink(uint32_t id, const FabricFrame& frame) const
{
    const EgressGroup& group = m_switches[id]->FindNextHops(frame.destination);
    if (group.members.empty())
    {
        return std::nullopt;
    }
    const bool isOnly = group.members.size() == 1;
    const uint16_t port =
        group.ports[isOnly ? 0 : m_switches[id]->GetBalancer()->Predict(frame, group)];
    const uint32_t link = m_graph.LinkAt({false, id, port});
    const FabricLinkSpec& spec = m_graph.Links()[link];
    const bool isDown = !spec.b.isHost && spec.b.id == id;
    return 2 * link + isDown;
}

} // namespace aifabric
} // namespace ns3
