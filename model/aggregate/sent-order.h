/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SENT_ORDER_H
#define SENT_ORDER_H

#include "ns3/growing-ring.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The order in which a worker sent its packets. A packet is overtaken when the sum of a fragment
 * has come whose first packet was sent a number of packets later, the threshold: the worker takes
 * this as the loss of the packet or of its sum. A packet that was sent again is a packet of its
 * own, so that its loss is found too.
 *
 * The threshold does not adapt. Where sums come late without losses (preempted slots), packets are
 * sent again in vain; but each takes the partial sum of its fragment along to the parameter server.
 */
class SentOrder
{
  public:
    /// A packet that was sent.
    struct Packet
    {
        uint32_t sequence; //!< number of its fragment
        uint64_t turn;     //!< its place in the order
    };

    /// @param threshold packets sent later that overtake a packet; 0: none is overtaken
    explicit SentOrder(uint32_t threshold)
        : m_threshold(threshold)
    {
    }

    /// A packet is sent.  @param sequence number of its fragment  @return its place in the order
    uint64_t Send(uint32_t sequence)
    {
        if (m_threshold == 0)
        {
            return m_first++;
        }
        m_sent.push_back(sequence);
        return m_first + m_sent.size() - 1;
    }

    /// A sum has come.  @param turn place of the first packet of its fragment
    void NoteSum(uint64_t turn)
    {
        m_last = std::max(m_last, turn);
    }

    /// Take the earliest packet out that is overtaken. Its sum may have come since.
    /// @return whether there is one
    bool TakeOvertaken(Packet& packet)
    {
        if (m_sent.empty() || m_first + m_threshold > m_last)
        {
            return false;
        }
        packet = {m_sent.pop_front(), m_first};
        ++m_first;
        return true;
    }

    /// @return packets that are watched
    std::size_t GetSize() const
    {
        return m_sent.size();
    }

  private:
    GrowingRing<uint32_t> m_sent; //!< fragments of the packets that are not taken out
    uint64_t m_first{0};          //!< place of the first of these
    uint64_t m_last{0};           //!< the latest place of a sum
    uint64_t m_threshold;         //!< packets that overtake a packet
};

} // namespace aifabric
} // namespace ns3

#endif /* SENT_ORDER_H */
