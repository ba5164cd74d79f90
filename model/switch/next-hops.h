/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NEXT_HOPS_H
#define NEXT_HOPS_H

#include "ns3/egress-group.h"
#include "ns3/fabric-frame.h"
#include "ns3/fabric-transmitter.h"
#include "ns3/prefetch-lines.h"
#include "ns3/switch-balancer.h"
#include "ns3/switch-site.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * Where a switch may send a frame: what each frame looks up. The groups are those of the
 * ForwardingRule: one for each way down, in host order, then the way up, then ways up with weights
 * (NextHopGroups, which fills in all of this).
 */
class NextHops
{
  public:
    /// @return the only next hop of a host below, or nullptr  @param host the host's index
    FabricTransmitter* FindOnly(uint32_t host) const
    {
        const uint32_t below = host - m_firstHost;
        return below < m_hostCount ? m_only[below / m_chunk] : nullptr;
    }

    /// @return the group of next hops of a host  @param host the host's index
    /// @param site where the switch stands
    const EgressGroup& FindGroup(uint32_t host, const SwitchSite& site) const
    {
        const uint32_t below = host - m_firstHost;
        if (below < m_hostCount)
        {
            return m_groups[below / m_chunk];
        }
        if (m_weighted == 0)
        {
            return m_groups[m_upGroup];
        }
        const uint32_t waypoint = site.WaypointOf(host);
        return m_groups[waypoint < m_upGroups.size() ? m_upGroups[waypoint] : m_upGroup];
    }

    /**
     * A frame will be forwarded soon: prefetch what that will touch, as
     * FrameHandler::PrefetchFrame() says.
     *
     * @param step the step, from 1 on
     * @param site where the switch stands
     * @param balancer how the switch chooses
     */
    void Prefetch(const FabricFrame& frame,
                  uint32_t step,
                  const SwitchSite& site,
                  const SwitchBalancer& balancer) const
    {
        if (step == 1)
        {
            PrefetchLine(&m_only[0]);
            PrefetchLine(&m_groups[m_upGroup]);
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
            PrefetchLine(group.members.data());
            return;
        }
        const int chosen = group.members.size() == 1 ? 0 : balancer.Predict(frame, group);
        if (chosen >= 0 && !group.members.empty())
        {
            group.members[chosen]->Prefetch(frame.GetClass());
        }
    }

  private:
    friend class NextHopGroups;

    uint32_t m_firstHost{0}; //!< first host below
    uint32_t m_hostCount{0}; //!< hosts below
    uint32_t m_chunk{1};     //!< hosts below each down group
    uint32_t m_weighted{0};  //!< waypoints for which something else than m_upGroup is said
    uint16_t m_upGroup{0};   //!< the up group where nothing else is said

    /// By down group: its only member, or nullptr if it has none or several.
    std::unique_ptr<FabricTransmitter*[]> m_only;

    std::vector<EgressGroup> m_groups; //!< down groups, the up group, weighted up groups
    std::vector<uint16_t> m_upGroups;  //!< by waypoint
};

} // namespace aifabric
} // namespace ns3

#endif /* NEXT_HOPS_H */
