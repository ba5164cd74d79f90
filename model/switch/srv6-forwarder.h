/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SRV6_FORWARDER_H
#define SRV6_FORWARDER_H

#include "switch-forwarder.h"

#include "ns3/ipv6-address.h"
#include "ns3/usid-scheme.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Static source routing by micro-SIDs (SRv6 uSID, RFC 9800): a packet has an outer IPv6 header
 * whose destination is the list of switches that it passes. A switch consumes its own uSID (uN: the
 * list is shifted by 16 bits) and sends the packet by the one port that its table has for the next
 * uSID. Tables never change, and no switch chooses: a packet whose next link is dead is lost there,
 * and a packet without a route is dropped (counter fib_misses).
 *
 * The list is a function of the packet's ends and entropy (UsidPlan), so that forwarding takes a
 * table of ports a switch, and no address is shifted: a switch below which the destination is takes
 * the way down, and another one the uplink of GetPathDigit().
 */
class Srv6Forwarder : public SwitchForwarder
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    Srv6Forwarder();

    /**
     * Remove the routes of a port from the table: what had to go there is dropped.
     *
     * @param port the port's number
     */
    void RemoveRoutes(uint16_t port);

    /// @return frames without a route
    uint64_t GetFibMisses() const;

    bool UsesClosRule() const override;
    bool ObeysHosts() const override;
    bool IsStatic() const override;
    uint32_t GetOuterBytes() const override;
    std::string FindObstacle(const FabricGraph& graph) const override;
    Ptr<const SourceRoutePlan> MakePlan(const FabricGraph& graph) const override;
    void Install(const ForwardingRule& rule,
                 const SwitchSite& site,
                 const std::vector<FabricTransmitter*>& ports) override;
    FabricTransmitter* Find(const FabricFrame& frame) override;
    void Count(PolicyCounters& counters) const override;

  private:
    /// @return the port that the table has for a frame, or nullptr
    FabricTransmitter* LookUp(const FabricFrame& frame) const;

    /// @return the names
    UsidScheme MakeScheme() const;

    Ipv6Address m_block;                    //!< the first 32 bits of uSID addresses
    uint8_t m_indexBits{0};                 //!< bits of an index in a uSID
    bool m_omitsFirst{false};               //!< the source's leaf is not in the list
    bool m_copies{false};                   //!< packets carry a copy of the list
    uint32_t m_firstHost{0};                //!< first host below
    uint32_t m_hostCount{0};                //!< hosts below
    uint32_t m_chunk{1};                    //!< hosts below each port
    uint16_t m_leafUplinks{1};              //!< uplinks of a leaf
    uint8_t m_tier{0};                      //!< tier of the switch
    uint64_t m_misses{0};                   //!< frames without a route
    std::vector<FabricTransmitter*> m_down; //!< ports down, in host order
    std::vector<FabricTransmitter*> m_up;   //!< ports up
    std::vector<FabricTransmitter*> m_all;  //!< all ports
};

} // namespace aifabric
} // namespace ns3

#endif /* SRV6_FORWARDER_H */
