/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "prime-selector.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return a penalty  @param given what parameters say  @param usual what USUAL stands for
uint64_t
Find(uint32_t given, uint64_t usual)
{
    return given == PrimeSelector::USUAL ? usual : given;
}

} // namespace

PrimeSelector::PrimeSelector(const std::vector<uint16_t>& sizes,
                             const Parameters& parameters,
                             const UniformInteger& uniform,
                             std::shared_ptr<Penalties> penalties)
    : m_parameters(parameters),
      m_walk(sizes, uniform),
      m_combinations(m_walk.CountCombinations()),
      m_isShared(penalties != nullptr),
      m_penalties(penalties ? std::move(penalties) : std::make_shared<Penalties>(sizes)),
      m_choice(sizes.size())
{
}

const std::vector<uint16_t>&
PrimeSelector::Choose(uint32_t bytes, int64_t now, const UniformInteger& uniform)
{
    if (IsExploring())
    {
        Explore(uniform);
    }
    else if (m_parameters.searchMode == TUPLE)
    {
        SearchTuple(now, uniform);
    }
    else
    {
        SearchParts(now, uniform);
    }
    m_sent += bytes;
    ++m_penalties->packets;
    return m_choice;
}

void
PrimeSelector::PassExcluded(const UniformInteger& uniform)
{
    // Excluded values may end one round and begin the next one, which has another order.
    for (uint32_t look = 1;
         m_excluded != 0 && look < 2 * m_walk.GetSize(0) && (m_excluded >> m_walk.GetValue(0) & 1);
         ++look)
    {
        m_walk.Advance(0, uniform);
    }
}

void
PrimeSelector::Explore(const UniformInteger& uniform)
{
    PassExcluded(uniform);
    Take();
    m_walk.Advance(0, uniform);
}

void
PrimeSelector::SearchTuple(int64_t now, const UniformInteger& uniform)
{
    PassExcluded(uniform);
    uint64_t least = GetCost(now);
    Take();
    m_walk.Advance(0, uniform);
    for (uint64_t looks = 1; least > 0 && looks < m_combinations; ++looks)
    {
        PassExcluded(uniform);
        const uint64_t cost = GetCost(now);
        if (cost < least)
        {
            least = cost;
            Take();
        }
        m_walk.Advance(0, uniform);
        ++m_skipped;
    }
    m_forced += least > 0 ? 1 : 0;
}

void
PrimeSelector::SearchParts(int64_t now, const UniformInteger& uniform)
{
    bool isForced = false;
    for (uint32_t part = 0; part < m_walk.CountParts(); ++part)
    {
        if (GetCost(part, m_walk.GetValue(part), now) > 0)
        {
            const uint64_t least = FindLeast(part, now);
            isForced |= least > 0;
            while (GetCost(part, m_walk.GetValue(part), now) > least)
            {
                ++m_skipped;
                m_walk.Advance(part, uniform);
            }
        }
        m_choice[part] = m_walk.GetValue(part);
    }
    m_forced += isForced ? 1 : 0;
    m_walk.Advance(0, uniform);
}

void
PrimeSelector::Take()
{
    for (uint32_t part = 0; part < m_choice.size(); ++part)
    {
        m_choice[part] = m_walk.GetValue(part);
    }
}

uint64_t
PrimeSelector::GetCost(int64_t now) const
{
    uint64_t cost = 0;
    for (uint32_t part = 0; part < m_walk.CountParts(); ++part)
    {
        cost += GetCost(part, m_walk.GetValue(part), now);
    }
    return cost;
}

uint64_t
PrimeSelector::GetCost(uint32_t part, uint32_t value, int64_t now) const
{
    const bool isExcluded = part == 0 && m_excluded != 0 && (m_excluded >> value & 1);
    return isExcluded ? UNUSABLE : m_penalties->table.Get(part, value, GetClock(part, now));
}

uint64_t
PrimeSelector::FindLeast(uint32_t part, int64_t now) const
{
    uint64_t least = UNUSABLE;
    for (uint32_t value = 0; value < m_walk.GetSize(part); ++value)
    {
        least = std::min(least, GetCost(part, value, now));
    }
    return least;
}

uint64_t
PrimeSelector::GetClock(uint32_t part, int64_t now) const
{
    switch (m_parameters.decayMode)
    {
    case PER_ROUND:
        return (m_isShared ? m_penalties->packets / m_walk.CountSteps(part)
                           : m_walk.GetRounds(part)) *
               m_parameters.decay;
    case TIME:
        return now / m_parameters.decayInterval * m_parameters.decay;
    default:
        return m_penalties->packets * m_parameters.decay;
    }
}

void
PrimeSelector::Charge(uint32_t part, uint32_t value, Signal signal, int64_t now)
{
    const uint64_t clock = GetClock(part, now);
    const uint64_t old = m_penalties->table.Get(part, value, clock);
    const uint32_t size = m_walk.GetSize(part);
    if (signal == Signal::MARK)
    {
        if (old == 0 || m_parameters.marksAccumulate)
        {
            m_penalties->table.Set(part, value, clock, old + Find(m_parameters.markPenalty, size));
        }
        return;
    }
    constexpr uint64_t ROUNDS_OF_A_LOSS = 4;
    uint64_t severe = Find(m_parameters.lossPenalty, ROUNDS_OF_A_LOSS * size);
    if (signal == Signal::TIMEOUT)
    {
        severe = Find(m_parameters.timeoutPenalty, severe);
    }
    const uint64_t penalty = m_parameters.lossesOverwrite ? std::max(old, severe) : old + severe;
    m_penalties->table.Set(part, value, clock, penalty);
}

} // namespace aifabric
} // namespace ns3
