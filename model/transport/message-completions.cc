/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-completions.h"

#include "queue-pair.h"

namespace ns3
{
namespace aifabric
{

void
MessageCompletions::CompleteReceived(QueuePair* queuePair, uint64_t bytes, uint32_t key) const
{
    if (!m_received.IsNull())
    {
        m_received(queuePair, bytes, key);
    }
}

void
MessageCompletions::CompleteSent(QueuePair* queuePair,
                                 uint64_t number,
                                 uint64_t bytes,
                                 uint32_t key)
{
    if (!m_posted.empty() && m_posted.front().number == number)
    {
        m_posted.pop_front().done(queuePair, bytes);
    }
    if (!m_sent.IsNull())
    {
        m_sent(queuePair, bytes, key);
    }
}

void
MessageCompletions::Dispose()
{
    *this = {};
}

} // namespace aifabric
} // namespace ns3
