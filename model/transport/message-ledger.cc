/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-ledger.h"

#include "ns3/psn-window.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

uint32_t
MessageLedger::FindPlace(uint64_t number) const
{
    uint32_t first = 0;
    for (uint32_t after = m_messages.size(); after - first > 1;)
    {
        const uint32_t middle = first + (after - first) / 2;
        (m_messages[middle].firstPacket <= number ? first : after) = middle;
    }
    return first;
}

const PostedMessage*
MessageLedger::Confirm(uint32_t msn)
{
    const int64_t more = PsnWindow::Unwrap(msn, m_completed) - static_cast<int64_t>(m_completed);
    if (more <= 0)
    {
        return nullptr;
    }
    m_confirmed = std::max<uint64_t>(m_confirmed, m_completed + more);
    return more <= static_cast<int64_t>(m_messages.size()) ? &m_messages[more - 1] : nullptr;
}

uint32_t
MessageLedger::TakeUnfilled(uint64_t number)
{
    PostedMessage& message = m_messages[FindPlace(number)];
    return number + 1 == message.GetEnd() ? std::exchange(message.unfilled, 0) : 0;
}

uint64_t
MessageLedger::TakeUnfilledBefore(uint64_t number)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < m_messages.size() && m_messages[i].GetEnd() <= number; ++i)
    {
        bytes += std::exchange(m_messages[i].unfilled, 0);
    }
    return bytes;
}

PostedMessage
MessageLedger::Complete()
{
    ++m_completed;
    return m_messages.pop_front();
}

} // namespace aifabric
} // namespace ns3
