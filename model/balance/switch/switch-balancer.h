/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_BALANCER_H
#define SWITCH_BALANCER_H

#include "arrival-verdict.h"

#include "ns3/egress-group.h"
#include "ns3/fabric-facts.h"
#include "ns3/fabric-frame.h"
#include "ns3/object.h"
#include "ns3/policy-counters.h"
#include "ns3/switch-site.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace aifabric
{

class BalancerHost;
class FabricGraph;
class FabricTransmitter;

/**
 * @ingroup ai-fabric
 *
 * How one switch chooses among next hops that are equally near. Each switch has a balancer of its
 * own.
 *
 * A subclass named XyzBalancer is offered as `--balancer=xyz` as soon as it is registered with
 * ns-3's type system; nothing else needs to know it.
 */
class SwitchBalancer : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Receive the position of the switch. Called once, before anything is forwarded.
     */
    virtual void SetSite(const SwitchSite& site);

    /**
     * Receive what is known of the fabric, before the simulation begins. A script that builds
     * switches by hand may leave it out.
     */
    virtual void SetFacts(const FabricFacts& facts);

    /**
     * Choose the next hop of a frame. Called once a frame, and only where there is a choice.
     *
     * @param group the candidates, two or more
     * @param now the current time, in picoseconds
     * @return index of the chosen member of the group
     */
    virtual uint32_t Choose(const FabricFrame& frame, const EgressGroup& group, int64_t now) = 0;

    /**
     * Say what Choose() will answer if that is known beforehand, so that it can be fetched from
     * memory.
     *
     * @param group the candidates
     * @return index of a member of the group, or -1: not known
     */
    virtual int Predict(const FabricFrame& frame, const EgressGroup& group) const;

    /**
     * The members of a group have changed, because a link failed or came back.
     *
     * @param group the group as it is now
     */
    virtual void GroupChanged(const EgressGroup& group);

    /// @return what of a Clos network it relies on, such as "it numbers the uplinks of leaves";
    /// empty: it works in any fabric, as here
    virtual std::string GetClosNeed() const;

    /// @return what in a fabric it cannot work with, such as "more than 256 uplinks of a leaf";
    /// empty: nothing, as here
    virtual std::string FindObstacle(const FabricGraph& graph) const;

    /// @return whether FrameArrives() and FrameDeparts() are called, which costs time for each
    /// frame; false here. Then all switches have to have the balancer.
    virtual bool SeesFrames() const;

    /// Receive the switch, if it sees frames, before any comes.  @param host outlives the balancer
    virtual void SetHost(BalancerHost& host);

    /**
     * A frame has arrived, and is not yet classified or forwarded.
     *
     * @param frame the frame, with its port of ingress
     * @param now the current time, in picoseconds
     * @return what becomes of it
     */
    virtual ArrivalVerdict FrameArrives(FabricFrame& frame, int64_t now);

    /**
     * A frame leaves its queue. MAC control frames do not come here. What this changes of other
     * ports, or reads of them, depends on the order in which ports are served, which is not
     * defined.
     *
     * @param egress the port, whose counts no longer contain the frame
     * @param start when its transmission begins, in picoseconds
     */
    virtual void FrameDeparts(FabricFrame& frame, const FabricTransmitter& egress, int64_t start);

    /// @return whether the sender has chosen the path, so that switches must not choose; false here
    virtual bool ObeysHosts() const;

    /// @return whether all packets of a 5-tuple take one path, which the UDP source port may name
    /// instead (source routing); false here
    virtual bool HashesOnly() const;

    /// @return whether the packets of a flow keep to one path, but for failures and pauses of the
    /// flow; false here
    virtual bool KeepsPaths() const;

    /// @return whether a TrafficEngineer computes its tables, for all switches together; false here
    virtual bool IsCentral() const;

    /**
     * @return the host balancer that goes with it where hosts have several planes: a switch spreads
     * packets over what is above it, which is one plane
     */
    virtual TypeId GetHostBalancer() const;

    /**
     * Assign fixed random streams to the balancer.
     *
     * @param stream the first stream index to use
     * @return the number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);

    /// Add what it has counted.  @param counters where
    virtual void Count(PolicyCounters& counters) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* SWITCH_BALANCER_H */
