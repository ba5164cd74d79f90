/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_PINNING_BALANCER_H
#define PATH_PINNING_BALANCER_H

#include "ecmp-balancer.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Path pinning: the uplink of a leaf is a function of the *slice* of the destination, that is, of
 * the port of its leaf that the destination is attached to. With as many uplinks as hosts a leaf,
 * slice k takes uplink k; with twice as many, it has two candidates. So a link down to a leaf
 * carries the traffic of one NIC, and two flows share an uplink of a leaf only if their
 * destinations have the same slice.
 *
 * If no candidate of a slice is alive, ECMP spreads its flows over the live uplinks. Other tiers
 * hash as EcmpBalancer does. What is known of the deployed scheme is that the path follows from the
 * slice of the destination; the formula is ours.
 */
class PathPinningBalancer : public EcmpBalancer
{
  public:
    /// Which candidate a flow takes, if there are several.
    enum Candidate
    {
        HASH,   //!< by the hash of the 5-tuple
        SOURCE, //!< by the half of the leaf's hosts that the source belongs to
    };

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetClosNeed() const override;
    void SetSite(const SwitchSite& site) override;
    uint32_t Choose(const FabricFrame& frame, const EgressGroup& group, int64_t now) override;
    int Predict(const FabricFrame& frame, const EgressGroup& group) const override;
    void Count(PolicyCounters& counters) const override;

    /**
     * @param frame a frame whose destination is below another leaf
     * @param which the candidate, from 0 on; it is taken modulo their number
     * @return an uplink of the destination's slice, counted from the first uplink
     */
    uint32_t GetCandidate(const FabricFrame& frame, uint32_t which) const;

    /// @return how many uplinks a slice may take, at least 1
    uint32_t CountCandidates() const;

  private:
    /// @return a number that says which candidate a flow takes
    uint32_t Prefer(const FabricFrame& frame) const;

    /// @return the place of the first live candidate from the preferred one on; the size of the
    /// group: none is alive, or the switch pins no paths
    uint32_t FindPinned(const FabricFrame& frame, const EgressGroup& group) const;

    uint32_t m_rotation{0};      //!< added to the uplink of each slice
    Candidate m_candidate{HASH}; //!< which candidate a flow takes
    SwitchSite m_site;           //!< where the switch stands
    uint64_t m_fallbacks{0};     //!< frames that ECMP has spread
};

} // namespace aifabric
} // namespace ns3

#endif /* PATH_PINNING_BALANCER_H */
