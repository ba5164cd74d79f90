/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "part-walk.h"

#include <numeric>

namespace ns3
{
namespace aifabric
{

PartWalk::PartWalk(const std::vector<uint16_t>& sizes, const UniformInteger& uniform)
{
    for (const uint16_t size : sizes)
    {
        Part part;
        part.order.resize(size);
        std::iota(part.order.begin(), part.order.end(), 0);
        Shuffle(part.order, uniform);
        m_parts.push_back(std::move(part));
    }
}

uint64_t
PartWalk::CountCombinations() const
{
    uint64_t count = 1;
    for (const Part& part : m_parts)
    {
        count *= part.order.size();
    }
    return count;
}

void
PartWalk::BeginRound(Part& part, const UniformInteger& uniform)
{
    part.cursor = 0;
    ++part.rounds;
    Shuffle(part.order, uniform);
}

} // namespace aifabric
} // namespace ns3
