/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BALANCER_HOST_H
#define BALANCER_HOST_H

#include "ns3/fabric-frame.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What a switch does for a balancer that sees frames (SwitchBalancer::SeesFrames), when it asks.
 */
class BalancerHost
{
  public:
    /**
     * Send a frame that begins at the switch: it is forwarded as one that has come in.
     *
     * @param frame the frame, complete
     * @param now the current time, in picoseconds
     */
    virtual void Originate(const Ptr<FabricFrame>& frame, int64_t now) = 0;

    /**
     * Send on what a reorder queue holds, in the order in which it came.
     *
     * @param queue number of the queue, as in ArrivalVerdict
     * @param now the current time, in picoseconds
     */
    virtual void Release(uint32_t queue, int64_t now) = 0;

    /// @return the node of the switch, for events
    virtual uint32_t GetNode() const = 0;

    /// @return the most bytes that its reorder queues held together
    virtual uint64_t GetMaxHeldBytes() const = 0;

  protected:
    ~BalancerHost() = default;
};

} // namespace aifabric
} // namespace ns3

#endif /* BALANCER_HOST_H */
