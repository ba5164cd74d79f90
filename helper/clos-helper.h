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
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

/**
 * @defgroup ai-fabric RoCE fabrics of AI clusters
 *
 * Switches, NICs and balancers of the fabrics that AI is trained on, packet by packet: link, switch
 * and NIC models, load balancing, loss recovery, congestion control, collectives, measures.
 *
 * A script begins with ClosHelper, which builds a Fabric, and sends over it with RoceHelper,
 * MessageApplicationHelper, FlowDriver or TrainingDriver.
 */

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Builds a fabric from its description: nodes, NICs, switches, ports, channels, forwarding, and the
 * addresses of the AddressPlan. It is usually a Clos network; one of another shape
 * (NetworkAssembly) has its own rates and delays of links, and balancers that need tiers are
 * refused.
 *
 * Times must be counted in picoseconds (PrepareSimulator()), or in femtoseconds for the order that
 * FabricClock describes. Install() refuses rates at which a byte does not take a whole number of
 * picoseconds.
 *
 * Install() prepares a LossOracle with the round trip of the fabric for full packets of the default
 * RcQueuePair::Mtu, unless LossOracle::RoundTripTime has another default value; it starts with
 * the first queue pair whose recovery needs it, such as OracleRecovery. In a run on several ranks
 * the script has to install a LossOracle itself, on all ranks: else a NIC aborts with one line when
 * the first queue pair needs it.
 */
class ClosHelper
{
  public:
    ClosHelper();

    /**
     * Prepare the simulator, as a script does first of all, after CommandLine::Parse(): count times
     * in picoseconds, unless Time::SetResolution() chose femtoseconds or the simulator is
     * WindowSimulator, which needs them (--SimulatorImplementationType), and hold events in a
     * MonotoneScheduler, unless the global value SchedulerType names another scheduler than that of
     * ns-3 (--SchedulerType). Results do not depend on the scheduler; with MapScheduler, that of
     * ns-3, runs take 1.2 to 2 times as long.
     *
     * A script calls it again after Simulator::Destroy(), for the next simulation.
     */
    static void PrepareSimulator();

    /**
     * Set an attribute of all ports.
     *
     * @param name the attribute's name
     */
    void SetPortAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set an attribute of the ports of NICs, after those of all ports.
     */
    void SetNicPortAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set the rate of the ports between switches, if it is another than that of the ports of hosts
     * and of switches to hosts.
     */
    void SetFabricRate(DataRate rate);

    /**
     * Set an attribute of all channels.
     *
     * @param name the attribute's name
     */
    void SetChannelAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set an attribute of all switches.
     *
     * @param name the attribute's name
     */
    void SetSwitchAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set what sees the frames that leave switches, such as TelemetryStage, whose NICs reserve room
     * for telemetry then.
     *
     * @param factory makes one for each switch
     */
    void SetEgressStage(const ObjectFactory& factory);

    /**
     * Set an attribute of all NICs.
     *
     * @param name the attribute's name
     */
    void SetNicAttribute(const std::string& name, const AttributeValue& value);

    /**
     * Set how switches choose among next hops. Default: EcmpBalancer.
     *
     * If the fabric has several planes, the NICs choose among them by the balancer's
     * SwitchBalancer::GetHostBalancer(), unless SetNicAttribute() or a default value names another
     * BalancerType.
     *
     * @param factory makes one for each switch
     */
    void SetBalancer(const ObjectFactory& factory);

    /**
     * Set who spreads the traffic: switches, or NICs together with the switch balancer that they
     * count on (HostBalancer::GetSwitchBalancer). For switches it does what SetBalancer() does.
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
     * Set how switches forward. Default: the rule of a Clos network (ClosForwarder). With one that
     * obeys the hosts (SwitchForwarder::ObeysHosts()), switches have a PathLabelBalancer, and NICs
     * the host balancer of SetBalancer() or SetBalancerType(). With outer headers, NICs need the
     * attribute IpVersion of 6.
     *
     * @param factory makes one for each switch
     */
    void SetForwarder(const ObjectFactory& factory);

    /**
     * Set the buffer of switches. Default: PortBuffer.
     *
     * @param factory makes one for each switch
     */
    void SetAdmission(const ObjectFactory& factory);

    /**
     * Set the buffer of the switches above the leaves, if it is another than that of the leaves: a
     * deep one, such as that of a modular chassis. Default: that of SetAdmission().
     *
     * @param factory makes one for each of these switches
     */
    void SetSpineAdmission(const ObjectFactory& factory);

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
    /// @return what makes the NICs  @param planes planes of the fabric
    ObjectFactory MakeNicFactory(uint16_t planes) const;

    /// Make the NICs of the hosts.  @param ports makes ports
    void InstallHosts(Fabric& fabric, ObjectFactory ports) const;

    /// Make the switches.  @param ports makes ports
    void InstallSwitches(Fabric& fabric, const ObjectFactory& ports) const;

    /// Make the cables.
    void InstallChannels(Fabric& fabric) const;

    /// Set the routes of a fabric that is no Clos network.
    static void InstallRoutes(const Fabric& fabric);

    /// Give a port the rate of its link, if the graph says it.
    static void SetLinkRate(FabricPort& port, const FabricGraph& graph, const FabricEnd& end);

    /// Have switches forward as SetForwarder() says.
    void InstallForwarders(const Fabric& fabric) const;

    /// Give each NIC the facts of the fabric from which its policies derive defaults.
    void InstallFacts(const Fabric& fabric) const;

    /// Have losses reported to recoveries that need it.
    void PrepareOracle(const Fabric& fabric) const;

    /// @return a cable, connected  @param link the link's number
    /// @param ferry takes frames to other ranks; not needed if there is one
    Ptr<FabricChannel> MakeChannel(const Fabric& fabric,
                                   uint32_t link,
                                   const Ptr<FrameFerry>& ferry) const;

    /// Complain if a balancer, or a plan of ranks, needs a Clos network, and the fabric is none.
    void CheckShape(const FabricGraph& graph) const;

    /// Complain if times are too coarse for the rate of the ports.
    void CheckResolution() const;

    ObjectFactory m_port;                                 //!< makes ports
    std::map<std::string, Ptr<AttributeValue>> m_nicPort; //!< attributes of the ports of NICs
    std::optional<DataRate> m_fabricRate; //!< of ports between switches, if it is another one
    ObjectFactory m_channel;              //!< makes channels
    ObjectFactory m_switch;               //!< makes switches
    ObjectFactory m_nic;                  //!< makes NICs
    bool m_hasHostBalancer{false};        //!< the script chose the balancer of NICs
    std::optional<TypeId> m_hostBalancer; //!< of NICs, if SetBalancerType() was given one
    ObjectFactory m_balancer;             //!< makes balancers
    std::set<uint32_t> m_upgraded;        //!< switches with another balancer
    ObjectFactory m_upgrade;              //!< makes theirs
    ObjectFactory m_forwarder;            //!< makes forwarders
    ObjectFactory m_admission;            //!< makes buffers
    ObjectFactory m_spineAdmission;       //!< makes those above the leaves, if it has a type
    ObjectFactory m_marker;               //!< makes markers, if it has a type
    ObjectFactory m_egressStage;          //!< makes egress stages, if it has a type
    std::optional<RankPlan> m_plan;       //!< which rank simulates what
};

} // namespace aifabric
} // namespace ns3

#endif /* CLOS_HELPER_H */
