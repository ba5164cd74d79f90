/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_PAIRS_H
#define FLUID_PAIRS_H

#include "fluid-routes.h"

#include "ns3/fabric-graph.h"
#include "ns3/message-service.h"

#include <cstdint>
#include <deque>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// A queue pair whose messages are carried by rates.
struct FluidPair
{
    static constexpr uint32_t NONE = UINT32_MAX; //!< no message

    FluidRoute route;        //!< with queues, behind the ports of both hosts; else none
    double ackLoad{0};       //!< of the port of the destination, for each byte of acknowledgements
    uint32_t source{0};      //!< the host that sends
    uint32_t destination{0}; //!< the host that receives
    uint64_t packets{0};     //!< that were sent
    uint64_t bytes{0};       //!< their payload
    uint32_t group{0};       //!< of the senders that take its links
    uint32_t links{0};       //!< of its path
    Ptr<QueuePair> alone;    //!< that has one message, and is given back after it; or null
    uint32_t first{NONE};    //!< the message that is sent
    uint32_t last{NONE};     //!< the last message that waits
};

/// A message that is carried by rates.
struct FluidMessage
{
    uint32_t pair{0};               //!< number of its queue pair
    uint32_t next{FluidPair::NONE}; //!< the message behind it
    double back{0};                 //!< bytes of acknowledgements for each of its bytes
    double acks{0};                 //!< rate of its acknowledgements, in bytes a picosecond
    bool isAgain{false};            //!< it has left, and is sent again, in part
};

/**
 * @ingroup ai-fabric
 *
 * The queue pairs of a FluidCarrier, whose messages follow one another. Where messages are divided,
 * their pieces (AddPiece()) have numbers of their own, and are what the other methods call
 * messages.
 */
class FluidPairs
{
  public:
    /// @param graph the fabric; must outlive this
    explicit FluidPairs(const FabricGraph& graph)
        : m_graph(graph)
    {
    }

    /// Set who has the messages.  @param service must outlive this
    void SetService(const MessageService& service)
    {
        m_service = &service;
    }

    /// @return the number of the queue pair of a message, and whether it was made now
    /// @param flow the message
    std::pair<uint32_t, bool> Find(const Flow& flow);

    /// Make a queue pair that Find() does not find.  @param flow its only message
    /// @return its number
    uint32_t Make(const Flow& flow);

    /// Add a message to a queue pair.  @param message its number  @param pair that of the queue
    /// pair  @return whether it is the first one
    bool Add(uint32_t message, uint32_t pair);

    /// Make a piece of a message.  @param message its number  @param bytes of the piece
    /// @param lane of its queue pair  @return the number of the piece
    uint32_t AddPiece(uint32_t message, uint64_t bytes, uint32_t lane);

    /// Remove the first message of a queue pair.  @param pair its number
    /// @return the number of the one behind it; NONE: there is none
    uint32_t RemoveFirst(uint32_t pair);

    /// Forget all queue pairs.
    void Clear();

    /// @return all of them, by number
    std::deque<FluidPair>& GetAll()
    {
        return m_pairs;
    }

    /// @return all of them, by number
    const std::deque<FluidPair>& GetAll() const
    {
        return m_pairs;
    }

    /// @return the queue pair of a message  @param message its number
    FluidPair& GetPair(uint32_t message)
    {
        return m_pairs[m_messages[message].pair];
    }

    /// @return a message  @param message its number
    FluidMessage& GetMessage(uint32_t message)
    {
        return m_messages[message];
    }

    /// @return what a message is  @param message its number
    const Flow& GetFlow(uint32_t message) const
    {
        return m_pieces.empty() ? m_service->GetFlow(message) : m_pieces[message].flow;
    }

    /// @return the message that a piece is of  @param piece its number
    uint32_t GetOwner(uint32_t piece) const
    {
        return m_pieces.empty() ? piece : m_pieces[piece].message;
    }

  private:
    /// A part of a message, on one queue pair.
    struct Piece
    {
        Flow flow;        //!< the part
        uint32_t message; //!< of which it is
    };

    /// The source, destination, channel, class and order of the messages of a queue pair.
    using Line = std::tuple<uint32_t, uint32_t, uint16_t, uint8_t, bool>;

    const FabricGraph& m_graph;               //!< the fabric
    const MessageService* m_service{nullptr}; //!< has the messages
    std::map<Line, uint32_t> m_numbers;       //!< of queue pairs
    std::deque<FluidPair> m_pairs;            //!< by number
    std::vector<FluidMessage> m_messages;     //!< by number
    std::deque<Piece> m_pieces;               //!< by number; none where messages are not divided
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_PAIRS_H */
