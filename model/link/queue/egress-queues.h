/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EGRESS_QUEUES_H
#define EGRESS_QUEUES_H

#include "departure-hook.h"
#include "egress-scheduler.h"
#include "fabric-queue.h"
#include "frame-lane.h"
#include "frame-source.h"
#include "pause-gates.h"

#include "ns3/fabric-frame.h"
#include "ns3/growing-ring.h"
#include "ns3/prefetch-lines.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

class FabricTransmitter;

/**
 * @ingroup ai-fabric
 *
 * What waits at a port, and which of it is sent next: a queue and a pause gate a class, a source of
 * frames that are not made yet, and MAC control frames, which precede all. Among the queues, the
 * highest class that can send precedes the others, or an EgressScheduler chooses. Where the source
 * and a queue have frames of one class, they alternate.
 *
 * Part of FabricTransmitter, whose law of late decisions it obeys: all times are given.
 */
class alignas(64) EgressQueues
{
  public:
    static constexpr uint8_t CLASSES = 8; //!< traffic classes (802.1Q priorities)

    // Set-up

    /**
     * Give classes a queue of their own each. A class without one shares that of the next lower
     * class which has one, or of the lowest.
     *
     * @param classes bit c set: class c has a queue; not 0
     * @param size the most that each queue holds
     */
    void SetClasses(uint8_t classes, const QueueSize& size);

    /**
     * Show the queue of a class to ns-3.
     *
     * @param trafficClass one of those that the queue serves
     * @param queue an object that shows the frames which wait, and its own counters
     */
    void SetQueue(uint8_t trafficClass, Ptr<FabricQueue> queue);

    /// @param source where frames come from beside the queues, or nullptr
    void SetSource(FrameSource* source)
    {
        m_source = source;
        m_special = source ? m_special | HAS_SOURCE : m_special & ~HAS_SOURCE;
    }

    /// @return where frames come from beside the queues, or nullptr
    FrameSource* GetSource() const
    {
        return m_source;
    }

    /// @param hook who acts at departures from the queues, or nullptr
    void SetHook(DepartureHook* hook)
    {
        m_hook = hook;
    }

    /// @param scheduler which queue sends next; null: the highest
    void SetScheduler(Ptr<EgressScheduler> scheduler);

    /// @return which queue sends next; null: the highest
    const Ptr<EgressScheduler>& GetScheduler() const
    {
        return m_scheduler;
    }

    /// Forget all frames: the simulation ends.
    void Dispose();

    // Frames that come

    /**
     * Append a frame to its queue.
     *
     * @param now the current time, in picoseconds
     * @param isBusy whether the wire is busy
     * @return whether the queue has room for it
     */
    bool Push(const Ptr<FabricFrame>& frame, int64_t now, bool isBusy)
    {
        const uint8_t queue = m_laneOf[frame->GetClass()];
        const uint32_t bytes = frame->wireBytes;
        FrameLane& lane = m_lanes[queue];
        if (!lane.HasRoom(bytes))
        {
            return false;
        }
        lane.Push(frame);
        m_waitingTime -= now;
        m_waitingBytes += bytes;
        ++m_waitingFrames;
        NoteMost(m_waitingFrames + isBusy, m_waitingBytes);
        m_backlog |= 1 << queue;
        return true;
    }

    /**
     * Count a frame as if it came and left at once, where nothing else can precede it.
     *
     * @param now the current time, in picoseconds, when the wire is free
     * @param port the port, for the hook
     * @return whether it passed; if not, nothing has changed
     */
    bool Pass(const Ptr<FabricFrame>& frame, int64_t now, FabricTransmitter& port)
    {
        if (m_backlog || m_paused || m_special)
        {
            return false;
        }
        const uint32_t bytes = frame->wireBytes;
        if (!m_lanes[m_laneOf[frame->GetClass()]].Pass(bytes))
        {
            return false;
        }
        NoteMost(1, bytes);
        if (m_hook)
        {
            m_hook->FrameDeparts(port, *frame, now);
        }
        return true;
    }

    /**
     * Count a frame that waits for this port, but in no queue of it: its owner holds it.
     *
     * @param bytes of the frame
     * @param now the current time, in picoseconds
     * @param isBusy whether the wire is busy
     */
    void BeginHold(uint32_t bytes, int64_t now, bool isBusy);

    /// The owner does not hold such a frame any more.  @param bytes of the frame
    /// @param now the current time, in picoseconds
    void EndHold(uint32_t bytes, int64_t now);

    /// Append a MAC control frame.
    void PushControl(const Ptr<FabricFrame>& frame);

    /// @return the newest frame of the queue of a class, removed; null if none waits
    /// @param now the current time, in picoseconds
    Ptr<FabricFrame> TakeLast(uint8_t trafficClass, int64_t now);

    // Frames that leave

    /// @return whether there may be a frame, now or later without one that comes
    bool MayHaveFrames() const
    {
        return m_backlog || m_special;
    }

