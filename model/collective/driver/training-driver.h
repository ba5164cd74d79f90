/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_DRIVER_H
#define TRAINING_DRIVER_H

#include "collective-run.h"

#include "ns3/host-streams.h"
#include "ns3/message-service.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"
#include "ns3/workload-extent.h"

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
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
 * Runs a TrainingWorkload: each host begins a node of its program when all that the node depends on
 * has ended there and the stream that does it, if it needs one, is free. Delays take their time,
 * collectives are CollectiveRuns, and messages between two hosts go by a MessageService.
 *
 * A collective has ended at a host when the host has all it awaits and all that it sent is
 * acknowledged; a SEND when it is acknowledged; a RECEIVE when the message has come.
 *
 * It has to be kept as long as its service is.
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
    /// last one are of none; collectives are numbered as GetCollectives() has them
    std::vector<MessageOrigin> GetOrigins() const;

    /// @return when the last node ended of those that have ended, in ps
    int64_t GetEndPs() const;

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
    /// What is known of a program.
    struct Program
    {
        /// What each waits for, by node: dependencies, and nodes before it in its stream.
        std::vector<uint32_t> waiting;
        std::vector<std::vector<uint32_t>> dependents; //!< nodes that wait for it, by node
        StreamTable streams;                           //!< which stream does which node
        /// Of collectives, their place among those of the communicator; of messages, among those
        /// that have the other host and the tag in common; by node.
        std::vector<uint32_t> places;
    };

    /// A collective of a communicator: which one, and in which place.
    using CollectiveKey = std::pair<uint32_t, uint32_t>;

    /// A host reaches a collective: when, in ps; which host; and how many times hosts have reached
    /// one before, which orders those of one host.
    using Arrival = std::tuple<int64_t, uint32_t, uint64_t>;

    /// A collective.
    struct Entry
    {
        std::unique_ptr<CollectiveRun> run; //!< the collective
        std::vector<uint32_t> nodes;        //!< the node of each rank, once it is reached
        uint32_t reached{0};                //!< ranks that have reached it
        Arrival first{};                    //!< of the first rank
    };

    /// A message between hosts: source, destination, tag, and its place among those that have these
    /// in common.
    using MessageKey = std::tuple<uint32_t, uint32_t, uint32_t, uint32_t>;

    /// Open the connections of all programs.
    void OpenConnections();

    /// Analyse the programs.
    void Prepare();

    /// Analyse a program.  @param nodes the program
    void PrepareProgram(const WorkloadProgram& nodes);

    /// @return a node  @param node its index
    const WorkloadNode& GetNode(uint32_t host, uint32_t node) const;

    /// Begin all nodes of a host that depend on none.
    void BeginHost(uint32_t host);

    /// A node waits for nothing but its stream.  @param node its index
    void Ready(uint32_t host, uint32_t node);

    /// Begin what a stream can begin.  @param stream its number
    void Serve(uint32_t host, uint32_t stream);

    /// A node begins.  @param node its index
    void Begin(uint32_t host, uint32_t node);

    /// A host reaches a collective.
    void Reach(uint32_t host, uint32_t node);

    /// @return indices of the collectives, in the order in which they began
    std::vector<uint32_t> OrderCollectives() const;

    /// A host sends a message.
    void Send(uint32_t host, uint32_t node);

    /// A host waits for a message.
    void Receive(uint32_t host, uint32_t node);

    /// A node has ended.  @param node its index
    void End(uint32_t host, uint32_t node);

    /// A node has ended, perhaps as soon as it began: many such may follow each other, and none is
    /// to be called by another.  @param node its index
    void EndSoon(uint32_t host, uint32_t node);

    uint32_t m_processorOperations{1};            //!< of a host, at a time
    uint32_t m_streamOperations{1};               //!< kernels or copies of a stream, at a time
    Ptr<MessageService> m_service;                //!< carries the messages
    TrainingWorkload m_workload;                  //!< what is to be done
    std::unique_ptr<WorkloadExtent> m_extent;     //!< what collectives are
    std::vector<Program> m_programs;              //!< by program
    std::vector<std::vector<uint32_t>> m_waiting; //!< by host and node: what is waited for
    std::vector<HostStreams> m_streams;           //!< by host
    std::vector<std::unordered_map<uint32_t, uint32_t>> m_rankOf; //!< by communicator and host
    std::map<CollectiveKey, uint32_t> m_indices; //!< of collectives that have begun
    std::deque<Entry> m_collectives;             //!< in the order in which this learnt of them
    uint64_t m_arrivals{0};                      //!< how many times hosts have reached one
    std::vector<MessageOrigin> m_origins;        //!< by message
    /// Messages that have come before a node waited for them, and those that a node of the receiver
    /// waits for: the node.
    std::map<MessageKey, uint32_t> m_unmatched;
    std::unordered_map<uint32_t, std::pair<uint32_t, uint32_t>> m_sends; //!< message: host, node
    uint64_t m_unfinished{0};                                            //!< nodes of all hosts
    int64_t m_endPs{0};                                        //!< when the last one ended
    TracedCallback<> m_finishedTrace;                          //!< all nodes have ended
    TracedCallback<uint32_t, const WorkloadNode&> m_nodeTrace; //!< a node has ended
};

} // namespace aifabric
} // namespace ns3

#endif /* TRAINING_DRIVER_H */
