/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "arrival-ledger.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

void
ArrivalLedger::Announce(const ArrivingMessage& message)
{
    uint32_t place = m_messages.size();
    for (; place > 0 && m_messages[place - 1].end >= message.end; --place)
    {
        if (m_messages[place - 1].end == message.end)
        {
            return; // by a repair packet
        }
    }
    m_messages.push_back(message);
    for (uint32_t i = m_messages.size() - 1; i > place; --i)
    {
        std::swap(m_messages[i], m_messages[i - 1]);
    }
}

} // namespace aifabric
} // namespace ns3
