/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef REACHABILITY_PROBER_H
#define REACHABILITY_PROBER_H

#include "reachability-agent.h"

#include "ns3/event-id.h"
#include "ns3/fabric-graph.h"
#include "ns3/nstime.h"
#include "ns3/policy-counters.h"
#include "ns3/probe-sums.h"
#include "ns3/random-variable-stream.h"
#include "ns3/reachability.h"
#include "ns3/roce-net-device.h"
#include "ns3/traced-callback.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Tests whether racks reach each other: in each Interval, each NIC sends a probe to a random NIC of
 * each rack, its own rack included, one rack after the other. An answer that takes longer than
 * Timeout counts as lost; whether one has come is seen when the next probe to that rack is sent. A
 * NIC that loses so many probes in a row to one rack as Losses says finds it unreachable, until one
 * is answered.
 *
 * Probes are RC packets (ReachabilityAgent), so they work with every transport, balancer and
 * forwarder, and take bandwidth. Each has another source port, so that all paths are tried. A rack
 * is a switch of tier 0; with several planes, probes to a rack take turns among them. Round-trip
 * times include the time in the queues of both NICs.
 */
class ReachabilityProber : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    ReachabilityProber();
    ~ReachabilityProber() override;

    /**
     * Start probing, each NIC at a random time of the first interval. To be called once, before the
     * simulation starts.
     *
     * @param nics its NICs, by host
     * @param stream the first of the random streams, one a host
     */
    void Install(const FabricGraph& graph,
                 const std::vector<Ptr<RoceNetDevice>>& nics,
                 int64_t stream);

    /// @return what was found until now
    const Reachability& GetResults() const
    {
        return m_results;
    }

    /// @return what became of probes since the last call, or since the start, by rack of the
    /// sender, then of the receiver
    std::vector<ProbeSums> TakeRecent();

    /// Add what was counted, by its name in run.json.  @param counters where
    void Count(PolicyCounters& counters) const;

    /// @return the number of the agent of a NIC
    uint32_t GetNumber(uint32_t host) const
    {
        return m_hosts[host].agent->GetNumber();
    }

    /// A probe was answered.  @param host its sender  @param peer who has answered
    /// @param round in which it was sent, 24 bits  @param roundTrip its time, in picoseconds
    void Answered(uint32_t host, uint32_t peer, uint32_t round, int64_t roundTrip);

    /**
     * Signature of the RackState trace source.
     *
     * @param rack the number of the switch of a rack
     * @param isReachable whether the host reaches the rack
     */
    typedef void (*RackStateTracedCallback)(uint32_t host, uint32_t rack, bool isReachable);

  protected:
    void DoDispose() override;

  private:
    /// What a NIC knows of a rack.
    struct RackView
    {
        bool isWaiting{false}; //!< the last probe is not answered
        uint32_t round{0};     //!< number of the last probe, 24 bits
        uint32_t losses{0};    //!< probes lost in a row
    };

    /// A NIC that probes.
    struct Host
    {
        Ptr<ReachabilityAgent> agent;      //!< its agent
        uint32_t rack{0};                  //!< its rack
        uint32_t next{0};                  //!< rack of the next probe
        Ptr<UniformRandomVariable> random; //!< draws NICs and source ports
        std::vector<RackView> racks;       //!< what it knows
    };

    /// Send the next probe of a NIC.
    void Probe(uint32_t host);

    /// See whether a NIC has lost its last probe to a rack.
    void Judge(uint32_t host, uint32_t rack);

    /// Find the racks.
    void FindRacks(const FabricGraph& graph);

    /// Send a probe to a rack.
    void ProbeRack(uint32_t host, uint32_t rack);

    /// @return the index of the results of probes from a NIC to a rack
    std::size_t GetPair(const Host& host, uint32_t rack) const
    {
        return host.rack * m_results.racks.size() + rack;
    }

    Time m_interval;                                      //!< between two rounds of a NIC
    Time m_timeout;                                       //!< until a probe is lost
    uint32_t m_losses{0};                                 //!< in a row until a rack is unreachable
    uint8_t m_dscp{0};                                    //!< of probes
    uint16_t m_planes{1};                                 //!< ports of a NIC
    std::vector<Host> m_hosts;                            //!< by number
    std::vector<std::vector<uint32_t>> m_racks;           //!< hosts, by rack
    std::vector<EventId> m_events;                        //!< the next probe, by host
    Reachability m_results;                               //!< what was found
    std::vector<ProbeSums> m_recent;                      //!< the same since TakeRecent()
    TracedCallback<uint32_t, uint32_t, bool> m_rackTrace; //!< a rack is unreachable, or again not
};

} // namespace aifabric
} // namespace ns3

#endif /* REACHABILITY_PROBER_H */
