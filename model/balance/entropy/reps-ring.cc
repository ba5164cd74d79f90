/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "reps-ring.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

RepsRing::RepsRing(const Parameters& parameters)
    : m_parameters(parameters),
      m_slots(parameters.slots)
{
}

std::optional<uint16_t>
RepsRing::Next()
{
    if (m_exploring > 0)
    {
        --m_exploring;
        return std::nullopt;
    }
    if (m_isFrozen && m_count > 0)
    {
        Slot& slot = m_slots[m_frozenNext];
        m_frozenNext = (m_frozenNext + 1) % m_count;
        return Use(slot, 0);
    }
    if (m_isFrozen || m_valid == 0)
    {
        return std::nullopt;
    }
    Slot& oldest = m_slots[(m_head + m_slots.size() - m_valid) % m_slots.size()];
    return Use(oldest, oldest.left - 1);
}

uint16_t
RepsRing::Use(Slot& slot, uint16_t left)
{
    m_valid -= slot.left > 0 && left == 0 ? 1 : 0;
    slot.left = left;
    ++m_uses;
    return slot.label;
}

void
RepsRing::Acked(uint16_t label, bool marked, int64_t now)
{
    MayThaw(now);
    if (marked)
    {
        return;
    }
    Slot& slot = m_slots[m_head];
    m_valid += slot.left > 0 ? 0 : 1;
    slot = {label, m_parameters.uses};
    m_head = (m_head + 1) % m_slots.size();
    m_count = std::min<uint32_t>(m_count + 1, m_slots.size());
}

bool
RepsRing::TimerExpired(int64_t now, bool mayFreeze)
{
    const bool freezes = mayFreeze && !m_isFrozen && m_exploring == 0;
    if (freezes)
    {
        m_isFrozen = true;
        m_thawAt = now + m_parameters.freezingTime;
        ++m_freezes;
    }
    MayThaw(now);
    return freezes;
}

void
RepsRing::MayThaw(int64_t now)
{
    if (m_isFrozen && now > m_thawAt)
    {
        m_isFrozen = false;
        ++m_thaws;
        std::fill(m_slots.begin(), m_slots.end(), Slot{});
        m_head = 0;
        m_count = 0;
        m_valid = 0;
        m_frozenNext = 0;
        m_exploring = m_parameters.exploration;
    }
}

bool
RepsRing::IsFrozen() const
{
    return m_isFrozen;
}

uint64_t
RepsRing::GetUses() const
{
    return m_uses;
}

uint64_t
RepsRing::GetFreezes() const
{
    return m_freezes;
}

uint64_t
RepsRing::GetThaws() const
{
    return m_thaws;
}

} // namespace aifabric
} // namespace ns3
