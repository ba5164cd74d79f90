/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONWEAVE_CODEC_H
#define CONWEAVE_CODEC_H

#include "bth-codec.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The codec of the packets that leaves of ConWeave send each other: as long as a CNP, which they
 * are like; of the 16 bytes behind the BTH the first three are kind, epoch and uplink of the
 * ConweaveTag.
 */
class ConweaveCodec : public BthCodec
{
  public:
    static constexpr uint32_t SIZE = 16; //!< bytes behind the BTH

    bool Supports(uint8_t opcode) const override;
    bool MayCarry(uint8_t opcode) const override;
    uint32_t GetBytes(uint8_t opcode, uint8_t reserved) const override;
    void Write(Buffer::Iterator& i, const FabricFrame& frame) const override;
    void Read(Buffer::Iterator i, FabricFrame& frame) const override;
};

} // namespace aifabric
} // namespace ns3

#endif /* CONWEAVE_CODEC_H */
