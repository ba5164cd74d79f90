/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-label-balancer.h"

#include "host-balancer.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PathLabelBalancer);

TypeId
PathLabelBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::PathLabelBalancer")
                            .SetParent<EcmpBalancer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<PathLabelBalancer>()
                            .HideFromDocumentation();
    return tid;
}

void
PathLabelBalancer::SetSite(const SwitchSite& site)
{
    m_site = site;
}

int
PathLabelBalancer::Predict(const FabricFrame& frame, const EgressGroup& group) const
{
    const bool hasLabel =
        frame.kind == FrameKind::ROCE && frame.GetSourcePort() >= HostBalancer::FIRST_PORT;
    if (!hasLabel || group.members.empty())
    {
        return EcmpBalancer::Predict(frame, group);
    }
    const uint32_t label = frame.GetSourcePort() - HostBalancer::FIRST_PORT;
    const bool isDown = m_site.IsBelow(frame.destination);
    const uint32_t level = m_site.tier - (isDown ? 1 : 0); // of the uplink that counts
    const uint32_t digit = level == 0 ? label % m_site.leafUplinks : label / m_site.leafUplinks;
    if (isDown)
    {
        return digit % group.members.size();
    }
    // Members are in port order, and usually all ports are alive and have the same weight.
    const uint32_t port = m_site.firstUp + digit;
    if (digit < group.ports.size() && group.ports[digit] == port)
    {
        return digit;
    }
    const auto found = std::find(group.ports.begin(), group.ports.end(), port);
    return found != group.ports.end() ? found - group.ports.begin()
                                      : EcmpBalancer::Predict(frame, group);
}

bool
PathLabelBalancer::ObeysHosts() const
{
    return true;
}

} // namespace aifabric
} // namespace ns3
