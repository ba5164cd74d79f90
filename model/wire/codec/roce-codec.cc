/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-codec.h"

#include "conweave-codec.h"
#include "frame-codec.h"
#include "header-bytes.h"
#include "rc-codec.h"
#include "roce-bth-header.h"
#include "roce-icrc.h"

#include "ns3/address-plan.h"
#include "ns3/udp-header.h"

#include <array>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return bytes that fill up the message's bytes to a multiple of four
uint32_t
GetPad(const FabricFrame& frame)
{
    return -frame.payload & 3U;
}

/// Put the ICRC in its place, at the end.  @param packet a packet from its IP header on
void
WriteIcrc(Packet& packet)
{
    packet.RemoveAtEnd(RoceIcrc::SIZE);
    std::vector<uint8_t> bytes(packet.GetSize());
    packet.CopyData(bytes.data(), bytes.size());
    const uint32_t icrc = RoceIcrc::Calculate(bytes.data(), bytes.size());
    std::array<uint8_t, RoceIcrc::SIZE> trailer;
    for (std::size_t b = 0; b < trailer.size(); ++b)
    {
        trailer[b] = icrc >> (8 * b);
    }
    packet.AddAtEnd(Create<Packet>(trailer.data(), trailer.size()));
}

/// @return the ICRC that a packet has  @param i its first byte
uint32_t
ReadIcrc(Buffer::Iterator i)
{
    uint32_t icrc = 0; // least significant byte first
    for (int shift = 0; shift < 32; shift += 8)
    {
        icrc |= uint32_t{i.ReadU8()} << shift;
    }
    return icrc;
}

} // namespace

const BthCodec&
RoceCodec::GetTransport(uint8_t opcode)
{
    static const RcCodec rc;
    static const MrcCodec mrc;
    static const SprayCodec spray;
    static const ConweaveCodec conweave;
    // By the upper four bits of the opcode; three of them name the transport service. RcCodec has
    // no opcodes but its own, so that those of services without a codec are not known. The last
    // four are for manufacturers.
    static const std::array<const BthCodec*, 16> codecs{&rc,
                                                        &rc,
                                                        &rc,
                                                        &rc,
                                                        &rc,
                                                        &rc,
                                                        &rc,
                                                        &rc,
                                                        &rc,
                                                        &rc,
                                                        &rc,
                                                        &rc,
                                                        &mrc,
                                                        &mrc,
                                                        &spray,
                                                        &conweave};
    return *codecs[opcode >> 4];
}

uint32_t
RoceCodec::GetBytes(const FabricFrame& frame) const
{
    return GetHeaderBytes(frame) + frame.payload + GetPad(frame) + RoceIcrc::SIZE;
}

uint32_t
RoceCodec::GetHeaderBytes(const FabricFrame& frame) const
{
    const BthCodec& transport = GetTransport(frame.opcode);
    return IpCodec::GetHeaderSize(frame) + FrameCodec::UDP_SIZE + RoceBthHeader::SIZE +
           transport.GetBytes(frame.opcode, transport.GetBth(frame).reserved);
}

void
RoceCodec::SetEthernet(const FabricFrame& frame, EthernetHeader& ethernet) const
{
    ethernet.SetLengthType(IpCodec::GetEtherType(frame));
}

void
RoceCodec::WriteHeaders(Buffer::Iterator i, const FabricFrame& frame) const
{
    const uint32_t size = GetBytes(frame) - IpCodec::GetHeaderSize(frame);
    IpCodec::Write(i, frame, size);
    UdpHeader udp; // its checksum is zero unless enabled
    udp.SetSourcePort(frame.GetSourcePort());
    udp.SetDestinationPort(FrameCodec::ROCE_PORT);
    udp.ForcePayloadSize(size);
    WriteHeader(i, udp);
    const BthCodec& transport = GetTransport(frame.opcode);
    const BthCodec::BthFields fields = transport.GetBth(frame);
    RoceBthHeader bth;
    bth.SetOpcode(frame.opcode);
    bth.SetFlags(frame.flags);
    bth.SetPadCount(GetPad(frame));
    bth.SetDestinationQp(frame.destinationQp);
    bth.SetPsn(fields.psn);
    bth.SetReserved(fields.reserved);
    WriteHeader(i, bth);
    transport.Write(i, frame);
}

Ptr<Packet>
RoceCodec::Write(const FabricFrame& frame) const
{
    Buffer headers;
    headers.AddAtStart(GetHeaderBytes(frame));
    WriteHeaders(headers.Begin(), frame);
    Ptr<Packet> packet = Create<Packet>(headers.PeekData(), headers.GetSize());
    packet->AddAtEnd(Create<Packet>(frame.payload + GetPad(frame) + RoceIcrc::SIZE));
    WriteIcrc(*packet);
    return packet;
}

