/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WECMP_TABLE_H
#define WECMP_TABLE_H

#include "fabric-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

class WayCounter;

/**
 * @ingroup ai-fabric
 *
 * The weights of uplinks when some links are dead (W-ECMP, arXiv 2507.21372, appendix F): for each
 * switch and each waypoint (SwitchSite::WaypointOf: a leaf at tier 0, a pod at tier 1) how often
 * each uplink should be used.
 *
 * The weight of an uplink is the number of shortest ways to the waypoint that begin with it and
 * have no dead link. So the splits of a frame's hops together make every surviving path equally
 * likely, wherever a switch of tier 2 reaches a pod by one switch only, as in fat-trees. In terms
 * of links, in a fat-tree:
 * - aggregation (P, i) to pod Q: w(j) = alive(agg (P, i) - core (i, j)) * alive(core (i, j) - agg
 *   (Q, i));
 * - edge E of pod P to edge F of pod Q: w(i) = alive(E - agg (P, i)) * alive(agg (Q, i) - F) *
 *   sum over j of the weights of aggregation (P, i) to pod Q;
 * - within a pod: w(i) = alive(E - agg (P, i)) * alive(agg (P, i) - F).
 *
 * Weights are divided by their greatest common divisor. Only what differs from the default is
 * kept: an even split over the switch's own live uplinks.
 *
 * In a fabric that is no Clos network all ports of a switch count as uplinks, each host is a
 * waypoint, and all its routes are kept: a weight is 1 for each port that begins a shortest way by
 * live links, the port of the host itself at its own switch.
 */
class WecmpTable
{
  public:
    /// Weights of the uplinks of a switch, in the order of their ports.
    using Weights = std::vector<uint32_t>;

    /// The way to a waypoint.
    struct Route
    {
        uint32_t waypoint; //!< the destination's waypoint
        uint32_t weights;  //!< which of the switch's different weights

        /// @return whether it is the same way  @param other another
        bool operator==(const Route& other) const
        {
            return waypoint == other.waypoint && weights == other.weights;
        }
    };

    /// Weights of switches that know of no dead link: the default.
    explicit WecmpTable(const FabricGraph& graph);

    /**
     * Compute the weights.
     *
     * @param alive whether frames cross a link, by link id
     * @throws std::invalid_argument if there are more or fewer entries than links
     */
    WecmpTable(const FabricGraph& graph, const std::vector<bool>& alive);

    /// @return the waypoints whose weights are not the default, ascending  @param id the switch
    const std::vector<Route>& GetRoutes(uint32_t id) const;

    /// @return whether the weights for a waypoint are not the default  @param id the switch
    bool HasRoute(uint32_t id, uint32_t waypoint) const;

    /// @return the weights of a route; all zero: there is no way  @param id the switch
    const Weights& GetWeights(uint32_t id, const Route& route) const;

    /**
     * Say which switches have to change something for another state of links: those at links whose
     * state is another one, and those whose weights are.
     *
     * @param other the weights in the other state, of the same fabric
     * @return their ids, ascending
     */
    std::vector<uint32_t> FindChanges(const WecmpTable& other) const;

  private:
    /// What one switch keeps.
    struct Entry
    {
        std::vector<bool> alive;      //!< its links, by port
        std::vector<Weights> weights; //!< the different ones
        std::vector<Route> routes;    //!< by waypoint
    };

    /// Find the weights of all leaves.  @param counter counts ways
    void WeighLeaves(const FabricGraph& graph, WayCounter& counter);

    /// Find the routes to each host of a fabric that is no Clos network.
    /// @param alive whether frames cross a link, by link id; empty: all links are alive
    void RouteHosts(const FabricGraph& graph, const std::vector<bool>& alive);

    /// Find the weights of tier 1.  @param counter counts ways
    void WeighPods(const FabricGraph& graph, const WayCounter& counter);

    /// Keep weights if they are not the default.  @param up its uplinks  @param waypoint to where
    /// @param ways the weights, not yet divided
    static void Keep(Entry& entry,
                     const PortGroup& up,
                     uint32_t waypoint,
                     const std::vector<uint64_t>& ways);

    /// @return which of the switch's different weights some are; new ones are added
    static uint32_t FindWeights(Entry& entry, const Weights& weights);

    std::vector<Entry> m_entries; //!< by switch
};

} // namespace aifabric
} // namespace ns3

#endif /* WECMP_TABLE_H */
