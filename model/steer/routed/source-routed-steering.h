/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SOURCE_ROUTED_STEERING_H
#define SOURCE_ROUTED_STEERING_H

#include "ethereal-planner.h"
#include "path-health.h"

#include "ns3/event-id.h"
#include "ns3/message-steering.h"
#include "ns3/nstime.h"
#include "ns3/path-view.h"
#include "ns3/rc-queue-pair.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What steerings have in common that give each piece of a message a path of its own
 * (arXiv 2407.00550, version 2, and the authors' simulator).
 *
 * Messages that a host sends within BatchWindow are a batch. When it closes, those of one size to
 * one leaf are a group, and each group is divided among the paths to that leaf by itself
 * (Divide()). Each piece has a queue pair to itself, and keeps its path (PinnedBalancer) until its
 * retransmission timer expires: then the path is not used for new pieces to that leaf for
 * FailedPathTimeout, and the queue pair is given another. Messages under one leaf are sent at once
 * and whole.
 *
 * With several planes, a path is one of any plane.
 */
class SourceRoutedSteering : public MessageSteering
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    void Send(uint32_t message) override;
    std::optional<TypeId> GetBalancer() const override;
    void Count(PolicyCounters& counters) const override;
    uint64_t CountPieces(uint32_t messages, uint64_t bytes, uint32_t paths) const override;

    /// @return what it remembers of failed paths
    const PathHealth& GetHealth() const;

    /// How a group was divided.
    struct GroupReport
    {
        uint32_t leaf;                  //!< the leaf of the destinations
        uint32_t messages;              //!< n
        uint32_t paths;                 //!< s
        EtherealPlanner::Shares shares; //!< s q, r and m, if the pieces are equal
        uint32_t pieces;                //!< queue pairs
    };

    /**
     * Signature of the Batch trace source.
     *
     * @param messages messages of the batch
     */
    typedef void (*BatchTracedCallback)(uint32_t messages);

    /**
     * Signature of the Group trace source.
     *
     * @param report how a group was divided
     */
    typedef void (*GroupTracedCallback)(const GroupReport& report);

    /**
     * Signature of the Reroute trace source.
     *
     * @param destination the destination of the queue pair
     * @param from the path that has failed
     * @param to the path that it takes now
     */
    typedef void (*RerouteTracedCallback)(uint32_t destination, uint16_t from, uint16_t to);

  protected:
    void DoDispose() override;

    /// A piece that is about to be posted.
    struct Order
    {
        uint32_t message{0};          //!< its message
        uint64_t bytes{0};            //!< its length
        std::optional<uint16_t> path; //!< its path, as ToPath() numbers them
    };

    /**
     * Divide a group.
     *
     * @param bytes the length of each message, in bytes
     * @param paths the paths, in the order in which they are to be taken
     * @return the pieces
     */
    virtual std::vector<EtherealPlanner::Piece> Divide(const std::vector<uint64_t>& bytes,
                                                       const std::vector<uint16_t>& paths) = 0;

    /**
     * Divide a group as the attributes say.
     *
     * @param split how flows are split
     * @param bytes the length of each message, in bytes
     * @param paths the paths, in the order in which they are taken
     * @return the pieces
     */
    std::vector<EtherealPlanner::Piece> Plan(EtherealPlanner::Split split,
                                             const std::vector<uint64_t>& bytes,
                                             const std::vector<uint16_t>& paths) const;

    /// A piece was posted.  @param order the piece  @param queuePair where
    virtual void Posted(const Order& order, const Ptr<QueuePair>& queuePair);

    /// A queue pair has got another path.  @param to the path
    virtual void Rerouted(const Ptr<QueuePair>& queuePair, uint16_t to);

  private:
    /// @return a type with the attributes of pieces
    static TypeId AddSplitAttributes(TypeId type);

    /// @return a type with the trace sources
    static TypeId AddTraceSources(TypeId type);

    /// @return how messages are split; into equal pieces here
    virtual EtherealPlanner::Split GetSplit() const;

    /// @return the paths that the host knows
    const PathView& GetPaths() const;

    /// @return the leaf of a host
    uint32_t LeafOf(uint32_t host) const;

    /// Divide all messages that have gathered.
    void CloseBatch();

    /// Divide messages to one leaf that have the same paths.  @param messages them
    void SendToLeaf(uint32_t leaf, const std::vector<uint32_t>& messages);

    /// Divide messages of one size to one leaf.  @param messages them
    void SendGroup(uint32_t leaf, std::vector<uint32_t> messages);

    /// Post a piece when its random delay is over.  @param order the piece
    void PostLater(const Order& order);

    /// Post a piece.  @param order the piece
    void PostNow(const Order& order);

    /// The timer of a queue pair has expired.
    /// @param label the path that it used, without its plane  @return the label of another
    std::optional<uint16_t> PathFailed(QueuePair* queuePair, uint16_t label);

    /// @return another path  @param destination the host  @param old the path that failed
    uint16_t DrawOther(uint32_t destination, uint16_t old);

    Time m_window;            //!< how long messages gather
    bool m_randomizes{false}; //!< messages, paths and starts are in random order
    Time m_jitter;            //!< the most that a start is delayed
    Time m_failedTimeout;     //!< for how long a failed path is not used
    EtherealPlanner::Rounding m_rounding{EtherealPlanner::Rounding::CUMULATIVE}; //!< odd bytes
    uint64_t m_minPieceBytes{1}; //!< bytes of a piece, at least
    bool m_excludes{false};      //!< a queue pair is not given a path that failed
    EventId m_timer;             //!< when the batch closes
    PathHealth m_health;         //!< which paths have failed
    std::map<uint32_t, std::vector<uint32_t>> m_batch; //!< messages by leaf
    uint64_t m_batches{0};                             //!< closed
    uint64_t m_pieces{0};                              //!< posted
    uint64_t m_split{0};                               //!< messages of more than one piece
    uint64_t m_reroutes{0};                            //!< queue pairs that got another path
    TracedCallback<uint32_t> m_batchTrace;             //!< a batch is closed
    TracedCallback<const GroupReport&> m_groupTrace;   //!< a group was divided
    TracedCallback<uint32_t, uint16_t, uint16_t> m_rerouteTrace; //!< a queue pair was rerouted
};

} // namespace aifabric
} // namespace ns3

#endif /* SOURCE_ROUTED_STEERING_H */
