/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-dr-balancer.h"

#include "enum-accessor.h"
#include "path-label-balancer.h"

#include "ns3/abort.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(HostDrBalancer);

TypeId
HostDrBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::HostDrBalancer")
            .SetParent<HostBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<HostDrBalancer>()
            .AddAttribute("Order",
                          "In which order the paths are visited: DigitReversal, so that the "
                          "uplink of the leaf changes every packet, or Random.",
                          EnumValue(DIGIT_REVERSAL),
                          MakeEnumMemberAccessor<Order>(&HostDrBalancer::m_order),
                          MakeEnumChecker(DIGIT_REVERSAL, "DigitReversal", RANDOM, "Random"));
    return tid;
}

void
HostDrBalancer::Start(int64_t stream)
{
    m_stream = stream;
}

void
HostDrBalancer::Connect(uint32_t source,
                        uint32_t destination,
                        std::shared_ptr<const PathView> paths)
{
    NS_ABORT_MSG_IF(!paths, "HostDrBalancer: the NIC does not know the paths of the fabric");
    m_source = source;
    m_destination = destination;
    m_paths = std::move(paths);
    m_rotations.clear();
}

void
HostDrBalancer::Update()
{
    if (m_rotations.empty() || m_version != m_paths->GetVersion())
    {
        Rebuild();
    }
}

void
HostDrBalancer::Rebuild()
{
    const bool isFirst = m_rotations.empty();
    if (!m_random)
    {
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream(m_stream);
    }
    const auto draw = [this](uint32_t bound) { return m_random->GetInteger(0, bound - 1); };
    std::vector<uint16_t> planes;
    m_version = m_paths->GetVersion();
    m_rotations.resize(m_paths->GetPlanes());
    for (uint16_t plane = 0; plane < m_rotations.size(); ++plane)
    {
        std::vector<uint16_t> labels = m_paths->UsablePaths(m_source, m_destination, plane);
        if (labels.empty())
        {
            continue;
        }
        NS_ABORT_MSG_IF(labels.back() >= ENTROPIES,
                        "HostDrBalancer: path label " << labels.back() << "; there are "
                                                      << ENTROPIES << " UDP source ports");
        for (uint32_t i = labels.size(); m_order == RANDOM && i > 1; --i)
        {
            std::swap(labels[i - 1], labels[draw(i)]);
        }
        planes.push_back(plane);
        m_rotations[plane].SetPaths(std::move(labels));
        if (isFirst)
        {
            m_rotations[plane].SetPosition(draw(m_rotations[plane].GetSize()));
        }
    }
    m_planes.SetPaths(planes);
    if (isFirst && planes.size() > 1)
    {
        m_planes.SetPosition(draw(planes.size()));
    }
}

uint16_t
HostDrBalancer::NextEntropy()
{
    Update();
    PathRotation& rotation = m_rotations[m_plane];
    return FIRST_PORT + (rotation.GetSize() > 0 ? rotation.Next() : 0);
}

uint32_t
HostDrBalancer::NextPlane(uint32_t)
{
    Update();
    m_plane = m_planes.GetSize() > 0 ? m_planes.Next() : 0;
    return m_plane;
}

TypeId
HostDrBalancer::GetSwitchBalancer() const
{
    return PathLabelBalancer::GetTypeId();
}

} // namespace aifabric
} // namespace ns3
