/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_HANDLER_H
#define FRAME_HANDLER_H

#include "ns3/fabric-frame.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Who receives the frames that arrive at a port: a switch or a NIC.
 */
class FrameHandler
{
  public:
    virtual ~FrameHandler() = default;

    /**
     * A frame has arrived whole.
     *
     * @param frame the frame, with the only reference to it
     * @param ingress index of the port by which it came
     * @param now the current time, in picoseconds
     */
    virtual void ReceiveFrame(const Ptr<FabricFrame>& frame, uint16_t ingress, int64_t now) = 0;

    /**
     * A frame will arrive soon: prefetch what receiving it will touch, as
     * PrefetchingEvent::Prefetch does.
     *
     * @param step the step, 1 or more
     */
    virtual void PrefetchFrame(const FabricFrame& frame, uint32_t step) const = 0;

    /**
     * @return whether each frame touches memory of its own, so that it is worth while to prefetch
     * it when the frame before it arrives, however small the fabric
     */
    virtual bool NeedsPrefetch() const = 0;

    /// @return whether the frames end here: a NIC, not a switch
    virtual bool IsHost() const = 0;

    /// @return whether frames that are sent here may have another class than the class selector of
    /// their DSCP (DscpTable)
    virtual bool SetsClasses() const
    {
        return false;
    }

    /// The queues of a port that receives here have another fraction of their room
    /// (FabricTransmitter::GetQueueFactor()).
    virtual void QueueFactorChanged()
    {
    }
};

} // namespace aifabric
} // namespace ns3

#endif /* FRAME_HANDLER_H */
