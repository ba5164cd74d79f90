/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BTH_CODEC_H
#define BTH_CODEC_H

#include "ns3/buffer.h"
#include "ns3/fabric-frame.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Translates what a transport has between the BTH of a RoCE packet and the bytes of the message:
 * the extended transport headers, which the opcode of the BTH asks for. RoceCodec finds the codec
 * by the opcode: a new transport is a subclass and a line in that table.
 */
class BthCodec
{
  public:
    virtual ~BthCodec() = default;

    /// @return whether this codec handles an opcode
    virtual bool Supports(uint8_t opcode) const = 0;

    /// @return whether a packet of an opcode may carry bytes of a message
    virtual bool MayCarry(uint8_t opcode) const = 0;

    /// @return bytes between the BTH and the bytes of the message
    /// @param reserved bits of the BTH that transports other than RC define (BthFields)
    virtual uint32_t GetBytes(uint8_t opcode, uint8_t reserved) const = 0;

    /// What a transport decides about the BTH.
    struct BthFields
    {
        uint32_t psn;     //!< the PSN
        uint8_t reserved; //!< bits 6 to 0 of byte 8, which RC does not use
    };

    /// @return what the BTH has
    virtual BthFields GetBth(const FabricFrame& frame) const
    {
        return {frame.psn, 0};
    }

    /// Write the headers behind the BTH.  @param [in,out] i where; then, behind them
    virtual void Write(Buffer::Iterator& i, const FabricFrame& frame) const = 0;

    /// Read the headers behind the BTH.  @param i the first byte behind the BTH
    /// @param [in,out] frame the frame with opcode and PSN, and with the reserved bits as syndrome
    virtual void Read(Buffer::Iterator i, FabricFrame& frame) const = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* BTH_CODEC_H */
