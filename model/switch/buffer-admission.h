/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BUFFER_ADMISSION_H
#define BUFFER_ADMISSION_H

#include "ns3/fabric-frame.h"
#include "ns3/object.h"

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
 * Which frames a switch has room for. Each switch has an admission of its own. The room of a frame
 * is free again when its transmission begins.
 */
class BufferAdmission : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Prepare for a switch whose ports are all there.
     *
     * @param fabricSwitch the switch
     */
    virtual void Install(FabricSwitch& fabricSwitch);

    /**
     * Admit a frame or refuse it.
     *
     * @param frame the frame, with its port of ingress
     * @param egress the port that is to send it, which has caught up
     * @param now the current time, in picoseconds
     * @return whether there is room; the room is taken if so
     */
    virtual bool Admit(const FabricFrame& frame, FabricTransmitter& egress, int64_t now) = 0;

    /**
     * A frame leaves.
     *
     * @param frame the frame
     * @param start when its transmission begins, in picoseconds
     */
    virtual void Release(const FabricFrame& frame, int64_t start);

    /// @return the most that may wait at one port, in bytes; known after Install()
    virtual uint32_t GetPortBytes() const = 0;

    /// @return whether Release() has to be called
    virtual bool WantsRelease() const;

    /**
     * @param fabricSwitch a switch whose ports are connected
     * @return the least memory with which Install() accepts it, in bytes; 0: any
     */
    virtual uint64_t GetLeastBytes(const FabricSwitch& fabricSwitch) const;

    /// @return frames refused though their class is lossless
    virtual uint64_t GetLosslessDrops() const;
};

} // namespace aifabric
} // namespace ns3

#endif /* BUFFER_ADMISSION_H */
