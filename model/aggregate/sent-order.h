/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SENT_ORDER_H
#define SENT_ORDER_H

#include <cstdint>
#include <deque>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The order in which a worker sent its packets. A packet is overtaken when the sums of a number of
 * fragments have come whose first packets were sent after it: the worker takes this as the loss of
 * the packet or of its sum. A packet that was sent again is a packet of its own, so that its loss
 * is found too.
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

    /// @param threshold number of sums that overtake a packet; 0: none is overtaken
    explicit SentOrder(uint32_t threshold);

    /// A packet is sent.  @param sequence number of its fragment  @return its place in the order
    uint64_t Send(uint32_t sequence);

    /// A sum has come.  @param turn place of the first packet of its fragment
    void NoteSum(uint64_t turn);

    /// Take the earliest packet out that is overtaken. Its sum may have come since.
    /// @param [out] packet the packet  @return whether there is one
    bool TakeOvertaken(Packet& packet);

    /// @return packets that are watched
    std::size_t GetSize() const
    {
        return m_sent.size();
    }

  private:
    std::deque<uint32_t> m_sent;  //!< fragments of the packets that are not taken out
    uint64_t m_first{0};          //!< place of the first of these
    std::vector<uint64_t> m_last; //!< the latest places of sums, as many as overtake a packet
    std::size_t m_threshold;      //!< how many these are
};

} // namespace aifabric
} // namespace ns3

#endif /* SENT_ORDER_H */
