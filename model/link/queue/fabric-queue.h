/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_QUEUE_H
#define FABRIC_QUEUE_H

#include "frame-lane.h"
#include "watched-trace.h"

#include "ns3/fabric-frame.h"
#include "ns3/queue.h"

#include <functional>
#include <utility>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The queue of one traffic class at a port, as ns-3 sees it: attributes, counters and trace sources
 * of the frames in a FrameLane.
 *
 * It counts only when observed, because counters would cost as much as the rest of a packet-hop. A
 * script that gets the queue, or connects to one of its trace sources, makes it watched: from then
 * on it counts and traces every change, and its port schedules its departures so that they are seen
 * at their own time. That costs this port and no other.
 *
 * It counts as every ns3::Queue does: received (GetTotalReceivedPackets) = dequeued + queued; what
 * was dropped before enqueue was not received.
 */
class FabricQueue final : public Queue<FabricFrame>
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    FabricQueue();
    ~FabricQueue() override;

    /**
     * Show the frames of a lane, with its limit. Without this, the queue has a lane of its own.
     *
     * @param lane the lane, empty
     */
    void Bind(FrameLane& lane);

    /// From now on, count and trace every change.
    void Watch();

    /// @return whether every change is counted and traced
    bool IsWatched() const;

    /**
     * @param watcher called when the queue becomes watched
     */
    void SetWatcher(const std::function<void()>& watcher);

    /**
     * Drop a frame that there is no room for, here or in the buffer of the switch.
     */
    void Refuse(const Ptr<FabricFrame>& frame);

    /**
     * @param size the most that the queue holds
     */
    void SetMaxSize(QueueSize size);

    /// @return the most that the queue holds
    QueueSize GetMaxSize() const;

    bool Enqueue(Ptr<FabricFrame> frame) override;
    Ptr<FabricFrame> Dequeue() override;
    Ptr<FabricFrame> Remove() override;
    Ptr<const FabricFrame> Peek() const override;

    // For the lane

    /**
     * A frame came in.
     */
    void NoteEnqueued(const Ptr<FabricFrame>& frame);

    /**
     * A frame went out.
     */
    void NoteDequeued(const Ptr<FabricFrame>& frame);

    /**
     * Signature of the frame trace sources.
     */
    typedef void (*FrameTracedCallback)(Ptr<const FabricFrame> frame);

    /**
     * Signature of the length trace sources.
     *
     * @param before the length before, in frames or bytes
     * @param after the length after, in frames or bytes
     */
    typedef void (*LengthTracedCallback)(uint32_t before, uint32_t after);

  protected:
    void DoDispose() override;

  private:
    /// Take the counters of Queue<> from the lane.  @return frames and bytes in the queue before
    std::pair<uint32_t, uint32_t> Count();

    FrameLane m_own;   //!< the frames of a queue that belongs to no port
    FrameLane* m_lane; //!< the frames
    WatchedTrace<Ptr<const FabricFrame>> m_enqueueTrace; //!< frame accepted
    WatchedTrace<Ptr<const FabricFrame>> m_dequeueTrace; //!< frame begins to be sent
    TracedCallback<Ptr<const FabricFrame>> m_dropTrace;  //!< frame not accepted
    WatchedTrace<uint32_t, uint32_t> m_packetsTrace;     //!< frames in the queue
    WatchedTrace<uint32_t, uint32_t> m_bytesTrace;       //!< bytes in the queue
    std::function<void()> m_watcher;                     //!< who wants to know of being watched
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_QUEUE_H */
