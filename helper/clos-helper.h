/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLOS_HELPER_H
#define CLOS_HELPER_H

#include "fabric.h"

#include "ns3/data-rate.h"
#include "ns3/fabric-graph.h"
#include "ns3/frame-ferry.h"
#include "ns3/object-factory.h"
#include "ns3/rank-plan.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Builds a fabric from its description: nodes, NICs, switches, ports, channels, forwarding, and the
 * addresses of the AddressPlan.
 *
 * Times must be counted in picoseconds (Time::SetResolution(Time::PS)), or in femtoseconds for the
 * order that FabricClock describes. Install() refuses rates at which a byte does not take a whole
 * number of picoseconds.
 */
class ClosHelper
{
  public:
    ClosHelper();

    /**
     * Set an attribute of all ports.
     *
     * @param name the attribute's name
     * @param value its value
     */
    void SetPortAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set the rate of the ports between switches, if it is another than that of the ports of hosts
     * and of switches to hosts.
     *
     * @param rate the rate
     */
    void SetFabricRate(DataRate rate);

    /**
     * Set an attribute of all channels.
     *
     * @param name the attribute's name
     * @param value its value
     */
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set an attribute of all switches.
     *
     * @param name the attribute's name
     * @param value its value
     */
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set an attribute of all NICs.
     *
     * @param name the attribute's name
     * @param value its value
     */
    void SetNicAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set how switches choose among next hops. Default: EcmpBalancer.
     *
     * @param factory makes one for each switch
     */
    void SetBalancer(const ObjectFactory& factory);

    /**
     * Set who spreads the traffic: switches, or NICs together with the switch balancer that they
     * count on (HostBalancer::GetSwitchBalancer).
     *
     * @param type a SwitchBalancer or a HostBalancer
     */
    void SetBalancerType(TypeId type);

    /**
     * Give some switches another balancer than all others: partial deployment. They need not be
     * switches that choose (ChoosingSwitches); DrawSwitches() draws a share of these.
     *
     * @param switches the numbers of the switches; those of an earlier call have the usual one
     * @param factory makes one for each of them
     */
    void SetUpgrade(const std::vector<uint32_t>& switches, const ObjectFactory& factory);

    /**
     * Set the buffer of switches. Default: PortBuffer.
     *
     * @param factory makes one for each switch
     */
    void SetAdmission(const ObjectFactory& factory);

    /**
     * Set how switches mark congestion. Default: not at all.
     *
     * @param factory makes one for each switch
     */
    void SetMarker(const ObjectFactory& factory);

    /**
     * Set which rank simulates what, for a run on several ranks (RankTransport). Each rank builds
     * all of the fabric; of what other ranks simulate it has ghosts, which stay idle. Default: one
     * rank.
     *
     * @param plan the plan
     */
    void SetRankPlan(const RankPlan& plan);

    /**
     * Build a fabric.
     *
     * @param graph its description
     * @return the fabric
     */
    Ptr<Fabric> Install(const FabricGraph& graph) const;

  private:
    /// Make the NICs of the hosts.  @param fabric the fabric
    void InstallHosts(Fabric& fabric) const;

    /// Make the switches.  @param fabric the fabric
    void InstallSwitches(Fabric& fabric) const;

    /// Make the cables.  @param fabric the fabric
    void InstallChannels(Fabric& fabric) const;

    /// @return a cable, connected  @param fabric the fabric  @param link the link's number
    /// @param ferry takes frames to other ranks; not needed if there is one
    Ptr<FabricChannel> MakeChannel(const Fabric& fabric,
                                   uint32_t link,
                                   const Ptr<FrameFerry>& ferry) const;

    /// Complain if times are too coarse for the rate of the ports.
    void CheckResolution() const;

    ObjectFactory m_port;                 //!< makes ports
    std::optional<DataRate> m_fabricRate; //!< of ports between switches, if it is another one
    ObjectFactory m_channel;              //!< makes channels
    ObjectFactory m_switch;               //!< makes switches
    ObjectFactory m_nic;                  //!< makes NICs
    ObjectFactory m_balancer;             //!< makes balancers
    std::set<uint32_t> m_upgraded;        //!< switches with another balancer
    ObjectFactory m_upgrade;              //!< makes theirs
    ObjectFactory m_admission;            //!< makes buffers
    ObjectFactory m_marker;               //!< makes markers, if it has a type
    std::optional<RankPlan> m_plan;       //!< which rank simulates what
};

} // namespace aifabric
} // namespace ns3

#endif /* CLOS_HELPER_H */
