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
 * | opcode | bytes | field |
 * | --- | --- | --- |
 * | 0xC0 SPRAY_DATA, 0xC1 SPRAY_LAST | 4 | key of the message |
 * | | 4 | place of the packet in its message, in packets |
 * | 0xC2 SPRAY_ACK, 0xC3 SPRAY_NACK | 1 | ACK: 1 if the packet of the BTH's PSN was a
 * retransmission; NACK: reason (NackCode) | | | 3 | messages that have come whole (MSN) | | 0xC2
 * SPRAY_ACK | 1 | receiver penalty, in 1/128 of the acknowledged bytes | | | 3 | cumulative PSN:
 * the first packet that has not come | | | 1 | reserved | | | 3 | PSN of bit 0 of the bitmap | | |
 * 8 | bitmap: bit i is set if the packet i after that one has come | | | 8 | payload that has come,
 * in bytes | | | 4 | packets that have come before one that is missing |
 *
 * The PSN in the BTH of an ACK is that of the packet that triggered it; the UDP source port
 * (entropy) and the BECN bit (mark) are of that packet, too. In a NACK it is the packet that is
 * refused.
 */
class SprayCodec : public BthCodec
{
  public:
    static constexpr uint32_t DATA_BYTES = 8;              //!< behind the BTH of data
    static constexpr uint32_t NACK_BYTES = 4;              //!< behind the BTH of a NACK
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
        return opcode == SPRAY_ACK ? ACK_BYTES : opcode == SPRAY_NACK ? NACK_BYTES : DATA_BYTES;
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
