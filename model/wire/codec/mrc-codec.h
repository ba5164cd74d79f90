/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MRC_CODEC_H
#define MRC_CODEC_H

#include "bth-codec.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The codec of MRC, Multipath Reliable Connection (OCP MRC 1.0, section 7.5, as re-implementations
 * agree on it). Behind the BTH stand, in network order:
 *
 * | opcode             | packet                         | headers                               |
 * | ------------------ | ------------------------------ | ------------------------------------- |
 * | 0xC6 to 0xCB       | WRITE, with or without ImmDt   | METH 4, TSETH 4, RETH 16, ImmDt 4     |
 * | 0xD1               | transport ACK                  | AETH 4                                |
 * | 0xD8, 0xD9         | endpoint request and response  | ERTH 16, EETH 36                      |
 * | 0xDC               | SACK                           | SETH 28, congestion control state 8   |
 * | 0xDD               | NACK                           | NETH 20                               |
 * | 0xDE               | reliability probe              | PETH 16                               |
 *
 * Every packet of a message carries the whole RETH: the address of its own first byte, the key, and
 * the length of the message. The TSETH is optional on the wire (bit 4 of byte 8 of the BTH); this
 * module's queue pairs always send it, since congestion control needs a round-trip time.
 *
 * Fields of a frame that mean something else than in RC:
 *
 * | frame                            | WRITE             | SACK, NACK           | probe, endpoint |
 * | -------------------------------- | ----------------- | -------------------- | --------------- |
 * | psn                              | PSN               | PSN that it is about | id of the probe |
 * | syndrome                         | RETRANSMISSION    | reason of a NACK     | operation       |
 * | msn                              | RQMSN 16, MSN 16  |                      | ports, a bit each
 * | | sentAt, in units of 128 ns       | TSETH             | reflected            | its own, or
 * reflected | | GetExtra().sack                  |                   | what has come        | | |
 * GetExtra().immediate             | ImmDt             | own queue pair       | own queue pair  |
 *
 * The time in the frame is exact; the header has its last 16 bits in units of 128 ns.
 */
class MrcCodec : public BthCodec
{
  public:
    static constexpr uint32_t WRITE_BYTES = 24;     //!< METH, TSETH, RETH
    static constexpr uint32_t TSETH_BYTES = 4;      //!< of these, the TSETH
    static constexpr uint32_t IMMEDIATE_BYTES = 4;  //!< ImmDt
    static constexpr uint32_t ACK_BYTES = 4;        //!< AETH
    static constexpr uint32_t REQUEST_BYTES = 16;   //!< ERTH
    static constexpr uint32_t RESPONSE_BYTES = 36;  //!< EETH
    static constexpr uint32_t SACK_BYTES = 36;      //!< SETH and state
    static constexpr uint32_t NACK_BYTES = 20;      //!< NETH
    static constexpr uint32_t PROBE_BYTES = 16;     //!< PETH
    static constexpr uint8_t RETRANSMISSION = 0x20; //!< of a WRITE: the packet was sent before
    static constexpr uint8_t HAS_TIME = 0x10;       //!< of a WRITE: it has a TSETH
    static constexpr int64_t TICK = 128'000;        //!< unit of timestamps, in picoseconds

    /// Reasons of a NACK (OCP MRC 1.0, table 7-3; those of Ultra Ethernet).
    enum NackCode : uint8_t
    {
        TRIMMED = 0x01,          //!< a switch has cut off the data
        TRIMMED_LAST_HOP = 0x02, //!< the last switch has
        NO_BITMAP = 0x06,        //!< the receiver cannot track it
        NO_BUFFER = 0x07,        //!< the receiver has no place for the packet
        NO_RESOURCE = 0x0A,      //!< the receiver lacks something else
        OUT_OF_WINDOW = 0x0B,    //!< the PSN is beyond the range that the receiver tracks
        UNEXPECTED = 0x19,       //!< the queue pair has failed
    };

    /// Operations at an endpoint.
    enum Operation : uint8_t
    {
        PORT_STATUS = 0, //!< which ports of a NIC have links
        EV_PROBE = 1,    //!< whether a path works
    };

    /// @return whether a packet carries bytes of a message  @param opcode a RoceOpcode
    static constexpr bool IsData(uint8_t opcode)
    {
        return opcode >= MRC_WRITE_FIRST && opcode <= MRC_WRITE_ONLY_IMM;
    }

    /// @return whether it carries an immediate  @param opcode a RoceOpcode
    static constexpr bool HasImmediate(uint8_t opcode)
    {
        return opcode == MRC_WRITE_LAST_IMM || opcode == MRC_WRITE_ONLY_IMM;
    }

    /// @return bytes between the BTH and the bytes of the message  @param opcode one of this codec
    static constexpr uint32_t ExtensionBytes(uint8_t opcode)
    {
        switch (opcode)
        {
        case MRC_ACK:
            return ACK_BYTES;
        case MRC_REQUEST:
            return REQUEST_BYTES;
        case MRC_RESPONSE:
            return RESPONSE_BYTES;
        case MRC_SACK:
            return SACK_BYTES;
        case MRC_NACK:
            return NACK_BYTES;
        case MRC_PROBE:
            return PROBE_BYTES;
        default:
            return WRITE_BYTES + (HasImmediate(opcode) ? IMMEDIATE_BYTES : 0);
        }
    }

    bool Supports(uint8_t opcode) const override;
    bool MayCarry(uint8_t opcode) const override;
    uint32_t GetBytes(uint8_t opcode, uint8_t reserved) const override;
    BthFields GetBth(const FabricFrame& frame) const override;
    void Write(Buffer::Iterator& i, const FabricFrame& frame) const override;
    void Read(Buffer::Iterator i, FabricFrame& frame) const override;
};

} // namespace aifabric
} // namespace ns3

#endif /* MRC_CODEC_H */
