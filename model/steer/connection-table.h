/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONNECTION_TABLE_H
#define CONNECTION_TABLE_H

#include "flow.h"
#include "opening-order.h"

#include "ns3/roce-net-device.h"

#include <array>
#include <cstdint>
#include <functional>
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
 * Messages that are ordered (Flow::ordered) have lanes of their own, whose queue pairs keep one
 * entropy for life, which switches hash, whatever balancer the others have. So have messages of a
 * traffic class (Flow::trafficClass): the DSCP of its data is the class selector of the class (RFC
 * 2474), and that of its acknowledgements, too, if both have the same one in other queue pairs.
 * Messages of the background (Flow::isBackground) have lanes of their own, too.
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
        bool isNew;               //!< whether it was not used before
    };

    /// Changes a queue pair that has the policies and attributes of its NIC.
    using Prepare = std::function<void(QueuePair& queuePair)>;

    /**
     * @param nics the NICs, by host
     * @param received called for each received message
     * @param sent called for each acknowledged message
     * @param prepare changes all queue pairs before they are used; may be empty
     */
    ConnectionTable(const std::vector<Ptr<RoceNetDevice>>& nics,
                    QueuePair::KeyCallback received,
                    QueuePair::KeyCallback sent,
                    Prepare prepare = Prepare());

    /// Clears all callbacks.
    ~ConnectionTable();
    ConnectionTable(const ConnectionTable&) = delete;
    ConnectionTable& operator=(const ConnectionTable&) = delete;

    /**
     * @param flow a message, whose hosts and order it is asked for
     * @param lane the number of the lane, opened if need be, after those before it
     * @return the end at the source
     */
    const End& Get(const Flow& flow, uint32_t lane);

    /**
     * Take a lane that is idle in this direction.
     *
     * @param flow a message, whose hosts and order it is asked for
     * @return the lane
     */
    Taken Take(const Flow& flow);

    /**
     * Give a lane back.
     *
     * @param flow the message for which it was taken
     * @param queuePair its end at the source
     */
    void Release(const Flow& flow, Ptr<QueuePair> queuePair);

    /// Set what is called when a queue pair fails. To be called before any lane is opened.
    /// @param failed called at each failure
    void SetFailureCallback(const Callback<void>& failed);

    /// Abort the queue pairs of all lanes, and clear their callbacks: each lane is opened anew when
    /// it is used again.
    void Abort();

  private:
    /// A connection.
    struct Lane
    {
        std::array<End, 2> ends; //!< at the lower and the higher host
        uint64_t since;          //!< as of OpeningOrder::Open()
    };

    /// The connections of two hosts.
    struct Pair
    {
        std::vector<Lane> lanes; //!< by number
        /// Ends at the lower and the higher host of lanes that were given back
        std::array<std::vector<Ptr<QueuePair>>, 2> idle;
        std::array<uint32_t, 2> used{}; //!< lanes that were taken at least once
    };

    /// @return the connections that a message may use  @param flow the message
    Pair& Find(const Flow& flow);

    /// What the queue pairs of a message are like: by class, whether it is of the background, and
    /// whether they keep one path.
    static constexpr std::size_t KINDS = 4 * (Flow::USUAL_CLASS + 1);

    /// @return the kind of queue pairs of a message
    static std::size_t KindOf(const Flow& flow)
    {
        return 4 * flow.trafficClass + 2 * flow.isBackground + flow.ordered;
    }

    /// Open one more lane.  @param pair the connections  @param flow a message that asks for it
    void Open(Pair& pair, const Flow& flow);

    /// Clear the callbacks of the ends of all lanes.
    void ClearAllCallbacks() const;

    /// Clear the callbacks of an end.
    static void ClearCallbacks(const End& end);

    /// @return a new end  @param flow a message that asks for it
    End MakeEnd(uint32_t host, const Flow& flow);

    /// @return a queue pair of which others are copies  @param flow a message that asks for it
    Ptr<QueuePair> MakeModel(uint32_t host, const Flow& flow) const;

    const std::vector<Ptr<RoceNetDevice>>& m_nics; //!< by host
    QueuePair::KeyCallback m_received;             //!< called for each received message
    QueuePair::KeyCallback m_sent;                 //!< called for each acknowledged message
    Callback<void> m_failed;                       //!< called at each failure; may be null
    Prepare m_prepare;                             //!< changes queue pairs before they are used
    OpeningOrder m_order;                          //!< of lanes
    /// By host and kind: what its queue pairs are like
    std::vector<std::array<Ptr<QueuePair>, KINDS>> m_models;
    /// By kind: connections by lower and higher host
    std::array<std::unordered_map<uint64_t, Pair>, KINDS> m_pairs;
};

} // namespace aifabric
} // namespace ns3

#endif /* CONNECTION_TABLE_H */
