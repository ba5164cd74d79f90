/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "path-pinning-balancer.h"

#include "ns3/enum-accessor.h"
#include "ns3/enum.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PathPinningBalancer);

TypeId
PathPinningBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::PathPinningBalancer")
            .SetParent<EcmpBalancer>()
            .SetGroupName("AiFabric")
            .AddConstructor<PathPinningBalancer>()
            .AddAttribute("Rotation",
                          "Number of uplinks by which each slice is moved.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&PathPinningBalancer::m_rotation),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Candidate",
                          "Which candidate a flow takes if a slice has several uplinks: by the "
                          "hash of the 5-tuple (Hash), or by the half of the leaf's hosts that the "
                          "source belongs to (Source).",
                          EnumValue(HASH),
                          MakeEnumMemberAccessor<Candidate>(&PathPinningBalancer::m_candidate),
                          MakeEnumChecker(HASH, "Hash", SOURCE, "Source"));
    return tid;
}

std::string
PathPinningBalancer::GetClosNeed() const
{
    return "it pins hosts to the uplinks of leaves";
}

void
PathPinningBalancer::SetSite(const SwitchSite& site)
{
    m_site = site;
}

uint32_t
PathPinningBalancer::CountCandidates() const
{
    return std::max<uint32_t>(1, m_site.upCount / m_site.hostCount);
}

uint32_t
PathPinningBalancer::GetCandidate(const FabricFrame& frame, uint32_t which) const
{
    const uint32_t slices = m_site.hostCount;
    const auto first = static_cast<uint32_t>(uint64_t{frame.destination % slices} * m_site.upCount /
                                             slices); // fewer uplinks than slices are shared
    return (first + which % CountCandidates() + m_rotation) % m_site.upCount;
}

uint32_t
PathPinningBalancer::Prefer(const FabricFrame& frame) const
{
    if (m_candidate == SOURCE)
    {
        return frame.source / std::max(1U, m_site.hostCount / 2);
    }
    return Mix(frame.flowHash, GetSalt());
}

uint32_t
PathPinningBalancer::FindPinned(const FabricFrame& frame, const EgressGroup& group) const
{
    const auto size = static_cast<uint32_t>(group.members.size());
    if (m_site.tier > 0 || m_site.IsBelow(frame.destination))
    {
        return size;
    }
    const uint32_t candidates = CountCandidates();
    const uint32_t preferred = candidates > 1 ? Prefer(frame) % candidates : 0;
    uint32_t place = size;
    for (uint32_t i = 0; i < candidates && place == size; ++i)
    {
        const uint32_t uplink = GetCandidate(frame, preferred + i);
        place = group.Find(m_site.firstUp + uplink, uplink);
    }
    return place;
}

uint32_t
PathPinningBalancer::Choose(const FabricFrame& frame, const EgressGroup& group, int64_t)
{
    const uint32_t place = FindPinned(frame, group);
    if (place < group.members.size())
    {
        return place;
    }
    m_fallbacks += m_site.tier == 0;
    return PickByHash(frame.flowHash, group);
}

int
PathPinningBalancer::Predict(const FabricFrame& frame, const EgressGroup& group) const
{
    const uint32_t place = FindPinned(frame, group);
    return place < group.members.size() ? place : PickByHash(frame.flowHash, group);
}

void
PathPinningBalancer::Count(PolicyCounters& counters) const
{
    counters["pinning_fallbacks"] += m_fallbacks;
}

} // namespace aifabric
} // namespace ns3
