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

SentOrder::SentOrder(uint32_t threshold)
    : m_threshold(threshold)
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
    if (m_last.size() == m_threshold && (m_threshold == 0 || turn < m_last.front()))
    {
        return;
    }
    m_last.insert(std::upper_bound(m_last.begin(), m_last.end(), turn), turn);
    if (m_last.size() > m_threshold)
    {
        m_last.erase(m_last.begin());
    }
}

bool
SentOrder::TakeOvertaken(Packet& packet)
{
    if (m_last.size() < m_threshold || m_sent.empty() || m_first >= m_last.front())
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
