/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "next-hops.h"

#include "ns3/fabric-transmitter.h"

namespace ns3
{
namespace aifabric
{

void
NextHops::Foresee(const FabricFrame& frame,
                  uint32_t step,
                  const SwitchSite& site,
                  const SwitchBalancer& balancer) const
{
    if (step == 1)
    {
        __builtin_prefetch(&m_only[0]);
        __builtin_prefetch(&m_groups[m_upGroup]);
        return;
    }
    if (const FabricTransmitter* only = FindOnly(frame.destination))
    {
        step == 2 ? only->Prefetch(frame.GetClass()) : only->PrefetchPlaces(frame.GetClass());
        return;
    }
    const EgressGroup& group = FindGroup(frame.destination, site);
    if (step == 2)
    {
        __builtin_prefetch(group.members.data());
        return;
    }
    const int chosen = group.members.size() == 1 ? 0 : balancer.Predict(frame, group);
    if (chosen >= 0 && !group.members.empty())
    {
        group.members[chosen]->Prefetch(frame.GetClass());
    }
}

} // namespace aifabric
} // namespace ns3
