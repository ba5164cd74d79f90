/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DEPARTURE_HOOK_H
#define DEPARTURE_HOOK_H

#include "ns3/fabric-frame.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

class FabricTransmitter;

/**
 * @ingroup ai-fabric
 *
 * Who must act when a frame leaves a queue: the shared buffer that gets its memory back, the
 * marker that marks at dequeue.
 */
class DepartureHook
{
  public:
    virtual ~DepartureHook() = default;

    /**
     * A frame leaves its queue, its transmission begins.
     *
     * @param transmitter the transmitter that sends it; its counts no longer contain the frame
     * @param frame the frame; it may be marked
     * @param start when the transmission begins, in picoseconds: now, or earlier where the
     * transmitter is not eager
     */
    virtual void FrameDeparts(FabricTransmitter& transmitter,
                              FabricFrame& frame,
                              int64_t start) = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* DEPARTURE_HOOK_H */
