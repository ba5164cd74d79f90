/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-ip-helper.h"

#include "ns3/abort.h"
#include "ns3/address-plan.h"
#include "ns3/boolean.h"
#include "ns3/icmpv6-l4-protocol.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6.h"

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the interface of a NIC in its node's stack, added if need be  @tparam T Ipv4 or Ipv6
template <typename T>
uint32_t
GetInterface(const Ptr<T>& stack, const Ptr<RoceNetDevice>& nic)
{
    NS_ABORT_MSG_IF(!stack,
                    "FabricIpHelper: host " << nic->GetHost()
                                            << " has no stack; call InternetStackHelper::Install "
                                               "before");
    const int32_t interface = stack->GetInterfaceForDevice(nic);
    return interface < 0 ? stack->AddInterface(nic) : interface;
}

} // namespace

Ipv4InterfaceContainer
FabricIpHelper::AssignIpv4(const Fabric& fabric)
{
    Ipv4InterfaceContainer interfaces;
    for (uint32_t host = 0; host < fabric.GetHosts().GetN(); ++host)
    {
        const Ptr<Ipv4> stack = fabric.GetHosts().Get(host)->GetObject<Ipv4>();
        const uint32_t interface = GetInterface(stack, fabric.GetNic(host));
        stack->AddAddress(interface,
                          Ipv4InterfaceAddress(GetIpv4(host), Ipv4Mask(addressplan::IPV4_MASK)));
        stack->SetMetric(interface, 1);
        stack->SetUp(interface);
        interfaces.Add(stack, interface);
    }
    return interfaces;
}

Ipv6InterfaceContainer
FabricIpHelper::AssignIpv6(const Fabric& fabric)
{
    Ipv6InterfaceContainer interfaces;
    for (uint32_t host = 0; host < fabric.GetHosts().GetN(); ++host)
    {
        const Ptr<Node> node = fabric.GetHosts().Get(host);
        const Ptr<Ipv6> stack = node->GetObject<Ipv6>();
        const uint32_t interface = GetInterface(stack, fabric.GetNic(host));
        if (const Ptr<Icmpv6L4Protocol> discovery = node->GetObject<Icmpv6L4Protocol>())
        {
            discovery->SetAttribute("DAD", BooleanValue(false));
        }
        stack->AddAddress(
            interface,
            Ipv6InterfaceAddress(GetIpv6(host), Ipv6Prefix(addressplan::IPV6_PREFIX_LENGTH)));
        stack->SetMetric(interface, 1);
        stack->SetUp(interface);
        interfaces.Add(stack, interface);
    }
    return interfaces;
}

Ipv4Address
FabricIpHelper::GetIpv4(uint32_t host)
{
    return Ipv4Address(addressplan::HostIpv4(host));
}

Ipv6Address
FabricIpHelper::GetIpv6(uint32_t host)
{
    addressplan::Ipv6Bytes bytes = addressplan::HostIpv6(host);
    return Ipv6Address(bytes.data());
}

} // namespace aifabric
} // namespace ns3
