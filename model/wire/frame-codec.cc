/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-codec.h"

#include "fabric-frame-pool.h"
#include "header-bytes.h"
#include "ip-codec.h"
#include "ip-packet-codec.h"
#include "mac-control-codec.h"
#include "mac-control-header.h"
#include "protocol-codec.h"
#include "roce-codec.h"

#include "ns3/ethernet-header.h"

#include <array>
#include <limits>
#include <map>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

using Result = CodecResult;

/// @return the codec of a kind of frames  @param kind the kind
const ProtocolCodec&
GetCodec(FrameKind kind)
{
    static const RoceCodec roce;
    static const IpPacketCodec ip;
    static const MacControlCodec control;
    static const std::array<const ProtocolCodec*, 4> codecs{&roce, &ip, &control, &control};
    return *codecs[static_cast<std::size_t>(kind)];
}

/// @return the kind of the frame that carries an IP packet  @param ip the packet
FrameKind
FindKind(const IpSummary& ip)
{
    static const std::map<uint16_t, FrameKind> ofUdpPorts{
        {FrameCodec::ROCE_PORT, FrameKind::ROCE},
    };
    const auto found = ofUdpPorts.find(ip.destinationPort);
    const bool isUdp = ip.hasPorts && ip.protocol == FrameCodec::UDP_PROTOCOL;
    return isUdp && found != ofUdpPorts.end() ? found->second : FrameKind::IP;
}

/// Find the kind of a frame by its first bytes.  @param type its EtherType
/// @param available bytes above Ethernet  @param [in,out] bytes these; IP header and ports are read
/// @param [out] kind the kind  @return OK, or why there is no frame
Result
FindKind(uint16_t type, uint32_t available, FrameBytes& bytes, FrameKind& kind)
{
    if (type == MacControlHeader::ETHER_TYPE)
    {
        kind = FrameKind::PAUSE;
        return Result::OK;
    }
    if (type != IpCodec::IPV4_ETHER_TYPE && type != IpCodec::IPV6_ETHER_TYPE)
    {
        return Result::UNSUPPORTED;
    }
    const Result result = IpCodec::Read(bytes.start, available, bytes.ip);
    if (result != Result::OK)
    {
        return result;
    }
    kind = FindKind(bytes.ip);
    return bytes.ip.ipv6 == (type == IpCodec::IPV6_ETHER_TYPE) ? Result::OK : Result::UNSUPPORTED;
}

/// Set the size of a frame that was read, unless it is trimmed: then its codec knows.
/// @param [in,out] frame the frame  @return OK, or BAD_LENGTH if it is longer than a frame can be
Result
SetWireBytes(FabricFrame& frame)
{
    const uint32_t bytes = FrameCodec::WireBytes(frame);
    if (!(frame.flags & FRAME_TRIMMED))
    {
        frame.wireBytes = bytes;
    }
    return bytes <= std::numeric_limits<uint16_t>::max() ? Result::OK : Result::BAD_LENGTH;
}

/// Read any frame.  @param packet the bytes from the Ethernet header on
/// @param [out] ethernet the Ethernet header  @param [in,out] frame a new frame
/// @param isTrimmed whether a switch may have cut off its end  @return OK, or why there is no frame
Result
ReadFrame(Ptr<const Packet> packet, EthernetHeader& ethernet, FabricFrame& frame, bool isTrimmed)
{
    std::vector<uint8_t> all(packet->GetSize());
    packet->CopyData(all.data(), all.size());
    if (all.size() < FrameCodec::ETHERNET_SIZE)
    {
        return Result::TRUNCATED;
    }
    const Buffer buffer = MakeBuffer(all.data(), all.size());
    FrameBytes bytes;
    bytes.packet = packet;
    bytes.body = all.data() + FrameCodec::ETHERNET_SIZE;
    bytes.start = buffer.Begin();
    bytes.start.Next(ethernet.Deserialize(bytes.start));
    bytes.isTrimmed = isTrimmed;
    FrameKind kind = FrameKind::IP;
    Result result = FindKind(ethernet.GetLengthType(), bytes.start.GetRemainingSize(), bytes, kind);
    if (result == Result::OK)
    {
        result = GetCodec(kind).Read(bytes, frame);
    }
    return result == Result::OK ? SetWireBytes(frame) : result;
}

