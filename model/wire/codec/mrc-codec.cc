/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mrc-codec.h"

#include "header-bytes.h"
#include "roce-aeth-header.h"
#include "roce-imm-header.h"
#include "roce-reth-header.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t PSN_MASK = 0xFFFFFF;  //!< a PSN has 24 bits
constexpr uint16_t TIMESTAMP = 1;        //!< type of the field behind a timestamp
constexpr uint32_t OUT_OF_ORDER = 32767; //!< the most packets out of order that a header holds
constexpr uint8_t IS_PROBE = 0x02;       //!< in a SACK: it answers a probe

/// @return a time in a header  @param time in picoseconds
uint16_t
ToTicks(int64_t time)
{
    return static_cast<uint16_t>(time / MrcCodec::TICK);
}

/// @return a time in picoseconds  @param ticks the time in a header
int64_t
FromTicks(uint16_t ticks)
{
    return ticks * MrcCodec::TICK;
}

/// Write a timestamp and what it is.  @param time in picoseconds
void
WriteTimestamp(Buffer::Iterator& i, int64_t time)
{
    i.WriteHtonU16(ToTicks(time));
    i.WriteHtonU16(TIMESTAMP);
}

/// Write the two queue pairs of a report.
void
WriteQueuePairs(Buffer::Iterator& i, const FabricFrame& frame)
{
    i.WriteHtonU16(frame.destinationQp);
    i.WriteHtonU16(frame.GetExtra().immediate);
}

/// Read them.
void
ReadQueuePairs(Buffer::Iterator& i, FabricFrame& frame)
{
    i.Next(2); // the destination, which the BTH has too
    frame.Extra().immediate = i.ReadNtohU16();
}

/// @return the packet that the BTH of a SACK names: the last one of those that have come without a
/// gap  @param sack the fields
uint32_t
GetCumulativeAck(const SackFields& sack)
{
    return (sack.cumulativePsn - 1) & PSN_MASK;
}

/// Write the headers of a SACK.
void
WriteSack(Buffer::Iterator& i, const FabricFrame& frame)
{
    const SackFields& sack = frame.GetExtra().sack;
    const uint32_t acked = GetCumulativeAck(sack);
    i.WriteU8(0);
    i.WriteU8(sack.verdict << 5 | (sack.probe != 0 ? IS_PROBE : 0));
    i.WriteHtonU16(sack.probe != 0 ? sack.probe : frame.psn - acked);
    i.WriteHtonU32(sack.entropy);
    WriteQueuePairs(i, frame);
    i.WriteHtonU32(acked);
    i.WriteU8(0); // type 0: state of NSCC
    i.WriteU8(sack.range);
    i.WriteHtonU16(sack.bitmapPsn - acked);
    i.WriteHtonU64(sack.bitmap);
    i.WriteHtonU16(ToTicks(frame.sentAt));
    i.WriteHtonU16(std::min<uint32_t>(sack.outOfOrder, OUT_OF_ORDER));
    const uint64_t units =
        (sack.receivedBytes + SackFields::BYTES_UNIT - 1) / SackFields::BYTES_UNIT;
    const uint32_t penalty = sack.restores << 7 | std::min<uint32_t>(sack.penalty, 127);
    i.WriteHtonU32(penalty << 24 | (units & PSN_MASK));
}

/// Read them.  @param frame the frame, with the PSN of its BTH
void
ReadSack(Buffer::Iterator i, FabricFrame& frame)
{
    SackFields sack{};
    i.ReadU8();
    const uint8_t flags = i.ReadU8();
    const uint16_t offset = i.ReadNtohU16();
    sack.verdict = flags >> 5 & 3;
    sack.entropy = i.ReadNtohU32();
    ReadQueuePairs(i, frame);
    const uint32_t acked = i.ReadNtohU32() & PSN_MASK;
    sack.cumulativePsn = acked + 1;
    i.ReadU8();
    sack.range = i.ReadU8();
    sack.bitmapPsn = acked + static_cast<int16_t>(i.ReadNtohU16());
    sack.bitmap = i.ReadNtohU64();
    frame.sentAt = FromTicks(i.ReadNtohU16());
    sack.outOfOrder = i.ReadNtohU16() & OUT_OF_ORDER;
    const uint32_t state = i.ReadNtohU32();
    sack.receivedBytes = uint64_t{state & PSN_MASK} * SackFields::BYTES_UNIT;
    sack.penalty = state >> 24 & 127;
    sack.restores = state >> 31;
    sack.probe = flags & IS_PROBE ? offset : 0;
    frame.psn = flags & IS_PROBE ? acked : acked + static_cast<int16_t>(offset);
    frame.Extra().sack = sack;
}

/// Write the header of a NACK.
void
WriteNack(Buffer::Iterator& i, const FabricFrame& frame)
{
    i.WriteHtonU16(0);
    i.WriteU8(frame.syndrome);
    i.WriteU8(0);
    i.WriteHtonU32(frame.GetExtra().sack.entropy);
    WriteQueuePairs(i, frame);
    i.WriteHtonU32(frame.psn);
    i.WriteHtonU16(0);
    i.WriteHtonU16(ToTicks(frame.sentAt));
}

/// Read it.
void
ReadNack(Buffer::Iterator i, FabricFrame& frame)
{
    i.ReadNtohU16();
    frame.syndrome = i.ReadU8();
    i.ReadU8();
    frame.Extra().sack.entropy = i.ReadNtohU32();
    ReadQueuePairs(i, frame);
    i.ReadNtohU32(); // the PSN, which the BTH has too
    i.ReadNtohU16();
    frame.sentAt = FromTicks(i.ReadNtohU16());
}

