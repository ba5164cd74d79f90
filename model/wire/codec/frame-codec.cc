/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-codec.h"

#include "atp-codec.h"
#include "header-bytes.h"
#include "ip-codec.h"
#include "ip-packet-codec.h"
#include "mac-control-codec.h"
#include "mac-control-header.h"
#include "outer-codec.h"
#include "protocol-codec.h"
#include "roce-codec.h"
#include "srv6-routing-header.h"
#include "switchml-codec.h"

#include "ns3/ethernet-header.h"
#include "ns3/fabric-frame-pool.h"

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

/// @return the codec of a kind of frames
const ProtocolCodec&
GetCodec(FrameKind kind)
{
    static const RoceCodec roce;
    static const IpPacketCodec ip;
    static const AtpCodec atp;
    static const SwitchMlCodec switchMl;
    static const MacControlCodec control;
    static const std::array<const ProtocolCodec*, 6> codecs{&roce,
                                                            &ip,
                                                            &atp,
                                                            &switchMl,
                                                            &control,
                                                            &control};
    return *codecs[static_cast<std::size_t>(kind)];
}

/// @return the kind of the frame that carries an IP packet  @param ip the packet
FrameKind
FindKind(const IpSummary& ip)
{
    static const std::map<uint16_t, FrameKind> ofUdpPorts{
        {FrameCodec::ROCE_PORT, FrameKind::ROCE},
        {AtpCodec::PORT, FrameKind::ATP},
        {SwitchMlCodec::PORT, FrameKind::SWITCHML},
    };
    const auto found = ofUdpPorts.find(ip.destinationPort);
    const bool isUdp = ip.hasPorts && ip.protocol == FrameCodec::UDP_PROTOCOL;
    return isUdp && found != ofUdpPorts.end() ? found->second : FrameKind::IP;
}

/// Find the kind of a frame by its first bytes.  @param type its EtherType
/// @param available bytes above Ethernet  @param [in,out] bytes these; IP header and ports are read
/// @return OK, or why there is no frame
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

/// Read the outer headers of a frame of a fabric with source routing, if it has some.
/// @param plan of the fabric; null: it has no source routing  @param type EtherType of the frame
/// @param available bytes above Ethernet  @param [in,out] start the first byte above Ethernet;
/// then, of what is within  @param [out] outer what they say; 0 bytes: there are none
/// @return OK, or why there is no frame
Result
ReadOuter(const SourceRoutePlan* plan,
          uint16_t type,
          uint32_t available,
          Buffer::Iterator& start,
          OuterSummary& outer)
{
    constexpr uint32_t NEXT_HEADER = 6; // its place in an IPv6 header
    Buffer::Iterator next = start;
    if (!plan || type != IpCodec::IPV6_ETHER_TYPE || available < FrameCodec::IPV6_SIZE)
    {
        return Result::OK;
    }
    next.Next(NEXT_HEADER);
    const uint8_t protocol = next.ReadU8();
    if (protocol != OuterCodec::IPV6_IN_IP && protocol != Srv6RoutingHeader::PROTOCOL)
    {
        return Result::OK;
    }
    const Result result = OuterCodec::Read(start, available, *plan, outer);
    if (result == Result::OK)
    {
        start.Next(outer.bytes);
    }
    return result;
}

/// Give a frame what its outer headers say.  @param outer what they say; 0 bytes: there are none
/// @param plan of the fabric, or null  @param [in,out] frame the frame, from its inner headers
/// @return OK, or UNSUPPORTED: it has to have outer headers, or has others
Result
CompleteOuter(const OuterSummary& outer, const SourceRoutePlan* plan, FabricFrame& frame)
{
    const bool needsOuter = plan && frame.kind == FrameKind::ROCE;
    if (!needsOuter || outer.bytes == 0)
    {
        return needsOuter == (outer.bytes > 0) ? Result::OK : Result::UNSUPPORTED;
    }
    if (frame.flags & FRAME_TRIMMED)
    {
        frame.wireBytes += outer.bytes;
    }
    return OuterCodec::Complete(outer, *plan, frame);
}

