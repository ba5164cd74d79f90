/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_CARRIER_H
#define FLUID_CARRIER_H

#include "fluid-paths.h"
#include "fluid-solver.h"

#include "ns3/bound-frames.h"
#include "ns3/event-id.h"
#include "ns3/message-carrier.h"

#include <cstdint>
#include <deque>
#include <map>
#include <queue>
#include <tuple>
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

    /// A message that is sent.
    struct Sending
    {
        uint32_t message{0}; //!< its number
        double rest{0};      //!< bytes that have not left, with headers and gaps
        double rate{0};      //!< in bytes a picosecond
        int64_t since{0};    //!< since when, in picoseconds
        uint32_t version{0}; //!< how often its end was computed
    };

    /// When a message will have left.
    struct End
    {
        int64_t ps;       //!< when
        uint32_t flow;    //!< number of its flow
        uint32_t version; //!< of its Sending, unless computed anew

        /// @return the order of a queue with the first end in front  @param other another one
        bool operator<(const End& other) const
        {
            return std::tie(ps, flow) > std::tie(other.ps, other.flow);
        }
    };

    /// @return the queue pair of a message  @param flow the message
    static Line LineOf(const Flow& flow);

    /// @return bytes of the first packet of a message, with header and gap  @param flow the message
    uint64_t GetFirstBytes(const Flow& flow) const;

    /// @return what is to happen next to a message  @param message its number
    EventId& GetWay(uint32_t message);

    /// Send a message, the first of its queue pair.  @param message its number
    void Begin(uint32_t message);

    /// Compute rates at the end of this picosecond.
    void ScheduleSolve();

    /// Compute rates, and when messages will have left.
    void Solve();

    /// Have EndDue() called when the next message has left.
    void ScheduleEnd();

    /// End the messages that have left.
    void EndDue();

    /// A message has left.  @param message its number
    void EndOne(uint32_t message);

    /// A message has come.  @param message its number
    void Receive(uint32_t message);

    /// A message is acknowledged.  @param message its number
    void Complete(uint32_t message);

    const FabricGraph& m_graph;                   //!< the fabric
    BoundParameters m_bound;                      //!< links, frames and NICs
    FluidPaths m_paths;                           //!< what messages load
    FluidSolver m_solver;                         //!< their rates
    MessageService* m_service{nullptr};           //!< has the messages
    std::map<Line, std::deque<uint32_t>> m_lines; //!< messages of each queue pair, by turn
    std::vector<Sending> m_sending;               //!< by number of the flow
    std::priority_queue<End> m_ends;              //!< of flows; some are out of date
    std::vector<uint32_t> m_active;               //!< queue pairs that send, by host
    std::vector<double> m_rounds;                 //!< bytes of a packet of each of them, by host
    uint32_t m_mostActive{0};                     //!< the most of a host at any time
    EventId m_solve;                              //!< calls Solve()
    EventId m_end;                                //!< calls EndDue()
    std::vector<EventId> m_ways; //!< by message: calls Begin(), Receive() or Complete()
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_CARRIER_H */
