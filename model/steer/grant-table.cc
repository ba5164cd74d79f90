/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "grant-table.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

GrantTable::GrantTable(uint32_t perChannel, uint32_t perReceiver)
    : m_perChannel(perChannel),
      m_perReceiver(perReceiver)
{
}

void
GrantTable::Post(uint32_t channel, uint64_t chunks)
{
    m_channels[channel].posted += chunks;
    Enlist(channel);
}

void
GrantTable::Start(uint32_t channel, uint64_t chunks)
{
    m_channels[channel].started += chunks;
    Enlist(channel);
}

void
GrantTable::Enlist(uint32_t number)
{
    Channel& channel = m_channels[number];
    const bool isWanted = std::max(channel.posted, channel.started) > channel.granted;
    if (isWanted && channel.lasting < m_perChannel && !channel.isInLine)
    {
        channel.isInLine = true;
        m_line.push_back(number);
    }
}

std::optional<uint32_t>
GrantTable::Take()
{
    if (m_line.empty() || (m_perReceiver > 0 && m_lasting == m_perReceiver))
    {
        return std::nullopt;
    }
    const uint32_t number = m_line.front();
    m_line.pop_front();
    Channel& channel = m_channels[number];
    channel.isInLine = false;
    ++channel.granted;
    ++channel.lasting;
    m_most = std::max(m_most, ++m_lasting);
    Enlist(number);
    return number;
}

void
GrantTable::Free(uint32_t channel)
{
    --m_channels[channel].lasting;
    --m_lasting;
    Enlist(channel);
}

uint32_t
GrantTable::GetLasting() const
{
    return m_lasting;
}

uint32_t
GrantTable::GetMostLasting() const
{
    return m_most;
}

} // namespace aifabric
} // namespace ns3
