/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOW_DRIVER_H
#define FLOW_DRIVER_H

#include "flow.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/roce-net-device.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What became of a flow.
struct FlowRecord
{
    Flow flow;             //!< what was asked for
    bool started{false};   //!< its message was posted
    bool received{false};  //!< all of it has come
    bool completed{false}; //!< all of it is acknowledged
    Time receivedAt;       //!< when all of it had come
    Time completedAt;      //!< when all of it was acknowledged
};

/**
 * @ingroup ai-fabric
 *
 * Sends a list of flows: at its start, each is posted as one message on the connection between its
 * two hosts, which is opened for the first flow between them and serves both directions.
 */
class FlowDriver : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FlowDriver();
    ~FlowDriver() override;

    /**
     * Take the flows and schedule their starts. To be called once, before the simulation runs.
     *
     * @param nics the NICs, by host index
     * @param flows the flows
     */
    void Install(const std::vector<Ptr<RoceNetDevice>>& nics, const std::vector<Flow>& flows);

    /// @return what became of the flows, in their order
    const std::vector<FlowRecord>& GetRecords() const;

    /// @return how many flows this rank is to complete: those of the hosts that it simulates
    std::size_t GetExpected() const;

    /// @return how many of them have been started
    std::size_t GetStarted() const;

    /// @return how many of them are completed
    std::size_t GetCompleted() const;

    /**
     * Signature of the Received and Completed trace sources.
     *
     * @param record what became of a flow
     */
    typedef void (*RecordTracedCallback)(const FlowRecord& record);

    /**
     * Signature of the AllCompleted trace source.
     */
    typedef void (*AllCompletedTracedCallback)();

  protected:
    void DoDispose() override;

  private:
    /// The flows of one host that are still to be started.
    struct Agenda
    {
        std::vector<uint32_t> flows; //!< by start
        std::size_t next{0};         //!< index of the next
    };

    /// A queue pair of this rank or of another.
    struct QueuePairEnd
    {
        uint32_t number{0};           //!< its number; 0: there is none yet
        Ptr<RoceQueuePair> queuePair; //!< the queue pair, if it is on this rank
    };

    /// One direction of a connection between two hosts.
    struct Connection
    {
        QueuePairEnd sender;        //!< where messages are posted
        QueuePairEnd receiver;      //!< where they arrive
        std::deque<uint32_t> flows; //!< flows that have not been received, in order
    };

    /// Post what a host has to start now, and schedule the rest.  @param host the host
    void StartDue(uint32_t host);

    /// Schedule a host's next start.  @param host the host
    void ScheduleNext(uint32_t host);

    /// @return whether this rank simulates a host  @param host the host
    bool IsHere(uint32_t host) const;

    /// @return a new queue pair of a host  @param host the host
    QueuePairEnd Open(uint32_t host) const;

    /// @return the connection between two hosts, opened if need be
    /// @param source the sending host  @param destination the receiving host
    Connection& GetConnection(uint32_t source, uint32_t destination);

    /// A message was acknowledged.  @param flow its flow  @param queuePair where it was posted
    /// @param bytes its length
    void MessageCompleted(uint32_t flow, Ptr<RoceQueuePair> queuePair, uint64_t bytes);

    /// A message was received.  @param connection its connection
    /// @param queuePair the receiving end  @param bytes its length
    void MessageReceived(uint64_t connection, Ptr<RoceQueuePair> queuePair, uint64_t bytes);

    std::vector<Ptr<RoceNetDevice>> m_nics;                 //!< by host index
    std::vector<FlowRecord> m_records;                      //!< by flow
    std::vector<Agenda> m_agendas;                          //!< by host
    std::unordered_map<uint64_t, Connection> m_connections; //!< by source and destination
    std::size_t m_expected{0};                              //!< flows that start here
    std::size_t m_started{0};                               //!< flows started
    std::size_t m_completed{0};                             //!< flows completed
    TracedCallback<const FlowRecord&> m_receivedTrace;      //!< a flow has come
    TracedCallback<const FlowRecord&> m_completedTrace;     //!< a flow is acknowledged
    TracedCallback<> m_allCompletedTrace;                   //!< all flows are acknowledged
};

} // namespace aifabric
} // namespace ns3

#endif /* FLOW_DRIVER_H */
