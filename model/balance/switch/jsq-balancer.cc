/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "jsq-balancer.h"

#include "ns3/fabric-transmitter.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(JsqBalancer);

TypeId
JsqBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::JsqBalancer")
                            .SetParent<SwitchBalancer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<JsqBalancer>();
    return tid;
}

JsqBalancer::JsqBalancer()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

uint32_t
JsqBalancer::Choose(const FabricFrame&, const EgressGroup& group, int64_t now)
{
    m_shortest.Clear();
    for (uint32_t i = 0; i < group.members.size(); ++i)
    {
        FabricTransmitter& member = *group.members[i];
        member.Advance(now);
        m_shortest.Offer(member.GetQueuedBytes(now), i);
    }
    return m_shortest.Take(*m_random);
}

int64_t
JsqBalancer::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace aifabric
} // namespace ns3