    /// @return whether a frame can be sent as soon as the wire is free
    bool IsReady() const
    {
        return (m_backlog & ~m_paused) || (m_special & HAS_CONTROL);
    }

    /// @return whether a frame may be sent at the time that GetOpening() says
    bool MayBeReady() const
    {
        return m_backlog || m_source;
    }

    /// @return when a frame can be sent, in picoseconds, as far as is known now, where IsReady() is
    /// false; NEVER: none
    int64_t GetOpening() const
    {
        if (m_paused)
        {
            return GetOpeningOfClosed();
        }
        return m_source ? m_source->GetNextTime(0xFF) : NEVER; // no queue has a frame
    }

    /// @return whether a gate is closed, which may have to be opened
    bool IsPaused() const
    {
        return m_paused;
    }

    /// Open the gates whose pause has ended.  @param now the time, in picoseconds
    void OpenGates(int64_t now);

    /// @return whether the next frame is TakeWaiting(): no gate is closed, and frames come from
    /// the queues alone
    bool IsPlain() const
    {
        return !(m_paused || m_special);
    }

    /// @return whether frames wait in the queues
    bool HasBacklog() const
    {
        return m_backlog;
    }

    /// @return the next frame where IsPlain() and HasBacklog() are true, removed
    /// @param start the time, in picoseconds  @param port the port, for the hook
    FrameLane::Entry TakeWaiting(int64_t start, FabricTransmitter& port)
    {
        return TakeFromQueue(31 ^ __builtin_clz(m_backlog), start, port); // one instruction
    }

    /// @return whether control frames or a scheduler precede TakeHighest()
    bool IsSpecial() const
    {
        return m_special & (HAS_CONTROL | HAS_SCHEDULER);
    }

    /**
     * @param start the time, in picoseconds
     * @param port the port, for the hook
     * @return the next frame by strict priority, removed; null if none can be sent
     */
    FrameLane::Entry TakeHighest(int64_t start, FabricTransmitter& port)
    {
        const uint8_t ready = m_backlog & ~m_paused;
        const int queue = ready ? 31 - __builtin_clz(ready) : -1;
        if (!m_source)
        {
            return TakeFromQueue(queue, start, port);
        }
        const int source = m_source->GetReadyClass(~m_paused, start);
        const int served = source < 0 ? -1 : m_laneOf[source];
        if (source >= 0 && (served > queue || (served == queue && m_sourceTurn)))
        {
            m_sourceTurn = false;
            return NoteMade(GetPointer(m_source->Pull(source, start)));
        }
        if (queue < 0)
        {
            return {};
        }
        m_sourceTurn = true;
        return TakeFromQueue(queue, start, port);
    }

    /**
     * @param start the time, in picoseconds
     * @param port the port, for the hook
     * @return the next frame where IsSpecial() is true, removed; null if none can be sent
     */
    FrameLane::Entry TakeSpecial(int64_t start, FabricTransmitter& port);

    /**
     * Close the gates of classes, or open them. Classes that share a queue share its gate.
     *
     * @param classes bit c set: class c
     * @param until when the gates open by themselves, in picoseconds; not after now: open
     * @param now the current time, in picoseconds
     */
    void Pause(uint8_t classes, int64_t until, int64_t now);

    // State

    /// @return the mask of classes whose gate is closed
    uint8_t GetPaused() const
    {
        return m_paused;
    }

    /// @return when the gate of a class opens by itself, in picoseconds, if it is closed
    int64_t GetGateOpening(uint8_t trafficClass) const
    {
        return m_gates.GetOpening(1 << trafficClass);
    }

    /// @return the queue that serves a class, as ns-3 sees it; null: it was not used yet
    const Ptr<FabricQueue>& GetQueue(uint8_t trafficClass) const
    {
        return m_queues[m_laneOf[trafficClass]];
    }

    /// @return whether one queue serves two classes
    bool SharesQueue(uint8_t one, uint8_t other) const
    {
        return m_laneOf[one] == m_laneOf[other];
    }

    /// @return whether an observer sees each change of a queue
    bool IsWatched() const;

    /// @return frames that the queues had no room for
    uint64_t CountRefused() const;

    /// @return the frames that wait in the queue of a class
    const FrameLane& GetLane(uint8_t trafficClass) const
    {
        return m_lanes[m_laneOf[trafficClass]];
    }

    /// @return frames in the queues, with those that others hold (BeginHold)
    uint32_t GetWaitingFrames() const
    {
        return m_waitingFrames;
    }

    /// @return bytes in the queues, with those that others hold
    uint32_t GetWaitingBytes() const
    {
        return m_waitingBytes;
    }

    /// @return the longest that the queues were, in frames, with the one in transmission
    uint32_t GetMaxFrames() const
    {
        return m_maxFrames;
    }

    /// @return the most bytes that were in the queues
    uint32_t GetMaxBytes() const
    {
        return m_maxBytes;
    }

