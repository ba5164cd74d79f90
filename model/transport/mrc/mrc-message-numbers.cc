/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mrc-message-numbers.h"

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the place of a message in a ring of messages by first packet; its size: it is not there
/// @param first the first packet of the message
template <typename Ring>
uint32_t
FindPlace(const Ring& ring, uint64_t first)
{
    uint32_t begin = 0;
    uint32_t end = ring.size();
    while (begin < end)
    {
        const uint32_t middle = begin + (end - begin) / 2;
        if (ring[middle].first < first)
        {
            begin = middle + 1;
        }
        else
        {
            end = middle;
        }
    }
    return begin < ring.size() && ring[begin].first == first ? begin : ring.size();
}

} // namespace

MrcMessageNumbers::Names
MrcMessageNumbers::Find(const PostedMessage& message)
{
    const uint64_t first = message.firstPacket;
    uint32_t place = m_begun.size();
    if (!m_begun.empty() && first <= m_begun.back().first)
    {
        place = first == m_begun.back().first ? place - 1 : FindPlace(m_begun, first);
    }
    else
    {
        m_begun.push_back({first, message.GetEnd()});
    }
    Names names{static_cast<uint16_t>(m_acknowledged + place), 0, std::nullopt};
    const uint32_t immediate =
        m_immediates.empty() ? 0 : FindPlace(m_immediates, message.firstPacket);
    if (immediate < m_immediates.size())
    {
        names.rqmsn = m_acknowledgedImmediates + immediate;
        names.immediate = m_immediates[immediate].value;
    }
    return names;
}

void
MrcMessageNumbers::Acknowledge(uint64_t number)
{
    while (!m_begun.empty() && m_begun.front().end <= number)
    {
        const Span span = m_begun.pop_front();
        ++m_acknowledged;
        if (!m_immediates.empty() && m_immediates.front().first == span.first)
        {
            m_immediates.pop_front();
            ++m_acknowledgedImmediates;
        }
    }
}

} // namespace aifabric
} // namespace ns3
