/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-label-balancer.h"

#include "ns3/path-choice.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PathLabelBalancer);

namespace
{

/// @return the part of a label  @param frame with the label  @param site of a switch
/// @param level 0: of the leaf, 1: of the switch above it, with what is above the label of a path
inline uint32_t
PartOf(const FabricFrame& frame, const SwitchSite& site, uint32_t level)
{
    const uint32_t label = frame.GetSourcePort() - PathChoice::FIRST_PORT;
    return level == 0 ? label % site.leafUplinks : label / site.leafUplinks;
}

/// @return the number of the uplink that a part names  @param site of a switch that has uplinks
inline uint32_t
WithinUplinks(uint32_t part, const SwitchSite& site)
{
    return part < site.upCount ? part : part % site.upCount;
}

} // namespace

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

std::string
PathLabelBalancer::GetClosNeed() const
{
    return "a part of the label is an uplink";
}

void
PathLabelBalancer::SetSite(const SwitchSite& site)
{
    m_site = site;
}

bool
PathLabelBalancer::HasLabel(const FabricFrame& frame)
{
    return frame.kind == FrameKind::ROCE && frame.GetSourcePort() >= PathChoice::FIRST_PORT;
}

uint32_t
PathLabelBalancer::GetUplink(const FabricFrame& frame) const
{
    return WithinUplinks(PartOf(frame, m_site, m_site.tier), m_site);
}

int
PathLabelBalancer::Predict(const FabricFrame& frame, const EgressGroup& group) const
{
    if (!HasLabel(frame) || group.members.empty())
    {
        return EcmpBalancer::Predict(frame, group);
    }
    const bool isDown = m_site.IsBelow(frame.destination);
    const uint32_t part = PartOf(frame, m_site, m_site.tier - (isDown ? 1 : 0));
    if (isDown)
    {
        return part % group.members.size();
    }
    const uint32_t uplink = WithinUplinks(part, m_site);
    const uint32_t place = group.Find(m_site.firstUp + uplink, uplink);
    return place < group.ports.size() ? place : EcmpBalancer::Predict(frame, group);
}

bool
PathLabelBalancer::ObeysHosts() const
{
    return true;
}

} // namespace aifabric
} // namespace ns3