    /// @return the integral over time of the frames in the queues, in frames times picoseconds
    /// @param now the current time, in picoseconds
    int64_t GetWaitingTime(int64_t now) const
    {
        return static_cast<int64_t>(m_waitingTime + uint64_t{m_waitingFrames} * now);
    }

    /// Get what Push() will touch into the cache.  @param trafficClass class of the frame
    void Prefetch(uint8_t trafficClass) const
    {
        PrefetchLine(this);
        PrefetchLine(&m_lanes[trafficClass]);
    }

    /// Get the place where Push() will put a frame into the cache, when what Prefetch() fetched has
    /// come.  @param trafficClass class of the frame
    void PrefetchPlace(uint8_t trafficClass) const
    {
        m_lanes[trafficClass].PrefetchPlace();
    }

  private:
    /// Why the next frame is not simply that of the highest class; independent bits.
    enum Special : uint8_t
    {
        HAS_CONTROL = 0x01,   //!< MAC control frames wait
        HAS_SCHEDULER = 0x02, //!< a scheduler chooses
        HAS_SOURCE = 0x04,    //!< frames come from beside the queues
    };

    /// @return GetOpening() where gates are closed
    int64_t GetOpeningOfClosed() const;

    /// @return the frame that the scheduler chooses, removed; null if none can be sent
    /// @param start the time, in picoseconds  @param port the port, for the hook
    FrameLane::Entry TakeScheduled(int64_t start, FabricTransmitter& port);

    /// @return the next frame of a queue  @param queue its class  @param start the time
    /// @param port the port, for the hook
    FrameLane::Entry TakeFromQueue(uint32_t queue, int64_t start, FabricTransmitter& port)
    {
        FrameLane& lane = m_lanes[queue];
        const FrameLane::Entry entry = lane.Pop();
        CountRemoved(queue, entry.bytes, start);
        if (!lane.IsEmpty())
        {
            lane.PrefetchNext();
        }
        if (m_hook)
        {
            m_hook->FrameDeparts(port, *entry.frame, start);
        }
        return entry;
    }

    /// Count a frame that did not wait in a queue.  @param frame the frame, with a reference to it
    /// @return the same
    FrameLane::Entry NoteMade(FabricFrame* frame)
    {
        m_maxFrames = std::max(m_maxFrames, m_waitingFrames + 1);
        return {frame, frame->wireBytes};
    }

    /// The queues are so long.  @param frames in queues and transmission  @param bytes in queues
    void NoteMost(uint32_t frames, uint32_t bytes)
    {
        if (frames > m_maxFrames) // seldom: cheaper than to write what is there
        {
            m_maxFrames = frames;
        }
        if (bytes > m_maxBytes)
        {
            m_maxBytes = bytes;
        }
    }

    /// Count a frame that has left a queue.  @param queue its class  @param bytes of the frame
    /// @param time when, in picoseconds
    void CountRemoved(uint32_t queue, uint32_t bytes, int64_t time)
    {
        m_waitingTime += time;
        --m_waitingFrames;
        m_waitingBytes -= bytes;
        if (m_lanes[queue].IsEmpty())
        {
            m_backlog &= ~(1 << queue);
        }
    }

    // What each hop touches, in one cache line. Counts of frames and of bytes are kept apart: side
    // by side, the compiler packs them into one register, which takes longer.

    uint8_t m_backlog{0};                    //!< bit c set: queue c is not empty
    uint8_t m_paused{0};                     //!< bit c set: the gate of class c's queue is closed
    uint8_t m_special{0};                    //!< Special bits
    bool m_sourceTurn{true};                 //!< the source precedes a queue of the same class
    uint32_t m_waitingFrames{0};             //!< frames in the queues
    uint64_t m_waitingTime{0};               //!< when frames left less when they came, modulo 2^64
    uint32_t m_maxFrames{0};                 //!< the most frames in queues and transmission
    uint32_t m_maxBytes{0};                  //!< the most bytes in queues
    FrameSource* m_source{nullptr};          //!< frames beside the queues
    DepartureHook* m_hook{nullptr};          //!< who acts at departures
    std::array<uint8_t, CLASSES> m_laneOf{}; //!< lane of the queue that serves a class
    uint32_t m_waitingBytes{0};              //!< bytes in the queues

    std::array<FrameLane, CLASSES> m_lanes; //!< the queues; some are not in use

    // The rest

    std::array<Ptr<FabricQueue>, CLASSES> m_queues; //!< the queues as ns-3 sees them, or null
    PauseGates m_gates;                             //!< when closed gates open
    GrowingRing<Ptr<FabricFrame>> m_control;        //!< MAC control frames to be sent
    Ptr<EgressScheduler> m_scheduler;               //!< which queue sends next; null: the highest
    uint8_t m_queueTurns{0}; //!< bit q set: with a scheduler, queue q precedes the source
};

} // namespace aifabric
} // namespace ns3

#endif /* EGRESS_QUEUES_H */
