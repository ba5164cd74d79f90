/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ecmp-balancer.h"

#include <limits>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(EcmpBalancer);

TypeId
EcmpBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::EcmpBalancer")
                            .SetParent<SwitchBalancer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<EcmpBalancer>();
    return tid;
}

EcmpBalancer::EcmpBalancer()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
EcmpBalancer::DoInitialize()
{
    m_salt = m_random->GetInteger(0, std::numeric_limits<uint32_t>::max() - 1);
    SwitchBalancer::DoInitialize();
}

uint32_t
EcmpBalancer::Choose(const FabricFrame& frame, const EgressGroup& group, int64_t)
{
    return Predict(frame, group);
}

int
EcmpBalancer::Predict(const FabricFrame& frame, const EgressGroup& group) const
{
    return PickByHash(frame.flowHash, group);
}

bool
EcmpBalancer::HashesOnly() const
{
    return GetInstanceTypeId() == GetTypeId(); // subclasses choose by more than the 5-tuple
}

bool
EcmpBalancer::KeepsPaths() const
{
    return true;
}

uint32_t
EcmpBalancer::Mix(uint32_t hash, uint32_t salt)
{
    uint64_t mixed = static_cast<uint64_t>(salt) << 32 | hash;
    mixed ^= mixed >> 33;
    mixed *= 0xFF51AFD7ED558CCD;
    mixed ^= mixed >> 33;
    mixed *= 0xC4CEB9FE1A85EC53;
    return mixed >> 32;
}

TypeId
EcmpBalancer::GetHostBalancer() const
{
    return TypeId::LookupByName(
        "ns3::aifabric::HostBalancer"); // the hash of the 5-tuple says the plane, too
}

int64_t
EcmpBalancer::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace aifabric
} // namespace ns3
