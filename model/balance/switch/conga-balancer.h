/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONGA_BALANCER_H
#define CONGA_BALANCER_H

#include "conga-metrics.h"
#include "discounting-rate.h"
#include "ecmp-balancer.h"
#include "flowlet-table.h"

#include "ns3/nstime.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * CONGA (Alizadeh et al., "CONGA: Distributed Congestion-Aware Load Balancing for Datacenters",
 * SIGCOMM 2014) for fabrics of leaves and spines. All switches measure the utilization of their
 * links (DiscountingRate). A packet carries the highest one between two leaves (CongaTag); its last
 * leaf returns that to the first one in packets of the other direction. A leaf sends a new flowlet
 * by the uplink whose path has the least of the local and the returned metrics, and keeps to the
 * last one of the flow if no other is better.
 *
 * Spines with several links to a leaf hash (EcmpBalancer).
 */
class CongaBalancer : public EcmpBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    CongaBalancer();

    void SetSite(const SwitchSite& site) override;
    void SetFacts(const FabricFacts& facts) override;
    uint32_t Choose(const FabricFrame& frame, const EgressGroup& group, int64_t now) override;
    int Predict(const FabricFrame& frame, const EgressGroup& group) const override;
    std::string FindObstacle(const FabricGraph& graph) const override;
    bool SeesFrames() const override;
    ArrivalVerdict FrameArrives(FabricFrame& frame, int64_t now) override;
    void FrameDeparts(FabricFrame& frame, const FabricTransmitter& egress, int64_t start) override;
    int64_t AssignStreams(int64_t stream) override;
    void Count(PolicyCounters& counters) const override;

  protected:
    void DoInitialize() override;

  private:
    /// @return whether hosts attach to the switch, and it may have a choice
    bool IsLeaf() const
    {
        return m_site.tier == 0 && m_site.upCount > 0;
    }

    /// @return whether a port leads up
    bool IsUplink(uint32_t port) const
    {
        return port - m_site.firstUp < m_site.upCount;
    }

    /// @return how many leaves there are
    uint32_t CountLeaves() const
    {
        return m_site.fabricHosts / m_site.waypointHosts;
    }

    /// @return a set time, or some round trips  @param name of the attribute
    Time Derive(Time set, double roundTrips, const std::string& name) const;

    /// Find the uplink with the least metric.
    /// @param target number of the leaf that the frame goes to
    /// @param last place of the last one of the flow, if there is one
    /// @param now the current time, in picoseconds
    /// @return its place in the group
    uint32_t FindLeast(uint32_t target,
                       const EgressGroup& group,
                       std::optional<uint32_t> last,
                       int64_t now) const;

    /// @return the metric of a path by an uplink  @param place of the uplink in the group
    uint32_t GetMetric(uint32_t target,
                       const EgressGroup& group,
                       uint32_t place,
                       int64_t now) const;

    Time m_gap;                //!< longest time between packets of a flowlet; 0: by round trips
    Time m_period;             //!< of the discount; 0: by round trips
    double m_share{0};         //!< that a period takes away
    uint32_t m_bits{0};        //!< of a metric
    Time m_ageing;             //!< after which a metric is halved; 0: by round trips
    uint32_t m_entries{0};     //!< flows that the table has room for
    bool m_usesFeedback{true}; //!< metrics of other switches count

    SwitchSite m_site;                        //!< where the switch stands
    Time m_roundTrip;                         //!< of the fabric; 0: not known
    int64_t m_gapPs{0};                       //!< gap in picoseconds
    DiscountingRate::Parameters m_parameters; //!< of m_rates
    std::vector<DiscountingRate> m_rates;     //!< by port
    CongaMetrics m_metrics;                   //!< of the paths to and from other leaves
    FlowletTable m_table;                     //!< the flows
    Ptr<UniformRandomVariable> m_ties;        //!< chooses among equal metrics
    uint64_t m_flowlets{0};                   //!< flowlets that have begun
    uint64_t m_moves{0};                      //!< those that took another uplink than the last
    uint64_t m_feedbacks{0};                  //!< metrics that came back
};

} // namespace aifabric
} // namespace ns3

#endif /* CONGA_BALANCER_H */
