/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "rsq-balancer.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RsqBalancer);

TypeId
RsqBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::RsqBalancer")
                            .SetParent<SwitchBalancer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<RsqBalancer>();
    return tid;
}

RsqBalancer::RsqBalancer()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

uint32_t
RsqBalancer::Choose(const FabricFrame&, const EgressGroup& group, int64_t)
{
    return m_random->GetInteger(0, group.members.size() - 1);
}

int64_t
RsqBalancer::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace aifabric
} // namespace ns3
