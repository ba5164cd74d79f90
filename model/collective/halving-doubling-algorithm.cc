/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "halving-doubling-algorithm.h"

#include "ns3/enum-accessor.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(HalvingDoublingAlgorithm);

TypeId
HalvingDoublingAlgorithm::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::HalvingDoublingAlgorithm")
            .SetParent<FoldingAlgorithm>()
            .SetGroupName("AiFabric")
            .AddConstructor<HalvingDoublingAlgorithm>()
            .AddAttribute(
                "Order",
                "In which order the partners of the halving come: NearestFirst, ranks "
                "that are 1, 2, 4, ... apart, or FarthestFirst. The doubling is the same "
                "backwards.",
                EnumValue(NEAREST_FIRST),
                MakeEnumMemberAccessor<Order>(&HalvingDoublingAlgorithm::m_order),
                MakeEnumChecker(NEAREST_FIRST, "NearestFirst", FARTHEST_FIRST, "FarthestFirst"));
    return tid;
}

bool
HalvingDoublingAlgorithm::Supports(CollectiveKind kind) const
{
    return kind == CollectiveKind::ALL_REDUCE || kind == CollectiveKind::ALL_GATHER ||
           kind == CollectiveKind::REDUCE_SCATTER;
}

uint32_t
HalvingDoublingAlgorithm::GetPosition(uint32_t participant) const
{
    if (m_order == FARTHEST_FIRST)
    {
        return participant;
    }
    uint32_t reversed = 0; // who is near in rank is far in position
    for (uint32_t bit = 0; bit < CountRounds(); ++bit)
    {
        reversed = reversed << 1 | (participant >> bit & 1);
    }
    return reversed;
}

uint32_t
HalvingDoublingAlgorithm::CountExchanges() const
{
    return GetKind() == CollectiveKind::ALL_REDUCE ? 2 * CountRounds() : CountRounds();
}

FoldingAlgorithm::Exchange
HalvingDoublingAlgorithm::GetExchange(uint32_t participant, uint32_t exchange) const
{
    const uint32_t rounds = CountRounds();
    const bool halves = GetKind() != CollectiveKind::ALL_GATHER && exchange < rounds;
    const uint32_t round = halves ? rounds - 1 - exchange : exchange % rounds;
    const uint32_t size = 1U << round; // positions in what is exchanged, and between the partners
    const uint32_t distance = m_order == NEAREST_FIRST ? 1U << (rounds - 1 - round) : size;
    const uint32_t partner = participant ^ distance;
    const BlockRange own = GetGroup(GetPosition(participant), size);
    const BlockRange others = GetGroup(GetPosition(partner), size);
    return halves ? Exchange{partner, others, own, true} : Exchange{partner, own, others, false};
}

} // namespace aifabric
} // namespace ns3
