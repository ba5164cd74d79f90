/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ADDRESS_PLAN_H
#define ADDRESS_PLAN_H

#include <array>
#include <cstdint>
#include <optional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The addresses of hosts and switches, by arithmetic: no table, in either direction.
 *
 * | what | address |
 * |---|---|
 * | IPv4 of host i | 10.0.0.0/8 with i + 1 in the low 24 bits: 10.0.0.1 is host 0 |
 * | IPv6 of host i | fd00::/64 with i + 1 in the low 32 bits: fd00::1 is host 0 |
 * | MAC of host i in plane p | 02, then 0 (1 bit), i (23 bits), p (16 bits) |
 * | MAC of switch s, port p | 02, then 1 (1 bit), s (23 bits), p (16 bits) |
 *
 * The MAC addresses are unicast, locally administered and unique. A host has the same IP address
 * in all planes.
 */
namespace addressplan
{

using Ipv6Bytes = std::array<uint8_t, 16>; //!< an IPv6 address in network order
using MacBytes = std::array<uint8_t, 6>;   //!< a MAC address in network order

constexpr uint32_t HOST_LIMIT = 1U << 22;     //!< hosts are numbered below this
constexpr uint32_t INVALID_HOST = UINT32_MAX; //!< says that an address is no host's
constexpr uint32_t SWITCH_LIMIT = 1U << 23;   //!< switches are numbered below this
constexpr uint32_t IPV4_NETWORK = 10U << 24;  //!< 10.0.0.0
constexpr uint32_t IPV4_MASK = 0xffU << 24;   //!< 255.0.0.0
constexpr uint8_t IPV6_PREFIX_LENGTH = 64;    //!< bits of fd00::/64

/**
 * @param host number of a host, below HOST_LIMIT
 * @return its IPv4 address as a number (10.0.0.1 is 0x0a000001)
 */
constexpr uint32_t
HostIpv4(uint32_t host)
{
    return IPV4_NETWORK + host + 1;
}

/**
 * @param address an IPv4 address as a number
 * @return the host with that address, if the address belongs to the plan
 */
constexpr std::optional<uint32_t>
HostFromIpv4(uint32_t address)
{
    uint32_t host = address - IPV4_NETWORK - 1;
    return host < HOST_LIMIT ? std::optional<uint32_t>(host) : std::nullopt;
}

/**
 * @param host number of a host, below HOST_LIMIT
 * @return its IPv6 address
 */
Ipv6Bytes HostIpv6(uint32_t host);

/**
 * @param address an IPv6 address
 * @return the host with that address, if the address belongs to the plan
 */
std::optional<uint32_t> HostFromIpv6(const Ipv6Bytes& address);

/**
 * @param host number of a host, below HOST_LIMIT
 * @param plane the plane, which is the port of the host
 * @return the MAC address of that port
 */
MacBytes HostMac(uint32_t host, uint16_t plane);

/**
 * @param switchId number of a switch, below SWITCH_LIMIT
 * @param port a port of the switch
 * @return the MAC address of that port
 */
MacBytes SwitchMac(uint32_t switchId, uint16_t port);

} // namespace addressplan

} // namespace aifabric
} // namespace ns3

#endif /* ADDRESS_PLAN_H */
