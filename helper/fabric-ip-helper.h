/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_IP_HELPER_H
#define FABRIC_IP_HELPER_H

#include "fabric.h"

#include "ns3/ipv4-address.h"
#include "ns3/ipv4-interface-container.h"
#include "ns3/ipv6-address.h"
#include "ns3/ipv6-interface-container.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Gives the IP stacks of a fabric's hosts their addresses, which are those of the AddressPlan: the
 * switches forward by them. To be used after InternetStackHelper::Install(), in the place of
 * Ipv4AddressHelper and Ipv6AddressHelper. The whole fabric is one subnet, and no address is
 * resolved. Packets to addresses that belong to no host, such as multicast, are dropped by the NIC.
 */
class FabricIpHelper
{
  public:
    /**
     * Assign IPv4 addresses: 10.0.0.1 to host 0, and so on.
     *
     * @param fabric the fabric, whose hosts have IPv4 stacks
     * @return the interfaces, by host index
     */
    static Ipv4InterfaceContainer AssignIpv4(const Fabric& fabric);

    /**
     * Assign IPv6 addresses: fd00::1 to host 0, and so on. They are valid at once: duplicate
     * address detection, which could not find anything, is turned off.
     *
     * @param fabric the fabric, whose hosts have IPv6 stacks
     * @return the interfaces, by host index
     */
    static Ipv6InterfaceContainer AssignIpv6(const Fabric& fabric);

    /// @return a host's IPv4 address  @param host its index
    static Ipv4Address GetIpv4(uint32_t host);

    /// @return a host's IPv6 address  @param host its index
    static Ipv6Address GetIpv6(uint32_t host);
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_IP_HELPER_H */
