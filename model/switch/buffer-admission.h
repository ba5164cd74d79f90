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
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

class FabricSwitch;
class FabricTransmitter;
class FrameLane;

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
 *
 * If a lossy queue has no room for a frame, Victim says whether that frame is dropped or trimmed,
 * or the last frame of the queue instead. Without displacement, of senders with equal packets at
 * equal intervals one always finds the place that has become free, and the others lose all their
 * packets (Floyd and Jacobson, "Traffic phase effects in packet-switched gateways", 1991). Frames
 * whose transmission has begun are not displaced.
 */
class BufferAdmission : public Object
{
  public:
    /// Which frame is lost when a lossy queue has no room for one that arrives.
    enum Victim : uint8_t
    {
        ARRIVING, //!< that one
        COIN,     //!< that one or the last of the queue, with equal probabilities (NDP, htsim)
        EVEN,     //!< all but one of those that arrived since one left, with equal probabilities
    };

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    BufferAdmission();

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

  protected:
    void DoDispose() override;

    /**
     * Draw whether the last frame of a queue gives way to one that finds no room.
     *
     * @param egress the port of the queue, which has caught up
     * @return whether there is a last frame, at least as long, and it gives way
     */
    bool Displaces(const FabricFrame& frame, const FabricTransmitter& egress);

    /// @return the switch, after Install()
    FabricSwitch& GetSwitch() const
    {
        return *m_switch;
    }

  private:
    /// The overflows of a queue since a frame left it.
    struct Overflows
    {
        uint32_t left{0};  //!< frames that had left it
        uint32_t count{0}; //!< overflows since then
    };

    /// @return whether the last frame is lost by the rule EVEN
    /// @param lane the queue  @param overflows its overflows so far
    bool DrawsEvenly(const FrameLane& lane, Overflows& overflows);

    Victim m_victim{EVEN};              //!< which frame is lost
    Ptr<UniformRandomVariable> m_coin;  //!< decides which of two frames is lost
    FabricSwitch* m_switch{nullptr};    //!< the switch
    std::vector<Overflows> m_overflows; //!< with EVEN, by port and class
};

} // namespace aifabric
} // namespace ns3

#endif /* BUFFER_ADMISSION_H */
