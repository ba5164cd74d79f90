/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ip-codec.h"

#include "frame-codec.h"
#include "header-bytes.h"

#include "ns3/address-plan.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"

#include <array>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint8_t TCP_PROTOCOL = 6; //!< IP protocol number of TCP

/// @return the host with an address, or addressplan::INVALID_HOST
uint32_t
ToHost(Ipv4Address address)
{
    return addressplan::HostFromIpv4(address.Get()).value_or(addressplan::INVALID_HOST);
}

/// @return the host with an address, or addressplan::INVALID_HOST
uint32_t
ToHost(Ipv6Address address)
{
    addressplan::Ipv6Bytes bytes;
    address.GetBytes(bytes.data());
    return addressplan::HostFromIpv6(bytes).value_or(addressplan::INVALID_HOST);
}

/// @return the IPv6 address of a host  @param host its index
Ipv6Address
ToIpv6(uint32_t host)
{
    addressplan::Ipv6Bytes bytes = addressplan::HostIpv6(host);
    return Ipv6Address(bytes.data());
}

/// Read an IPv6 header.  @param start its first byte  @param [out] ip what it says
/// @return bytes of payload
uint32_t
ReadIpv6Header(Buffer::Iterator start, IpSummary& ip)
{
    std::array<uint8_t, 4> first;
    Buffer::Iterator(start).Read(first.data(), first.size());
    const auto header = ReadHeader<Ipv6Header>(start);
    ip.tos = header.GetTrafficClass();
    ip.flowLabel = IpCodec::GetFlowLabel(first);
    ip.ttl = header.GetHopLimit();
    ip.protocol = header.GetNextHeader();
    ip.source = ToHost(header.GetSource());
    ip.destination = ToHost(header.GetDestination());
    return header.GetPayloadLength();
}

/// Read an IPv4 header.  @param start its first byte  @param [out] ip what it says
/// @param [out] fragment whether it is that of a fragment  @return bytes of payload
uint32_t
ReadIpv4Header(Buffer::Iterator start, IpSummary& ip, bool& fragment)
{
    Ipv4Header header;
    header.EnableChecksum();
    header.Deserialize(start);
    ip.tos = header.GetTos();
    ip.ttl = header.GetTtl();
    ip.protocol = header.GetProtocol();
    ip.source = ToHost(header.GetSource());
    ip.destination = ToHost(header.GetDestination());
    ip.checksumOk = header.IsChecksumOk();
    fragment = header.GetFragmentOffset() > 0 || !header.IsLastFragment();
    return header.GetPayloadSize();
}

/// @return the IPv6 header of a UDP packet  @param size bytes behind it
Ipv6Header
MakeIpv6(const FabricFrame& frame, uint32_t size)
{
    Ipv6Header ip;
    ip.SetTrafficClass(frame.GetTos());
    ip.SetFlowLabel(frame.entropy >> 16);
    ip.SetPayloadLength(size);
    ip.SetNextHeader(FrameCodec::UDP_PROTOCOL);
    ip.SetHopLimit(frame.ttl);
    ip.SetSource(ToIpv6(frame.source));
    ip.SetDestination(ToIpv6(frame.destination));
    return ip;
}

/// @return the IPv4 header of a UDP packet  @param size bytes behind it
Ipv4Header
MakeIpv4(const FabricFrame& frame, uint32_t size)
{
    Ipv4Header ip;
    ip.EnableChecksum();
    ip.SetTos(frame.GetTos());
    ip.SetPayloadSize(size);
    ip.SetIdentification(0);
    ip.SetDontFragment();
    ip.SetTtl(frame.ttl);
    ip.SetProtocol(FrameCodec::UDP_PROTOCOL);
    ip.SetSource(Ipv4Address(addressplan::HostIpv4(frame.source)));
    ip.SetDestination(Ipv4Address(addressplan::HostIpv4(frame.destination)));
    return ip;
}

} // namespace

uint16_t
IpCodec::GetEtherType(const FabricFrame& frame)
{
    return frame.flags & FRAME_IPV6 ? IPV6_ETHER_TYPE : IPV4_ETHER_TYPE;
}

uint32_t
IpCodec::GetHeaderSize(const FabricFrame& frame)
{
    return frame.flags & FRAME_IPV6 ? FrameCodec::IPV6_SIZE : FrameCodec::IPV4_SIZE;
}

void
IpCodec::Write(Buffer::Iterator& i, const FabricFrame& frame, uint32_t size)
{
    if (frame.flags & FRAME_IPV6)
    {
        WriteHeader(i, MakeIpv6(frame, size));
    }
    else
    {
        WriteHeader(i, MakeIpv4(frame, size));
    }
}

CodecResult
IpCodec::Read(Buffer::Iterator start, uint32_t available, IpSummary& ip)
{
    if (available < 1)
    {
        return CodecResult::TRUNCATED;
    }
    const uint8_t first = start.PeekU8();
    ip.ipv6 = (first >> 4) == 6;
    ip.headerSize = ip.ipv6 ? FrameCodec::IPV6_SIZE : FrameCodec::IPV4_SIZE;
    if (!ip.ipv6 && first != 0x45)
    {
        return CodecResult::UNSUPPORTED;
    }
    if (available < ip.headerSize)
    {
        return CodecResult::TRUNCATED;
    }

    Buffer::Iterator length = start;
    length.Next(2);
    if (!ip.ipv6 && length.ReadNtohU16() < ip.headerSize)
    {
        return CodecResult::BAD_LENGTH;
    }
    bool fragment = false;
    const uint32_t payload =
        ip.ipv6 ? ReadIpv6Header(start, ip) : ReadIpv4Header(start, ip, fragment);
    ip.size = ip.headerSize + payload;
    ip.isCut = ip.size > available;

    ip.hasPorts = (ip.protocol == FrameCodec::UDP_PROTOCOL || ip.protocol == TCP_PROTOCOL) &&
                  !fragment && payload >= PORTS_SIZE && available >= ip.headerSize + PORTS_SIZE;
    if (ip.hasPorts)
    {
        start.Next(ip.headerSize);
        ip.sourcePort = start.ReadNtohU16();
        ip.destinationPort = start.ReadNtohU16();
    }
    return CodecResult::OK;
}

void
IpCodec::SetFields(const IpSummary& ip, FabricFrame& frame)
{
    frame.SetTos(ip.tos);
    frame.ttl = ip.ttl;
    frame.flags |= ip.ipv6 ? FRAME_IPV6 : 0;
    frame.source = ip.source;
    frame.destination = ip.destination;
}

} // namespace aifabric
} // namespace ns3
