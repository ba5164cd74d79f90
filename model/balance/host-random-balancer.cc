/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-random-balancer.h"

#include "ns3/boolean.h"
#include "ns3/fork-object.h"
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
                                          MakeUintegerChecker<uint32_t>(1, 0x4000))
                            .AddAttribute("AnyPlane",
                                          "With several planes, whether a packet goes by the first "
                                          "port that can send it, from a random one on; else it "
                                          "waits for the port of a random plane.",
                                          BooleanValue(true),
                                          MakeBooleanAccessor(&HostRandomBalancer::m_anyPlane),
                                          MakeBooleanChecker());
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

bool
HostRandomBalancer::TakesAnyPlane() const
{
    return m_anyPlane;
}

Ptr<HostBalancer>
HostRandomBalancer::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