/// Set the size of a frame that was read, unless it is trimmed: then its codec knows.
/// @return OK, or BAD_LENGTH if it is longer than a frame can be
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
/// @param plan of the fabric's outer headers, or null  @param isTrimmed whether a switch may have
/// cut off its end  @return OK, or why there is no frame
Result
ReadFrame(Ptr<const Packet> packet,
          EthernetHeader& ethernet,
          FabricFrame& frame,
          const SourceRoutePlan* plan,
          bool isTrimmed)
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
    const uint16_t type = ethernet.GetLengthType();
    OuterSummary outer;
    Result result = ReadOuter(plan, type, bytes.start.GetRemainingSize(), bytes.start, outer);
    bytes.body += outer.bytes;
    FrameKind kind = FrameKind::IP;
    if (result == Result::OK)
    {
        result = FindKind(type, bytes.start.GetRemainingSize(), bytes, kind);
    }
    if (result == Result::OK)
    {
        result = GetCodec(kind).Read(bytes, frame);
    }
    if (result == Result::OK)
    {
        result = CompleteOuter(outer, plan, frame);
    }
    return result == Result::OK ? SetWireBytes(frame) : result;
}

/// @return the Ethernet header of a frame
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

/// @return the bytes above Ethernet of a frame with outer headers
Ptr<Packet>
WriteEncapsulated(const FabricFrame& frame, uint16_t plane)
{
    const Ptr<Packet> inner = GetCodec(frame.kind).Write(*OuterCodec::MakeInner(frame));
    Buffer outer;
    outer.AddAtStart(OuterCodec::GetBytes(frame));
    Buffer::Iterator i = outer.Begin();
    OuterCodec::Write(i, frame, plane, inner->GetSize());
    const Ptr<Packet> packet = Create<Packet>(outer.PeekData(), outer.GetSize());
    packet->AddAtEnd(inner);
    return packet;
}

} // namespace

uint32_t
FrameCodec::WireBytes(const FabricFrame& frame)
{
    return EthernetWireBytes(OuterCodec::GetBytes(frame) + GetCodec(frame.kind).GetBytes(frame));
}

Ptr<Packet>
FrameCodec::Serialize(const FabricFrame& frame, Mac48Address source, Mac48Address destination)
{
    Ptr<Packet> packet =
        OuterCodec::GetBytes(frame) > 0
            ? WriteEncapsulated(
                  frame,
                  OuterCodec::FindPlane(*FabricFramePool::FindPlan(frame), source, destination))
            : GetCodec(frame.kind).Write(frame);
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
    return ETHERNET_SIZE + OuterCodec::GetBytes(frame) + GetCodec(frame.kind).GetHeaderBytes(frame);
}

void
FrameCodec::WriteHeaders(Buffer::Iterator i,
                         const FabricFrame& frame,
                         Mac48Address source,
                         Mac48Address destination)
{
    WriteHeader(i, MakeEthernet(frame, source, destination));
    const SourceRoutePlan* plan = FabricFramePool::FindPlan(frame);
    if (!plan)
    {
        GetCodec(frame.kind).WriteHeaders(i, frame);
        return;
    }
    const Ptr<FabricFrame> inner = OuterCodec::MakeInner(frame);
    const uint16_t plane = OuterCodec::FindPlane(*plan, source, destination);
    OuterCodec::Write(i, frame, plane, GetCodec(frame.kind).GetBytes(*inner));
    GetCodec(frame.kind).WriteHeaders(i, *inner);
}

FrameCodec::Result
FrameCodec::ReadHeaders(Buffer::Iterator i, FabricFrame& frame)
{
    EthernetHeader ethernet(false);
    FrameBytes bytes;
    bytes.start = i;
    bytes.start.Next(ethernet.Deserialize(i));
    const uint16_t type = ethernet.GetLengthType();
    constexpr uint32_t MANY = std::numeric_limits<uint32_t>::max();
    const SourceRoutePlan* plan = FabricFramePool::FindPlan(frame); // a new frame is of RoCE
    OuterSummary outer;
    Result result = ReadOuter(plan, type, MANY, bytes.start, outer);
    FrameKind kind = FrameKind::IP;
    if (result == Result::OK)
    {
        result = FindKind(type, MANY, bytes, kind);
    }
    if (result == Result::OK)
    {
        result = GetCodec(kind).ReadHeaders(bytes, frame);
    }
    if (result == Result::OK)
    {
        result = CompleteOuter(outer, plan, frame);
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
    const Result outcome = ReadFrame(packet, ethernet, *frame, PeekPointer(pool.GetPlan()), false);
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
    Result outcome = ReadFrame(packet, ethernet, *frame, PeekPointer(pool.GetPlan()), true);
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
