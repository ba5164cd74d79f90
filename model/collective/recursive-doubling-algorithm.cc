/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "recursive-doubling-algorithm.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RecursiveDoublingAlgorithm);

TypeId
RecursiveDoublingAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::RecursiveDoublingAlgorithm")
                            .SetParent<FoldingAlgorithm>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<RecursiveDoublingAlgorithm>();
    return tid;
}

bool
RecursiveDoublingAlgorithm::Supports(CollectiveKind kind) const
{
    return kind == CollectiveKind::ALL_REDUCE || kind == CollectiveKind::ALL_GATHER;
}

uint32_t
RecursiveDoublingAlgorithm::GetPosition(uint32_t participant) const
{
    return participant;
}

uint32_t
RecursiveDoublingAlgorithm::CountExchanges() const
{
    return CountRounds();
}

FoldingAlgorithm::Exchange
RecursiveDoublingAlgorithm::GetExchange(uint32_t participant, uint32_t exchange) const
{
    const uint32_t distance = 1U << exchange;
    const uint32_t partner = participant ^ distance;
    if (GetKind() == CollectiveKind::ALL_REDUCE)
    {
        return {partner, GetAll(), GetAll(), true};
    }
    return {partner, GetGroup(participant, distance), GetGroup(partner, distance), false};
}

} // namespace aifabric
} // namespace ns3
