/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "host-balancer.h"

#include "ecmp-balancer.h"
#include "fork-object.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(HostBalancer);

TypeId
HostBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::HostBalancer")
                            .SetParent<Object>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<HostBalancer>();
    return tid;
}

void
HostBalancer::Start(int64_t stream)
{
    m_stream = stream;
}

void
HostBalancer::DrawAhead()
{
    if (!m_random)
    {
        m_random = CreateObject<UniformRandomVariable>();
        m_random->SetStream(m_stream);
    }
    for (m_drawn = 0; m_drawn < m_draws.size(); ++m_drawn)
    {
        m_draws[m_draws.size() - 1 - m_drawn] = m_random->GetValue(0, 1);
    }
}

void
HostBalancer::Connect(uint32_t, uint32_t, std::shared_ptr<const PathView>)
{
}

void
HostBalancer::SetFixedEntropy(uint16_t entropy)
{
    m_entropy = entropy;
}

uint32_t
HostBalancer::NextPlane(uint32_t planes)
{
    return PlaneOf(m_entropy, planes);
}

uint32_t
HostBalancer::PlaneOf(uint16_t entropy, uint32_t planes)
{
    // Linux gives entropies whose low bits are far from uniform: multiplicative hashing.
    const uint64_t mixed = entropy * 0x9E3779B97F4A7C15 >> 32;
    return mixed * planes >> 32;
}

bool
HostBalancer::TakesAnyPlane() const
{
    return false;
}

uint16_t
HostBalancer::NextEntropy()
{
    return m_entropy;
}

void
HostBalancer::PacketAcked(uint16_t, bool, int64_t, int64_t)
{
}

void
HostBalancer::PacketLost(uint16_t, int64_t)
{
}

void
HostBalancer::TimerExpired(int64_t)
{
}

TypeId
HostBalancer::GetSwitchBalancer() const
{
    return EcmpBalancer::GetTypeId();
}

double
HostBalancer::GetMarkingShare() const
{
    return 0;
}

void
HostBalancer::Count(PolicyCounters&) const
{
}

Ptr<HostBalancer>
HostBalancer::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
