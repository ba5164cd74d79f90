/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_STEERING_H
#define MESSAGE_STEERING_H

#include "flow.h"

#include "ns3/object.h"
#include "ns3/policy-counters.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <optional>

namespace ns3
{
namespace aifabric
{

class MessageService;
class PieceCarrier;

/**
 * @ingroup ai-fabric
 *
 * How one host turns messages into pieces on queue pairs. Each host has a steering of its own, and
 * shares nothing with others.
 *
 * A subclass named XyzSteering is offered as `--steering=xyz` as soon as it is registered with
 * ns-3's type system.
 */
class MessageSteering : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Give it its place.
     *
     * @param carrier carries the pieces
     */
    void Install(PieceCarrier* carrier, uint32_t host);

    /**
     * Send a message.
     *
     * @param message its number
     */
    virtual void Send(uint32_t message) = 0;

    /**
     * A write of a piece was acknowledged. A piece is one write, or several if it is longer than
     * MessageService::MaxMessageBytes. Unless overridden, nothing follows.
     *
     * @param queuePair the number of the queue pair
     * @param bytes its length, in bytes
     */
    virtual void WriteAcknowledged(uint32_t message, uint32_t queuePair, uint64_t bytes);

    /// @return the host balancer that its queue pairs need; nothing: any
    virtual std::optional<TypeId> GetBalancer() const;

    /// Add what it has counted.  @param counters where
    virtual void Count(PolicyCounters& counters) const;

    /**
     * Announce which lanes to its destination a message may use.
     *
     * @param flow the message; its start does not matter
     * @return the number of lanes, from lane 0 on, those of channels before included; 0: it is not
     * known beforehand
     */
    uint32_t CountLanes(const Flow& flow) const;

    /**
     * Announce into how many pieces it divides messages that a host sends to one leaf at the same
     * time.
     *
     * @param messages number of messages, at least 1
     * @param bytes length of each, in bytes
     * @param paths paths to the leaf, over all planes, at least 1
     * @return the number of pieces; here, one for each message
     */
    virtual uint64_t CountPieces(uint32_t messages, uint64_t bytes, uint32_t paths) const;

    /**
     * Announce how many queue pairs these pieces need, at most.
     *
     * @param messages as in CountPieces()
     * @param bytes as in CountPieces()
     * @param paths as in CountPieces()
     * @return the number of queue pairs; here, one for each piece
     */
    virtual uint64_t CountQueuePairs(uint32_t messages, uint64_t bytes, uint32_t paths) const;

    /**
     * Assign fixed random streams.
     *
     * @param stream the first stream index to use
     * @return the number of streams used
     */
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

    /// @return the service, which has the messages
    MessageService& GetService() const;

    /// @return what carries the pieces
    PieceCarrier& GetCarrier() const
    {
        return *m_carrier;
    }

    /// @return whether it has its place, and was not disposed of
    bool IsInstalled() const
    {
        return m_carrier;
    }

    /// @return the host
    uint32_t GetHost() const
    {
        return m_host;
    }

    /// @return a random integer below a bound
    uint32_t Draw(uint32_t bound);

    /**
     * Send a piece as the attribute Renew says: on a lane that others share, or alone on a queue
     * pair that begins anew.
     *
     * @param bytes its length, in bytes
     * @param lane the lane, if it is shared
     * @return the number of the queue pair
     */
    uint32_t Post(uint32_t message, uint64_t bytes, uint32_t lane);

    /// @return whether each piece has a queue pair that begins anew
    bool Renews() const
    {
        return m_renews;
    }

  private:
    /// @return as CountLanes(), without Renew; here 0
    virtual uint32_t DoCountLanes(const Flow& flow) const;

    PieceCarrier* m_carrier{nullptr};    //!< carries the pieces
    uint32_t m_host{0};                  //!< the host
    bool m_renews{false};                //!< each piece has a queue pair that begins anew
    int64_t m_stream{-1};                //!< the random stream
    Ptr<UniformRandomVariable> m_random; //!< draws from it
};

} // namespace aifabric
} // namespace ns3

#endif /* MESSAGE_STEERING_H */
