/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "spray-codec.h"

namespace ns3
{
namespace aifabric
{

namespace
{

/// Write a byte and a number of 24 bits.  @param high the byte  @param low the number
void
WritePair(Buffer::Iterator& i, uint8_t high, uint32_t low)
{
    i.WriteHtonU32(uint32_t{high} << 24 | (low & 0xFFFFFF));
}

/// Write the fields of an ACK alone.  @param sack the fields
void
WriteSack(Buffer::Iterator& i, const SackFields& sack)
{
    WritePair(i, sack.penalty, sack.cumulativePsn);
    WritePair(i, sack.probe, sack.bitmapPsn);
    i.WriteHtonU64(sack.bitmap);
    i.WriteHtonU64(sack.receivedBytes);
    i.WriteHtonU32(sack.outOfOrder);
}

/// Read them.  @return the fields
SackFields
ReadSack(Buffer::Iterator& i)
{
    SackFields sack{};
    const uint32_t cumulative = i.ReadNtohU32();
    sack.penalty = cumulative >> 24;
    sack.cumulativePsn = cumulative & 0xFFFFFF;
    const uint32_t bitmap = i.ReadNtohU32();
    sack.probe = bitmap >> 24;
    sack.bitmapPsn = bitmap & 0xFFFFFF;
    sack.bitmap = i.ReadNtohU64();
    sack.receivedBytes = i.ReadNtohU64();
    sack.outOfOrder = i.ReadNtohU32();
    return sack;
}

} // namespace

bool
SprayCodec::Supports(uint8_t opcode) const
{
    return IsData(opcode) || (opcode >= SPRAY_ACK && opcode <= SPRAY_REQUEST);
}

bool
SprayCodec::MayCarry(uint8_t opcode) const
{
    return IsData(opcode);
}

uint32_t
SprayCodec::GetBytes(uint8_t opcode, uint8_t) const
{
    return ExtensionBytes(opcode);
}

void
SprayCodec::Write(Buffer::Iterator& i, const FabricFrame& frame) const
{
    if (HasDemand(frame.opcode))
    {
        WritePair(i, 0, frame.GetExtra().demand.wanted);
        WritePair(i, 0, frame.GetExtra().demand.unsolicited);
    }
    if (IsData(frame.opcode))
    {
        i.WriteHtonU32(frame.msn);
        i.WriteHtonU32(frame.offset);
        return;
    }
    if (frame.opcode == SPRAY_REQUEST)
    {
        return;
    }
    WritePair(i, frame.syndrome, frame.msn);
    if (frame.opcode == SPRAY_ACK)
    {
        WriteSack(i, frame.GetExtra().sack);
    }
}

void
SprayCodec::Read(Buffer::Iterator i, FabricFrame& frame) const
{
    if (HasDemand(frame.opcode))
    {
        DemandFields& demand = frame.Extra().demand;
        demand.wanted = i.ReadNtohU32() & 0xFFFFFF;
        demand.unsolicited = i.ReadNtohU32() & 0xFFFFFF;
    }
    if (frame.opcode == SPRAY_REQUEST)
    {
        return;
    }
    const uint32_t first = i.ReadNtohU32();
    if (IsData(frame.opcode))
    {
        frame.msn = first;
        frame.offset = i.ReadNtohU32();
        return;
    }
    frame.syndrome = first >> 24;
    frame.msn = first & 0xFFFFFF;
    if (frame.opcode == SPRAY_ACK)
    {
        frame.Extra().sack = ReadSack(i);
    }
}

} // namespace aifabric
} // namespace ns3
