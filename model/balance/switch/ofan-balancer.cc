/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ofan-balancer.h"

#include "ns3/enum-accessor.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

#include <map>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(OfanBalancer);

namespace
{

/// @return for each place of a group, how often its port stands in it, if it is the first; or 0
std::vector<uint32_t>
WeightsOf(const EgressGroup& group)
{
    std::vector<uint32_t> weights(group.members.size());
    std::map<const FabricTransmitter*, uint32_t> firstPlaces;
    for (uint32_t place = 0; place < group.members.size(); ++place)
    {
        ++weights[firstPlaces.emplace(group.members[place], place).first->second];
    }
    return weights;
}

} // namespace

TypeId
OfanBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::OfanBalancer")
            .SetParent<SwitchBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<OfanBalancer>()
            .AddAttribute("SmallBytes",
                          "Largest packet, on the wire, of those that have pointers of their own, "
                          "as acknowledgements should (bytes).",
                          UintegerValue(256),
                          MakeUintegerAccessor(&OfanBalancer::m_smallBytes),
                          MakeUintegerChecker<uint16_t>())
            .AddAttribute("Orders",
                          "Whether each pointer goes round in an order of its own, or in one that "
                          "all pointers to a destination pod share.",
                          EnumValue(OfanPointers::PER_POINTER),
                          MakeEnumMemberAccessor<OfanPointers::Orders>(&OfanBalancer::m_orders),
                          MakeEnumChecker(OfanPointers::PER_POINTER,
                                          "PerPointer",
                                          OfanPointers::PER_POD,
                                          "PerPod"))
            .AddAttribute("PipesPerSwitch",
                          "Pipes of a switch, among which its ports of ingress are divided. Each "
                          "has its own pointers.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&OfanBalancer::m_pipes),
                          MakeUintegerChecker<uint32_t>(1, 64));
    return tid;
}

std::string
OfanBalancer::GetClosNeed() const
{
    return "its pointers are of pods, and of ways up and down";
}

OfanBalancer::OfanBalancer()
    : m_random(CreateObject<UniformRandomVariable>()),
      m_up([this](uint32_t bound) { return m_random->GetInteger(0, bound - 1); }),
      m_down([this](uint32_t bound) { return m_random->GetInteger(0, bound - 1); })
{
}

void
OfanBalancer::SetSite(const SwitchSite& site)
{
    m_site = site;
}

void
OfanBalancer::DoInitialize()
{
    m_up.SetShape(m_orders, BINS * m_pipes);
    m_down.SetShape(m_orders, BINS * m_pipes);
    SwitchBalancer::DoInitialize();
}

uint32_t
OfanBalancer::Choose(const FabricFrame& frame, const EgressGroup& group, int64_t)
{
    const bool down = m_site.IsBelow(frame.destination);
    OfanPointers& pointers = down ? m_down : m_up;
    if (!pointers.HasGroup(group.id))
    {
        pointers.SetGroup(group.id, WeightsOf(group));
    }
    const uint32_t waypoint = down ? group.id : m_site.WaypointOf(frame.destination);
    const uint32_t pod = down ? 0 : m_site.PodOf(frame.destination);
    return pointers.Next(group.id, waypoint, pod, LaneOf(frame));
}

void
OfanBalancer::GroupChanged(const EgressGroup& group)
{
    for (OfanPointers* pointers : {&m_up, &m_down})
    {
        if (pointers->HasGroup(group.id))
        {
            pointers->SetGroup(group.id, WeightsOf(group));
        }
    }
}

int64_t
OfanBalancer::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

uint32_t
OfanBalancer::GetCapacity() const
{
    return m_site.CountWaypoints() * BINS * m_pipes;
}

const OfanPointers&
OfanBalancer::GetPointers() const
{
    return m_up;
}

} // namespace aifabric
} // namespace ns3
