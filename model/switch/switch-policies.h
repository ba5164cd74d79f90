/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_POLICIES_H
#define SWITCH_POLICIES_H

#include "buffer-admission.h"
#include "congestion-point.h"
#include "egress-stage.h"
#include "ingress-stage.h"
#include "switch-forwarder.h"

#include "ns3/switch-balancer.h"
#include "ns3/type-id.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

class FabricSwitch;
class NextHopGroups;

/**
 * The policies of a switch: it owns and prepares them. FabricSwitch calls them.
 */
struct SwitchPolicies
{
    /// @return a type with the attributes that set the policies  @param type of the switch
    static TypeId AddTo(TypeId type);

    /// The simulation begins.  @param site where the switch stands; gets the size of its buffer
    void Initialize(FabricSwitch& owner, SwitchSite& site);

    /**
     * Assign fixed random streams, to the groups of next hops too.
     *
     * @param stream the first stream index to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream, NextHopGroups& groups);

    /// The simulation ends.
    void Dispose();

    CongestionPoint congestion;     //!< marks frames
    Ptr<IngressStage> stage;        //!< who looks at frames that come, or nullptr
    Ptr<EgressStage> egressStage;   //!< who sees frames that leave, or nullptr
    Ptr<SwitchForwarder> forwarder; //!< what forwards, or nullptr: the rule
    Ptr<BufferAdmission> admission; //!< who has room
    Ptr<SwitchBalancer> balancer;   //!< how to choose
};

} // namespace aifabric
} // namespace ns3

#endif /* SWITCH_POLICIES_H */
