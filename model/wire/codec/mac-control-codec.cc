/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mac-control-codec.h"

#include "header-bytes.h"
#include "mac-control-header.h"

#include "ns3/mac48-address.h"

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the MAC control header of a frame  @param frame a PAUSE or PFC frame
MacControlHeader
MakeHeader(const FabricFrame& frame)
{
    MacControlHeader control;
    control.SetOpcode(frame.kind == FrameKind::PFC ? MacControlHeader::PFC
                                                   : MacControlHeader::PAUSE);
    control.SetPauseVector(frame.GetExtra().pause);
    return control;
}

} // namespace

uint32_t
MacControlCodec::GetBytes(const FabricFrame& frame) const
{
    return GetHeaderBytes(frame);
}

uint32_t
MacControlCodec::GetHeaderBytes(const FabricFrame& frame) const
{
    return MakeHeader(frame).GetSerializedSize();
}

void
MacControlCodec::SetEthernet(const FabricFrame&, EthernetHeader& ethernet) const
{
    ethernet.SetDestination(Mac48Address("01:80:c2:00:00:01"));
    ethernet.SetLengthType(MacControlHeader::ETHER_TYPE);
}

void
MacControlCodec::WriteHeaders(Buffer::Iterator i, const FabricFrame& frame) const
{
    WriteHeader(i, MakeHeader(frame));
}

Ptr<Packet>
MacControlCodec::Write(const FabricFrame& frame) const
{
    Ptr<Packet> packet = Create<Packet>();
    packet->AddHeader(MakeHeader(frame));
    return packet;
}

CodecResult
MacControlCodec::Read(const FrameBytes& bytes, FabricFrame& frame) const
{
    return ReadHeaders(bytes, frame);
}

CodecResult
MacControlCodec::ReadHeaders(const FrameBytes& bytes, FabricFrame& frame) const
{
    Buffer::Iterator i = bytes.start;
    MacControlHeader control;
    if (i.GetRemainingSize() < MacControlHeader::OPCODE_SIZE)
    {
        return CodecResult::TRUNCATED;
    }
    Buffer::Iterator opcode = i;
    control.SetOpcode(opcode.ReadNtohU16());
    if (control.GetOpcode() != MacControlHeader::PAUSE &&
        control.GetOpcode() != MacControlHeader::PFC)
    {
        return CodecResult::UNSUPPORTED;
    }
    if (i.GetRemainingSize() < control.GetSerializedSize())
    {
        return CodecResult::TRUNCATED;
    }
    control.Deserialize(i);
    frame.kind = control.GetOpcode() == MacControlHeader::PFC ? FrameKind::PFC : FrameKind::PAUSE;
    frame.Extra().pause = control.GetPauseVector();
    return CodecResult::OK;
}

} // namespace aifabric
} // namespace ns3
