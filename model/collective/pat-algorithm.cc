/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pat-algorithm.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PatAlgorithm);

TypeId
PatAlgorithm::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::PatAlgorithm")
                            .SetParent<CollectiveAlgorithm>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<PatAlgorithm>();
    return tid;
}

bool
PatAlgorithm::Supports(CollectiveKind kind) const
{
    return kind == CollectiveKind::ALL_GATHER || kind == CollectiveKind::REDUCE_SCATTER;
}

void
PatAlgorithm::DoPrepare()
{
    m_steps = 0;
    while ((GetRanks() - 1) >> m_steps)
    {
        ++m_steps;
    }
}

uint64_t
PatAlgorithm::CountBlocks() const
{
    return GetRanks();
}

uint64_t
PatAlgorithm::BlockOf(uint32_t root) const
{
    if (GetRanks() != 1U << m_steps)
    {
        return root;
    }
    uint64_t block = 0; // with its bits in reverse order: roots of one step follow one another
    for (uint32_t bit = 0; bit < m_steps; ++bit)
    {
        block = block << 1 | (root >> bit & 1);
    }
    return block;
}

BlockRange
PatAlgorithm::GetHome(uint32_t rank) const
{
    return {BlockOf(rank), 1};
}

uint32_t
PatAlgorithm::CountSteps(uint32_t, uint32_t) const
{
    return m_steps;
}

CollectiveStep
PatAlgorithm::GetStep(uint32_t rank, uint32_t, uint32_t step) const
{
    const bool gathers = GetKind() == CollectiveKind::ALL_GATHER;
    const uint32_t distance = 1U << (gathers ? m_steps - 1 - step : step);
    const uint32_t below = (uint64_t{rank} + distance) % GetRanks();
    const uint32_t above = (uint64_t{rank} + GetRanks() - distance) % GetRanks();
    const CollectiveMessage toBelow{below, step, 0, 0, !gathers};
    const CollectiveMessage toAbove{above, step, 0, 0, !gathers};
    CollectiveStep result{GetMessages(rank, distance, toBelow),
                          GetMessages(above, distance, toAbove)};
    if (!gathers)
    {
        std::swap(result.sends, result.receives);
    }
    return result;
}

std::vector<CollectiveMessage>
PatAlgorithm::GetMessages(uint32_t upper, uint32_t distance, const CollectiveMessage& message) const
{
    std::vector<uint64_t> blocks;
    for (uint64_t behind = 0; behind + distance < GetRanks(); behind += 2 * uint64_t{distance})
    {
        blocks.push_back(BlockOf((upper + GetRanks() - behind) % GetRanks()));
    }
    std::sort(blocks.begin(), blocks.end());
    std::vector<CollectiveMessage> messages;
    for (const uint64_t block : blocks)
    {
        if (messages.empty() || messages.back().firstBlock + messages.back().blocks != block)
        {
            messages.push_back(message);
            messages.back().firstBlock = block;
        }
        ++messages.back().blocks;
    }
    return messages;
}

} // namespace aifabric
} // namespace ns3
