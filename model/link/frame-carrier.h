/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FRAME_CARRIER_H
#define FRAME_CARRIER_H

#include "ns3/fabric-frame.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Carries what a transmitter sends to a peer that another rank simulates.
 */
class FrameCarrier
{
  public:
    virtual ~FrameCarrier() = default;

    /**
     * The transmission of a frame begins.
     *
     * @param start when, which is now, in picoseconds
     * @param arrival when its last bit arrives, in picoseconds
     */
    virtual void Carry(const Ptr<FabricFrame>& frame, int64_t start, int64_t arrival) = 0;

    /**
     * The link is cut.
     *
     * @param now the current time, in picoseconds
     * @return the first frame that was to arrive now or later, which is lost; nullptr: there is
     * none
     */
    virtual Ptr<FabricFrame> TakeLost(int64_t now) = 0;

    /// @return frames that arrive later  @param now than this, in picoseconds
    virtual uint32_t CountFrames(int64_t now) const = 0;

    /// @return their bytes  @param now the time, in picoseconds
    virtual uint64_t CountBytes(int64_t now) const = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* FRAME_CARRIER_H */
