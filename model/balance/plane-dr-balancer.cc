/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "plane-dr-balancer.h"

#include "iwrr-schedule.h"

#include "ns3/random-variable-stream.h"

#include <numeric>
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
                            .SetParent<HostBalancer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<PlaneDrBalancer>()
                            .HideFromDocumentation();
    return tid;
}

void
PlaneDrBalancer::Start(int64_t stream)
{
    m_stream = stream;
}

void
PlaneDrBalancer::Connect(uint32_t source,
                         uint32_t destination,
                         std::shared_ptr<const PathView> paths)
{
    m_source = source;
    m_destination = destination;
    m_paths = std::move(paths);
    m_isNew = true;
}

void
PlaneDrBalancer::Rebuild()
{
    std::vector<uint32_t> weights;
    for (uint16_t plane = 0; plane < m_paths->GetPlanes(); ++plane)
    {
        weights.push_back(m_paths->UsablePaths(m_source, m_destination, plane).size());
    }
    std::vector<uint32_t> order(weights.size());
    std::iota(order.begin(), order.end(), 0);
    const std::vector<uint32_t> schedule = InterleavedSchedule(weights, order);
    std::vector<uint16_t> planes(schedule.begin(), schedule.end());
    if (m_isNew && !planes.empty())
    {
        Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
        random->SetStream(m_stream);
        m_planes.SetPosition(random->GetInteger(0, planes.size() - 1));
    }
    m_planes.SetPaths(std::move(planes));
    m_version = m_paths->GetVersion();
    m_isNew = false;
}

uint32_t
PlaneDrBalancer::NextPlane(uint32_t)
{
    if (m_isNew || m_version != m_paths->GetVersion())
    {
        Rebuild();
    }
    return m_planes.GetSize() > 0 ? m_planes.Next() : 0;
}

} // namespace aifabric
} // namespace ns3
