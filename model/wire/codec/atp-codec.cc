/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "atp-codec.h"

namespace ns3
{
namespace aifabric
{

uint16_t
AtpCodec::GetPort() const
{
    return PORT;
}

FrameKind
AtpCodec::GetKind() const
{
    return FrameKind::ATP;
}

uint32_t
AtpCodec::GetBodyBytes(const FabricFrame& frame) const
{
    const uint32_t bytes = frame.GetExtra().values.GetSize() * WORD;
    return FRONT + bytes + BACK + (frame.opcode == WITH_PRIORITY ? PRIORITY : 0);
}

void
AtpCodec::WriteBody(Buffer::Iterator i, const FabricFrame& frame) const
{
    const GradientFields& fields = frame.GetExtra().gradients;
    i.WriteHtonU32(fields.bitmap);
    i.WriteU8(fields.workers);
    i.WriteU8(fields.flags);
    i.WriteHtonU16(fields.job);
    i.WriteHtonU16(fields.sequence);
    i.WriteHtonU16(fields.slot);
    i.WriteHtonU16(fields.slot + SECOND_SLOT);
    WriteValues(i, frame);
    i.WriteHtonU64(fields.tensor);
    i.WriteHtonU32(fields.length);
    if (frame.opcode == WITH_PRIORITY)
    {
        i.WriteU8(fields.priority);
        i.WriteU8(fields.moreFlags);
    }
}

CodecResult
AtpCodec::ReadBody(Buffer::Iterator i, uint32_t size, FabricFrame& frame) const
{
    const bool hasPriority = size % WORD == 0; // FRONT + BACK is 2 more than a multiple
    const uint32_t fixed = FRONT + BACK + (hasPriority ? PRIORITY : 0);
    if (size < fixed || (size - fixed) % WORD != 0 || size - fixed > MOST_VALUES * WORD)
    {
        return CodecResult::BAD_LENGTH;
    }
    frame.opcode = hasPriority ? WITH_PRIORITY : PLAIN;
    GradientFields& fields = frame.Extra().gradients;
    fields.bitmap = i.ReadNtohU32();
    fields.workers = i.ReadU8();
    fields.flags = i.ReadU8();
    fields.job = i.ReadNtohU16();
    fields.sequence = i.ReadNtohU16();
    fields.slot = i.ReadNtohU16();
    i.Next(2); // the slot of the second half
    ReadValues(i, (size - fixed) / WORD, frame);
    fields.tensor = i.ReadNtohU64();
    fields.length = i.ReadNtohU32();
    if (hasPriority)
    {
        fields.priority = i.ReadU8();
        fields.moreFlags = i.ReadU8();
    }
    return CodecResult::OK;
}

} // namespace aifabric
} // namespace ns3
