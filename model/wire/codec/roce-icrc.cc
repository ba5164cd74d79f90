/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-icrc.h"

#include "roce-bth-header.h"

#include "ns3/assert.h"
#include "ns3/crc32.h"

#include <algorithm>
#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{
constexpr uint32_t LRH_SIZE = 8;   //!< bytes of ones in the place of the local route header
constexpr uint32_t IPV4_SIZE = 20; //!< IPv4 header in bytes
constexpr uint32_t IPV6_SIZE = 40; //!< IPv6 header in bytes
constexpr uint32_t UDP_SIZE = 8;   //!< UDP header in bytes
} // namespace

uint32_t
RoceIcrc::Calculate(const uint8_t* packet, uint32_t size)
{
    const bool ipv6 = (packet[0] >> 4) == 6;
    const uint32_t ipSize = ipv6 ? IPV6_SIZE : IPV4_SIZE;
    NS_ASSERT_MSG(size >= ipSize + UDP_SIZE + RoceBthHeader::SIZE, "no RoCE packet: " << size);

    std::vector<uint8_t> masked(LRH_SIZE + size, 0xFF);
    std::copy_n(packet, size, masked.begin() + LRH_SIZE);
    uint8_t* ip = masked.data() + LRH_SIZE;
    if (ipv6)
    {
        ip[0] |= 0x0F; // traffic class and flow label
        ip[1] = ip[2] = ip[3] = 0xFF;
        ip[7] = 0xFF; // hop limit
    }
    else
    {
        ip[1] = 0xFF;           // TOS
        ip[8] = 0xFF;           // TTL
        ip[10] = ip[11] = 0xFF; // header checksum
    }
    uint8_t* udp = ip + ipSize;
    udp[6] = udp[7] = 0xFF; // checksum
    uint8_t* bth = udp + UDP_SIZE;
    bth[4] = 0xFF; // FECN, BECN and what is reserved beside them

    return CRC32Calculate(masked.data(), masked.size());
}

} // namespace aifabric
} // namespace ns3
