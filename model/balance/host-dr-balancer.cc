/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-dr-balancer.h"

#include "enum-accessor.h"
#include "iwrr-schedule.h"
#include "path-label-balancer.h"

#include "ns3/abort.h"

#include <utility>

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
            .SetParent<PathBalancer>()
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
HostDrBalancer::Rebuild(bool isFirst)
{
    if (isFirst)
    {
        m_rotations.clear();
    }
    const auto draw = [this](uint32_t bound) { return Draw(bound); };
    std::vector<uint16_t> planes;
    m_rotations.resize(GetPlanes());
    for (uint16_t plane = 0; plane < m_rotations.size(); ++plane)
    {
        std::vector<uint16_t> labels = GetLabels(plane);
        if (labels.empty())
        {
            m_rotations[plane].SetPaths({});
            continue;
        }
        NS_ABORT_MSG_IF(labels.back() >= ENTROPIES,
                        "HostDrBalancer: path label " << labels.back() << "; there are "
                                                      << ENTROPIES << " UDP source ports");
        if (m_order == RANDOM)
        {
            std::vector<uint16_t> shuffled;
            for (const uint32_t i : RandomOrder(labels.size(), draw))
            {
                shuffled.push_back(labels[i]);
            }
            labels = std::move(shuffled);
        }
        planes.push_back(plane);
        m_rotations[plane].SetPaths(std::move(labels));
        if (isFirst)
        {
            m_rotations[plane].SetPosition(Draw(m_rotations[plane].GetSize()));
        }
    }
    m_planes.SetPaths(planes);
    if (isFirst && planes.size() > 1)
    {
        m_planes.SetPosition(Draw(planes.size()));
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
