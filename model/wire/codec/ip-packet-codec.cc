/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ip-packet-codec.h"

#include "frame-codec.h"
#include "header-bytes.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"

#include <array>

namespace ns3
{
namespace aifabric
{

uint32_t
IpPacketCodec::GetBytes(const FabricFrame& frame) const
{
    return frame.GetExtra().packet->GetSize();
}

uint32_t
IpPacketCodec::GetHeaderBytes(const FabricFrame&) const
{
    NS_ABORT_MSG("an IP frame is not its headers alone");
}

void
IpPacketCodec::SetEthernet(const FabricFrame& frame, EthernetHeader& ethernet) const
{
    ethernet.SetLengthType(IpCodec::GetEtherType(frame));
}

void
IpPacketCodec::WriteHeaders(Buffer::Iterator, const FabricFrame&) const
{
    NS_ABORT_MSG("an IP frame is not its headers alone");
}

Ptr<Packet>
IpPacketCodec::Write(const FabricFrame& frame) const
{
    Ptr<Packet> packet = CopyIfChanged(frame);
    return packet ? packet : frame.GetExtra().packet->Copy();
}

CodecResult
IpPacketCodec::Read(const FrameBytes& bytes, FabricFrame& frame) const
{
    if (bytes.ip.isCut)
    {
        return CodecResult::TRUNCATED;
    }
    Ptr<Packet> inner = bytes.packet->Copy();
    inner->RemoveAtStart(FrameCodec::ETHERNET_SIZE);
    return ReadPacket(inner, frame);
}

CodecResult
IpPacketCodec::ReadHeaders(const FrameBytes&, FabricFrame&) const
{
    return CodecResult::UNSUPPORTED;
}

CodecResult
IpPacketCodec::ReadPacket(const Ptr<Packet>& packet, FabricFrame& frame)
{
    std::array<uint8_t, FrameCodec::IPV6_SIZE + IpCodec::PORTS_SIZE> head;
    const Buffer buffer = MakeBuffer(head.data(), packet->CopyData(head.data(), head.size()));
    IpSummary ip;
    const CodecResult result = IpCodec::Read(buffer.Begin(), packet->GetSize(), ip);
    if (result != CodecResult::OK || ip.isCut)
    {
        return result == CodecResult::OK ? CodecResult::TRUNCATED : result;
    }
    packet->RemoveAtEnd(packet->GetSize() - ip.size);
    IpCodec::SetFields(ip, frame);
    frame.entropy = ip.sourcePort;
    frame.flowHash = FrameCodec::FlowHash(ip.source,
                                          ip.destination,
                                          ip.sourcePort,
                                          ip.destinationPort,
                                          ip.protocol);
    frame.kind = FrameKind::IP;
    frame.Extra().packet = packet;
    return CodecResult::OK;
}

Ptr<Packet>
IpPacketCodec::CopyIfChanged(const FabricFrame& frame)
{
    NS_ASSERT_MSG(frame.kind == FrameKind::IP && frame.GetExtra().packet,
                  "a frame without an IP packet");
    if (frame.flags & FRAME_IPV6)
    {
        Ipv6Header ip;
        frame.GetExtra().packet->PeekHeader(ip);
        if (ip.GetTrafficClass() == frame.GetTos() && ip.GetHopLimit() == frame.ttl)
        {
            return nullptr;
        }
        Ptr<Packet> packet = frame.GetExtra().packet->Copy();
        std::array<uint8_t, 4> first;
        packet->CopyData(first.data(), first.size());
        packet->RemoveHeader(ip);
        ip.SetFlowLabel(IpCodec::GetFlowLabel(first));
        ip.SetTrafficClass(frame.GetTos());
        ip.SetHopLimit(frame.ttl);
        packet->AddHeader(ip);
        return packet;
    }
    Ipv4Header ip;
    frame.GetExtra().packet->PeekHeader(ip);
    if (ip.GetTos() == frame.GetTos() && ip.GetTtl() == frame.ttl)
    {
        return nullptr;
    }
    Ptr<Packet> packet = frame.GetExtra().packet->Copy();
    packet->RemoveHeader(ip);
    ip.SetTos(frame.GetTos());
    ip.SetTtl(frame.ttl);
    ip.EnableChecksum();
    packet->AddHeader(ip);
    return packet;
}

} // namespace aifabric
} // namespace ns3
