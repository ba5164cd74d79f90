/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-balancer.h"

#include "ns3/abort.h"
#include "ns3/iwrr-schedule.h"

#include <numeric>
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

std::string
PathBalancer::GetClosNeed() const
{
    return "it knows whole paths, up to one switch and down";
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

std::vector<LabelledPaths>
PathBalancer::GetPaths(uint16_t plane) const
{
    return m_paths->CountPaths(m_source, m_destination, plane);
}

std::vector<uint16_t>
PathBalancer::SchedulePlanes() const
{
    std::vector<uint32_t> weights;
    for (uint16_t plane = 0; plane < GetPlanes(); ++plane)
    {
        uint32_t paths = 0;
        for (const LabelledPaths& choice : GetPaths(plane))
        {
            paths += choice.paths;
        }
        weights.push_back(paths);
    }
    std::vector<uint32_t> order(weights.size());
    std::iota(order.begin(), order.end(), 0);
    const std::vector<uint32_t> schedule = InterleavedSchedule(weights, order);
    return {schedule.begin(), schedule.end()};
}

} // namespace aifabric
} // namespace ns3
