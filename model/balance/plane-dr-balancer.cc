/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plane-dr-balancer.h"

#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PlaneDrBalancer);

TypeId
PlaneDrBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::PlaneDrBalancer")
                            .SetParent<PathBalancer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<PlaneDrBalancer>()
                            .HideFromDocumentation();
    return tid;
}

void
PlaneDrBalancer::Rebuild(bool isFirst)
{
    std::vector<uint16_t> planes = SchedulePlanes();
    if (isFirst && !planes.empty())
    {
        m_planes.SetPosition(Draw(planes.size()));
    }
    m_planes.SetPaths(std::move(planes));
}

uint32_t
PlaneDrBalancer::NextPlane(uint32_t)
{
    Update();
    return m_planes.GetSize() > 0 ? m_planes.Next() : 0;
}

} // namespace aifabric
} // namespace ns3
