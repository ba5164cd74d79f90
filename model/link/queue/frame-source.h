/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_SOURCE_H
#define FRAME_SOURCE_H

#include "ns3/fabric-frame.h"

#include <cstdint>
#include <limits>

namespace ns3
{
namespace aifabric
{

/// A time that never comes, in picoseconds.
constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

/**
 * @ingroup ai-fabric
 *
 * Where a transmitter gets frames from beside its queues: the queue pairs of a NIC, whose frames
 * are made when the wire is free for them and not before.
 *
 * A transmitter may ask for a start that is already past, because it computes its departures late.
 * Call FabricTransmitter::Advance before any change of what the source would answer.
 */
class FrameSource
{
  public:
    virtual ~FrameSource() = default;

    /**
     * @param open bit c set: class c may be sent
     * @return the earliest time, in picoseconds, at which there may be a frame of an open class;
     * the time since when there is one, if there is one already: the wire may have been idle for
     * longer; NEVER if there is none. If GetReadyClass finds none at that time, the next answer is
     * later.
     */
    virtual int64_t GetNextTime(uint8_t open) = 0;

    /**
     * @param open bit c set: class c may be sent
     * @param start the time of transmission, in picoseconds
     * @return the highest open class that has a frame at that time, or -1
     */
    virtual int GetReadyClass(uint8_t open, int64_t start) = 0;

    /**
     * Make the next frame. Called only after GetReadyClass has named its class.
     *
     * @param start when its transmission begins, in picoseconds
     * @return the frame
     */
    virtual Ptr<FabricFrame> Pull(uint8_t trafficClass, int64_t start) = 0;

    /**
     * A frame will be pulled soon: prefetch what that will touch, as PrefetchingEvent::Prefetch
     * says.
     *
     * @param step the step, from 1 on
     */
    virtual void Prefetch(uint32_t step) const = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* FRAME_SOURCE_H */
