/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRANT_TABLE_H
#define GRANT_TABLE_H

#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What one receiver has granted to its senders (ReceiverAdmission). A grant allows a sender to send
 * one chunk on one channel. It lasts until the receiver has copied the chunk out of its slots.
 *
 * A channel gets a grant if a chunk is wanted that has none: the receiver has posted a receive for
 * it, or its sender has started to send. Both are counted, and the larger number is what is wanted,
 * so that a message counts once, whichever comes first.
 *
 * **Law**: at most `perChannel` grants of a channel last at a time, and at most `perReceiver` of
 * all channels. Channels that may have a grant get one in turn.
 */
class GrantTable
{
  public:
    /// @param perChannel the most grants of a channel, at least 1
    /// @param perReceiver the most grants of all channels; 0: no limit
    GrantTable(uint32_t perChannel, uint32_t perReceiver);

    /// The receiver is ready for chunks.  @param chunks how many more
    void Post(uint32_t channel, uint64_t chunks);

    /// A sender has chunks to send.  @param chunks how many more
    void Start(uint32_t channel, uint64_t chunks);

    /// Give the next grant.  @return its channel; nothing, if there is none to give now
    std::optional<uint32_t> Take();

    /// A chunk has left its slots, and its grant ends.
    void Free(uint32_t channel);

    /// @return grants that last
    uint32_t GetLasting() const;

    /// @return the most grants that lasted at any time
    uint32_t GetMostLasting() const;

  private:
    /// A channel.
    struct Channel
    {
        uint64_t posted{0};   //!< chunks for which the receiver is ready
        uint64_t started{0};  //!< chunks that the sender has had to send
        uint64_t granted{0};  //!< grants so far
        uint32_t lasting{0};  //!< grants that last
        bool isInLine{false}; //!< it waits for its turn
    };

    /// Put a channel into the line if it may have a grant.  @param number the channel
    void Enlist(uint32_t number);

    uint32_t m_perChannel;                            //!< most grants of a channel
    uint32_t m_perReceiver;                           //!< most grants of all; 0: no limit
    uint32_t m_lasting{0};                            //!< grants that last
    uint32_t m_most{0};                               //!< the most that lasted
    std::unordered_map<uint32_t, Channel> m_channels; //!< by number
    std::deque<uint32_t> m_line;                      //!< channels that may have a grant
};

} // namespace aifabric
} // namespace ns3

#endif /* GRANT_TABLE_H */
