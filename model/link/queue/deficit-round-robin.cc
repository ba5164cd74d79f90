/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "deficit-round-robin.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace aifabric
{

void
DeficitRoundRobin::SetWeights(const std::array<uint32_t, QUEUES>& weights)
{
    m_weights = weights;
}

const std::array<uint32_t, DeficitRoundRobin::QUEUES>&
DeficitRoundRobin::GetWeights() const
{
    return m_weights;
}

void
DeficitRoundRobin::SetQuantum(uint32_t bytes)
{
    m_quantum = bytes;
}

uint32_t
DeficitRoundRobin::GetQuantum() const
{
    return m_quantum;
}

uint8_t
DeficitRoundRobin::Choose(uint8_t ready)
{
    for (uint8_t queue = 0; queue < QUEUES; ++queue)
    {
        if (!(ready >> queue & 1))
        {
            m_deficits[queue] = std::min<int64_t>(m_deficits[queue], 0);
        }
    }
    if (m_deficits[m_current] <= 0)
    {
        GiveTurns(ready);
    }
    return m_current;
}

void
DeficitRoundRobin::GiveTurns(uint8_t ready)
{
    // First all rounds in which no queue pays its debt off, however many there are.
    int64_t rounds = std::numeric_limits<int64_t>::max();
    for (uint8_t queue = 0; queue < QUEUES; ++queue)
    {
        if (ready >> queue & 1)
        {
            rounds = std::min(rounds, -m_deficits[queue] / GetShare(queue));
        }
    }
    for (uint8_t queue = 0; queue < QUEUES; ++queue)
    {
        m_deficits[queue] += ready >> queue & 1 ? rounds * GetShare(queue) : 0;
    }
    // Then the round in which the first of them does.
    do
    {
        m_current = (m_current + 1) % QUEUES;
        m_deficits[m_current] += ready >> m_current & 1 ? GetShare(m_current) : 0;
    } while (m_deficits[m_current] <= 0);
}

void
DeficitRoundRobin::Charge(uint8_t queue, uint32_t bytes)
{
    m_deficits[queue] -= bytes;
}

int64_t
DeficitRoundRobin::GetDeficit(uint8_t queue) const
{
    return m_deficits[queue];
}

} // namespace aifabric
} // namespace ns3
