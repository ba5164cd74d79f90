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

uint64_t
SentOrder::Send(uint32_t sequence)
{
    if (m_threshold == 0)
    {
        return m_first++;
    }
    m_sent.push_back(sequence);
    return m_first + m_sent.size() - 1;
}

void
SentOrder::NoteSum(uint64_t turn)
{
    m_last = std::max(m_last, turn);
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

bool
SentOrder::TakeOvertaken(Packet& packet)
{
    if (m_sent.empty() || m_first + m_threshold > m_last)
    {
        return false;
    }
    packet = {m_sent.front(), m_first};
    m_sent.pop_front();
    ++m_first;
    return true;
}

} // namespace aifabric
} // namespace ns3
