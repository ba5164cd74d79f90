/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sticky-cache.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

StickyCache::StickyCache(uint32_t labels, uint32_t exploration)
    : m_remembered(labels, false),
      m_exploring(std::min(labels, exploration))
{
}

uint16_t
StickyCache::Next()
{
    if (m_exploring == 0 && !m_order.empty())
    {
        ++m_uses;
        return m_order.front();
    }
    m_exploring -= m_exploring > 0 ? 1 : 0;
    const uint32_t label = m_next;
    m_next = m_next + 1 == m_remembered.size() ? 0 : m_next + 1;
    return label;
}

void
StickyCache::Acked(uint16_t label, bool marked)
{
    if (marked)
    {
        RemoveOldest();
    }
    else if (!m_remembered[label])
    {
        m_remembered[label] = true;
        m_order.push_back(label);
    }
}

void
StickyCache::Lost()
{
    RemoveOldest();
}

void
StickyCache::RemoveOldest()
{
    if (!m_order.empty())
    {
        m_remembered[m_order.front()] = false;
        m_order.pop_front();
        ++m_removals;
    }
}

uint64_t
StickyCache::GetUses() const
{
    return m_uses;
}

uint64_t
StickyCache::GetRemovals() const
{
    return m_removals;
}

} // namespace aifabric
} // namespace ns3
