/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "frame-codec.h"

#include "address-plan.h"
#include "fabric-frame-pool.h"
#include "mac-control-header.h"

#include "ns3/assert.h"
#include "ns3/buffer.h"
#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv6-header.h"
#include "ns3/udp-header.h"

#include <array>
#include <limits>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

using Result = FrameCodec::Result;

constexpr uint16_t IPV4_ETHER_TYPE = 0x0800; //!< EtherType of IPv4
constexpr uint16_t IPV6_ETHER_TYPE = 0x86DD; //!< EtherType of IPv6
constexpr uint8_t TCP_PROTOCOL = 6;          //!< IP protocol number of TCP
constexpr uint32_t PORTS_SIZE = 4;           //!< both ports, at the start of UDP and TCP, in bytes

/// What the fabric reads of an IP packet.
struct IpSummary
{
    bool ipv6{false};            //!< whether it is IPv6
    bool hasPorts{false};        //!< whether it is all of a UDP or TCP packet
    bool checksumOk{true};       //!< whether the header's checksum is right (IPv4)
    bool isCut{false};           //!< whether its end is missing
    uint8_t tos{0};              //!< TOS or traffic class
    uint8_t ttl{0};              //!< TTL or hop limit
    uint8_t protocol{0};         //!< IP protocol number
    uint16_t sourcePort{0};      //!< 0 if it has no ports
    uint16_t flowLabel{0};       //!< its lower 16 bits (IPv6)
    uint16_t destinationPort{0}; //!< 0 if it has no ports
    uint32_t source{0};          //!< index of the source host
    uint32_t destination{0};     //!< index of the destination host
    uint32_t headerSize{0};      //!< IP header in bytes
    uint32_t size{0};            //!< whole packet in bytes, as its header says

    /// @return bytes after the IP header
    uint32_t GetPayloadSize() const
    {
        return size - headerSize;
    }
};

/**
 * @param address an address
 * @return the host with that address, or addressplan::INVALID_HOST
 */
uint32_t
ToHost(Ipv4Address address)
{
    return addressplan::HostFromIpv4(address.Get()).value_or(addressplan::INVALID_HOST);
}

/**
 * @param address an address
 * @return the host with that address, or addressplan::INVALID_HOST
 */
uint32_t
ToHost(Ipv6Address address)
{
    addressplan::Ipv6Bytes bytes;
    address.GetBytes(bytes.data());
    return addressplan::HostFromIpv6(bytes).value_or(addressplan::INVALID_HOST);
}

/**
 * @param host index of a host
 * @return its IPv6 address
 */
Ipv6Address
ToIpv6(uint32_t host)
{
    addressplan::Ipv6Bytes bytes = addressplan::HostIpv6(host);
    return Ipv6Address(bytes.data());
}

/**
 * @param bytes some bytes
 * @param size how many
 * @return a buffer that holds them
 */
Buffer
MakeBuffer(const uint8_t* bytes, uint32_t size)
{
    Buffer buffer;
    buffer.AddAtStart(size);
    buffer.Begin().Write(bytes, size);
    return buffer;
}

