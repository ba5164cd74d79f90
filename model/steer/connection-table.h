/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONNECTION_TABLE_H
#define CONNECTION_TABLE_H

#include "ns3/roce-net-device.h"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The connections between hosts: any number of lanes between two of them, each a queue pair at
 * either end, which both directions use. A lane is opened when it is used for the first time.
 *
 * Lanes are used in one of two ways: by their numbers, or each by one message at a time (Take()).
 *
 * Where several simulations share a run (RankTransport), lanes that are opened in the same order
 * everywhere have the same numbers everywhere, and a queue pair is made where its host is
 * simulated.
 */
class ConnectionTable
{
  public:
    /// One end of a lane.
    struct End
    {
        uint32_t number{0};       //!< the number of its queue pair
        Ptr<QueuePair> queuePair; //!< the queue pair, if this rank simulates its host
    };

    /// A lane that was taken.
    struct Taken
    {
        Ptr<QueuePair> queuePair; //!< where to post
        bool isNew;               //!< whether it was used by nobody before
    };

    /**
     * @param nics the NICs, by host
     * @param received whom to tell of received messages
     * @param sent whom to tell of acknowledged messages
     */
    ConnectionTable(const std::vector<Ptr<RoceNetDevice>>& nics,
                    QueuePair::KeyCallback received,
                    QueuePair::KeyCallback sent);

    /// Nobody is told of messages any more.
    ~ConnectionTable();
    ConnectionTable(const ConnectionTable&) = delete;
    ConnectionTable& operator=(const ConnectionTable&) = delete;

    /**
     * @param source the sending host
     * @param destination the receiving host, another one
     * @param lane the number of the lane, opened if need be, after those before it
     * @return the end at the source
     */
    const End& Get(uint32_t source, uint32_t destination, uint32_t lane);

    /**
     * Take a lane that nobody uses in this direction.
     *
     * @param source the sending host
     * @param destination the receiving host, another one
     * @return the lane
     */
    Taken Take(uint32_t source, uint32_t destination);

    /**
     * Give a lane back.
     *
     * @param source the sending host
     * @param destination the receiving host
     * @param queuePair its end at the source
     */
    void Release(uint32_t source, uint32_t destination, Ptr<QueuePair> queuePair);

  private:
    /// The connections of two hosts.
    struct Pair
    {
        std::vector<std::array<End, 2>> lanes; //!< ends at the lower and the higher host
        /// Ends at the lower and the higher host of lanes that were given back
        std::array<std::vector<Ptr<QueuePair>>, 2> idle;
        std::array<uint32_t, 2> used{}; //!< lanes that were taken at least once
    };

    /// @return the connections of two hosts  @param source the one  @param destination the other
    Pair& Find(uint32_t source, uint32_t destination);

    /// Open one more lane.  @param pair the connections  @param source who asks for it
    /// @param destination the other host
    void Open(Pair& pair, uint32_t source, uint32_t destination);

    /// Tell nobody of messages any more.  @param end an end
    static void Silence(const End& end);

    /// @return a new end  @param host its host
    End MakeEnd(uint32_t host);

    const std::vector<Ptr<RoceNetDevice>>& m_nics; //!< by host
    QueuePair::KeyCallback m_received;             //!< whom to tell of received messages
    QueuePair::KeyCallback m_sent;                 //!< whom to tell of acknowledged messages
    std::vector<Ptr<QueuePair>> m_models;          //!< by host: what its queue pairs are like
    std::unordered_map<uint64_t, Pair> m_pairs;    //!< by lower and higher host
};

} // namespace aifabric
} // namespace ns3

#endif /* CONNECTION_TABLE_H */
