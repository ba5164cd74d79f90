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

void
HostRandomBalancer::Start(int64_t stream)
{
    m_random = CreateObject<UniformRandomVariable>();
    m_random->SetStream(stream);
}

uint16_t
HostRandomBalancer::NextEntropy()
{
    return FIRST_PORT + m_random->GetInteger(0, m_entropies - 1);
}

uint32_t
HostRandomBalancer::NextPlane(uint32_t planes)
{
    return m_random->GetInteger(0, planes - 1);
}

} // namespace aifabric
} // namespace ns3
