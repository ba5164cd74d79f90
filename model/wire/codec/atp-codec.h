/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ATP_CODEC_H
#define ATP_CODEC_H

#include "aggregation-codec.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The codec of FrameKind::ATP: packets of ATP (Lao et al., NSDI 2021), and of ESA, which adds a
 * priority. ATP's public code has an EtherType and an IP-like header of its own; here the same
 * fields stand behind UDP to port 48880, in network order:
 *
 * - 32 bits: bitmap of the workers whose values the packet contains
 * - 8 bits: number of workers
 * - 8 bits: flags (Flag)
 * - 16 bits job, 16 bits sequence number: the key of the owner of a slot
 * - 16 bits: slot of the first half of the values; 16 bits: that of the second half, which is
 *   SECOND_SLOT more
 * - up to 62 values of 32 bits; none in reminders and requests
 * - 64 bits: number of the tensor
 * - 32 bits: length of the tensor in values, or the new slot in an acknowledgement after a
 *   collision
 * - WITH_PRIORITY only: 8 bits priority, 0 is the lowest; 4 bits flags (MoreFlag), 4 bits reserved
 *
 * The form follows from the length: without a priority it is 2 more than a multiple of 4.
 */
class AtpCodec : public AggregationCodec
{
  public:
    static constexpr uint16_t PORT = 48880;        //!< UDP destination port
    static constexpr uint32_t MOST_VALUES = 62;    //!< in a packet
    static constexpr uint16_t SECOND_SLOT = 20000; //!< distance of the two slots of a packet

    /// FabricFrame::opcode: which header a packet has.
    enum Form : uint8_t
    {
        PLAIN = 0,         //!< ATP
        WITH_PRIORITY = 1, //!< ESA
    };

    /// Bits of GradientFields::flags.
    enum Flag : uint8_t
    {
        IS_OVERFLOW = 0x80,     //!< the values are floats, or are to be sent as floats
        SECOND_HALF = 0x10,     //!< the packet is in its second pass through the switch
        HAS_MARK = 0x08,        //!< a packet of the sum was marked: congestion
        IS_RESENT = 0x04,       //!< the worker sends it again
        HAS_COLLIDED = 0x02,    //!< its slot belongs to another fragment
        IS_ACKNOWLEDGED = 0x01, //!< the result, from the parameter server
    };

    /// Bits of GradientFields::moreFlags: the upper four bits of the last byte.
    enum MoreFlag : uint8_t
    {
        IS_REMINDER = 0x80,  //!< the parameter server asks the switch for what it holds
        IS_PREEMPTED = 0x40, //!< another fragment took the slot of this partial sum
        IS_PARTIAL = 0x20,   //!< a sum that is not complete
        IS_REQUEST = 0x10,   //!< the parameter server asks the workers of the bitmap to send again
    };

  protected:
    uint16_t GetPort() const override;
    FrameKind GetKind() const override;
    uint32_t GetBodyBytes(const FabricFrame& frame) const override;
    void WriteBody(Buffer::Iterator i, const FabricFrame& frame) const override;
    CodecResult ReadBody(Buffer::Iterator i, uint32_t size, FabricFrame& frame) const override;

  private:
    static constexpr uint32_t FRONT = 14;   //!< bytes before the values
    static constexpr uint32_t BACK = 12;    //!< bytes behind the values
    static constexpr uint32_t PRIORITY = 2; //!< bytes of WITH_PRIORITY
};

} // namespace aifabric
} // namespace ns3

#endif /* ATP_CODEC_H */
