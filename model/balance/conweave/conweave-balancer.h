/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONWEAVE_BALANCER_H
#define CONWEAVE_BALANCER_H

#include "conweave-sink.h"
#include "conweave-source.h"

#include "ns3/ecmp-balancer.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * ConWeave (Song et al., "Network Load Balancing with In-network Reordering Support for RDMA",
 * SIGCOMM 2023) for fabrics of leaves and spines: the first leaf of a flow measures whether its
 * path is slow, and reroutes the flow (ConweaveSource); the last one puts its packets in order
 * (ConweaveSink), in reorder queues of the switch. Leaves send each other control packets.
 *
 * It knows RoCE packets of messages. Acknowledgements, control packets and all others hash
 * (EcmpBalancer), as spines with several links to a leaf do.
 */
class ConweaveBalancer : public EcmpBalancer
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ConweaveBalancer();

    void SetSite(const SwitchSite& site) override;
    void SetFacts(const FabricFacts& facts) override;
    void SetHost(BalancerHost& host) override;
    uint32_t Choose(const FabricFrame& frame, const EgressGroup& group, int64_t now) override;
    int Predict(const FabricFrame& frame, const EgressGroup& group) const override;
    bool KeepsPaths() const override;
    std::string FindObstacle(const FabricGraph& graph) const override;
    bool SeesFrames() const override;
    ArrivalVerdict FrameArrives(FabricFrame& frame, int64_t now) override;
    void FrameDeparts(FabricFrame& frame, const FabricTransmitter& egress, int64_t start) override;
    int64_t AssignStreams(int64_t stream) override;
    void Count(PolicyCounters& counters) const override;

  protected:
    void DoInitialize() override;
    void DoDispose() override;

  private:
    /// @return a type with the attributes of times  @param type without them
    static TypeId AddTimes(TypeId type);

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

    /// @return a set time, or some round trips, in picoseconds  @param name of the attribute
    int64_t Derive(Time set, double roundTrips, const std::string& name) const;

    /// A packet of another leaf comes for a host below.  @param tag what it carries
    /// @param now the time, in picoseconds  @return what becomes of it
    ArrivalVerdict PacketArrives(const FabricFrame& frame, const ConweaveTag& tag, int64_t now);

    /// Send the first leaf of a packet a control packet.  @param kind what it is
    /// @param tag of the packet  @param now the time, in picoseconds
    void Answer(const FabricFrame& packet,
                ConweaveTag::Kind kind,
                const ConweaveTag& tag,
                int64_t now);

    /// Schedule the release of a queue by its deadline.
    void Schedule(uint32_t queue);

    /// A release is due that was scheduled.  @param due for when, in picoseconds
    void CheckDeadline(uint32_t queue, int64_t due);

    Time m_reply;             //!< theta_reply; 0: by round trips
    Time m_busy;              //!< theta_path_busy; 0: by round trips
    Time m_inactive;          //!< theta_inactive; 0: by round trips
    Time m_extra;             //!< theta_resume_extra; 0: by round trips
    Time m_fallback;          //!< theta_resume_default; 0: by round trips
    uint32_t m_slots{0};      //!< flows that each table has room for
    uint32_t m_queues{0};     //!< reorder queues of a port
    uint8_t m_controlDscp{0}; //!< of control packets

    SwitchSite m_site;                  //!< where the switch stands
    Time m_roundTrip;                   //!< of the fabric; 0: not known
    BalancerHost* m_host{nullptr};      //!< the switch
    ConweaveSource m_source;            //!< of flows that begin here
    ConweaveSink m_sink;                //!< of flows that end here
    std::vector<int64_t> m_scheduled;   //!< next release by queue, in picoseconds, or NEVER
    Ptr<UniformRandomVariable> m_paths; //!< draws paths
    uint64_t m_controls{0};             //!< control packets sent
    uint64_t m_notifies{0};             //!< of these, about marks
};

} // namespace aifabric
} // namespace ns3

#endif /* CONWEAVE_BALANCER_H */
