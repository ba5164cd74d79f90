/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONNECTION_TABLE_H
#define CONNECTION_TABLE_H

#include "flow.h"
#include "opening-order.h"

#include "ns3/endpoint-maker.h"
#include "ns3/roce-net-device.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <optional>
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
 * either end, which both directions use.
 *
 * Lanes that are known beforehand are **opened**, both ends at once, and the queue pairs of a host
 * have numbers in the order of opening (Get()).
 *
 * Of others, the two hosts only know the numbers (Prepare()): each end is made when its host needs
 * it, to post a message or because a packet has come. So a host depends on no other one, and a
 * WindowSimulator runs each by itself. They are used by their numbers (Use()), or each by one
 * message at a time (Take()).
 *
 * Messages that are ordered (Flow::ordered) have lanes of their own, whose queue pairs keep one
 * entropy for life, which switches hash, whatever balancer the others have. So have messages of a
 * traffic class (Flow::trafficClass): the DSCP of its data is the class selector of the class (RFC
 * 2474), and that of its acknowledgements, too, if both have the same one in other queue pairs.
 * Messages of the background (Flow::isBackground), and reads (Flow::isRead), have lanes of their
 * own, too.
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
    using Change = std::function<void(QueuePair& queuePair)>;

    /**
     * @param nics the NICs, by host
     * @param received called for each received message
     * @param sent called for each acknowledged message
     * @param change changes all queue pairs before they are used; may be empty
     */
    ConnectionTable(const std::vector<Ptr<RoceNetDevice>>& nics,
                    QueuePair::KeyCallback received,
                    QueuePair::KeyCallback sent,
                    Change change = Change());

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

    /// @return how many lanes two hosts can have that are not opened, those that Abort() has ended
    /// included  @param hosts how many there are
    static uint32_t CountReserved(std::size_t hosts);

    /// Have lanes that are not opened.  @param flow a message, whose hosts and order it is asked
    /// for
    void Prepare(const Flow& flow);

    /**
     * @param flow a message of which Prepare() knows
     * @param lane the number of the lane
     * @return the end at the source
     */
    End Use(const Flow& flow, uint32_t lane);

    /**
     * Take a lane that is idle in this direction.
     *
     * @param flow a message of which Prepare() knows
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

    struct Pair;

    /// One host's ends of lanes to another one that are not opened.
    struct Side : public EndpointMaker
    {
        void MakeEndpoint(uint32_t number) override;

        ConnectionTable* table{nullptr};  //!< the table
        Pair* pair{nullptr};              //!< whose side it is
        Flow flow;                        //!< a message from the host to the other one
        uint32_t first{0};                //!< what ReserveNumbers() returned
        std::vector<Ptr<QueuePair>> ends; //!< by lane; null: not made
        std::vector<Ptr<QueuePair>> idle; //!< those that were given back
        std::vector<bool> isTaken;        //!< by lane: a message has it
        uint32_t used{0};                 //!< lanes that were taken at least once
    };

    /// The lanes of two hosts that are not opened.
    struct Pair
    {
        std::array<Side, 2> sides; //!< of the lower and the higher host
        uint32_t ended{0};         //!< lanes that Abort() has ended, whose numbers come first
        uint64_t since{0};         //!< as of OpeningOrder::Open()
    };

    /// Connections by the lower and the higher host of a message.
    template <typename What>
    using Pairs = std::unordered_map<uint64_t, What>;

    /// @return the key of the hosts of a message
    static uint64_t KeyOf(const Flow& flow)
    {
        return uint64_t{std::min(flow.source, flow.destination)} << 32 |
               std::max(flow.source, flow.destination);
    }

    /// @return the end of lanes that are not opened at the source of a message
    Side& SideOf(const Flow& flow);

    /// @return the number of a lane at a host
    uint32_t NumberOf(const Side& side, uint32_t lane) const
    {
        return EndpointTable::GetReserved(side.first, side.pair->ended + lane, m_laneBits);
    }

    /// @return the lane of a number at a host; nothing: it was ended
    std::optional<uint32_t> LaneOf(const Side& side, uint32_t number) const;

    /// @return the end of a lane, made if need be
    Ptr<QueuePair> FindEnd(Side& side, uint32_t lane);

    /// What the queue pairs of a message are like: by class, whether it is a read or of the
    /// background, and whether they keep one path.
    static constexpr std::size_t KINDS = 8 * (Flow::USUAL_CLASS + 1);

    /// @return the kind of queue pairs of a message
    static std::size_t KindOf(const Flow& flow)
    {
        return 8 * flow.trafficClass + 4 * flow.isRead + 2 * flow.isBackground + flow.ordered;
    }

    /// Open one more lane.  @param lanes those of two hosts  @param flow a message that asks for it
    void Open(std::vector<Lane>& lanes, const Flow& flow);

    /// @return all queue pairs that are here
    std::vector<Ptr<QueuePair>> FindAll() const;

    /// Clear the callbacks of all queue pairs.
    void ClearCallbacks() const;

    /// @return a new end  @param flow a message that asks for it
    End MakeEnd(uint32_t host, const Flow& flow);

    /// @return a new queue pair  @param flow a message that asks for it
    /// @param reserved its number, if it is one that was reserved
    Ptr<QueuePair> MakeQueuePair(uint32_t host,
                                 const Flow& flow,
                                 std::optional<uint32_t> reserved = std::nullopt);

    /// @return a queue pair of which others are copies  @param flow a message that asks for it
    Ptr<QueuePair> MakeModel(uint32_t host, const Flow& flow) const;

    const std::vector<Ptr<RoceNetDevice>>& m_nics; //!< by host
    QueuePair::KeyCallback m_received;             //!< called for each received message
    QueuePair::KeyCallback m_sent;                 //!< called for each acknowledged message
    Callback<void> m_failed;                       //!< called at each failure; may be null
    Change m_change;                               //!< changes queue pairs before they are used
    OpeningOrder m_order;                          //!< of connections
    uint32_t m_laneBits;                           //!< as EndpointTable::ReserveNumbers() has it
    /// By host and kind: what its queue pairs are like
    std::vector<std::array<Ptr<QueuePair>, KINDS>> m_models;
    std::array<Pairs<std::vector<Lane>>, KINDS> m_lanes; //!< that are opened, by kind
    std::array<Pairs<Pair>, KINDS> m_pairs;              //!< lanes that are not, by kind
};

} // namespace aifabric
} // namespace ns3

#endif /* CONNECTION_TABLE_H */
