/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_CARRIER_H
#define FLUID_CARRIER_H

#include "fluid-delays.h"
#include "fluid-fabric.h"
#include "fluid-pairs.h"
#include "fluid-senders.h"
#include "fluid-times.h"
#include "fluid-traffic.h"

#include "ns3/bound-frames.h"
#include "ns3/event-id.h"
#include "ns3/fabric-graph.h"
#include "ns3/host-steerings.h"
#include "ns3/message-carrier.h"
#include "ns3/message-service.h"
#include "ns3/piece-carrier.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Carries messages by rates instead of packets, where nothing is lost. FluidSenders has the rates
 * at which hosts send, and a FluidFabric takes what they send to its destination. The messages of a
 * queue pair follow one another; queue pairs of a NIC share its link equally. One that begins to
 * send waits until each of the others has sent a packet, as it does in a round robin: without that,
 * two messages that start together end together, and rings of two channels never get out of step.
 *
 * A message has come when its last packet has crossed the rest of the path, which takes the
 * propagation, the latencies and the serialization of one packet; it is complete when one
 * acknowledgement has crossed the path back.
 *
 * It needs the events simulator: messages of all hosts act on each other at once.
 */
class FluidCarrier : public MessageCarrier, public PieceCarrier
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param graph the fabric; must outlive this
     * @param bound what is known of links, frames and NICs; each packet has an acknowledgement
     * @param fabric what is behind the hosts; with other steerings than SingleSteering, one whose
     * paths depend on queue pairs (FluidFabric::GetConnections())
     * @param steeringType divides messages into pieces, and chooses queue pairs
     */
    FluidCarrier(const FabricGraph& graph,
                 const BoundParameters& bound,
                 std::unique_ptr<FluidFabric> fabric,
                 TypeId steeringType);
    ~FluidCarrier() override;

    /// Something happens to a link, if the fabric expects faults. It has an effect at the end of
    /// this picosecond, when switches know of it.
    /// @param link twice its id, and 1 more on the way down
    /// @param speed the part of its rate that is left from now on, beside what FluidSplit has; 0:
    /// it is cut
    void SetSpeed(uint32_t link, double speed);

    /// @return the most bytes that may have waited at a port of a switch at any time; 0: none do
    double GetMostQueued() const
    {
        return m_fabric->GetMostQueued();
    }

    /// @return what has crossed the links, by twice their ids, and 1 more on the way down
    std::vector<FluidTraffic::Amount> GetTraffic() const;

    void Install(MessageService& service) override;
    void Open(const Flow& flow) override;
    void Carry(uint32_t message) override;
    void Abort() override;

    int64_t AssignStreams(int64_t stream) override;

    void SetFailureCallback(const Callback<void>&) override
    {
        // no queue pair fails
    }

    void Count(PolicyCounters& counters) const override;

    uint32_t GetMostActive() const override
    {
        return m_mostActive;
    }

    Ptr<MessageSteering> GetSteering(uint32_t host) const override
    {
        return m_hasSteerings ? m_steerings.Get(host) : nullptr;
    }

    MessageService& GetService() const override
    {
        return *m_service;
    }

    uint32_t Post(uint32_t message, uint64_t bytes, uint32_t lane) override;
    void PostAlone(uint32_t message, uint64_t bytes, const Prepare& prepare) override;

  protected:
    void DoDispose() override;

  private:
    /// @return whether the queue pairs of a message are known before it is sent
    bool KnowsLanes() const
    {
        return !m_hasSteerings || m_steerings.KnowLanes();
    }

    /// Forget all messages.
    void Forget();

    /// Put a message, or a piece of one, on a queue pair.  @param message its number
    /// @param pair the number of the queue pair
    void CarryOn(uint32_t message, uint32_t pair);

    /// A message, or a piece of one, is acknowledged.  @param message its number
    void Complete(uint32_t message);

    /// Faults begin or end: links and routes are others.
    void Review();

    /// Count what was sent until now by the routes that there were.
    void ReviewTraffic();

    /// Add what a queue pair has sent.  @param packets that were not  @param [out] traffic where it
    /// is added
    void CountTraffic(const FluidPair& pair, uint64_t packets, FluidTraffic& traffic) const;

    /// @return the number of the queue pair of a message  @param flow the message
    uint32_t FindPair(const Flow& flow);

    /// Find the way of a new queue pair.  @param number of the queue pair  @param queuePair its end
    /// at the source, or nullptr
    void Connect(uint32_t number, const Ptr<QueuePair>& queuePair);

    /// @return bytes of a packet of each message that its port sends now
    /// @param pair the queue pair of one of them
    double& GetRound(const FluidPair& pair)
    {
        return m_rounds[pair.source * m_graph.Planes() + pair.route.label.choice.plane];
    }

    /// Send a message, the first of its queue pair, when each other queue pair of its NIC has sent
    /// a packet.  @param message its number
    void Wait(uint32_t message);

    /// Send a message.  @param message its number
    void Begin(uint32_t message);

    /// A message has left its host.  @param message its number
    void Leave(uint32_t message);

    const FabricGraph& m_graph;                      //!< the fabric
    const bool m_hasSteerings;                       //!< else each message is one piece
    HostSteerings m_steerings;                       //!< divide messages, or none do
    MessageService* m_service{nullptr};              //!< has the messages
    BoundParameters m_bound;                         //!< links, frames and NICs
    FluidTimes m_times;                              //!< what follows from them
    std::unique_ptr<FluidFabric> m_fabric;           //!< what is behind the hosts
    FluidSenders m_senders;                          //!< the messages that are sent
    FluidPairs m_pairs;                              //!< queue pairs
    FluidDelays m_waits;                             //!< messages that wait for their turn
    std::unordered_map<uint64_t, uint32_t> m_groups; //!< numbers of groups of senders, by key
    EventId m_review;                                //!< calls Review()
    std::vector<FluidTraffic::Amount> m_before;      //!< what crossed links before the last fault
    std::vector<uint32_t> m_active;                  //!< queue pairs that send, by host
    std::vector<double> m_rounds;                    //!< bytes of a packet of each of them, by port
    uint32_t m_mostActive{0};                        //!< the most of a host at any time
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_CARRIER_H */
