/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_CARRIER_H
#define FLUID_CARRIER_H

#include "fluid-delays.h"
#include "fluid-paths.h"
#include "fluid-senders.h"

#include "ns3/bound-frames.h"
#include "ns3/message-carrier.h"

#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Carries messages by rates instead of packets, where a balancer spreads the packets equally over
 * all paths and nothing is lost. FluidSolver has the rates: max-min fair over the links of
 * FluidPaths, headers, gaps between frames and acknowledgements included. The messages of a queue
 * pair follow one another; queue pairs of a NIC share its link equally. One that begins to send
 * waits until each of the others has sent a packet, as it does in a round robin: without that, two
 * messages that start together end together, and rings of two channels never get out of step.
 *
 * A message has come when its last packet has crossed the rest of the path, which takes the
 * propagation, the latencies and the serialization of one packet; it is complete when one
 * acknowledgement has crossed the path back.
 *
 * It needs the events simulator: messages of all hosts act on each other at once.
 */
class FluidCarrier : public MessageCarrier
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param graph the fabric; must outlive this
     * @param bound what is known of links, frames and NICs; each packet has an acknowledgement
     * @throws std::invalid_argument as FluidPaths does
     */
    FluidCarrier(const FabricGraph& graph, const BoundParameters& bound);
    ~FluidCarrier() override;

    void Install(MessageService& service) override;
    void Carry(uint32_t message) override;
    int64_t AssignStreams(int64_t stream) override;
    void SetFailureCallback(const Callback<void>& failed) override;
    void Abort() override;
    void Count(PolicyCounters& counters) const override;
    uint32_t GetMostActive() const override;
    Ptr<MessageSteering> GetSteering(uint32_t host) const override;

  protected:
    void DoDispose() override;

  private:
    /// The source, destination, channel, class and order of the messages of a queue pair.
    using Line = std::tuple<uint32_t, uint32_t, uint16_t, uint8_t, bool>;

    static constexpr uint32_t NONE = UINT32_MAX; //!< no message

    /// A queue pair.
    struct QueuePair
    {
        uint32_t group{0};    //!< of the senders that take its links
        uint32_t links{0};    //!< of its path
        uint32_t first{NONE}; //!< the message that is sent
        uint32_t last{NONE};  //!< the last message that waits
    };

    /// A message.
    struct Message
    {
        uint32_t pair{0};    //!< number of its queue pair
        uint32_t next{NONE}; //!< the message behind it
    };

    /// @return the number of the queue pair of a message, which is made if it is not there
    /// @param flow the message
    uint32_t FindPair(const Flow& flow);

    /// @return the number of the group of messages between two hosts
    uint32_t FindGroup(uint32_t source, uint32_t destination);

    /// @return bytes of the first packet of a message, with header and gap  @param flow the message
    uint64_t GetFirstBytes(const Flow& flow) const;

    /// Send a message, the first of its queue pair, when each other queue pair of its NIC has sent
    /// a packet.  @param message its number
    void Wait(uint32_t message);

    /// Send a message.  @param message its number
    void Begin(uint32_t message);

    /// A message has left.  @param message its number
    void Leave(uint32_t message);

    /// A message has come.  @param message its number
    void Receive(uint32_t message);

    /// A message is acknowledged.  @param message its number
    void Complete(uint32_t message);

    const FabricGraph& m_graph;                      //!< the fabric
    BoundParameters m_bound;                         //!< links, frames and NICs
    FrameTimes m_times;                              //!< what follows from them
    FluidPaths m_paths;                              //!< what messages load
    FluidSenders m_senders;                          //!< the messages that are sent
    FluidDelays m_waits;                             //!< messages that wait for their turn
    FluidDelays m_ways;                              //!< messages that have left
    FluidDelays m_acks;                              //!< messages that have come
    MessageService* m_service{nullptr};              //!< has the messages
    std::map<Line, uint32_t> m_pairOf;               //!< numbers of queue pairs
    std::unordered_map<uint64_t, uint32_t> m_groups; //!< numbers of groups, by the two hosts
    std::vector<QueuePair> m_pairs;                  //!< by number
    std::vector<Message> m_messages;                 //!< by number
    std::vector<uint32_t> m_active;                  //!< queue pairs that send, by host
    std::vector<double> m_rounds;                    //!< bytes of a packet of each of them, by host
    uint32_t m_mostActive{0};                        //!< the most of a host at any time
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_CARRIER_H */
