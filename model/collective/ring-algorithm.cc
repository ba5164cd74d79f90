/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ring-algorithm.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RingAlgorithm);

TypeId
RingAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::RingAlgorithm")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<RingAlgorithm>();
    return tid;
}

bool
RingAlgorithm::Supports(CollectiveKind kind) const
{
    switch (kind)
    {
    case CollectiveKind::ALL_REDUCE:
    case CollectiveKind::ALL_GATHER:
    case CollectiveKind::REDUCE_SCATTER:
    case CollectiveKind::BROADCAST:
    case CollectiveKind::REDUCE:
        return true;
    default:
        return false;
    }
}

uint64_t
RingAlgorithm::CountBlocks() const
{
    return IsChunked() ? 1 : GetRanks();
}

bool
RingAlgorithm::IsChunked() const
{
    // Data go along a chain, and not round.
    return GetKind() == CollectiveKind::BROADCAST || GetKind() == CollectiveKind::REDUCE;
}

uint32_t
RingAlgorithm::PlaceOf(uint32_t rank) const
{
    const bool isFirst = GetKind() == CollectiveKind::BROADCAST; // the root; else it is the last
    return Before(rank, isFirst ? GetRoot() : GetRoot() + 1);
}

uint32_t
RingAlgorithm::Before(uint32_t rank, uint32_t distance) const
{
    return (uint64_t{rank} + 2 * uint64_t{GetRanks()} - distance) % GetRanks();
}

uint32_t
RingAlgorithm::CountSteps(uint32_t rank, uint32_t) const
{
    const uint32_t others = GetRanks() - 1;
    if (IsChunked())
    {
        const uint32_t place = PlaceOf(rank);
        return (place > 0) + (place < others); // it receives, it sends
    }
    return GetKind() == CollectiveKind::ALL_REDUCE ? 2 * others : others;
}

CollectiveStep
RingAlgorithm::GetStep(uint32_t rank, uint32_t, uint32_t step) const
{
    if (IsChunked())
    {
        return Hand(rank, step);
    }
    // Blocks go round so that rank r has the sum of block r after N-1 steps.
    const uint32_t others = GetRanks() - 1;
    const bool gathers = GetKind() == CollectiveKind::ALL_GATHER;
    const bool reduces = !gathers && step < others;
    const uint32_t behind = gathers ? step : step + 1;
    const uint32_t next = Before(rank, others);
    const uint32_t previous = Before(rank, 1);
    return {{{next, step, Before(rank, behind), 1, reduces}},
            {{previous, step, Before(previous, behind), 1, reduces}}};
}

CollectiveStep
RingAlgorithm::Hand(uint32_t rank, uint32_t step) const
{
    const bool receives = PlaceOf(rank) > 0 && step == 0;
    const bool reduces = GetKind() == CollectiveKind::REDUCE;
    const uint32_t next = Before(rank, GetRanks() - 1);
    return receives ? CollectiveStep{{}, {{Before(rank, 1), 0, 0, 1, reduces}}}
                    : CollectiveStep{{{next, 0, 0, 1, reduces}}, {}};
}

} // namespace aifabric
} // namespace ns3
