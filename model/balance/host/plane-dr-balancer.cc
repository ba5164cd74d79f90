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

std::optional<PathChoice>
PlaneDrBalancer::Choose(const PathRequest& request)
{
    std::optional<PathChoice> choice = HostBalancer::Choose(request);
    if (request.planes > 1)
    {
        Update();
        choice->plane = m_planes.GetSize() > 0 ? m_planes.Next() : 0;
    }
    return choice;
}

} // namespace aifabric
} // namespace ns3
