/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "simple-rr-balancer.h"

#include <numeric>
#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SimpleRrBalancer);

TypeId
SimpleRrBalancer::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::SimpleRrBalancer")
                            .SetParent<SwitchBalancer>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<SimpleRrBalancer>();
    return tid;
}

SimpleRrBalancer::SimpleRrBalancer()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

uint32_t
SimpleRrBalancer::Choose(const FabricFrame&, const EgressGroup& group, int64_t)
{
    if (group.id >= m_rotations.size())
    {
        m_rotations.resize(group.id + 1);
    }
    Rotation& rotation = m_rotations[group.id];
    if (rotation.order.empty())
    {
        Shuffle(rotation, group.members.size());
    }
    const uint32_t chosen = rotation.order[rotation.position];
    if (++rotation.position == rotation.order.size())
    {
        rotation.position = 0;
        if (++rotation.rounds == m_reshuffle)
        {
            Shuffle(rotation, group.members.size());
        }
    }
    return chosen;
}

void
SimpleRrBalancer::Shuffle(Rotation& rotation, std::size_t size)
{
    rotation.order.resize(size);
    rotation.rounds = 0;
    std::iota(rotation.order.begin(), rotation.order.end(), 0);
    for (std::size_t i = size - 1; i > 0; --i)
    {
        std::swap(rotation.order[i], rotation.order[m_random->GetInteger(0, i)]);
    }
}

void
SimpleRrBalancer::GroupChanged(const EgressGroup& group)
{
    if (group.id < m_rotations.size())
    {
        m_rotations[group.id] = Rotation{};
    }
}

int64_t
SimpleRrBalancer::AssignStreams(int64_t stream)
{
    m_random->SetStream(stream);
    return 1;
}

} // namespace aifabric
} // namespace ns3
