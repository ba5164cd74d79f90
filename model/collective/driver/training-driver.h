/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_DRIVER_H
#define TRAINING_DRIVER_H

#include "node-log.h"
#include "training-collectives.h"

#include "ns3/host-streams.h"
#include "ns3/message-service.h"
#include "ns3/object.h"
#include "ns3/program-table.h"
#include "ns3/traced-callback.h"
#include "ns3/workload-extent.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Runs a TrainingWorkload: each host begins a node of its program when all that the node depends on
 * has ended, or begun, there and the stream that does it, if it needs one, is free. Delays take
 * their time, collectives are CollectiveRuns, and messages between two hosts go by a
 * MessageService.
 *
 * A collective has ended at a host when the host has all it awaits and all that it sent is
 * acknowledged; a SEND when it is acknowledged; a RECEIVE when the message has come.
 *
 * All messages are numbered before the run: those of SENDs by host, then those of collectives. What
 * changes in the run belongs to one host, so hosts may run on several threads (WindowSimulator).
 *
 * It has to be kept as long as its service is, and as the simulation runs.
 */
class TrainingDriver : public Object, public MessageUser
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    TrainingDriver();
    ~TrainingDriver() override;

    /// Note when nodes begin and end. To be called before Install().
    void KeepTimes();

    /// @param carrier carries collectives that are no messages (OffloadedCollective); must outlive
    /// the driver. To be called before Install()
    void SetCarrier(CollectiveCarrier* carrier);

    /**
     * Take a workload, and schedule its begin at time 0. To be called once, before the simulation
     * runs.
     *
     * @param service carries the messages; the driver sets the number of expected ones
     * @param workload the workload, checked (CheckWorkload())
     * @param defaults how collectives go
     * @param mtu payload of a full packet, in bytes
     * @throws std::invalid_argument if an algorithm cannot do what is asked of it
     */
    void Install(Ptr<MessageService> service,
                 TrainingWorkload workload,
                 const CollectiveDefaults& defaults,
                 uint32_t mtu);

    /// @return what became of the collectives, in the order in which they began: by the time at
    /// which the first host reached each, then by that host
    std::vector<CollectiveRecord> GetCollectives() const;

    /// @return which messages of collectives the messages are, by number; those that follow the
    /// last one are of none; collectives are numbered as GetCollectives() has them, and messages of
    /// one that has not begun are of none
    std::vector<MessageOrigin> GetOrigins() const;

    /// @return when hosts did which nodes, of those that have ended; none without KeepTimes()
    std::vector<NodeRecord> GetNodes() const;

    /// @return when the last node ended of those that have ended, in ps
    int64_t GetEndPs() const;

    /// @return when the job of a host ended (WorkloadNode::isEnd, else the last node), in ps; none
    /// if it has not
    std::optional<int64_t> GetJobEndPs(uint32_t host) const;

    /// @return when a host knew that its job begins (WorkloadNode::isBegin), in ps; none if no node
    /// says it, or has not ended
    std::optional<int64_t> GetJobBeginPs(uint32_t host) const;

    /// @return the time that the delays alone take, in ps (ComputeBoundPs())
    int64_t GetComputeBoundPs() const;

    /// @return nodes of all hosts that have not ended
    uint64_t GetUnfinished() const;

    void MessageReceived(uint32_t message) override;
    void MessageCompleted(uint32_t message) override;

    /// Signature of the Finished trace source.
    typedef void (*FinishedTracedCallback)();

    /**
     * Signature of the NodeEnded trace source.
     *
     * @param node what it has done
     */
    typedef void (*NodeTracedCallback)(uint32_t host, const WorkloadNode& node);

  protected:
    void DoDispose() override;

  private:
    /// A message to a host: source, tag, and its place among those that have both in common.
    using MessageKey = std::tuple<uint32_t, uint32_t, uint32_t>;

    /// What a host has done.
    struct Host
    {
        std::vector<uint32_t> waiting; //!< by node: what is waited for
        HostStreams streams;           //!< what its streams do
        uint32_t firstSend{0};         //!< number of the message of its first SEND
        uint64_t unfinished{0};        //!< nodes that have not ended
        int64_t endPs{0};              //!< when the last one ended
        /// Messages that have come before a node waited for them, and those that a node waits for:
        /// the node.
        std::map<MessageKey, uint32_t> unmatched;
        std::optional<int64_t> jobBeginPs; //!< when its job began, if a node says it
        std::optional<int64_t> jobEndPs;   //!< when its job ended, if a node says it
    };

    /// A node of a host.
    struct Place
    {
        uint32_t host; //!< the host
        uint32_t node; //!< its index in the program
    };

    /// Open the connections of all programs.
    void OpenConnections();

    /// Prepare what hosts do, and add all messages.
    void Prepare();

    /// Prepare what a host does, and add the messages that it sends.
    void PrepareHost(uint32_t host);

    /// @return a node  @param node its index
    const WorkloadNode& GetNode(uint32_t host, uint32_t node) const;

    /// Begin all nodes of a host that depend on none.
    void BeginHost(uint32_t host);

    /// A node waits for nothing but its stream.  @param node its index
    void Ready(uint32_t host, uint32_t node);

    /// Begin what a stream can begin.  @param stream its number
    void Serve(uint32_t host, uint32_t stream);

    /// A node begins.  @param node its index
    void BeginNode(uint32_t host, uint32_t node);

    /// A node has begun for which others wait.  @param node its index
    void BeginFollowers(uint32_t host, uint32_t node);

    /// Nodes of a host wait for one less.  @param nodes their indices
    void Release(uint32_t host, const std::vector<uint32_t>& nodes);

    /// A host sends a message.
    void Send(uint32_t host, uint32_t node);

    /// A host waits for a message.
    void Receive(uint32_t host, uint32_t node);

    /// A node has ended.  @param node its index
    void End(uint32_t host, uint32_t node);

    /// A node has ended, perhaps as soon as it began: many such may follow each other, and none is
    /// to be called by another.  @param node its index
    void EndSoon(uint32_t host, uint32_t node);

    /// A host has ended all its nodes.
    void CountHost();

    uint32_t m_processorOperations{1};        //!< of a host, at a time
    uint32_t m_streamOperations{1};           //!< kernels or copies of a stream, at a time
    Ptr<MessageService> m_service;            //!< carries the messages
    CollectiveCarrier* m_carrier{nullptr};    //!< carries what is no messages; or null
    TrainingWorkload m_workload;              //!< what is to be done
    std::unique_ptr<WorkloadExtent> m_extent; //!< what collectives are
    std::unique_ptr<ProgramTable> m_programs; //!< what is known of the programs
    std::vector<Host> m_hosts;                //!< by host
    uint32_t m_busyHosts{0};                  //!< hosts with nodes that have not ended
    std::unique_ptr<TrainingCollectives> m_collectives; //!< the collectives
    std::unique_ptr<NodeLog> m_log;                     //!< if times are kept
    uint32_t m_firstSend{0};                            //!< number of the first message
    std::vector<Place> m_sends;       //!< by message, from m_firstSend on: who sends it
    TracedCallback<> m_finishedTrace; //!< all nodes have ended
    TracedCallback<uint32_t, const WorkloadNode&> m_nodeTrace; //!< a node has ended
};

} // namespace aifabric
} // namespace ns3

#endif /* TRAINING_DRIVER_H */
