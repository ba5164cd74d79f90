/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EGRESS_STAGE_H
#define EGRESS_STAGE_H

#include "ns3/fabric-frame.h"
#include "ns3/object.h"
#include "ns3/policy-counters.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

class FabricSwitch;
class FabricTransmitter;

/**
 * @ingroup ai-fabric
 *
 * The last thing that a switch does with a frame, when the frame leaves its queue and its
 * transmission begins: it may write into it what the port is like then, but not change its length.
 * Each switch has a stage of its own, or none.
 */
class EgressStage : public Object
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
    virtual void Install(const FabricSwitch& fabricSwitch) = 0;

    /**
     * A frame leaves its queue. MAC control frames do not come here.
     *
     * @param egress the port, whose counts no longer contain the frame
     * @param start when its transmission begins, in picoseconds; departures of one port come in
     *        order, those of several ports need not
     */
    virtual void FrameDeparts(FabricFrame& frame,
                              const FabricTransmitter& egress,
                              int64_t start) = 0;

    /// @return whether it writes telemetry (PathTelemetry), for which senders reserve a header;
    /// false here
    virtual bool WritesTelemetry() const;

    /// Add what was counted.  @param counters by name
    virtual void Count(PolicyCounters& counters) const;
};

} // namespace aifabric
} // namespace ns3

#endif /* EGRESS_STAGE_H */
