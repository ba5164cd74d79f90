/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-random-balancer.h"

#include "ns3/uinteger.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(HostRandomBalancer);

TypeId
HostRandomBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::HostRandomBalancer")
                            .SetParent<HostBalancer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<HostRandomBalancer>()
                            .AddAttribute("Entropies",
                                          "Number of UDP source ports to draw from.",
                                          UintegerValue(0x4000),
                                          MakeUintegerAccessor(&HostRandomBalancer::m_entropies),
                                          MakeUintegerChecker<uint32_t>(1, 0x4000));
    return tid;
}

uint16_t
HostRandomBalancer::NextEntropy()
{
    return FIRST_PORT + Draw(m_entropies);
}

uint32_t
HostRandomBalancer::NextPlane(uint32_t planes)
{
    return Draw(planes);
}

} // namespace aifabric
} // namespace ns3
