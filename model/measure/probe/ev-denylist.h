/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EV_DENYLIST_H
#define EV_DENYLIST_H

#include "fabric-element.h"

#include "ns3/path-view.h"
#include "ns3/roce-net-device.h"

#include <cstdint>
#include <set>
#include <vector>

namespace ns3
{
namespace aifabric
{

class MrcBalancer;

/**
 * @ingroup ai-fabric
 *
 * The denylist of an operator: queue pairs of MRC do not use entropy values (EV) whose paths cross
 * an element that is bad (MrcBalancer::Deny()). It also serves queue pairs that are connected
 * later. A queue pair that would be left without any path keeps them all.
 *
 * Hosts learn of changes at once and at the same time.
 */
class EvDenylist
{
  public:
    /**
     * @param graph the fabric; must outlive this
     * @param nics the NICs of all hosts, whose queue pairs are served; this must outlive the
     *        simulation
     */
    EvDenylist(const FabricGraph& graph, const std::vector<Ptr<RoceNetDevice>>& nics);

    /// Deny all EVs whose paths cross an element that is bad, and allow all others.
    /// @param bad the elements that are bad
    void SetBad(const std::set<FabricElement>& bad);

  private:
    /// Mark the links that no path may cross.  @param element an element that is bad
    void Exclude(const FabricElement& element);

    /// Bring a queue pair up to date.
    void Apply(uint32_t host, const QueuePair& queuePair) const;

    /// Do so in a plane.  @param balancer who knows the EVs
    /// @param usable labels of the paths that may be used, ascending
    static void ApplyPlane(uint16_t plane,
                           MrcBalancer& balancer,
                           const std::vector<uint16_t>& usable);

    const FabricGraph& m_graph;             //!< the fabric
    std::vector<Ptr<RoceNetDevice>> m_nics; //!< the NICs
    PathView m_view;                        //!< its links are dead if they are excluded
    bool m_isEmpty{true};                   //!< nothing is denied
};

} // namespace aifabric
} // namespace ns3

#endif /* EV_DENYLIST_H */
