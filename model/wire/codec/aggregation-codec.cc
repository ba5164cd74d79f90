/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aggregation-codec.h"

#include "atp-codec.h"
#include "frame-codec.h"
#include "header-bytes.h"
#include "switchml-codec.h"

#include "ns3/abort.h"
#include "ns3/address-plan.h"
#include "ns3/udp-header.h"

#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

uint32_t
AggregationCodec::GetBytes(const FabricFrame& frame) const
{
    return IpCodec::GetHeaderSize(frame) + FrameCodec::UDP_SIZE + GetBodyBytes(frame);
}

uint32_t
AggregationCodec::GetHeaderBytes(const FabricFrame&) const
{
    NS_ABORT_MSG("a packet of gradients is not its headers alone");
}

void
AggregationCodec::SetEthernet(const FabricFrame& frame, EthernetHeader& ethernet) const
{
    ethernet.SetLengthType(IpCodec::GetEtherType(frame));
}

void
AggregationCodec::WriteHeaders(Buffer::Iterator, const FabricFrame&) const
{
    NS_ABORT_MSG("a packet of gradients is not its headers alone");
}

Ptr<Packet>
AggregationCodec::Write(const FabricFrame& frame) const
{
    const uint32_t size = FrameCodec::UDP_SIZE + GetBodyBytes(frame);
    Buffer buffer;
    buffer.AddAtStart(GetBytes(frame));
    Buffer::Iterator i = buffer.Begin();
    IpCodec::Write(i, frame, size);
    UdpHeader udp; // its checksum is zero unless enabled
    udp.SetSourcePort(frame.GetSourcePort());
    udp.SetDestinationPort(GetPort());
    udp.ForcePayloadSize(size);
    WriteHeader(i, udp);
    WriteBody(i, frame);
    return Create<Packet>(buffer.PeekData(), buffer.GetSize());
}

CodecResult
AggregationCodec::Read(const FrameBytes& bytes, FabricFrame& frame) const
{
    const IpSummary& ip = bytes.ip;
    if (ip.isCut)
    {
        return CodecResult::TRUNCATED;
    }
    if (!ip.checksumOk)
    {
        return CodecResult::BAD_CHECKSUM;
    }
    Buffer::Iterator i = bytes.start;
    i.Next(ip.headerSize + IpCodec::PORTS_SIZE);
    if (ip.GetPayloadSize() < FrameCodec::UDP_SIZE || i.ReadNtohU16() != ip.GetPayloadSize())
    {
        return CodecResult::BAD_LENGTH;
    }
    if (ip.source == addressplan::INVALID_HOST || ip.destination == addressplan::INVALID_HOST)
    {
        return CodecResult::UNSUPPORTED;
    }
    i.Next(2); // the checksum
    frame.kind = GetKind();
    IpCodec::SetFields(ip, frame);
    const CodecResult result = ReadBody(i, ip.GetPayloadSize() - FrameCodec::UDP_SIZE, frame);
    if (result == CodecResult::OK)
    {
        Complete(frame, ip.sourcePort);
    }
    return result;
}

CodecResult
AggregationCodec::ReadHeaders(const FrameBytes&, FabricFrame&) const
{
    return CodecResult::UNSUPPORTED;
}

void
AggregationCodec::Complete(FabricFrame& frame, uint16_t entropy) const
{
    frame.payload = frame.GetExtra().values.GetSize() * WORD;
    frame.wireBytes =
        FrameCodec::EthernetWireBytes(AggregationCodec::GetBytes(frame)); // no outer header
    SetFlow(frame, entropy);
}

void
AggregationCodec::SetFlow(FabricFrame& frame, uint16_t entropy)
{
    const uint16_t port = frame.kind == FrameKind::ATP ? AtpCodec::PORT : SwitchMlCodec::PORT;
    frame.entropy = entropy;
    frame.flowHash = FrameCodec::FlowHash(frame.source, frame.destination, entropy, port);
}

void
AggregationCodec::WriteValues(Buffer::Iterator& i, const FabricFrame& frame)
{
    for (const int32_t value : frame.GetExtra().values)
    {
        i.WriteHtonU32(value);
    }
}

void
AggregationCodec::ReadValues(Buffer::Iterator& i, uint32_t count, FabricFrame& frame)
{
    std::vector<int32_t> values(count);
    for (int32_t& value : values)
    {
        value = i.ReadNtohU32();
    }
    frame.Extra().values = values;
}

} // namespace aifabric
} // namespace ns3
