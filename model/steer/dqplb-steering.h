/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DQPLB_STEERING_H
#define DQPLB_STEERING_H

#include "message-steering.h"

#include <deque>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * QP scaling by fragments (dynamic queue pair load balancing of the open communication library of
 * Meta, torchcomms): a message is cut into fragments of equal length, and each fragment goes to the
 * next queue pair in turn that has fewer than a limit of fragments outstanding. If all have
 * reached the limit, fragments wait. So a queue pair whose path is slow gets fewer fragments.
 *
 * The library numbers fragments by immediate data, and its receiver delivers them in that order;
 * here a message is complete when all of its bytes have come, which is the same time.
 */
class DqplbSteering : public MessageSteering
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Send(uint32_t message) override;
    void WriteAcknowledged(uint32_t message, uint32_t queuePair, uint64_t bytes) override;
    void Count(PolicyCounters& counters) const override;
    uint64_t CountPieces(uint32_t messages, uint64_t bytes, uint32_t paths) const override;
    uint64_t CountQueuePairs(uint32_t messages, uint64_t bytes, uint32_t paths) const override;

  protected:
    void DoDispose() override;

  private:
    /// A part of a message.
    struct Fragment
    {
        uint32_t message; //!< the message
        uint64_t bytes;   //!< its length
    };

    /// A queue pair, which acknowledges fragments in the order in which they were posted.
    struct Lane
    {
        uint32_t index{0};           //!< its place among those of a destination
        std::deque<uint64_t> posted; //!< bytes that are not acknowledged, by outstanding fragment
    };

    /// The queue pairs to one destination.
    struct Peer
    {
        uint32_t next{0};                         //!< index of the queue pair whose turn it is
        std::vector<uint32_t> outstanding;        //!< fragments not acknowledged, by index
        std::unordered_map<uint32_t, Lane> lanes; //!< by number of the queue pair
        std::deque<Fragment> waiting;             //!< fragments that no queue pair may take
    };

    /// @return the queue pairs of a message
    Peer& PeerOf(uint32_t message);

    /// @return length of the fragments of a message  @param bytes length of the message
    uint64_t FragmentBytes(uint64_t bytes) const;

    /// @return fragments of a message; an empty one has one  @param bytes length of the message
    uint64_t CountFragments(uint64_t bytes) const;

    /// Post the fragments that wait, as far as queue pairs may take them.
    void PostWaiting(Peer& peer);

    uint32_t m_queuePairs{0};                   //!< to each destination
    uint64_t m_fragmentBytes{0};                //!< of a fragment; 0: one for each queue pair
    uint32_t m_maxFragments{0};                 //!< outstanding on a queue pair
    uint64_t m_held{0};                         //!< fragments that had to wait
    std::unordered_map<uint64_t, Peer> m_peers; //!< by destination and channel
};

} // namespace aifabric
} // namespace ns3

#endif /* DQPLB_STEERING_H */
