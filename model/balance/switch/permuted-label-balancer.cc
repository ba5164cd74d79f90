/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "permuted-label-balancer.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PermutedLabelBalancer);

TypeId
PermutedLabelBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::PermutedLabelBalancer")
                            .SetParent<PathLabelBalancer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<PermutedLabelBalancer>()
                            .HideFromDocumentation();
    return tid;
}

void
PermutedLabelBalancer::DoInitialize()
{
    PathLabelBalancer::DoInitialize();
    m_order.resize(GetSite().upCount);
    std::iota(m_order.begin(), m_order.end(), 0);
    const uint32_t salt = GetSalt();
    std::sort(m_order.begin(), m_order.end(), [salt](uint16_t a, uint16_t b) {
        return std::make_pair(Mix(a, salt), a) < std::make_pair(Mix(b, salt), b);
    });
}

uint32_t
PermutedLabelBalancer::Choose(const FabricFrame& frame, const EgressGroup& group, int64_t)
{
    const int place = Predict(frame, group);
    return place < 0 ? m_turn++ % group.members.size() : place;
}

int
PermutedLabelBalancer::Predict(const FabricFrame& frame, const EgressGroup& group) const
{
    if (!HasLabel(frame) || group.members.empty() || GetSite().IsBelow(frame.destination))
    {
        return PathLabelBalancer::Predict(frame, group);
    }
    const uint32_t uplink = m_order[GetUplink(frame)];
    const uint32_t place = group.Find(GetSite().firstUp + uplink, uplink);
    return place < group.ports.size() ? static_cast<int>(place) : -1;
}

} // namespace aifabric
} // namespace ns3
