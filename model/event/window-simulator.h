/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WINDOW_SIMULATOR_H
#define WINDOW_SIMULATOR_H

#include "window-rooms.h"
#include "window-worker.h"
#include "worker-number.h"

#include "ns3/scheduler.h"
#include "ns3/simulator-impl.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <list>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

class WindowTeam;

/**
 * @ingroup ai-fabric
 *
 * A simulator that runs node after node through windows of time, instead of event after event.
 *
 * A frame that a node sends at t comes to another node no earlier than t + L, where L is the least
 * delay of a link. So all that comes to a node in a **window** [T, T + L) was sent before T, and
 * each node can go through the window by itself: through its own events, and through the frames
 * that come by its links, which need no events (WindowNode). What happens at one node in one
 * picosecond has an order of its own (FabricClock). Therefore the results are those of any other
 * ns-3 simulator, whatever the order of the nodes.
 *
 * Nodes that act on each other without a delay share a **room** (Join()): they go through the
 * window together, in the order of time.
 *
 * **Threads** share the rooms (attribute Threads), by the work that each room was. What a node says
 * to the whole program waits for the end of the window (Defer()). Sinks of trace sources are called
 * by the thread of the node.
 *
 * **Three kinds of events.** Those of the node that schedules them, and those that it schedules at
 * another node, no sooner than the end of the window, are that node's own. All others are
 * **global**: those without a node (a failure, a sample), and those that a program schedules
 * before the run. A global event ends the window at its time, and runs alone.
 *
 * An event at another node before the end of the window ends the run with an error: an interaction
 * that crosses no link of the fabric, or a foreign channel that is quicker (LongestWindow).
 * Simulator::Stop() in an event of a node takes effect at the end of the window, no sooner, and
 * callbacks of nodes come node after node. Simulator::Remove() is Cancel(): the event stays in its
 * queue, and does nothing at its time.
 *
 * It needs time in femtoseconds: Time::SetResolution(Time::FS). Choose it by
 * `--SimulatorImplementationType=ns3::aifabric::WindowSimulator`.
 */
class WindowSimulator final : public SimulatorImpl
{
  public:
    /**
     * Register this type.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /// @return the simulator of this program, if it is of this type, or else nullptr
    static WindowSimulator* Get();

    WindowSimulator();
    ~WindowSimulator() override;

    // Inherited
    void Destroy() override;
    bool IsFinished() const override;
    void Stop() override;
    /// What Stop() returns: an EventId in newer releases of ns-3, nothing in older ones.
    using Stopped = decltype(std::declval<SimulatorImpl&>().Stop(std::declval<const Time&>()));
    Stopped Stop(const Time& delay) override;
    EventId Schedule(const Time& delay, EventImpl* event) override;
    void ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event) override;
    EventId ScheduleNow(EventImpl* event) override;
    EventId ScheduleDestroy(EventImpl* event) override;
    void Remove(const EventId& id) override;
    void Cancel(const EventId& id) override;
    bool IsExpired(const EventId& id) const override;
    void Run() override;
    Time Now() const override;
    Time GetDelayLeft(const EventId& id) const override;
    Time GetMaximumSimulationTime() const override;
    /// Nothing: each node has a queue of its own.
    void SetScheduler(ObjectFactory schedulerFactory) override;
    uint32_t GetSystemId() const override;
    uint32_t GetContext() const override;
    /// @return events run, arrivals of frames included
    uint64_t GetEventCount() const override;

    /// @return how many threads run the nodes of a window
    uint32_t GetThreads() const
    {
        return m_threads;
    }

    // For nodes

    /// @return what was set for a node, or nullptr  @param node its number
    WindowNode* GetNode(uint32_t node) const;

    /// @param node number of a node  @param what the rest of what happens there
    void SetNode(uint32_t node, Ptr<WindowNode> what);

    /**
     * Have a node run in the room of another one, before the run. A node that was not joined is a
     * room by itself, with its own number.
     *
     * @param room the number of the other one, whose WindowNode runs both
     * @param node the node, which shares its own room with no other one
     */
    void Join(uint32_t room, uint32_t node);

    /// End the program, in one line, if nodes run on several threads.  @param who has what their
    /// nodes share
    static void RequireOneThread(const std::string& who);

    /// Links have changed: call WindowNode::Prepare() before the next window.
    void SetUnprepared();

    /**
     * Call something when all nodes have ended the window, as at the present time and node, in the
     * order of time and nodes; at once, if no window is open or another simulator runs. What it
     * schedules is no sooner than the end of the window.
     *
     * @param call what is called
     */
    static void Defer(std::function<void()> call);

    /// A room has something to do, no sooner than the end of the window.  @param room its number
    /// @param ts when, in time steps
    void Wake(uint32_t room, uint64_t ts)
    {
        m_rooms.Wake(room, ts);
    }

    /**
     * A room, not necessarily the one that runs, may have something to do now.
     *
     * @param room its number; if the events of another room run, it is an error
     * @return whether it is the one that runs
     */
    bool Touch(uint32_t room)
    {
        const WindowWorker* const worker = WindowWorker::GetCurrent();
        const bool isRunning = worker && worker->GetRoom() == room;
        if (!isRunning)
        {
            TouchOther(room);
        }
        return isRunning;
    }

    /// @return who runs this thread's rooms
    WindowWorker& Worker()
    {
        return m_workers[WorkerNumber::Get()];
    }

    /// @return who runs this thread's rooms
    const WindowWorker& Worker() const
    {
        return m_workers[WorkerNumber::Get()];
    }

  private:
    static constexpr uint32_t NO_NODE = WindowWorker::NO_NODE; //!< context of what has no node

    void DoDispose() override;

    /// Add an event to the right queue.
    EventId Insert(uint32_t context, uint64_t ts, EventImpl* event);
    /// End the run: an event is too soon at another node.
    [[noreturn]] void RefuseEvent(uint32_t context, uint64_t ts) const;
    /// The slow part of Touch().
    void TouchOther(uint32_t room);

    /// Ask all nodes for the length of a window.
    void Prepare();
    /// Share the rooms among the workers, by the work that each was.
    void Share();
    /// Run all rooms that have something to do in a window.
    void RunWindow(uint64_t begin, WindowTeam& team);
    /// Hand over what the workers have for all, and go on from the latest of their times.
    /// @param end before what the window ended
    void EndWindow(const Scheduler::EventKey& end);

    WindowRooms m_rooms;                  //!< nodes and their events
    std::vector<WindowWorker> m_workers;  //!< by number of the thread
    WindowRooms::Events m_global;         //!< events that run alone
    std::vector<uint64_t> m_work;         //!< events of each room since they were shared
    uint64_t m_length{0};                 //!< of a window, if nothing ends it sooner
    Time m_longest;                       //!< attribute LongestWindow
    uint32_t m_threads{1};                //!< attribute Threads
    uint64_t m_windowsToShare{0};         //!< windows until the rooms are shared again
    uint64_t m_sharedFor{0};              //!< windows for which they are shared
    bool m_isShuffled{false};             //!< attribute Shuffled
    std::atomic<bool> m_isStopped{false}; //!< Stop() was called
    bool m_isPrepared{false};             //!< WindowNode::Prepare() was called
    std::list<EventId> m_destroy;         //!< what Destroy() runs
};

} // namespace aifabric
} // namespace ns3

#endif /* WINDOW_SIMULATOR_H */
