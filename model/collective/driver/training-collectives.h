/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TRAINING_COLLECTIVES_H
#define TRAINING_COLLECTIVES_H

#include "collective-carrier.h"
#include "collective-run.h"

#include "ns3/message-service.h"
#include "ns3/ptr.h"
#include "ns3/training-workload.h"
#include "ns3/workload-extent.h"

#include <cstdint>
#include <functional>
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
 * The collectives of a TrainingWorkload, and who has reached each. A rank begins its part when it
 * reaches a collective; with TrainingWorkload::barrier when all ranks have, and a link's delay has
 * passed, in which they can know it.
 */
class TrainingCollectives
{
  public:
    /// Called when a rank has ended its part: the host, and its node.
    using EndedCallback = std::function<void(uint32_t host, uint32_t node)>;

    /// @param workload the workload, which lasts as long as this
    /// @param service carries the messages
    /// @param carrier carries collectives that are no messages; or null
    TrainingCollectives(const TrainingWorkload& workload,
                        Ptr<MessageService> service,
                        CollectiveCarrier* carrier,
                        EndedCallback ended);

    /// Add a collective, and its messages.  @param node a node that does it
    /// @param extent what collectives are
    void Add(const WorkloadNode& node, WorkloadExtent& extent);

    /// A host reaches a collective.  @param number of the collective, as they were added
    /// @param host number of who reaches it  @param node what it does there
    void Reach(uint32_t number, uint32_t host, uint32_t node);

    /// No rank begins its part any more.
    void Stop()
    {
        m_isStopped = true;
    }

    /// @copydoc TrainingDriver::GetCollectives
    std::vector<CollectiveRecord> GetRecords() const;

    /// @copydoc TrainingDriver::GetOrigins
    std::vector<MessageOrigin> GetOrigins() const;

  private:
    /// A rank reaches a collective.
    struct Arrival
    {
        int64_t ps{-1};   //!< when; negative: it has not
        uint32_t turn{0}; //!< its place among the collectives that the host has reached
        uint32_t node{0}; //!< the node of the host
    };

    /// A collective begins: when, in ps; at which host; and which of its collectives it is.
    using Begin = std::tuple<int64_t, uint32_t, uint32_t>;

    /// Of a collective that no rank has reached.
    static constexpr Begin NEVER{INT64_MAX, 0, 0};

    /// A collective.
    struct Entry
    {
        const std::vector<uint32_t>* hosts;   //!< by rank
        std::shared_ptr<CollectiveWork> work; //!< the collective
        std::vector<Arrival> arrivals;        //!< by rank
        uint32_t reached{0};                  //!< ranks that have reached it, if there is a barrier
    };

    /// @return a collective on its way  @param number of the collective
    /// @param node a node that does it  @param extent what collectives are
    std::shared_ptr<CollectiveWork> MakeWork(uint32_t number,
                                             const WorkloadNode& node,
                                             WorkloadExtent& extent);

    /// A rank has reached a collective, which has a barrier.  @param number of the collective
    /// @param ps when, in ps
    void PassBarrier(uint32_t number, int64_t ps);

    /// A rank begins its part, after a barrier.
    void StartRank(uint32_t number, uint32_t rank);

    /// @return when and by whom a collective was begun, or NEVER
    static Begin FindBegin(const Entry& entry);

    /// @return numbers of the collectives that have begun, in the order in which they did
    std::vector<uint32_t> Order() const;

    const TrainingWorkload& m_workload; //!< the workload
    Ptr<MessageService> m_service;      //!< carries the messages
    CollectiveCarrier* m_carrier;       //!< carries collectives that are no messages; or null
    EndedCallback m_ended;              //!< called when a rank has ended its part
    std::vector<std::unordered_map<uint32_t, uint32_t>> m_rankOf; //!< by communicator and host
    std::vector<uint32_t> m_reached;      //!< by host: collectives that it has reached
    std::vector<Entry> m_entries;         //!< by number
    std::vector<MessageOrigin> m_origins; //!< by message
    bool m_isStopped{false};              //!< Stop() was called
};

} // namespace aifabric
} // namespace ns3

#endif /* TRAINING_COLLECTIVES_H */
