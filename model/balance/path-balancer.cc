/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-balancer.h"

#include "ns3/abort.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PathBalancer);

TypeId
PathBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::PathBalancer").SetParent<HostBalancer>().SetGroupName("AiFabric");
    return tid;
}

void
PathBalancer::Connect(uint32_t source, uint32_t destination, std::shared_ptr<const PathView> paths)
{
    NS_ABORT_MSG_IF(!paths,
                    GetInstanceTypeId().GetName()
                        << ": the NIC does not know the paths of the fabric");
    m_source = source;
    m_destination = destination;
    m_paths = std::move(paths);
    m_isNew = true;
}

uint16_t
PathBalancer::GetPlanes() const
{
    return m_paths->GetPlanes();
}

std::vector<uint16_t>
PathBalancer::GetLabels(uint16_t plane) const
{
    return m_paths->UsablePaths(m_source, m_destination, plane);
}

} // namespace aifabric
} // namespace ns3
