/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_FORWARDER_H
#define SWITCH_FORWARDER_H

#include "ns3/fabric-frame.h"
#include "ns3/fabric-graph.h"
#include "ns3/object.h"
#include "ns3/policy-counters.h"
#include "ns3/source-route-plan.h"
#include "ns3/switch-site.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

class FabricTransmitter;

/**
 * @ingroup ai-fabric
 *
 * How the switches of a fabric forward. This base class is the rule of a Clos network, which a
 * FabricSwitch follows by itself (UsesClosRule()): towards the host where there is one way down,
 * and otherwise as its SwitchBalancer chooses. A subclass that forwards itself is asked for each
 * frame.
 *
 * A subclass named XyzForwarder is offered as `--forwarding=xyz` as soon as it is registered with
 * ns-3's type system.
 */
class SwitchForwarder : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @return whether the switch follows the rule of a Clos network and its balancer, so that it
    /// needs no forwarder; true here
    virtual bool UsesClosRule() const;

    /// @return whether FindTarget() may name another host than the destination; false here
    virtual bool HasDetours() const;

    /// @return whether the sender names the path of a packet by its entropy, so that the balancer
    /// of the switches does not choose; false here
    virtual bool ObeysHosts() const;

    /// @return whether tables never change, so that a packet whose next link is dead is lost; false
    /// here
    virtual bool IsStatic() const;

    /// @return bytes of the outer headers of RoCE packets, which have to be in IPv6 then; 0: they
    /// have none, as here
    virtual uint32_t GetOuterBytes() const;

    /// @return what of a fabric it cannot name, in one line; empty: it can forward there
    virtual std::string FindObstacle(const FabricGraph& graph) const;

    /// @return the plan of the outer headers; null: there are none  @param graph the fabric, which
    /// has to outlive the plan
    virtual Ptr<const SourceRoutePlan> MakePlan(const FabricGraph& graph) const;

    /**
     * Prepare to forward for a switch. Called only if it does not use the rule of a Clos network,
     * or has detours.
     *
     * @param rule where hosts are, in port numbers
     * @param site where the switch stands
     * @param ports the transmitters of all ports, which outlive the forwarder's use
     */
    virtual void Install(const ForwardingRule& rule,
                         const SwitchSite& site,
                         const std::vector<FabricTransmitter*>& ports);

    /**
     * @return the port to send it by; nullptr: its table has none, and the frame is dropped
     */
    virtual FabricTransmitter* Find(const FabricFrame& frame);

    /// Prepare to find the targets of a switch. Called after Install().  @param id number of the
    /// switch
    virtual void InstallDetours(const FabricGraph& graph, uint32_t id);

    /**
     * The host towards which the switch forwards a frame by the rule and its balancer. Called only
     * if HasDetours().
     *
     * @return its index; the destination here
     */
    virtual uint32_t FindTarget(const FabricFrame& frame) const;

    /// Add what was counted.  @param counters by name
    virtual void Count(PolicyCounters& counters) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* SWITCH_FORWARDER_H */
