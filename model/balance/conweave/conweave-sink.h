/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CONWEAVE_SINK_H
#define CONWEAVE_SINK_H

#include "flow-slots.h"

#include "ns3/arrival-verdict.h"
#include "ns3/conweave-tag.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The last leaf of flows of ConWeave (Song et al., SIGCOMM 2023, section 3.3): which packets wait
 * in a reorder queue, and until when.
 *
 * Packets on the new path of an epoch wait until its TAIL comes. If it does not, they wait until it
 * is due: as long after the last packet on the old path as the TAIL was sent behind that packet,
 * and some time more; or, if no packet of the epoch came on the old path, some time that is set.
 *
 * A flow that finds no queue at its port is not put in order in this epoch.
 */
class ConweaveSink
{
  public:
    static constexpr uint32_t NO_QUEUE = std::numeric_limits<uint32_t>::max(); //!< no number
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();      //!< no time

    /// What it goes by. Times in picoseconds.
    struct Parameters
    {
        int64_t inactive; //!< after which the epoch of a flow is forgotten: theta_inactive
        int64_t extra;    //!< for which a TAIL may be late: theta_resume_extra
        int64_t fallback; //!< for which packets wait if none came on the old path:
                          //!< theta_resume_default
        uint32_t ports;   //!< that lead to hosts
        uint32_t queues;  //!< of each of them
        uint32_t slots;   //!< of the table of flows
    };

    /// What it has counted.
    struct Counters
    {
        uint64_t held{0};      //!< packets that waited
        uint64_t timeouts{0};  //!< queues that were released before the TAIL came
        uint64_t overflows{0}; //!< epochs that found no queue
        uint64_t untracked{0}; //!< packets of flows that the table has no room for
        uint32_t maxQueues{0}; //!< the most queues in use at a port
    };

    /// What becomes of a packet.
    struct Decision
    {
        ArrivalVerdict verdict;                      //!< for the switch
        uint32_t released{NO_QUEUE};                 //!< queue to be released before
        uint32_t timed{NO_QUEUE};                    //!< queue that has another deadline
        ConweaveTag::Kind answer{ConweaveTag::NONE}; //!< what is to be sent back; NONE: nothing
    };

    /// Forget everything.
    void Resize(const Parameters& parameters);

    /**
     * A packet with a tag comes for a host below.
     *
     * @param port number of its port among those that lead to hosts
     * @param now the current time, in picoseconds
     */
    Decision PacketArrives(const LeafFlow& flow,
                           uint32_t port,
                           const ConweaveTag& tag,
                           int64_t now);

    /// @return when a queue is to be released, in picoseconds; NEVER: it is not in use
    int64_t GetDeadline(uint32_t queue) const
    {
        return m_queues[queue].deadline;
    }

    /// The deadline of a queue has passed: it is released, and not in use.
    void TimeOut(uint32_t queue);

    /// @return what it has counted
    const Counters& GetCounters() const
    {
        return m_counters;
    }

  private:
    /// What is known of a flow.
    struct State
    {
        int64_t oldReceived{0};   //!< when the last packet on the old path came, in picoseconds
        uint32_t oldSentNs{0};    //!< when it was at the first leaf
        uint32_t tailNs{0};       //!< when the TAIL was at the first leaf
        uint32_t queue{NO_QUEUE}; //!< where its packets wait
        uint8_t epoch{0};         //!< number of the epoch
        bool hasOld{false};       //!< a packet of this epoch came on the old path
        bool isRerouted{false};   //!< packets on the new path need not wait

        /// @return whether the slot must be kept
        bool IsPinned() const
        {
            return queue != NO_QUEUE;
        }
    };

    /// A reorder queue.
    struct Queue
    {
        State* user{nullptr};    //!< whose packets wait; nullptr: it is not in use
        int64_t deadline{NEVER}; //!< when it is to be released, in picoseconds
    };

    /// @return how long after a packet the TAIL was sent, in picoseconds  @param sentNs of the
    /// packet
    static int64_t GetGap(uint32_t tailNs, uint32_t sentNs);

    /// A packet comes on the old path.  @param now the time, in picoseconds
    void OldArrives(State& state, const ConweaveTag& tag, int64_t now, Decision& decision);

    /// A packet comes on the new path.  @param port as above  @param now the time, in picoseconds
    void ReroutedArrives(State& state,
                         uint32_t port,
                         const ConweaveTag& tag,
                         int64_t now,
                         Decision& decision);

    /// Give a flow a queue of a port, if there is one.
    void TakeQueue(State& state, uint32_t port);

    /// The queue of a flow is not in use any more.  @return its number
    uint32_t FreeQueue(State& state);

    Parameters m_parameters{};   //!< what it goes by
    FlowSlots<State> m_flows;    //!< the flows
    std::vector<Queue> m_queues; //!< by port times queues of a port
    Counters m_counters;         //!< what it has counted
};

} // namespace aifabric
} // namespace ns3

#endif /* CONWEAVE_SINK_H */
