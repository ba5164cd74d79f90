/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "entropy-balancer.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(EntropyBalancer);

TypeId
EntropyBalancer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::EntropyBalancer").SetParent<HostBalancer>().SetGroupName("AiFabric");
    return tid;
}

void
EntropyBalancer::Start(int64_t stream)
{
    HostBalancer::Start(stream);
    m_chosen.reset();
}

uint16_t
EntropyBalancer::NextEntropy()
{
    const uint16_t entropy = m_chosen ? *m_chosen : FIRST_PORT + NextLabel();
    m_chosen.reset();
    return entropy;
}

uint32_t
EntropyBalancer::NextPlane(uint32_t planes)
{
    m_chosen = FIRST_PORT + NextLabel();
    return PlaneOf(*m_chosen, planes);
}

} // namespace aifabric
} // namespace ns3
