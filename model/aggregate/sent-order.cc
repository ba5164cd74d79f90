/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "sent-order.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

SentOrder::SentOrder(uint32_t threshold, uint32_t most)
    : m_least(threshold),
      m_threshold(threshold),
      m_most(std::max(threshold, most))
{
}

void
SentOrder::NoteLate(uint64_t turn)
{
    if (m_threshold > 0 && m_last > turn)
    {
        m_threshold = std::clamp(m_last - turn + 1, m_threshold, m_most);
    }
}

void
SentOrder::NoteTimeout()
{
    m_threshold = m_least;
}

} // namespace aifabric
} // namespace ns3
