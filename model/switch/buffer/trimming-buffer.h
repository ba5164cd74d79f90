/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRIMMING_BUFFER_H
#define TRIMMING_BUFFER_H

#include "frame-trimmer.h"
#include "queue-limit.h"

#include "ns3/buffer-admission.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A buffer divided statically, whose data queues trim what does not fit: the frame loses its end,
 * gets a DSCP that marks it for the receiver, and goes on in the queue of that DSCP's class, which
 * should be served before the data. So the receiver learns at once what was lost (Handley et al.,
 * "Re-architecting datacenter networks and stacks for low latency and high performance", 2017;
 * Ultra Ethernet specification 1.0, section 3.6; SAI's packet trimming).
 *
 * A frame is trimmed if its class is one of Classes and it carries data. Frames that fit in no
 * queue are dropped. Victim concerns frames that are trimmed.
 *
 * **Conservation**: frames trimmed = trimmed frames forwarded + trimmed frames dropped; a frame
 * leaves the switch with all its bytes, or with TrimmedBytes and the rest counted as cut.
 */
class TrimmingBuffer : public BufferAdmission
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Install(FabricSwitch& fabricSwitch) override;
    AdmissionVerdict Admit(const FabricFrame& frame,
                           FabricTransmitter& egress,
                           int64_t now) override;
    void Trim(FabricFrame& frame, const FabricTransmitter& egress) override;
    bool Trims() const override;
    void SetLeastFactor(double least) override;
    void Count(PolicyCounters& counters) const override;

    /// @return room of a data queue that does not lead to a host, in bytes
    uint32_t GetPortBytes() const override;

    /// @return the same of one that does, as it was set; 0: as all others
    uint32_t GetLastHopBytes() const;

    /// @return frames trimmed
    uint64_t GetTrimmed() const;

    /// @return frames trimmed before a link to a host
    uint64_t GetTrimmedAtLastHop() const;

    /// @return bytes cut off
    uint64_t GetCutBytes() const;

  private:
    /// @return a type with the attributes of what is trimmed, and how
    static TypeId AddTrimming(TypeId type);

    /// Admit() a frame that finds no room.
    [[gnu::noinline]] AdmissionVerdict Overflow(const FabricFrame& frame,
                                                FabricTransmitter& egress,
                                                int64_t now);

    /// @return whether the last frame of a queue may be trimmed for one that finds no room: only if
    /// both have the same room  @param frame the one that arrives  @param egress its port
    bool MayGiveWay(const FabricFrame& frame, const FabricTransmitter& egress) const;

    /// @return the room of the queue of a frame, in bytes  @param egress its port
    const QueueLimit& GetRoom(const FabricFrame& frame, const FabricTransmitter& egress) const;

    QueueLimit m_portBytes;     //!< room of a data queue
    QueueLimit m_lastHopBytes;  //!< the same before a link to a host; 0: as all others
    QueueLimit m_againBytes;    //!< the same for retransmissions; 0: as for others
    uint8_t m_againDscp{0};     //!< DSCP of retransmissions
    uint32_t m_otherBytes{0};   //!< room of each other queue; 0: twice m_portBytes
    QueueLimit m_otherRoom;     //!< the same, when it is known
    uint8_t m_classes{0};       //!< bit c set: frames of class c may be trimmed
    uint16_t m_trimmedBytes{0}; //!< of a trimmed frame, FCS included
    uint8_t m_trimmedDscp{0};   //!< of frames trimmed within the fabric
    uint8_t m_lastHopDscp{0};   //!< of frames trimmed before a link to a host
    FrameTrimmer m_trimmer;     //!< trims them
};

} // namespace aifabric
} // namespace ns3

#endif /* TRIMMING_BUFFER_H */
