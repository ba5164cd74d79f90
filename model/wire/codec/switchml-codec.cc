/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switchml-codec.h"

#include "ns3/assert.h"

namespace ns3
{
namespace aifabric
{

uint16_t
SwitchMlCodec::GetPort() const
{
    return PORT;
}

FrameKind
SwitchMlCodec::GetKind() const
{
    return FrameKind::SWITCHML;
}

uint32_t
SwitchMlCodec::GetBodyBytes(const FabricFrame& frame) const
{
    return HEADER + frame.GetExtra().values.GetSize() * WORD;
}

void
SwitchMlCodec::WriteBody(Buffer::Iterator i, const FabricFrame& frame) const
{
    const GradientFields& fields = frame.GetExtra().gradients;
    const bool isLong = frame.GetExtra().values.GetSize() == MANY_VALUES;
    NS_ASSERT_MSG(isLong || frame.GetExtra().values.GetSize() == FEW_VALUES,
                  "a packet of SwitchML has 64 or 256 values");
    i.WriteU8(frame.opcode << 4 | (isLong ? 3 : 1));
    i.WriteU8(fields.job);
    i.WriteHtonU32(fields.sequence);
    i.WriteHtonU16(fields.slot);
    i.WriteU8(fields.exponents[0]);
    i.WriteU8(fields.exponents[1]);
    WriteValues(i, frame);
}

CodecResult
SwitchMlCodec::ReadBody(Buffer::Iterator i, uint32_t size, FabricFrame& frame) const
{
    if (size < HEADER)
    {
        return CodecResult::BAD_LENGTH;
    }
    const uint8_t first = i.ReadU8();
    const uint32_t count = UNIT << (first & 7);
    if (first >> 4 > HARVEST || (count != FEW_VALUES && count != MANY_VALUES))
    {
        return CodecResult::UNSUPPORTED;
    }
    if (size != HEADER + count * WORD)
    {
        return CodecResult::BAD_LENGTH;
    }
    frame.opcode = first >> 4;
    GradientFields& fields = frame.Extra().gradients;
    fields.job = i.ReadU8();
    fields.sequence = i.ReadNtohU32();
    fields.slot = i.ReadNtohU16();
    fields.exponents[0] = i.ReadU8();
    fields.exponents[1] = i.ReadU8();
    ReadValues(i, count, frame);
    return CodecResult::OK;
}

} // namespace aifabric
} // namespace ns3