/// Read an IPv6 header.  @param start its first byte  @param [out] ip what it says
/// @return bytes of payload
uint32_t
ReadIpv6Header(Buffer::Iterator start, IpSummary& ip)
{
    Ipv6Header header;
    header.Deserialize(start);
    ip.tos = header.GetTrafficClass();
    ip.flowLabel = header.GetFlowLabel();
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

/**
 * Read the IP header and the ports.
 *
 * @param start the first byte of the IP header
 * @param available bytes of the packet
 * @param [out] ip what they say
 * @return OK, or why the packet is of no use
 */
Result
ReadIp(Buffer::Iterator start, uint32_t available, IpSummary& ip)
{
    if (available < 1)
    {
        return Result::TRUNCATED;
    }
    const uint8_t first = start.PeekU8();
    ip.ipv6 = (first >> 4) == 6;
    ip.headerSize = ip.ipv6 ? FrameCodec::IPV6_SIZE : FrameCodec::IPV4_SIZE;
    if (!ip.ipv6 && first != 0x45)
    {
        return Result::UNSUPPORTED;
    }
    if (available < ip.headerSize)
    {
        return Result::TRUNCATED;
    }

    Buffer::Iterator length = start;
    length.Next(2);
    if (!ip.ipv6 && length.ReadNtohU16() < ip.headerSize)
    {
        return Result::BAD_LENGTH;
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
    return Result::OK;
}

/**
 * Set what RoCE and IP frames have in common.
 *
 * @param ip the IP packet
 * @param [in,out] frame the frame
 */
void
SetIpFields(const IpSummary& ip, FabricFrame& frame)
{
    frame.SetTos(ip.tos);
    frame.ttl = ip.ttl;
    frame.flags |= ip.ipv6 ? FRAME_IPV6 : 0;
    frame.source = ip.source;
    frame.destination = ip.destination;
}

/**
 * Set the size of a frame whose other fields are set.
 *
 * @param [in,out] frame the frame
 * @return OK, or BAD_LENGTH if it is longer than a frame can be
 */
Result
SetWireBytes(FabricFrame& frame)
{
    const uint32_t bytes = FrameCodec::WireBytes(frame);
    frame.wireBytes = bytes;
    return bytes == frame.wireBytes ? Result::OK : Result::BAD_LENGTH;
}

/// Read the headers that depend on the opcode.  @param i the first byte after the BTH
/// @param frame the frame, with its opcode
void
ReadExtensions(Buffer::Iterator i, FabricFrame& frame)
{
    if (FrameCodec::HasReth(frame.opcode))
    {
        RoceRethHeader reth;
        i.Next(reth.Deserialize(i));
        frame.Extra().reth = reth.GetReth();
    }
    if (FrameCodec::HasImmediate(frame.opcode))
    {
        RoceImmHeader immediate;
        i.Next(immediate.Deserialize(i));
        frame.Extra().immediate = immediate.GetImmediate();
    }
    if (frame.opcode == RC_ACK)
    {
        RoceAethHeader aeth;
        i.Next(aeth.Deserialize(i));
        frame.syndrome = aeth.GetSyndrome();
        frame.msn = aeth.GetMsn();
    }
}

/**
 * Check what a RoCE packet has around its transport headers.
 *
 * @param packet the packet from its IP header on
 * @param ip what its IP header says
 * @param i the first byte after the IP header
 * @return OK, or why there is no frame
 */
Result
CheckRoce(const uint8_t* packet, const IpSummary& ip, Buffer::Iterator i)
{
    if (!ip.checksumOk)
    {
        return Result::BAD_CHECKSUM;
    }
    if (ip.GetPayloadSize() < FrameCodec::ROCE_SIZE)
    {
        return Result::BAD_LENGTH;
    }
    Buffer::Iterator udpLength = i;
    udpLength.Next(PORTS_SIZE);
    if (udpLength.ReadNtohU16() != ip.GetPayloadSize())
    {
        return Result::BAD_LENGTH;
    }
    i.Next(ip.GetPayloadSize() - RoceIcrc::SIZE);
    uint32_t sent = 0; // least significant byte first
    for (int shift = 0; shift < 32; shift += 8)
    {
        sent |= uint32_t{i.ReadU8()} << shift;
    }
    const bool isRight = sent == RoceIcrc::Calculate(packet, ip.size - RoceIcrc::SIZE);
    return isRight ? Result::OK : Result::BAD_ICRC;
}

/**
 * Read the UDP and transport headers of a RoCE packet.
 *
 * @param ip what its IP header says
 * @param i the first byte after the IP header
 * @param [in,out] frame a new frame
 * @return OK, or why there is no frame
 */
Result
ReadRoce(const IpSummary& ip, Buffer::Iterator i, FabricFrame& frame)
{
    i.Next(FrameCodec::UDP_SIZE);
    RoceBthHeader bth;
    i.Next(bth.Deserialize(i));
    const uint8_t opcode = bth.GetOpcode();
    if (!FrameCodec::IsKnown(opcode) || bth.GetTransportVersion() != 0 ||
        ip.source == addressplan::INVALID_HOST || ip.destination == addressplan::INVALID_HOST)
    {
        return Result::UNSUPPORTED;
    }
    const uint32_t body = ip.GetPayloadSize() - FrameCodec::ROCE_SIZE;
    const uint32_t fixed = FrameCodec::ExtensionBytes(opcode) + bth.GetPadCount();
    if (body % 4 != 0 || body < fixed || (body > fixed && !FrameCodec::HasPayload(opcode)))
    {
        return Result::BAD_LENGTH;
    }

    SetIpFields(ip, frame);
    FrameCodec::SetFlow(frame, uint32_t{ip.flowLabel} << 16 | ip.sourcePort);
    frame.kind = FrameKind::ROCE;
    frame.flags |= bth.GetFlags();
    frame.opcode = opcode;
    frame.destinationQp = bth.GetDestinationQp();
    frame.psn = bth.GetPsn();
    frame.payload = body - fixed;
    if (i.GetRemainingSize() >= FrameCodec::ExtensionBytes(opcode))
    {
        ReadExtensions(i, frame);
    }
    return SetWireBytes(frame);
}

/**
 * Read what a switch has left of a RoCE packet.
 *
 * @param ip what its IP header says
 * @param i the first byte after the IP header
 * @param [in,out] frame a new frame
 * @return OK, or why there is no frame
 */
Result
ReadTrimmed(const IpSummary& ip, Buffer::Iterator i, FabricFrame& frame)
{
    const uint32_t bytes = FrameCodec::ETHERNET_SIZE + ip.headerSize + i.GetRemainingSize();
    if (bytes < FrameCodec::MIN_FRAME_SIZE - FrameCodec::FCS_SIZE ||
        i.GetRemainingSize() < FrameCodec::UDP_SIZE + RoceBthHeader::SIZE)
    {
        return Result::TRUNCATED;
    }
    if (!ip.checksumOk)
    {
        return Result::BAD_CHECKSUM;
    }
    if (ip.GetPayloadSize() < FrameCodec::ROCE_SIZE)
    {
        return Result::BAD_LENGTH;
    }
    const Result result = ReadRoce(ip, i, frame);
    frame.wireBytes = bytes + FrameCodec::FCS_SIZE;
    frame.flags |= FRAME_TRIMMED;
    return result == Result::OK && frame.payload == 0 ? Result::TRUNCATED : result;
}

/**
 * Read a MAC control frame.
 *
 * @param i the first byte after the Ethernet header
 * @param [in,out] frame a new frame
 * @return OK, or why there is no frame
 */
Result
ReadMacControl(Buffer::Iterator i, FabricFrame& frame)
{
    MacControlHeader control;
    if (i.GetRemainingSize() < MacControlHeader::OPCODE_SIZE)
    {
        return Result::TRUNCATED;
    }
    Buffer::Iterator opcode = i;
    control.SetOpcode(opcode.ReadNtohU16());
    if (control.GetOpcode() != MacControlHeader::PAUSE &&
        control.GetOpcode() != MacControlHeader::PFC)
    {
        return Result::UNSUPPORTED;
    }
    if (i.GetRemainingSize() < control.GetSerializedSize())
    {
        return Result::TRUNCATED;
    }
    control.Deserialize(i);
    frame.kind = control.GetOpcode() == MacControlHeader::PFC ? FrameKind::PFC : FrameKind::PAUSE;
    frame.Extra().pause = control.GetPauseVector();
    return SetWireBytes(frame);
}

/**
 * Read the packet of another protocol stack.
 *
 * @param packet the packet from its IP header on
 * @param [in,out] frame a new frame
 * @return OK, or why there is no frame
 */
Result
ReadIpPacket(Ptr<Packet> packet, FabricFrame& frame)
{
    std::array<uint8_t, FrameCodec::IPV6_SIZE + PORTS_SIZE> head;
    const Buffer buffer = MakeBuffer(head.data(), packet->CopyData(head.data(), head.size()));
    IpSummary ip;
    const Result result = ReadIp(buffer.Begin(), packet->GetSize(), ip);
    if (result != Result::OK || ip.isCut)
    {
        return result == Result::OK ? Result::TRUNCATED : result;
    }
    packet->RemoveAtEnd(packet->GetSize() - ip.size);
    SetIpFields(ip, frame);
    frame.entropy = ip.sourcePort;
    frame.flowHash = FrameCodec::FlowHash(ip.source,
                                          ip.destination,
                                          ip.sourcePort,
                                          ip.destinationPort,
                                          ip.protocol);
    frame.kind = FrameKind::IP;
    frame.Extra().packet = packet;
    return SetWireBytes(frame);
}

/**
 * Read any frame.
 *
 * @param packet the bytes from the Ethernet header on
 * @param [out] ethernet the Ethernet header
 * @param [in,out] frame a new frame
 * @param isTrimmed whether its end is missing
 * @return OK, or why there is no frame
 */
Result
ReadFrame(Ptr<const Packet> packet, EthernetHeader& ethernet, FabricFrame& frame, bool isTrimmed)
{
    std::vector<uint8_t> bytes(packet->GetSize());
    packet->CopyData(bytes.data(), bytes.size());
    if (bytes.size() < FrameCodec::ETHERNET_SIZE)
    {
        return Result::TRUNCATED;
    }
    const Buffer buffer = MakeBuffer(bytes.data(), bytes.size());
    Buffer::Iterator i = buffer.Begin();
    i.Next(ethernet.Deserialize(i));
    const uint16_t type = ethernet.GetLengthType();
    if (type == MacControlHeader::ETHER_TYPE)
    {
        return ReadMacControl(i, frame);
    }
    if (type != IPV4_ETHER_TYPE && type != IPV6_ETHER_TYPE)
    {
        return Result::UNSUPPORTED;
    }

    IpSummary ip;
    const Result result = ReadIp(i, i.GetRemainingSize(), ip);
    if (result != Result::OK)
    {
        return result;
    }
    if (ip.ipv6 != (type == IPV6_ETHER_TYPE))
    {
        return Result::UNSUPPORTED;
    }
    if (ip.hasPorts && ip.protocol == FrameCodec::UDP_PROTOCOL &&
        ip.destinationPort == FrameCodec::ROCE_PORT)
    {
        i.Next(ip.headerSize);
        if (ip.isCut)
        {
            return isTrimmed ? ReadTrimmed(ip, i, frame) : Result::TRUNCATED;
        }
        const Result check = CheckRoce(bytes.data() + FrameCodec::ETHERNET_SIZE, ip, i);
        return check == Result::OK ? ReadRoce(ip, i, frame) : check;
    }
    if (ip.isCut)
    {
        return Result::TRUNCATED;
    }
    Ptr<Packet> inner = packet->Copy();
    inner->RemoveAtStart(FrameCodec::ETHERNET_SIZE);
    return ReadIpPacket(inner, frame);
}

/// Write a header.  @param [in,out] i where; then, behind it  @param header the header
void
Write(Buffer::Iterator& i, const Header& header)
{
    header.Serialize(i);
    i.Next(header.GetSerializedSize());
}

/// Write the IP header.  @param [in,out] i where  @param frame the frame
/// @param size bytes that follow it
void
WriteIp(Buffer::Iterator& i, const FabricFrame& frame, uint32_t size)
{
    if (frame.flags & FRAME_IPV6)
    {
        Ipv6Header ip;
        ip.SetTrafficClass(frame.GetTos());
        ip.SetFlowLabel(frame.entropy >> 16);
        ip.SetPayloadLength(size);
        ip.SetNextHeader(FrameCodec::UDP_PROTOCOL);
        ip.SetHopLimit(frame.ttl);
        ip.SetSource(ToIpv6(frame.source));
        ip.SetDestination(ToIpv6(frame.destination));
        Write(i, ip);
        return;
    }
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
    Write(i, ip);
}

/// Write the headers that depend on the opcode.  @param [in,out] i where  @param frame the frame
void
WriteExtensions(Buffer::Iterator& i, const FabricFrame& frame)
{
    if (FrameCodec::HasReth(frame.opcode))
    {
        RoceRethHeader reth;
        reth.SetReth(frame.GetExtra().reth);
        Write(i, reth);
    }
    if (FrameCodec::HasImmediate(frame.opcode))
    {
        RoceImmHeader immediate;
        immediate.SetImmediate(frame.GetExtra().immediate);
        Write(i, immediate);
    }
    if (frame.opcode == RC_ACK)
    {
        RoceAethHeader aeth;
        aeth.SetSyndrome(frame.syndrome);
        aeth.SetMsn(frame.msn);
        Write(i, aeth);
    }
    if (frame.opcode == ROCE_CNP)
    {
        i.WriteU8(0, FrameCodec::CNP_RESERVED_SIZE);
    }
}

/// Write the headers of a RoCE packet.  @param [in,out] i where; then, behind them
/// @param frame the frame
void
WriteRoceHeaders(Buffer::Iterator& i, const FabricFrame& frame)
{
    const uint32_t pad = -frame.payload & 3U;
    const uint32_t size =
        FrameCodec::ROCE_SIZE + FrameCodec::ExtensionBytes(frame.opcode) + frame.payload + pad;
    WriteIp(i, frame, size);
    UdpHeader udp; // its checksum is zero unless enabled
    udp.SetSourcePort(frame.GetSourcePort());
    udp.SetDestinationPort(FrameCodec::ROCE_PORT);
    udp.ForcePayloadSize(size);
    Write(i, udp);
    RoceBthHeader bth;
    bth.SetOpcode(frame.opcode);
    bth.SetFlags(frame.flags);
    bth.SetPadCount(pad);
    bth.SetDestinationQp(frame.destinationQp);
    bth.SetPsn(frame.psn);
    Write(i, bth);
    WriteExtensions(i, frame);
}

/// @return the bytes that WriteRoceHeaders() writes  @param frame the frame
uint32_t
RoceHeaderBytes(const FabricFrame& frame)
{
    return (frame.flags & FRAME_IPV6 ? FrameCodec::IPV6_SIZE : FrameCodec::IPV4_SIZE) +
           FrameCodec::UDP_SIZE + RoceBthHeader::SIZE + FrameCodec::ExtensionBytes(frame.opcode);
}

/// @return the MAC control header of a frame  @param frame a PAUSE or PFC frame
MacControlHeader
MakeMacControl(const FabricFrame& frame)
{
    MacControlHeader control;
    control.SetOpcode(frame.kind == FrameKind::PFC ? MacControlHeader::PFC
                                                   : MacControlHeader::PAUSE);
    control.SetPauseVector(frame.GetExtra().pause);
    return control;
}

/// @return the Ethernet header of a frame  @param frame the frame  @param source the sender
/// @param destination the receiver, unless the frame is PAUSE or PFC
EthernetHeader
MakeEthernet(const FabricFrame& frame, Mac48Address source, Mac48Address destination)
{
    const bool isControl = frame.kind >= FrameKind::PAUSE;
    const uint16_t ipType = frame.flags & FRAME_IPV6 ? IPV6_ETHER_TYPE : IPV4_ETHER_TYPE;
    EthernetHeader ethernet(false);
    ethernet.SetSource(source);
    ethernet.SetDestination(isControl ? Mac48Address("01:80:c2:00:00:01") : destination);
    ethernet.SetLengthType(isControl ? MacControlHeader::ETHER_TYPE : ipType);
    return ethernet;
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

/**
 * Make the bytes of a RoCE packet.
 *
 * @param frame the frame
 * @return the packet from its IP header on
 */
Ptr<Packet>
WriteRoce(const FabricFrame& frame)
{
    Buffer headers;
    headers.AddAtStart(RoceHeaderBytes(frame));
    Buffer::Iterator i = headers.Begin();
    WriteRoceHeaders(i, frame);
    Ptr<Packet> packet = Create<Packet>(headers.PeekData(), headers.GetSize());
    const uint32_t pad = -frame.payload & 3U;
    packet->AddAtEnd(Create<Packet>(frame.payload + pad + RoceIcrc::SIZE));
    WriteIcrc(*packet);
    return packet;
}

/**
 * @param frame a frame of FrameKind::IP
 * @return a copy of its packet whose header has the frame's tos and ttl, or a null pointer if the
 *         header of the packet has them already
 */
Ptr<Packet>
CopyIfChanged(const FabricFrame& frame)
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
        packet->RemoveHeader(ip);
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

} // namespace

Ptr<Packet>
FrameCodec::Serialize(const FabricFrame& frame, Mac48Address source, Mac48Address destination)
{
    Ptr<Packet> packet;
    switch (frame.kind)
    {
    case FrameKind::ROCE:
        packet = WriteRoce(frame);
        break;
    case FrameKind::IP:
        packet = CopyIfChanged(frame);
        if (!packet)
        {
            packet = frame.GetExtra().packet->Copy();
        }
        break;
    case FrameKind::PAUSE:
    case FrameKind::PFC:
        packet = Create<Packet>();
        packet->AddHeader(MakeMacControl(frame));
        break;
    }

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
    NS_ASSERT_MSG(frame.kind != FrameKind::IP, "an IP frame is not its headers alone");
    return ETHERNET_SIZE + (frame.kind == FrameKind::ROCE
                                ? RoceHeaderBytes(frame)
                                : MakeMacControl(frame).GetSerializedSize());
}

void
FrameCodec::WriteHeaders(Buffer::Iterator i,
                         const FabricFrame& frame,
                         Mac48Address source,
                         Mac48Address destination)
{
    Write(i, MakeEthernet(frame, source, destination));
    if (frame.kind == FrameKind::ROCE)
    {
        WriteRoceHeaders(i, frame);
    }
    else
    {
        Write(i, MakeMacControl(frame));
    }
}

FrameCodec::Result
FrameCodec::ReadHeaders(Buffer::Iterator i, FabricFrame& frame)
{
    EthernetHeader ethernet(false);
    i.Next(ethernet.Deserialize(i));
    if (ethernet.GetLengthType() == MacControlHeader::ETHER_TYPE)
    {
        return ReadMacControl(i, frame);
    }
    IpSummary ip;
    const Result result = ReadIp(i, std::numeric_limits<uint32_t>::max(), ip);
    i.Next(ip.headerSize);
    return result == Result::OK ? ReadRoce(ip, i, frame) : result;
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
    const Result outcome = ReadIpPacket(packet, *frame);
    if (result)
    {
        *result = outcome;
    }
    return outcome == Result::OK ? frame : nullptr;
}

void
FrameCodec::SyncIpHeader(FabricFrame& frame)
{
    if (Ptr<Packet> packet = CopyIfChanged(frame))
    {
        frame.Extra().packet = packet;
    }
}

} // namespace aifabric
} // namespace ns3
