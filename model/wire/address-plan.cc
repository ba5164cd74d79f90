/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "address-plan.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{
namespace addressplan
{

namespace
{

constexpr uint8_t IPV6_FIRST_BYTE = 0xfd;  //!< of fd00::/64
constexpr uint8_t LOCAL_UNICAST = 0x02;    //!< first byte of a locally administered MAC address
constexpr uint32_t SWITCH_BIT = 1U << 23;  //!< sets the MAC addresses of switches apart
constexpr std::size_t IPV6_NUMBER_AT = 12; //!< where an IPv6 address holds the host's number

/// @return a byte of a number  @param index 0 for the lowest byte
uint8_t
ByteOf(uint32_t number, uint32_t index)
{
    return static_cast<uint8_t>(number >> (8 * index));
}

/// @return a MAC address  @param node 24 bits that name the node  @param port the node's port
MacBytes
MacOf(uint32_t node, uint16_t port)
{
    return {LOCAL_UNICAST,
            ByteOf(node, 2),
            ByteOf(node, 1),
            ByteOf(node, 0),
            ByteOf(port, 1),
            ByteOf(port, 0)};
}

} // namespace

Ipv6Bytes
HostIpv6(uint32_t host)
{
    Ipv6Bytes address{};
    address[0] = IPV6_FIRST_BYTE;
    for (uint32_t i = 0; i < sizeof(host); ++i)
    {
        address[address.size() - 1 - i] = ByteOf(host + 1, i);
    }
    return address;
}

std::optional<uint32_t>
HostFromIpv6(const Ipv6Bytes& address)
{
    auto isZero = [](uint8_t byte) { return byte == 0; };
    auto number = address.begin() + IPV6_NUMBER_AT;
    if (address[0] != IPV6_FIRST_BYTE || !std::all_of(address.begin() + 1, number, isZero))
    {
        return std::nullopt;
    }
    uint32_t host = 0;
    for (auto byte = number; byte != address.end(); ++byte)
    {
        host = host << 8 | *byte;
    }
    --host;
    return host < HOST_LIMIT ? std::optional<uint32_t>(host) : std::nullopt;
}

MacBytes
HostMac(uint32_t host, uint16_t plane)
{
    return MacOf(host, plane);
}

MacBytes
SwitchMac(uint32_t switchId, uint16_t port)
{
    return MacOf(SWITCH_BIT | switchId, port);
}

} // namespace addressplan
} // namespace aifabric
} // namespace ns3
