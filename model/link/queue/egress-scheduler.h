/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EGRESS_SCHEDULER_H
#define EGRESS_SCHEDULER_H

#include "ns3/fabric-frame.h"
#include "ns3/object.h"

#include <array>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// The queues of a port that can send. Queues have the numbers of their traffic classes.
struct EgressHeads
{
    int64_t start{0}; //!< when the transmission begins, in picoseconds; maybe in the past
    uint8_t ready{0}; //!< bit q set: queue q has a frame, and PFC does not pause it; not 0

    /**
     * By queue that is ready: its oldest frame, with the port of ingress in FabricFrame::ingress at
     * a switch. nullptr at a NIC where an endpoint is to make the frame when it is chosen.
     */
    std::array<const FabricFrame*, 8> frames{};
};

/**
 * @ingroup ai-fabric
 *
 * Which queue of a port sends the next frame. MAC control frames precede all queues. Each port has
 * a scheduler of its own (FabricPort::EgressSchedulerType). Within a queue, the oldest frame is
 * first; at a NIC, where endpoints and a queue have frames of one class, the two alternate.
 *
 * A port computes its departures late (FabricTransmitter), but always in order: what a scheduler
 * returns may depend on its earlier answers, the queues and EgressHeads::start, and on nothing
 * else.
 */
class EgressScheduler : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Choose the queue of the next frame.
     *
     * @param heads the queues that can send
     * @return one of them
     */
    virtual uint8_t Choose(const EgressHeads& heads) = 0;

    /**
     * The transmission of a frame of the chosen queue begins.
     */
    virtual void FrameDeparts(uint8_t queue, const FabricFrame& frame);
};

} // namespace aifabric
} // namespace ns3

#endif /* EGRESS_SCHEDULER_H */