/// @return the Ethernet header of a frame  @param frame the frame  @param source the sender
/// @param destination the receiver, unless the protocol has one of its own
EthernetHeader
MakeEthernet(const FabricFrame& frame, Mac48Address source, Mac48Address destination)
{
    EthernetHeader ethernet(false);
    ethernet.SetSource(source);
    ethernet.SetDestination(destination);
    GetCodec(frame.kind).SetEthernet(frame, ethernet);
    return ethernet;
}

} // namespace

uint32_t
FrameCodec::WireBytes(const FabricFrame& frame)
{
    return EthernetWireBytes(GetCodec(frame.kind).GetBytes(frame));
}

Ptr<Packet>
FrameCodec::Serialize(const FabricFrame& frame, Mac48Address source, Mac48Address destination)
{
    Ptr<Packet> packet = GetCodec(frame.kind).Write(frame);
    constexpr uint32_t MIN_SIZE = MIN_FRAME_SIZE - FCS_SIZE - ETHERNET_SIZE;
    if (packet->GetSize() < MIN_SIZE)
    {
        packet->AddAtEnd(Create<Packet>(MIN_SIZE - packet->GetSize()));
    }
    packet->AddHeader(MakeEthernet(frame, source, destination));
    if (frame.flags & FRAME_TRIMMED)
    {
        packet->RemoveAtEnd(packet->GetSize() + FCS_SIZE - frame.wireBytes);
    }
    return packet;
}

uint32_t
FrameCodec::HeaderBytes(const FabricFrame& frame)
{
    return ETHERNET_SIZE + GetCodec(frame.kind).GetHeaderBytes(frame);
}

void
FrameCodec::WriteHeaders(Buffer::Iterator i,
                         const FabricFrame& frame,
                         Mac48Address source,
                         Mac48Address destination)
{
    WriteHeader(i, MakeEthernet(frame, source, destination));
    GetCodec(frame.kind).WriteHeaders(i, frame);
}

FrameCodec::Result
FrameCodec::ReadHeaders(Buffer::Iterator i, FabricFrame& frame)
{
    EthernetHeader ethernet(false);
    FrameBytes bytes;
    bytes.start = i;
    bytes.start.Next(ethernet.Deserialize(i));
    FrameKind kind = FrameKind::IP;
    Result result =
        FindKind(ethernet.GetLengthType(), std::numeric_limits<uint32_t>::max(), bytes, kind);
    if (result == Result::OK)
    {
        result = GetCodec(kind).ReadHeaders(bytes, frame);
    }
    return result == Result::OK ? SetWireBytes(frame) : result;
}

Ptr<FabricFrame>
FrameCodec::Deserialize(Ptr<const Packet> packet,
                        FabricFramePool& pool,
                        Result* result,
                        Mac48Address* source,
                        Mac48Address* destination)
{
    Ptr<FabricFrame> frame = pool.Create();
    EthernetHeader ethernet(false);
    const Result outcome = ReadFrame(packet, ethernet, *frame, false);
    if (result)
    {
        *result = outcome;
    }
    if (outcome != Result::OK)
    {
        return nullptr;
    }
    if (source)
    {
        *source = ethernet.GetSource();
    }
    if (destination)
    {
        *destination = ethernet.GetDestination();
    }
    return frame;
}

Ptr<FabricFrame>
FrameCodec::DeserializeTrimmed(Ptr<const Packet> packet, FabricFramePool& pool, Result* result)
{
    Ptr<FabricFrame> frame = pool.Create();
    EthernetHeader ethernet(false);
    Result outcome = ReadFrame(packet, ethernet, *frame, true);
    if (outcome == Result::OK && !(frame->flags & FRAME_TRIMMED))
    {
        outcome = Result::BAD_LENGTH;
    }
    if (result)
    {
        *result = outcome;
    }
    return outcome == Result::OK ? frame : nullptr;
}

Ptr<FabricFrame>
FrameCodec::MakeIpFrame(Ptr<Packet> packet, FabricFramePool& pool, Result* result)
{
    Ptr<FabricFrame> frame = pool.Create();
    Result outcome = IpPacketCodec::ReadPacket(packet, *frame);
    if (outcome == Result::OK)
    {
        outcome = SetWireBytes(*frame);
    }
    if (result)
    {
        *result = outcome;
    }
    return outcome == Result::OK ? frame : nullptr;
}

void
FrameCodec::SyncIpHeader(FabricFrame& frame)
{
    if (Ptr<Packet> packet = IpPacketCodec::CopyIfChanged(frame))
    {
        frame.Extra().packet = packet;
    }
}

} // namespace aifabric
} // namespace ns3
