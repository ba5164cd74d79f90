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
 * - 0xE0 SPRAY_DATA and 0xE1 SPRAY_LAST, the last packet of a message
 *   - 32 bits: key of the message
 *   - 1 bit: the packet is sent again; 31 bits: its place in the message, in packets
 * - 0xE2 SPRAY_ACK and 0xE3 SPRAY_NACK
 *   - 8 bits: of an ACK, 1 if the packet that triggered it was sent again; of a NACK, its reason
 *     (NackCode)
 *   - 24 bits: messages that have come whole (MSN)
 * - 0xE2 SPRAY_ACK, behind these
 *   - 8 bits: receiver penalty, in 1/128 of the acknowledged bytes
 *   - 24 bits: cumulative PSN, the first packet that has not come
 *   - 8 bits: number of the probe that it answers; 0: none
 *   - 24 bits: PSN of bit 0 of the bitmap
 *   - 64 bits: bitmap; bit i is set if the packet i after that one has come
 *   - 64 bits: payload that has come, in bytes
 *   - 32 bits: packets that have come before one that is missing
 * - 0xE4 SPRAY_PROBE, to be answered with an ACK at once
 *   - 8 bits: its number, 1 to 254; 255: it only asks for reports (REPORT_REQUEST)
 *   - 24 bits: PSN of the first packet that the bitmap of the answer is to cover
 * - 0xE5 SPRAY_CREDIT, from a receiver that gives credit
 *   - 8 bits: 0
 *   - 24 bits: credit that it has given since the connection began
 * - 0xE6 SPRAY_REQUEST, from a sender that needs credit and cannot send data
 *   - 8 bits: 0
 *   - 24 bits: credit with which it can send all that it has (DemandFields::wanted)
 *   - 8 bits: 0
 *   - 24 bits: what it has sent and will send without credit (DemandFields::unsolicited)
 * - 0xE8 SPRAY_DEMAND_DATA and 0xE9 SPRAY_DEMAND_LAST, data of such a sender: the fields of
 *   SPRAY_REQUEST, and behind them those of SPRAY_DATA
 *
 * Credit is counted in units of SprayQueuePair::CreditQuantum bytes of payload, modulo 2^24.
 *
 * The PSN in the BTH of an ACK is that of the packet that triggered it; the UDP source port
 * (entropy) and the BECN bit (mark) are of that packet, too. In a NACK it is the packet that is
 * refused; in a probe and in the ACK that answers it, the first packet that is not acknowledged.
 */
class SprayCodec : public BthCodec
{
  public:
    static constexpr uint32_t DATA_BYTES = 8;              //!< behind the BTH of data
    static constexpr uint32_t NACK_BYTES = 4;              //!< behind the BTH of a NACK or credit
    static constexpr uint32_t PROBE_BYTES = 4;             //!< behind the BTH of a probe
    static constexpr uint32_t ACK_BYTES = NACK_BYTES + 28; //!< behind the BTH of an ACK
    static constexpr uint32_t DEMAND_BYTES = 8;            //!< of DemandFields
    static constexpr uint8_t DEMAND = 8; //!< in the opcode of data: it has DemandFields

    static constexpr uint8_t REPORT_REQUEST = 255; //!< number of a probe that shows no losses

    /// Reasons of a NACK.
    enum NackCode : uint8_t
    {
        TRIMMED = 1,          //!< a switch has cut off the data
        TRIMMED_LAST_HOP = 2, //!< the last switch has
    };

    /// @return whether a packet carries bytes of a message  @param opcode a RoceOpcode
    static constexpr bool IsData(uint8_t opcode)
    {
        return (opcode & ~(DEMAND | 1)) == SPRAY_DATA;
    }

    /// @return whether a packet of a message is its last one  @param opcode of data
    static constexpr bool IsLast(uint8_t opcode)
    {
        return opcode & 1;
    }

    /// @return whether a packet has DemandFields  @param opcode one of this codec
    static constexpr bool HasDemand(uint8_t opcode)
    {
        return opcode >= SPRAY_REQUEST;
    }

    /// @return bytes between the BTH and the bytes of the message  @param opcode one of this codec
    static constexpr uint32_t ExtensionBytes(uint8_t opcode)
    {
        switch (opcode)
        {
        case SPRAY_ACK:
            return ACK_BYTES;
        case SPRAY_NACK:
        case SPRAY_CREDIT:
            return NACK_BYTES;
        case SPRAY_PROBE:
            return PROBE_BYTES;
        case SPRAY_REQUEST:
            return DEMAND_BYTES;
        default:
            return opcode & DEMAND ? DEMAND_BYTES + DATA_BYTES : DATA_BYTES;
        }
    }

    bool Supports(uint8_t opcode) const override;
    bool MayCarry(uint8_t opcode) const override;
    uint32_t GetBytes(uint8_t opcode, uint8_t reserved) const override;
    void Write(Buffer::Iterator& i, const FabricFrame& frame) const override;
    void Read(Buffer::Iterator i, FabricFrame& frame) const override;
};

} // namespace aifabric
} // namespace ns3

#endif /* SPRAY_CODEC_H */
