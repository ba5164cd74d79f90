/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NODE_FABRIC_H
#define NODE_FABRIC_H

#include "flow.h"
#include "node-switch.h"

#include "ns3/callback.h"
#include "ns3/data-rate.h"
#include "ns3/gpu-nodes.h"
#include "ns3/nstime.h"
#include "ns3/object.h"

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
 * The private fabrics that join the GPUs of each node beside the network, such as NVLink with its
 * switches. The model is one of messages, without packets: a GPU sends one message at a time and
 * receives one at a time, at the attribute Rate. A message begins when its GPU is not sending and
 * its destination is not receiving; of the messages of a GPU the first posted goes first, unless
 * its destination is busy and that of a later one is not. So each node has a crossbar with full
 * bisection in which no message waits behind one to another GPU.
 *
 * What the switches add up or copy (Flow::switched) does not share the GPUs with other messages: it
 * has SwitchShare of Rate for itself (NodeSwitch).
 *
 * A message of b bytes occupies both ends for b / Rate, has come the attribute Latency after that,
 * and its sender knows so another Latency later. Nothing is lost.
 *
 * Its GPUs act on each other without a delay, so they share a room (WindowSimulator).
 */
class NodeFabric : public Object
{
  public:
    static constexpr uint64_t LEAST_RATE = 1'000'000; //!< in bit/s

    /// Called with a message.
    using MessageCallback = Callback<void, uint32_t>;

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    NodeFabric();
    ~NodeFabric() override;

    /**
     * To be called once.
     *
     * @param nodes which hosts are joined
     * @param hosts number of the ns-3 node of each host
     * @param received called when all of a message has come
     * @param completed called when its sender knows so
     */
    void Install(const GpuNodes& nodes,
                 std::vector<uint32_t> hosts,
                 const MessageCallback& received,
                 const MessageCallback& completed);

    /// @return whether it carries a message  @param flow the message
    bool Carries(const Flow& flow) const;

    /// Carry a message.  @param flow the message, one that it carries  @param message its number
    void Send(const Flow& flow, uint32_t message);

    /// Forget all messages that are not completed.
    void Abort();

    /// @return what each GPU sends and receives, in bit/s
    uint64_t GetRate() const;

    /// @return the time from the end of a message at the sender to its end at the receiver, in ps
    int64_t GetLatencyPs() const;

  protected:
    void DoDispose() override;

  private:
    /// A message that has not begun.
    struct Waiting
    {
        uint32_t message; //!< its number
        uint64_t bytes;   //!< its length
        int64_t postedPs; //!< when it was posted
        uint64_t turn;    //!< its place among those that its sender posted at that time
    };

    /// What a GPU has posted last.
    struct Posted
    {
        int64_t at{-1};   //!< when, in picoseconds
        uint64_t count{}; //!< messages at that time
    };

    /// The fabric of a node. GPUs go by their number in the node.
    struct Crossbar
    {
        std::vector<std::deque<Waiting>> queues; //!< by sender and receiver
        std::vector<Posted> posted;              //!< by sender
        std::vector<bool> sends;                 //!< whether a GPU is sending
        std::vector<bool> receives;              //!< whether a GPU is receiving
        bool matches{false};                     //!< it is about to look what can begin
        NodeSwitch adder;                        //!< what adds up and copies
    };

    /// A sender and a receiver of a node.
    struct Pair
    {
        uint32_t node;     //!< the node
        uint32_t sender;   //!< number in the node
        uint32_t receiver; //!< number in the node
    };

    /// A leg of a node.
    struct NodeLeg
    {
        uint32_t node;       //!< the node
        NodeSwitch::Leg leg; //!< the leg
    };

    /// Have the GPUs of a node share a room of a WindowSimulator, if there is one.
    void JoinRooms() const;

    /// Schedule what happens at a GPU.  @param ps when, in picoseconds  @param host that of the GPU
    /// @param method called then, with m_era  @param what the first argument of it
    template <typename T>
    void At(int64_t ps, uint32_t host, void (NodeFabric::*method)(T, uint32_t), T what);

    /// @return the fabric of a node
    Crossbar& Get(uint32_t node);

    /// Look what can begin, when all that happens now is over.
    void MatchSoon(uint32_t node);

    /// Begin what can begin.  @param era when that was asked for
    void Match(uint32_t node, uint32_t era);

    /// @return the time of so many bytes at a rate, in picoseconds  @param share of the rate
    int64_t TimeOf(double bytes, double share) const;

    /// Have the switch of a node pass on what it can.
    void Pass(uint32_t node);

    /// A leg has come up to the switch.  @param leg with its node  @param era when it began
    void Rise(NodeLeg leg, uint32_t era);

    /// Begin the first message of a pair.
    void Begin(Pair pair);

    /// A message leaves both ends free.  @param pair its ends  @param era when it began
    void Release(Pair pair, uint32_t era);

    /// A message has come.  @param message its number  @param era when it began
    void Arrive(uint32_t message, uint32_t era);

    /// The sender knows that a message has come.  @param message its number  @param era when it
    /// began
    void Complete(uint32_t message, uint32_t era);

    DataRate m_rate;                   //!< of each direction of a GPU
    double m_switchShare{1};           //!< of the rate, of what the switch adds up or copies
    Time m_latency;                    //!< of a message
    GpuNodes m_nodes;                  //!< which hosts are joined
    std::vector<uint32_t> m_hosts;     //!< ns-3 node of each
    MessageCallback m_received;        //!< called when a message has come
    MessageCallback m_completed;       //!< called when a message is done
    std::vector<Crossbar> m_crossbars; //!< by node; empty without a message
    uint32_t m_era{0};                 //!< how often all was forgotten
};

} // namespace aifabric
} // namespace ns3

#endif /* NODE_FABRIC_H */
