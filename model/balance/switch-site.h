/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_SITE_H
#define SWITCH_SITE_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

class FabricGraph;

/**
 * @ingroup ai-fabric
 *
 * Where in a Clos network a switch stands: what a balancer may know of it.
 */
struct SwitchSite
{
    /**
     * @param id number of the switch
     * @return where it stands
     */
    static SwitchSite Of(const FabricGraph& graph, uint32_t id);

    uint32_t id{0};      //!< number of the switch in the fabric
    uint8_t tier{0};     //!< 0 where hosts attach, growing upwards
    uint16_t ports{0};   //!< number of ports
    uint16_t firstUp{0}; //!< lowest port that leads up
    uint16_t upCount{0}; //!< ports that lead up, 0 at the top
    /// Uplinks of a leaf of the fabric: the radix of path labels (PathView).
    uint16_t leafUplinks{1};
    uint32_t firstHost{0}; //!< first host below
    uint32_t hostCount{0}; //!< hosts below; they are numbered consecutively
    /**
     * Hosts that share the mandatory waypoint of all ways up from here: consecutive hosts, this
     * many, that are reached through the same switches of this switch's tier (a leaf, at tier 0; a
     * pod, at tier 1). Host h is behind waypoint h / waypointHosts.
     */
    uint32_t waypointHosts{1};
    uint32_t podHosts{1};         //!< hosts of a pod; two tiers are one pod
    uint32_t fabricHosts{0};      //!< hosts of the fabric
    uint32_t bufferBytes{800000}; //!< what may wait at a port (BufferAdmission::GetPortBytes)

    /// @return whether a host is below the switch
    bool IsBelow(uint32_t host) const
    {
        return host - firstHost < hostCount;
    }

    /// @return the pod of a host
    uint32_t PodOf(uint32_t host) const
    {
        return host / podHosts;
    }

    /// @return waypoints of ways up from here, which the switch's own is not
    uint32_t CountWaypoints() const
    {
        return upCount == 0 ? 0 : fabricHosts / waypointHosts - 1;
    }

    /// @return the mandatory waypoint of ways up to a host  @param host the destination
    uint32_t WaypointOf(uint32_t host) const
    {
        return host / waypointHosts;
    }
};

} // namespace aifabric
} // namespace ns3

#endif /* SWITCH_SITE_H */
