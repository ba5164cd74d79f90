/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_COMPLETIONS_H
#define MESSAGE_COMPLETIONS_H

#include "ns3/callback.h"
#include "ns3/growing-ring.h"
#include "ns3/ptr.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

class QueuePair;

/**
 * @ingroup ai-fabric
 *
 * Who is to be called when a message of a queue pair is complete: at the sender when all of it is
 * acknowledged, at the receiver when all of it has come.
 */
class MessageCompletions
{
  public:
    /// The queue pair, and the message's length in bytes.
    using MessageCallback = Callback<void, Ptr<QueuePair>, uint64_t>;

    /// The queue pair, the message's length in bytes, and its key.
    using KeyCallback = Callback<void, Ptr<QueuePair>, uint64_t, uint32_t>;

    /// @param received called for each message that has come
    void SetReceiveCallback(KeyCallback received)
    {
        m_received = received;
    }

    /// @param sent called for each message that is acknowledged
    void SetSendCallback(KeyCallback sent)
    {
        m_sent = sent;
    }

    /// A message is posted.  @param number how many messages were posted before it
    /// @param done called when it is acknowledged, before the callback for all; may be null
    void Post(uint64_t number, const MessageCallback& done)
    {
        if (!done.IsNull())
        {
            m_posted.push_back({number, done});
        }
    }

    /// A message has come.
    void CompleteReceived(QueuePair* queuePair, uint64_t bytes, uint32_t key) const;

    /// A message is acknowledged.  @param number how many messages were posted before it
    void CompleteSent(QueuePair* queuePair, uint64_t number, uint64_t bytes, uint32_t key);

    /// Drop all callbacks: the simulation ends.
    void Dispose();

  private:
    /// The callback of one message.
    struct Posted
    {
        uint64_t number{0};   //!< how many messages were posted before it
        MessageCallback done; //!< called when the message is acknowledged
    };

    KeyCallback m_received;       //!< called for each received message
    KeyCallback m_sent;           //!< called for each acknowledged message
    GrowingRing<Posted> m_posted; //!< messages with callbacks of their own
};

} // namespace aifabric
} // namespace ns3

#endif /* MESSAGE_COMPLETIONS_H */
