/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "direct-algorithm.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(DirectAlgorithm);

TypeId
DirectAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::DirectAlgorithm")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<DirectAlgorithm>();
    return tid;
}

bool
DirectAlgorithm::Supports(CollectiveKind) const
{
    return true;
}

uint64_t
DirectAlgorithm::CountBlocks() const
{
    switch (GetKind())
    {
    case CollectiveKind::ALL_TO_ALL:
        return uint64_t{GetRanks()} * GetRanks();
    case CollectiveKind::BROADCAST:
    case CollectiveKind::SEND_RECEIVE:
    case CollectiveKind::REDUCE:
        return 1;
    default:
        return GetRanks();
    }
}

uint32_t
DirectAlgorithm::CountReceivers() const
{
    const uint32_t others = GetRanks() - 1;
    return GetKind() == CollectiveKind::SEND_RECEIVE ? std::min(others, 1U) : others;
}

uint32_t
DirectAlgorithm::Behind(uint32_t rank, uint32_t distance) const
{
    return (uint64_t{rank} + distance) % GetRanks();
}

uint32_t
DirectAlgorithm::CountSteps(uint32_t rank, uint32_t) const
{
    if (GetRanks() == 1)
    {
        return 0;
    }
    switch (GetKind())
    {
    case CollectiveKind::ALL_REDUCE:
        return 2;
    case CollectiveKind::SEND_RECEIVE:
        return rank == GetRoot() || rank == Behind(GetRoot(), 1);
    default:
        return 1;
    }
}

CollectiveStep
DirectAlgorithm::GetStep(uint32_t rank, uint32_t, uint32_t step) const
{
    switch (GetKind())
    {
    case CollectiveKind::ALL_REDUCE:
        return step == 0 ? Scatter(rank) : Gather(rank, step);
    case CollectiveKind::REDUCE_SCATTER:
        return Scatter(rank);
    case CollectiveKind::ALL_GATHER:
        return Gather(rank, step);
    case CollectiveKind::ALL_TO_ALL:
        return Exchange(rank);
    case CollectiveKind::SENDRECV:
        return Pass(rank);
    case CollectiveKind::REDUCE:
    case CollectiveKind::GATHER:
        return Collect(rank);
    default:
        return Spread(rank);
    }
}

CollectiveStep
DirectAlgorithm::Scatter(uint32_t rank) const
{
    CollectiveStep result;
    for (uint32_t distance = 1; distance < GetRanks(); ++distance)
    {
        const uint32_t peer = Behind(rank, distance);
        result.sends.push_back({peer, 0, peer, 1, true});
        result.receives.push_back({peer, 0, rank, 1, true});
    }
    return result;
}

CollectiveStep
DirectAlgorithm::Gather(uint32_t rank, uint32_t step) const
{
    CollectiveStep result;
    for (uint32_t distance = 1; distance < GetRanks(); ++distance)
    {
        const uint32_t peer = Behind(rank, distance);
        result.sends.push_back({peer, step, rank, 1, false});
        result.receives.push_back({peer, step, peer, 1, false});
    }
    return result;
}

CollectiveStep
DirectAlgorithm::Exchange(uint32_t rank) const
{
    const uint64_t ranks = GetRanks();
    CollectiveStep result;
    for (uint32_t distance = 1; distance < ranks; ++distance)
    {
        const uint32_t peer = Behind(rank, distance);
        result.sends.push_back({peer, 0, rank * ranks + peer, 1, false});
        result.receives.push_back({peer, 0, peer * ranks + rank, 1, false});
    }
    return result;
}

CollectiveStep
DirectAlgorithm::Spread(uint32_t rank) const
{
    CollectiveStep result;
    if (rank != GetRoot())
    {
        result.receives.push_back({GetRoot(), 0, PartOf(rank), 1, false});
        return result;
    }
    for (uint32_t distance = 1; distance <= CountReceivers(); ++distance)
    {
        const uint32_t peer = Behind(rank, distance);
        result.sends.push_back({peer, 0, PartOf(peer), 1, false});
    }
    return result;
}

CollectiveStep
DirectAlgorithm::Collect(uint32_t rank) const
{
    const bool reduces = GetKind() == CollectiveKind::REDUCE;
    CollectiveStep result;
    if (rank != GetRoot())
    {
        result.sends.push_back({GetRoot(), 0, PartOf(rank), 1, reduces});
        return result;
    }
    for (uint32_t distance = 1; distance < GetRanks(); ++distance)
    {
        const uint32_t peer = Behind(rank, distance);
        result.receives.push_back({peer, 0, PartOf(peer), 1, reduces});
    }
    return result;
}

CollectiveStep
DirectAlgorithm::Pass(uint32_t rank) const
{
    const uint32_t next = Behind(rank, 1);
    const uint32_t previous = Behind(rank, GetRanks() - 1);
    return {{{next, 0, rank, 1, false}}, {{previous, 0, previous, 1, false}}};
}

uint64_t
DirectAlgorithm::PartOf(uint32_t rank) const
{
    return CountBlocks() == 1 ? 0 : rank;
}

} // namespace aifabric
} // namespace ns3
