/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_LEDGER_H
#define MESSAGE_LEDGER_H

#include "ns3/growing-ring.h"
#include "ns3/prefetch-lines.h"

#include <algorithm>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

class QueuePair;

/// A message that was posted.
struct PostedMessage
{
    uint64_t firstPacket{0}; //!< the number of its first packet
    uint64_t turn{0};        //!< its place among the messages of the NIC
    uint32_t bytes{0};       //!< its length; of a request: that of the read, its packet is empty
    uint32_t unfilled{0};    //!< bytes that its last packet is short of; 0 once acknowledged
    uint32_t key{0};         //!< what the other end knows it by
    uint32_t packets : 31;   //!< how many packets it has
    uint32_t isRequest : 1;  //!< it asks for a read

    PostedMessage()
        : packets(0),
          isRequest(0)
    {
    }

    /// @param first number of its first packet  @param place among the messages of the NIC
    /// @param count of its packets  @param length in bytes  @param missing bytes of its last packet
    /// @param name what the other end knows it by
    PostedMessage(uint64_t first,
                  uint64_t place,
                  uint32_t count,
                  uint32_t length,
                  uint32_t missing,
                  uint32_t name)
        : firstPacket(first),
          turn(place),
          bytes(length),
          unfilled(missing),
          key(name),
          packets(count),
          isRequest(0)
    {
    }

    /// @return the bytes of its packets
    uint32_t GetLength() const
    {
        return isRequest ? 0 : bytes;
    }

    /// @return the number after its last packet
    uint64_t GetEnd() const
    {
        return firstPacket + packets;
    }

    /// @return payload of a packet, in bytes  @param number the packet
    /// @param mtu payload of a full packet, in bytes
    uint32_t GetPayload(uint64_t number, uint32_t mtu) const
    {
        return std::min<uint64_t>(mtu, GetLength() - (number - firstPacket) * mtu);
    }
};

/**
 * @ingroup ai-fabric
 *
 * The messages of a requestor that are not acknowledged whole, in the order in which they were
 * posted. Each packet belongs to one of them.
 */
class MessageLedger
{
  public:
    /// Enter a message behind all others.
    void Post(const PostedMessage& message)
    {
        m_messages.push_back(message);
    }

    /// @return whether all messages are acknowledged
    bool IsEmpty() const
    {
        return m_messages.empty();
    }

    /// @return messages that are not acknowledged whole
    uint32_t GetPending() const
    {
        return m_messages.size();
    }

    /// @return messages that were acknowledged whole
    uint64_t GetCompleted() const
    {
        return m_completed;
    }

    /// @return the message of a packet  @param number the packet, which is not acknowledged
    const PostedMessage& Find(uint64_t number) const
    {
        return m_messages[FindPlace(number)];
    }

    /**
     * Process the other end's count of completely received messages.
     *
     * @param msn that number, 24 bits (MSN)
     * @return the last of them that was not acknowledged before; nullptr if there is none
     */
    const PostedMessage* Confirm(uint32_t msn);

    /// A packet is acknowledged.  @param number the packet
    /// @return by how many bytes it is shorter than a full one, the first time
    uint32_t TakeUnfilled(uint64_t number);

    /// All packets before one are acknowledged.  @param number the first that is not
    /// @return by how many bytes they are shorter than full ones, those taken before not counted
    uint64_t TakeUnfilledBefore(uint64_t number);

    /// @return whether the first message is acknowledged whole  @param number the first packet that
    /// is not acknowledged
    bool IsFirstDone(uint64_t number) const
    {
        return !m_messages.empty() && m_messages.front().GetEnd() <= number;
    }

    /// @return whether the other end has said that it got the first message whole
    bool IsFirstConfirmed() const
    {
        return m_completed < m_confirmed;
    }

    /// @return the first message, which is done: it leaves the ledger
    PostedMessage Complete();

    /// Get what Find() reads into the cache.
    void Prefetch() const
    {
        PrefetchLine(&m_messages);
    }

  private:
    /// @return the place of the message of a packet  @param number the packet
    uint32_t FindPlace(uint64_t number) const;

    GrowingRing<PostedMessage, 1> m_messages; //!< not acknowledged whole, the oldest first
    uint64_t m_completed{0};                  //!< messages acknowledged whole
    uint64_t m_confirmed{0};                  //!< messages that the other end says to have got
};

} // namespace aifabric
} // namespace ns3

#endif /* MESSAGE_LEDGER_H */
