/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INGRESS_STAGE_H
#define INGRESS_STAGE_H

#include "ns3/fabric-frame.h"
#include "ns3/object.h"
#include "ns3/policy-counters.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

class FabricSwitch;

/**
 * @ingroup ai-fabric
 *
 * The first thing that a switch does with a frame that arrives, for what a switch does besides
 * forwarding: it answers a probe, adds up gradients, copies a frame to several ports. A stage lets
 * a frame pass, changed or not, or consumes it. It sends frames of its own by
 * FabricSwitch::Originate() and FabricSwitch::SendBy(), also later, from a timer. Each switch has a
 * stage of its own, or none.
 */
class IngressStage : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Prepare for a switch whose ports are all there.
     *
     * @param fabricSwitch the switch, which lives as long as the stage
     */
    virtual void Install(FabricSwitch& fabricSwitch) = 0;

    /**
     * Look at a frame that has arrived.
     *
     * @param frame the frame, with its port of ingress; the stage may change it, or keep it if it
     *        consumes it
     * @param now the current time, in picoseconds
     * @return whether the switch forwards it; otherwise the stage has consumed it
     */
    virtual bool Passes(const Ptr<FabricFrame>& frame, int64_t now) = 0;

    /// Add what was counted.  @param counters by name
    virtual void Count(PolicyCounters& counters) const;

    /**
     * Assign fixed random streams.
     *
     * @param stream the first stream index to use
     * @return the number of streams used
     */
    virtual int64_t AssignStreams(int64_t stream);
};

} // namespace aifabric
} // namespace ns3

#endif /* INGRESS_STAGE_H */
