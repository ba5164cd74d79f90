/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BUFFER_ADMISSION_H
#define BUFFER_ADMISSION_H

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

/// What becomes of a frame that comes to a buffer.
enum class AdmissionVerdict : uint8_t
{
    ADMIT, //!< there is room, which the frame has taken
    TRIM,  //!< there is none, but the frame may go on without its payload
    DROP   //!< there is none
};

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
     */
    virtual void Install(FabricSwitch& fabricSwitch);

    /**
     * Admit a frame, or not. A frame that was trimmed comes a second time.
     *
     * @param frame the frame, with its port of ingress
     * @param egress the port that is to send it, which has caught up
     * @param now the current time, in picoseconds
     * @return what becomes of it
     */
    virtual AdmissionVerdict Admit(const FabricFrame& frame,
                                   FabricTransmitter& egress,
                                   int64_t now) = 0;

    /**
     * Trim a frame for which the verdict was TRIM: cut it, and write the DSCP that marks it for the
     * receiver. By default no frame is trimmed.
     *
     * @param egress the port that is to send it
     */
    virtual void Trim(FabricFrame& frame, const FabricTransmitter& egress);

    /**
     * A frame leaves.
     *
     * @param start when its transmission begins, in picoseconds
     */
    virtual void Release(const FabricFrame& frame, int64_t start);

    /// @return the most that may wait at one port, in bytes; known after Install()
    virtual uint32_t GetPortBytes() const = 0;

    /// @return whether it may answer AdmissionVerdict::TRIM
    virtual bool Trims() const;

    /// @return whether Release() has to be called
    virtual bool WantsRelease() const;

    /**
     * @param fabricSwitch a switch whose ports are connected
     * @return the least memory with which Install() accepts it, in bytes; 0: any
     */
    virtual uint64_t GetLeastBytes(const FabricSwitch& fabricSwitch) const;

    /**
     * Ports have another fraction of their room (FabricTransmitter::GetQueueFactor()), because
     * their links are degraded. Unless a subclass scales its limits, it refuses fractions below 1.
     *
     * @param least the least fraction of all ports, in (0, 1]
     */
    virtual void SetLeastFactor(double least);

    /// @return frames refused though their class is lossless
    virtual uint64_t GetLosslessDrops() const;

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

#endif /* BUFFER_ADMISSION_H */
