/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-dr-balancer.h"

#include "ns3/abort.h"
#include "ns3/enum-accessor.h"
#include "ns3/iwrr-schedule.h"
#include "ns3/path-label-balancer.h"

#include <numeric>

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
    m_rotations.resize(GetPlanes());
    for (uint16_t plane = 0; plane < m_rotations.size(); ++plane)
    {
        m_rotations[plane].SetPaths(ScheduleLabels(GetPaths(plane)));
        if (isFirst && m_rotations[plane].GetSize() > 0)
        {
            m_rotations[plane].SetPosition(Draw(m_rotations[plane].GetSize()));
        }
    }
    const std::vector<uint16_t> planes = SchedulePlanes();
    m_planes.SetPaths(planes);
    if (isFirst && planes.size() > 1)
    {
        m_planes.SetPosition(Draw(planes.size()));
    }
}

std::vector<uint16_t>
HostDrBalancer::ScheduleLabels(const std::vector<LabelledPaths>& paths)
{
    NS_ABORT_MSG_IF(!paths.empty() && paths.back().label >= ENTROPIES,
                    "HostDrBalancer: path label " << paths.back().label << "; there are "
                                                  << ENTROPIES << " UDP source ports");
    std::vector<uint32_t> weights;
    for (const LabelledPaths& choice : paths)
    {
        weights.push_back(choice.paths);
    }
    std::vector<uint32_t> order(paths.size());
    std::iota(order.begin(), order.end(), 0);
    if (m_order == RANDOM)
    {
        order = RandomOrder(paths.size(), [this](uint32_t bound) { return Draw(bound); });
    }
    std::vector<uint16_t> labels;
    for (const uint32_t i : InterleavedSchedule(weights, order))
    {
        labels.push_back(paths[i].label);
    }
    return labels;
}

std::optional<PathChoice>
HostDrBalancer::Choose(const PathRequest& request)
{
    Update();
    const bool chooses = request.planes > 1 && m_planes.GetSize() > 0;
    const uint16_t plane = chooses ? m_planes.Next() : 0;
    PathRotation& rotation = m_rotations[plane];
    const uint32_t label = rotation.GetSize() > 0 ? rotation.Next() : 0;
    return PathChoice{PathChoice::FIRST_PORT + label, plane};
}

TypeId
HostDrBalancer::GetSwitchBalancer() const
{
    return PathLabelBalancer::GetTypeId();
}

} // namespace aifabric
} // namespace ns3
