/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCHML_CODEC_H
#define SWITCHML_CODEC_H

#include "aggregation-codec.h"

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The codec of FrameKind::SWITCHML: packets of SwitchML (Sapio et al., NSDI 2021; p4app-switchML),
 * behind UDP to port 48864 (0xBEE0), in network order:
 *
 * - 4 bits message type (MessageType), 1 bit unused, 3 bits size: 128 bytes of values, shifted left
 *   by the size
 * - 8 bits: job
 * - 32 bits: number of the fragment
 * - 16 bits: slot; its highest bit is the set, of which a slot has two
 * - 8 bits, 8 bits: exponents of the next fragment
 * - 64 or 256 values of 32 bits
 *
 * The header does not name the worker: the switch knows it by the source host.
 */
class SwitchMlCodec : public AggregationCodec
{
  public:
    static constexpr uint16_t PORT = 0xBEE0;     //!< UDP destination port: 48864
    static constexpr uint16_t SET_MASK = 0x8000; //!< the set, in GradientFields::slot
    static constexpr uint32_t UNIT = 32;         //!< values of size 0
    static constexpr uint32_t FEW_VALUES = 64;   //!< in a packet of size 1
    static constexpr uint32_t MANY_VALUES = 256; //!< in a packet of size 3

    /// FabricFrame::opcode: what a packet is.
    enum MessageType : uint8_t
    {
        CONSUME = 0, //!< values of a worker
        HARVEST = 1, //!< the sum
    };

  protected:
    uint16_t GetPort() const override;
    FrameKind GetKind() const override;
    uint32_t GetBodyBytes(const FabricFrame& frame) const override;
    void WriteBody(Buffer::Iterator i, const FabricFrame& frame) const override;
    CodecResult ReadBody(Buffer::Iterator i, uint32_t size, FabricFrame& frame) const override;

  private:
    static constexpr uint32_t HEADER = 10; //!< bytes before the values
};

} // namespace aifabric
} // namespace ns3

#endif /* SWITCHML_CODEC_H */
