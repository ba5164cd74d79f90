/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SPRAY_CODEC_H
#define SPRAY_CODEC_H

#include "bth-codec.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The codec of packets that are sprayed (SprayQueuePair). They have a BTH with an opcode of the
 * manufacturer's range, and behind it, in network order:
 *
 * - 0xC0 SPRAY_DATA and 0xC1 SPRAY_LAST, the last packet of a message
 *   - 32 bits: key of the message
 *   - 1 bit: the packet is sent again; 31 bits: its place in the message, in packets
 * - 0xC2 SPRAY_ACK and 0xC3 SPRAY_NACK
 *   - 8 bits: of an ACK, 1 if the packet that triggered it was sent again; of a NACK, its reason
 *     (NackCode)
 *   - 24 bits: messages that have come whole (MSN)
 * - 0xC2 SPRAY_ACK, behind these
 *   - 8 bits: receiver penalty, in 1/128 of the acknowledged bytes
 *   - 24 bits: cumulative PSN, the first packet that has not come
 *   - 8 bits: number of the probe that it answers; 0: none
 *   - 24 bits: PSN of bit 0 of the bitmap
 *   - 64 bits: bitmap; bit i is set if the packet i after that one has come
 *   - 64 bits: payload that has come, in bytes
 *   - 32 bits: packets that have come before one that is missing
 *
 * - 0xC6 SPRAY_PROBE, to be answered with an ACK at once
 *   - 8 bits: its number, above 0
 *   - 24 bits: reserved
 *
 * The PSN in the BTH of an ACK is that of the packet that triggered it; the UDP source port
 * (entropy) and the BECN bit (mark) are of that packet, too. In a NACK it is the packet that is
 * refused; in a probe and in the ACK that answers it, the first packet that is not acknowledged.
 */
class SprayCodec : public BthCodec
{
  public:
    static constexpr uint32_t DATA_BYTES = 8;              //!< behind the BTH of data
    static constexpr uint32_t NACK_BYTES = 4;              //!< behind the BTH of a NACK
    static constexpr uint32_t PROBE_BYTES = 4;             //!< behind the BTH of a probe
    static constexpr uint32_t ACK_BYTES = NACK_BYTES + 28; //!< behind the BTH of an ACK

    /// Reasons of a NACK.
    enum NackCode : uint8_t
    {
        TRIMMED = 1,          //!< a switch has cut off the data
        TRIMMED_LAST_HOP = 2, //!< the last switch has
    };

    /// @return whether a packet carries bytes of a message  @param opcode a RoceOpcode
    static constexpr bool IsData(uint8_t opcode)
    {
        return opcode == SPRAY_DATA || opcode == SPRAY_LAST;
    }

    /// @return bytes between the BTH and the bytes of the message  @param opcode one of this codec
    static constexpr uint32_t ExtensionBytes(uint8_t opcode)
    {
        return IsData(opcode)          ? DATA_BYTES
               : opcode == SPRAY_ACK   ? ACK_BYTES
               : opcode == SPRAY_PROBE ? PROBE_BYTES
                                       : NACK_BYTES;
    }

    bool Knows(uint8_t opcode) const override;
    bool MayCarry(uint8_t opcode) const override;
    uint32_t GetBytes(uint8_t opcode) const override;
    void Write(Buffer::Iterator& i, const FabricFrame& frame) const override;
    void Read(Buffer::Iterator i, FabricFrame& frame) const override;
};

} // namespace aifabric
} // namespace ns3

#endif /* SPRAY_CODEC_H */
