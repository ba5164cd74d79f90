/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_FABRIC_H
#define FLUID_FABRIC_H

#include "fluid-delays.h"
#include "fluid-loads.h"
#include "fluid-pairs.h"
#include "fluid-senders.h"
#include "fluid-split.h"
#include "fluid-times.h"
#include "fluid-traffic.h"

#include "ns3/bound-frames.h"
#include "ns3/callback.h"
#include "ns3/connection-table.h"
#include "ns3/fabric-graph.h"
#include "ns3/message-service.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What takes messages from the NICs of their sources, of which FluidSenders has the rates, to their
 * destinations, and acknowledgements back. Which links it lets senders share, and what they take of
 * them, decides who waits for whom in the hosts.
 */
class FluidFabric
{
  public:
    /// What is common to the queue pairs of a group of senders.
    struct Group
    {
        uint64_t key{0};               //!< of the group
        std::vector<LinkShare> shares; //!< what each of its senders takes of links
    };

    /**
     * @param graph the fabric; must outlive this
     * @param bound what is known of links, frames and NICs; each packet has an acknowledgement
     * @param speeds what is left of the rates of links, as FluidSplit has it
     */
    FluidFabric(const FabricGraph& graph,
                const BoundParameters& bound,
                const std::vector<double>& speeds);
    virtual ~FluidFabric();

    /// @return the capacities of the links that senders share, in bytes a picosecond
    virtual std::vector<double> GetCapacities() const = 0;

    /**
     * Set for whom messages are taken. To be called before the methods below.
     *
     * @param service has the messages, and learns which have come
     * @param pairs has the queue pairs
     * @param senders has the rates
     * @param completed called with each message that is acknowledged
     */
    virtual void Install(MessageService& service,
                         FluidPairs& pairs,
                         FluidSenders& senders,
                         const Callback<void, uint32_t>& completed);

    /// @return the queue pairs, those of a run with packets; nullptr: paths do not depend on them
    virtual ConnectionTable* GetConnections();

    /// Find the route of a new queue pair.  @param queuePair its end at the source, or nullptr if
    /// there is none  @param [in,out] pair what is known of it  @return the group of its senders
    virtual Group FindRoute(const Ptr<QueuePair>& queuePair, FluidPair& pair) = 0;

    /// @return how many ports of a host a message leaves by
    virtual uint32_t CountPorts() const
    {
        return m_graph.Planes();
    }

    /// A message is sent.  @param message its number
    /// @return bytes of acknowledgements for each of its bytes that share the links of senders
    virtual double Begin(uint32_t message) = 0;

    /// A message, or what is sent of it again, has left its host.  @param message its number
    virtual void Leave(uint32_t message) = 0;

    /// Another part of the rate of a link is left from now on, beside what FluidSplit has; Review()
    /// will be called in this picosecond.  @param link twice its id, and 1 more on the way down
    /// @param speed the part; 0: it is cut
    virtual void SetSpeed(uint32_t link, double speed);

    /// Switches know of the links that SetSpeed() has changed.
    virtual void Review();

    /// Add what a queue pair has sent.  @param data the messages  @param acks acknowledgements
    /// @param [out] traffic where it is added
    virtual void CountTraffic(const FluidPair& pair,
                              const FluidTraffic::Amount& data,
                              const FluidTraffic::Amount& acks,
                              FluidTraffic& traffic) const;

    /// Add what it has counted itself, of messages that have ended.
    /// @param [out] traffic where it is added
    virtual void AddCounted(FluidTraffic& traffic) const;

    /// @return the most bytes that have waited at a port of a switch at any time; 0: none can
    virtual double GetMostQueued() const = 0;

    /// Forget all messages.
    virtual void Clear();

    /// @return how messages are split over paths
    const FluidSplit& GetSplit() const
    {
        return m_split;
    }

  protected:
    /// @return the number of a port of a host; if messages leave by all ports, they are one, 0
    uint32_t PortOf(uint32_t host, uint16_t plane) const
    {
        return host * m_graph.Planes() + plane;
    }

    /// A message will have come.  @param message its number  @param ps when, from now, in ps
    void ReceiveIn(uint32_t message, int64_t ps)
    {
        m_ways.Add(message, ps);
    }

    /// A message will be acknowledged.  @param message its number  @param ps when, from now, in ps
    void CompleteIn(uint32_t message, int64_t ps)
    {
        m_acks.Add(message, ps);
    }

    /// A message has come.  @param message its number
    virtual void DoReceive(uint32_t message) = 0;

    const FabricGraph& m_graph;         //!< the fabric
    const BoundParameters m_bound;      //!< links, frames and NICs
    const FluidTimes m_times;           //!< what follows from them
    FluidSplit m_split;                 //!< how messages are split over paths
    MessageService* m_service{nullptr}; //!< has the messages
    FluidPairs* m_pairs{nullptr};       //!< has the queue pairs
    FluidSenders* m_senders{nullptr};   //!< has the rates

  private:
    /// A message has come.  @param message its number
    void Receive(uint32_t message)
    {
        DoReceive(message);
        m_service->PartReceived(m_pairs->GetOwner(message), m_pairs->GetFlow(message).bytes);
    }

    /// A message is acknowledged.  @param message its number
    void Complete(uint32_t message)
    {
        m_completed(message);
    }

    FluidDelays m_ways; //!< messages that will have come
    FluidDelays m_acks; //!< messages that will be acknowledged

    Callback<void, uint32_t> m_completed; //!< called with those that are
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_FABRIC_H */
