/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rc-codec.h"

#include "header-bytes.h"

namespace ns3
{
namespace aifabric
{

bool
RcCodec::Supports(uint8_t opcode) const
{
    return IsKnown(opcode);
}

bool
RcCodec::MayCarry(uint8_t opcode) const
{
    return HasPayload(opcode);
}

uint32_t
RcCodec::GetBytes(uint8_t opcode, uint8_t) const
{
    return ExtensionBytes(opcode);
}

void
RcCodec::Write(Buffer::Iterator& i, const FabricFrame& frame) const
{
    if (HasReth(frame.opcode))
    {
        RoceRethHeader reth;
        reth.SetReth(frame.GetExtra().reth);
        WriteHeader(i, reth);
    }
    if (HasImmediate(frame.opcode))
    {
        RoceImmHeader immediate;
        immediate.SetImmediate(frame.GetExtra().immediate);
        WriteHeader(i, immediate);
    }
    if (HasAeth(frame.opcode))
    {
        RoceAethHeader aeth;
        aeth.SetSyndrome(frame.syndrome);
        aeth.SetMsn(frame.msn);
        WriteHeader(i, aeth);
    }
    if (frame.opcode == ROCE_CNP)
    {
        i.WriteU8(0, CNP_RESERVED_SIZE);
    }
}

void
RcCodec::Read(Buffer::Iterator i, FabricFrame& frame) const
{
    if (HasReth(frame.opcode))
    {
        frame.Extra().reth = ReadHeader<RoceRethHeader>(i).GetReth();
    }
    if (HasImmediate(frame.opcode))
    {
        frame.Extra().immediate = ReadHeader<RoceImmHeader>(i).GetImmediate();
    }
    if (HasAeth(frame.opcode))
    {
        const auto aeth = ReadHeader<RoceAethHeader>(i);
        frame.syndrome = aeth.GetSyndrome();
        frame.msn = aeth.GetMsn();
    }
}

} // namespace aifabric
} // namespace ns3
