/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef USID_PLAN_H
#define USID_PLAN_H

#include "ns3/fabric-graph.h"
#include "ns3/source-route-plan.h"
#include "ns3/usid-scheme.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What a list of uSIDs says: the path, and its ends.
struct UsidPath
{
    uint16_t plane;       //!< plane
    uint16_t label;       //!< label of the path (PathView)
    uint32_t source;      //!< first host of the source's leaf
    uint32_t destination; //!< the destination host
};

/**
 * @ingroup ai-fabric
 *
 * The uSIDs of a Clos fabric, and the lists of them that are the routes of packets: the source's
 * leaf, the switches on the way, the NIC. The entropy of a packet is the label of its path
 * (GetPathDigit()).
 *
 * Switches are numbered by their order within plane and tier, and ports of NICs by the port of
 * their leaf. It holds a uSID a switch.
 */
class UsidPlan : public SourceRoutePlan
{
  public:
    /// What a plan may do differently.
    struct Options
    {
        bool omitsFirst{false}; //!< the source's leaf is not in the list
        bool hasCopy{false};    //!< packets carry a copy of the list
    };

    /**
     * @param graph the fabric, for which FindObstacle() finds nothing; outlives the plan
     * @param scheme names of what is on a route
     * @param options what is different
     */
    UsidPlan(const FabricGraph& graph, const UsidScheme& scheme, const Options& options);

    /// @return what of a fabric has no name, or an ambiguous one, in one line; empty: nothing
    /// @param scheme the names
    static std::string FindObstacle(const FabricGraph& graph, const UsidScheme& scheme);

    const UsidScheme& GetScheme() const override;
    UsidScheme::List FindPath(const FabricFrame& frame, uint16_t plane) const override;
    UsidScheme::List FindOwn(uint32_t host, uint16_t plane) const override;
    uint16_t GetPlane(uint32_t id) const override;
    uint32_t CountConsumed(uint32_t hops) const override;
    bool HasCopy() const override;

    /// @return the list of a path, source's leaf included; empty if there is no such host or plane
    /// @param source a host  @param destination a host  @param sourcePort UDP source port
    UsidScheme::List MakeList(uint32_t source,
                              uint32_t destination,
                              uint16_t plane,
                              uint16_t sourcePort) const;

    /// @return what a list says; none if it is the list of no path  @param list with the source's
    /// leaf
    std::optional<UsidPath> ReadList(const UsidScheme::List& list) const;

    /// @return the uSID of a switch  @param id its number
    uint16_t GetUsid(uint32_t id) const
    {
        return m_usids[id];
    }

  private:
    /// @return the switch with a uSID, or none
    std::optional<uint32_t> FindSwitch(uint16_t usid) const;

    /// @return the port of a switch that leads to another one, or none  @param id the switch
    /// @param group its ports to look at
    std::optional<uint16_t> FindPort(uint32_t id, const PortGroup& group, uint32_t peer) const;

    /// @return the switch at the other end of a link  @param id a switch
    uint32_t Follow(uint32_t id, uint16_t port) const
    {
        return m_graph.PeerOf({false, id, port}).id;
    }

    const FabricGraph& m_graph;    //!< the fabric
    UsidScheme m_scheme;           //!< the names
    Options m_options;             //!< what is different
    std::vector<uint16_t> m_usids; //!< by switch
};

} // namespace aifabric
} // namespace ns3

#endif /* USID_PLAN_H */
