/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef IP_CODEC_H
#define IP_CODEC_H

#include "codec-result.h"

#include "ns3/buffer.h"
#include "ns3/fabric-frame.h"

#include <array>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

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
    uint16_t destinationPort{0}; //!< 0 if it has no ports
    uint16_t flowLabel{0};       //!< its lower 16 bits (IPv6)
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
 * @ingroup ai-fabric
 *
 * Translates between the IP header of a frame and its bytes: IPv4 (identification 0, do not
 * fragment) or IPv6 (flow label: the upper half of the entropy), with the addresses of AddressPlan.
 */
class IpCodec
{
  public:
    static constexpr uint16_t IPV4_ETHER_TYPE = 0x0800; //!< EtherType of IPv4
    static constexpr uint16_t IPV6_ETHER_TYPE = 0x86DD; //!< EtherType of IPv6
    static constexpr uint32_t PORTS_SIZE = 4; //!< both ports, at the start of UDP and TCP, in bytes

    /// @return the EtherType of a frame  @param frame a frame of an IP protocol
    static uint16_t GetEtherType(const FabricFrame& frame);

    /// @return bytes of the IP header of a frame  @param frame a frame of an IP protocol
    static uint32_t GetHeaderSize(const FabricFrame& frame);

    /**
     * Write the IP header of a UDP packet.
     *
     * @param [in,out] i where; then, behind it
     * @param size bytes that follow the header
     */
    static void Write(Buffer::Iterator& i, const FabricFrame& frame, uint32_t size);

    /**
     * Read the IP header and the ports.
     *
     * @param start the first byte of the IP header
     * @param available bytes of the packet
     * @param [out] ip what they say
     * @return OK, or why the packet is of no use
     */
    static CodecResult Read(Buffer::Iterator start, uint32_t available, IpSummary& ip);

    /// @return the flow label (20 bits), which Ipv6Header of ns-3.35 does not read
    /// @param first the first bytes of an IPv6 header
    static constexpr uint32_t GetFlowLabel(const std::array<uint8_t, 4>& first)
    {
        return (first[1] & 0xF) << 16 | first[2] << 8 | first[3];
    }

    /// Set what all frames of IP protocols have: TOS, TTL, IP version and hosts.
    /// @param ip the IP packet
    static void SetFields(const IpSummary& ip, FabricFrame& frame);
};

} // namespace aifabric
} // namespace ns3

#endif /* IP_CODEC_H */
