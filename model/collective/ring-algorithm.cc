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
    return kind != CollectiveKind::ALL_TO_ALL && kind != CollectiveKind::SEND_RECEIVE;
}

uint64_t
RingAlgorithm::CountBlocks() const
{
    return GetKind() == CollectiveKind::BROADCAST ? 1 : GetRanks();
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
    switch (GetKind())
    {
    case CollectiveKind::ALL_REDUCE:
        return 2 * others;
    case CollectiveKind::BROADCAST: {
        const uint32_t place = Before(rank, GetRoot());
        return (place > 0) + (place < others); // it receives, it sends
    }
    default:
        return others;
    }
}

CollectiveStep
RingAlgorithm::GetStep(uint32_t rank, uint32_t, uint32_t step) const
{
    if (GetKind() == CollectiveKind::BROADCAST)
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
    const bool receives = rank != GetRoot() && step == 0;
    const uint32_t next = Before(rank, GetRanks() - 1);
    return receives ? CollectiveStep{{}, {{Before(rank, 1), 0, 0, 1, false}}}
                    : CollectiveStep{{{next, 0, 0, 1, false}}, {}};
}

} // namespace aifabric
} // namespace ns3