/// @return the reserved bits of the BTH of a packet that carries data; a switch that trims it
/// overwrites its syndrome, and all packets have a timestamp
uint8_t
GetDataBits(const FabricFrame& frame)
{
    return frame.flags & FRAME_TRIMMED ? MrcCodec::HAS_TIME : static_cast<uint8_t>(frame.syndrome);
}

/// Write the headers of a packet that carries data.
void
WriteData(Buffer::Iterator& i, const FabricFrame& frame)
{
    const FrameExtra& extra = frame.GetExtra();
    i.WriteHtonU32(frame.msn);
    if (GetDataBits(frame) & MrcCodec::HAS_TIME)
    {
        WriteTimestamp(i, frame.sentAt);
    }
    RoceRethHeader reth;
    reth.SetReth(extra.reth);
    WriteHeader(i, reth);
    if (MrcCodec::HasImmediate(frame.opcode))
    {
        i.WriteHtonU32(extra.immediate);
    }
}

/// Read them.
void
ReadData(Buffer::Iterator i, FabricFrame& frame)
{
    frame.msn = i.ReadNtohU32();
    if (frame.syndrome & MrcCodec::HAS_TIME)
    {
        frame.sentAt = FromTicks(i.ReadNtohU16());
        i.ReadNtohU16();
    }
    frame.Extra().reth = ReadHeader<RoceRethHeader>(i).GetReth();
    if (MrcCodec::HasImmediate(frame.opcode))
    {
        frame.Extra().immediate = i.ReadNtohU32();
    }
}

} // namespace

bool
MrcCodec::Supports(uint8_t opcode) const
{
    switch (opcode)
    {
    case MRC_ACK:
    case MRC_REQUEST:
    case MRC_RESPONSE:
    case MRC_SACK:
    case MRC_NACK:
    case MRC_PROBE:
        return true;
    default:
        return IsData(opcode);
    }
}

bool
MrcCodec::MayCarry(uint8_t opcode) const
{
    return IsData(opcode);
}

uint32_t
MrcCodec::GetBytes(uint8_t opcode, uint8_t reserved) const
{
    const bool lacksTime = IsData(opcode) && !(reserved & HAS_TIME);
    return ExtensionBytes(opcode) - (lacksTime ? TSETH_BYTES : 0);
}

BthCodec::BthFields
MrcCodec::GetBth(const FabricFrame& frame) const
{
    switch (frame.opcode)
    {
    case MRC_SACK:
        return {GetCumulativeAck(frame.GetExtra().sack), 0};
    case MRC_PROBE:
        return {0, 0};
    default:
        return {frame.psn, IsData(frame.opcode) ? GetDataBits(frame) : uint8_t{0}};
    }
}

void
MrcCodec::Write(Buffer::Iterator& i, const FabricFrame& frame) const
{
    switch (frame.opcode)
    {
    case MRC_ACK: {
        RoceAethHeader aeth;
        aeth.SetSyndrome(frame.syndrome);
        aeth.SetMsn(frame.msn);
        WriteHeader(i, aeth);
        return;
    }
    case MRC_REQUEST:
        i.WriteHtonU16(frame.syndrome & 3);
        i.WriteHtonU16(0);
        i.WriteHtonU32(frame.msn);
        i.WriteHtonU32(0);
        WriteTimestamp(i, frame.sentAt);
        return;
    case MRC_RESPONSE:
        i.WriteHtonU16((frame.syndrome & 3) << 2);
        i.WriteU8(0, 26);
        i.WriteHtonU16(ToTicks(frame.sentAt));
        i.WriteU8(0, 6);
        return;
    case MRC_SACK:
        WriteSack(i, frame);
        return;
    case MRC_NACK:
        WriteNack(i, frame);
        return;
    case MRC_PROBE:
        i.WriteHtonU32(0);
        i.WriteHtonU16(frame.psn);
        i.WriteHtonU16(0);
        WriteQueuePairs(i, frame);
        WriteTimestamp(i, frame.sentAt);
        return;
    default:
        WriteData(i, frame);
    }
}

void
MrcCodec::Read(Buffer::Iterator i, FabricFrame& frame) const
{
    switch (frame.opcode)
    {
    case MRC_ACK: {
        const auto aeth = ReadHeader<RoceAethHeader>(i);
        frame.syndrome = aeth.GetSyndrome();
        frame.msn = aeth.GetMsn();
        return;
    }
    case MRC_REQUEST:
        frame.syndrome = i.ReadNtohU16() & 3;
        i.Next(2);
        frame.msn = i.ReadNtohU32();
        i.Next(4);
        frame.sentAt = FromTicks(i.ReadNtohU16());
        return;
    case MRC_RESPONSE:
        frame.syndrome = i.ReadNtohU16() >> 2 & 3;
        i.Next(26);
        frame.sentAt = FromTicks(i.ReadNtohU16());
        return;
    case MRC_SACK:
        ReadSack(i, frame);
        return;
    case MRC_NACK:
        ReadNack(i, frame);
        return;
    case MRC_PROBE:
        i.Next(4);
        frame.psn = i.ReadNtohU16();
        i.Next(2);
        ReadQueuePairs(i, frame);
        frame.sentAt = FromTicks(i.ReadNtohU16());
        return;
    default:
        ReadData(i, frame);
    }
}

} // namespace aifabric
} // namespace ns3
