/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RC_CODEC_H
#define RC_CODEC_H

#include "bth-codec.h"
#include "roce-aeth-header.h"
#include "roce-imm-header.h"
#include "roce-reth-header.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The codec of InfiniBand's reliable connections, and of the CNP of RoCEv2: RETH, AETH and
 * immediate as the RoceOpcode asks for.
 *
 * Of the packets that answer a read, the first one names the read in FabricFrame::Extra(), as RETH
 * would, and not in bytes: a real requester finds it by the PSN.
 */
class RcCodec : public BthCodec
{
  public:
    static constexpr uint32_t CNP_RESERVED_SIZE = 16; //!< zeros after the BTH of a CNP, in bytes

    /// @return whether this module speaks an opcode  @param opcode a RoceOpcode
    static constexpr bool IsKnown(uint8_t opcode)
    {
        return opcode <= RC_ACK || opcode == ROCE_CNP;
    }

    /// @return whether a packet has an RDMA extended transport header  @param opcode a RoceOpcode
    static constexpr bool HasReth(uint8_t opcode)
    {
        return opcode == RC_WRITE_FIRST || opcode == RC_WRITE_ONLY || opcode == RC_WRITE_ONLY_IMM ||
               opcode == RC_READ_REQUEST;
    }

    /// @return whether a packet has an ACK extended transport header  @param opcode a RoceOpcode
    static constexpr bool HasAeth(uint8_t opcode)
    {
        return opcode >= RC_READ_RESPONSE_FIRST && opcode <= RC_ACK &&
               opcode != RC_READ_RESPONSE_MIDDLE;
    }

    /// @return whether a packet counts among those of messages  @param opcode a RoceOpcode
    static constexpr bool IsData(uint8_t opcode)
    {
        return opcode < RC_ACK;
    }

    /// @return whether a packet has immediate data  @param opcode a RoceOpcode
    static constexpr bool HasImmediate(uint8_t opcode)
    {
        return opcode == RC_SEND_LAST_IMM || opcode == RC_SEND_ONLY_IMM ||
               opcode == RC_WRITE_LAST_IMM || opcode == RC_WRITE_ONLY_IMM;
    }

    /// @return whether a packet may carry bytes of a message  @param opcode a RoceOpcode
    static constexpr bool HasPayload(uint8_t opcode)
    {
        return IsData(opcode) && opcode != RC_READ_REQUEST;
    }

    /// @return bytes between the BTH and the bytes of the message  @param opcode a RoceOpcode
    static constexpr uint32_t ExtensionBytes(uint8_t opcode)
    {
        return (HasReth(opcode) ? RoceRethHeader::SIZE : 0) +
               (HasImmediate(opcode) ? RoceImmHeader::SIZE : 0) +
               (HasAeth(opcode) ? RoceAethHeader::SIZE : 0) +
               (opcode == ROCE_CNP ? CNP_RESERVED_SIZE : 0);
    }

    bool Supports(uint8_t opcode) const override;
    bool MayCarry(uint8_t opcode) const override;
    uint32_t GetBytes(uint8_t opcode, uint8_t reserved) const override;
    void Write(Buffer::Iterator& i, const FabricFrame& frame) const override;
    void Read(Buffer::Iterator i, FabricFrame& frame) const override;
};

} // namespace aifabric
} // namespace ns3

#endif /* RC_CODEC_H */