CodecResult
RoceCodec::Check(const FrameBytes& bytes)
{
    const IpSummary& ip = bytes.ip;
    if (!ip.checksumOk)
    {
        return CodecResult::BAD_CHECKSUM;
    }
    if (ip.GetPayloadSize() < FrameCodec::ROCE_SIZE)
    {
        return CodecResult::BAD_LENGTH;
    }
    Buffer::Iterator udpLength = bytes.start;
    udpLength.Next(ip.headerSize + IpCodec::PORTS_SIZE);
    if (udpLength.ReadNtohU16() != ip.GetPayloadSize())
    {
        return CodecResult::BAD_LENGTH;
    }
    Buffer::Iterator icrc = bytes.start;
    icrc.Next(ip.size - RoceIcrc::SIZE);
    const bool isRight =
        ReadIcrc(icrc) == RoceIcrc::Calculate(bytes.body, ip.size - RoceIcrc::SIZE);
    return isRight ? CodecResult::OK : CodecResult::BAD_ICRC;
}

CodecResult
RoceCodec::Read(const FrameBytes& bytes, FabricFrame& frame) const
{
    if (bytes.ip.isCut)
    {
        return bytes.isTrimmed ? ReadTrimmed(bytes, frame) : CodecResult::TRUNCATED;
    }
    const CodecResult check = Check(bytes);
    return check == CodecResult::OK ? ReadHeaders(bytes, frame) : check;
}

CodecResult
RoceCodec::ReadHeaders(const FrameBytes& bytes, FabricFrame& frame) const
{
    const IpSummary& ip = bytes.ip;
    Buffer::Iterator i = bytes.start;
    i.Next(ip.headerSize + FrameCodec::UDP_SIZE);
    const auto bth = ReadHeader<RoceBthHeader>(i);
    const uint8_t opcode = bth.GetOpcode();
    const BthCodec& transport = GetTransport(opcode);
    if (!transport.Supports(opcode) || bth.GetTransportVersion() != 0 ||
        ip.source == addressplan::INVALID_HOST || ip.destination == addressplan::INVALID_HOST)
    {
        return CodecResult::UNSUPPORTED;
    }
    const uint32_t body = ip.GetPayloadSize() - FrameCodec::ROCE_SIZE;
    const uint32_t extension = transport.GetBytes(opcode, bth.GetReserved());
    const uint32_t fixed = extension + bth.GetPadCount();
    if (body % 4 != 0 || body < fixed || (body > fixed && !transport.MayCarry(opcode)))
    {
        return CodecResult::BAD_LENGTH;
    }

    IpCodec::SetFields(ip, frame);
    FrameCodec::SetFlow(frame, uint32_t{ip.flowLabel} << 16 | ip.sourcePort);
    frame.kind = FrameKind::ROCE;
    frame.flags |= bth.GetFlags();
    frame.opcode = opcode;
    frame.destinationQp = bth.GetDestinationQp();
    frame.psn = bth.GetPsn();
    frame.payload = body - fixed;
    if (i.GetRemainingSize() >= extension)
    {
        frame.syndrome = bth.GetReserved();
        transport.Read(i, frame);
    }
    return CodecResult::OK;
}

CodecResult
RoceCodec::ReadTrimmed(const FrameBytes& bytes, FabricFrame& frame) const
{
    const uint32_t left = bytes.start.GetRemainingSize();
    const uint32_t wireBytes = FrameCodec::ETHERNET_SIZE + left + FrameCodec::FCS_SIZE;
    if (wireBytes < FrameCodec::MIN_FRAME_SIZE ||
        left < bytes.ip.headerSize + FrameCodec::UDP_SIZE + RoceBthHeader::SIZE)
    {
        return CodecResult::TRUNCATED;
    }
    if (!bytes.ip.checksumOk)
    {
        return CodecResult::BAD_CHECKSUM;
    }
    if (bytes.ip.GetPayloadSize() < FrameCodec::ROCE_SIZE)
    {
        return CodecResult::BAD_LENGTH;
    }
    const CodecResult result = ReadHeaders(bytes, frame);
    frame.wireBytes = wireBytes;
    frame.flags |= FRAME_TRIMMED;
    return result == CodecResult::OK && frame.payload == 0 ? CodecResult::TRUNCATED : result;
}

} // namespace aifabric
} // namespace ns3
