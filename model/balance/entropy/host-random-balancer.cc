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
                            .SetParent<EntropyBalancer>()
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

std::optional<PathChoice>
HostRandomBalancer::Choose(const PathRequest& request)
{
    const uint16_t plane = request.planes > 1 ? Draw(request.planes) : 0;
    return PathChoice{uint32_t{PathChoice::FIRST_PORT} + NextLabel(request.now), plane, m_anyPlane};
}

uint16_t
HostRandomBalancer::NextLabel(int64_t)
{
    return Draw(CountLabels(m_entropies));
}

Ptr<HostBalancer>
HostRandomBalancer::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
