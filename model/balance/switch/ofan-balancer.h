/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef OFAN_BALANCER_H
#define OFAN_BALANCER_H

#include "ofan-pointers.h"
#include "switch-balancer.h"

#include "ns3/random-variable-stream.h"

#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Ofan: destination-based rotation in the switch (arXiv 2507.21372, section 7.2). Packets to hosts
 * behind the same mandatory waypoint (SwitchSite::WaypointOf) take the next hops in turn, so that
 * each destination's packets are spread equally over all top switches, and over all links down.
 *
 * Small packets, such as acknowledgements, have pointers of their own (section 7.3). A switch of
 * several pipes has pointers in each of them, which know nothing of each other (arXiv 2610.07230).
 * A bundle of parallel links down is gone round in the same way, with pointers for each bundle.
 *
 * A pointer moves when a packet is assigned to a port, even if the port has no room for it.
 */
class OfanBalancer : public SwitchBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    OfanBalancer();

    std::string GetClosNeed() const override;
    void SetSite(const SwitchSite& site) override;
    uint32_t Choose(const FabricFrame& frame, const EgressGroup& group, int64_t now) override;
    void GroupChanged(const EgressGroup& group) override;
    int64_t AssignStreams(int64_t stream) override;

    /// @return the pointers up that the switch needs if it sends to all hosts, in all bins and
    /// pipes
    uint32_t GetCapacity() const;

    /// @return the pointers up
    const OfanPointers& GetPointers() const;

  protected:
    void DoInitialize() override;

  private:
    static constexpr uint32_t BINS = 2; //!< sizes of packets that it distinguishes

    /// @return which of the pointers of its waypoint a frame uses
    uint32_t LaneOf(const FabricFrame& frame) const
    {
        const uint32_t pipe = m_pipes == 1 ? 0 : frame.ingress * m_pipes / m_site.ports;
        return pipe * BINS + (frame.wireBytes <= m_smallBytes ? 1 : 0);
    }

    uint16_t m_smallBytes{0};                                 //!< limit of the bin of small packets
    uint32_t m_pipes{1};                                      //!< pipes of the switch
    OfanPointers::Orders m_orders{OfanPointers::PER_POINTER}; //!< who has an order of its own
    SwitchSite m_site;                                        //!< where the switch stands
    Ptr<UniformRandomVariable> m_random;                      //!< draws orders and starts
    OfanPointers m_up;                                        //!< by waypoint
    OfanPointers m_down;                                      //!< by group of parallel links
};

} // namespace aifabric
} // namespace ns3

#endif /* OFAN_BALANCER_H */
