/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WINDOW_SIMULATOR_H
#define WINDOW_SIMULATOR_H

#include "window-node.h"

#include "ns3/scheduler.h"
#include "ns3/simulator-impl.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <list>
#include <queue>
#include <random>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

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

    /// Links have changed: call WindowNode::Prepare() before the next window.
    void SetUnprepared();

    /// A room has something to do, no sooner than the end of the window.  @param room its number
    /// @param ts when, in time steps
    void Wake(uint32_t room, uint64_t ts)
    {
        m_next[room] = std::min(m_next[room], ts);
    }

    /**
     * A room, not necessarily the one that runs, may have something to do now.
     *
     * @param room its number; if the events of another room run, it is an error
     */
    void Touch(uint32_t room)
    {
        if (room != m_room || !m_events)
        {
            TouchOther(room);
        }
    }

    /// @return the time of what runs, in time steps
    uint64_t GetTs() const
    {
        return m_now;
    }

    /// @return whether a node runs through a window
    bool IsInWindow() const
    {
        return m_events;
    }

    /// Run the events of the room that runs now up to something else, which comes after those of
    /// its own time step: they were scheduled earlier.  @param ts its time
    void RunEventsUntil(uint64_t ts)
    {
        while (!m_events->empty() && m_events->top().key.m_ts <= ts)
        {
            RunFirst(*m_events);
        }
    }

    /// Run the events of the room that runs now, to the end of the window.
    void RunEvents();

    /// Something happens in the room that runs now, which is no event.  @param ts the time
    /// @param node number of the node
    void Advance(uint64_t ts, uint32_t node)
    {
        m_now = ts;
        m_context = node;
        m_uid = 0;
        ++m_eventCount;
    }

  private:
    static constexpr uint32_t NO_NODE = UINT32_MAX; //!< context of what has no node

    /// Later events come later out of a priority queue.
    struct Later
    {
        /// @return whether a comes after b
        bool operator()(const Scheduler::Event& a, const Scheduler::Event& b) const
        {
            return b.key < a.key;
        }
    };

    /// Events by time and number.
    using Events = std::priority_queue<Scheduler::Event, std::vector<Scheduler::Event>, Later>;

    /// A node.
    struct Node
    {
        Ptr<WindowNode> what; //!< the rest of what happens there, or nullptr
        uint32_t room;        //!< number of the room where it runs
        Events events;        //!< of the room that has its number
    };

    void DoDispose() override;

    /// Have an entry for a node.  @param node its number
    void Reserve(uint32_t node);
    /// Add an event to the right queue.
    EventId Insert(uint32_t context, uint64_t ts, EventImpl* event);
    /// End the run: an event is too soon at another node.
    [[noreturn]] void RefuseEvent(uint32_t context, uint64_t ts) const;

    /// @return the room of a node  @param node its number, or NO_NODE
    uint32_t RoomOf(uint32_t node) const
    {
        return node < m_nodes.size() ? m_nodes[node].room : node;
    }

    /// Run the first event of a queue.
    void RunFirst(Events& events);
    /// The slow part of Touch().
    void TouchOther(uint32_t room);

    /// Ask all nodes for the length of a window.
    void Prepare();
    /// @return the first time at which a room has something to do, or WindowNode::NEVER
    uint64_t FindFirst() const;
    /// Run the first global event.
    void RunGlobal();
    /// Run all rooms that have something to do in a window.
    void RunWindow(uint64_t begin);
    /// Run a room through the present window.
    void RunRoom(uint32_t room);

    uint64_t m_now{0};                  //!< the time of what runs
    uint32_t m_uid{0};                  //!< its number, 0 if it is no event
    uint32_t m_context{NO_NODE};        //!< its node
    uint32_t m_room{NO_NODE};           //!< its room
    Events* m_events{nullptr};          //!< events of the room that runs in a window
    Scheduler::EventKey m_end{0, 0, 0}; //!< before what the present window ends
    uint64_t m_begin{0};                //!< when it began
    uint64_t m_length{0};               //!< of a window, if nothing ends it sooner
    Time m_longest;                     //!< attribute LongestWindow
    bool m_isShuffled{false};           //!< attribute Shuffled
    bool m_isStopped{false};            //!< Stop() was called
    bool m_isPrepared{false};           //!< WindowNode::Prepare() was called
    uint32_t m_nextUid;                 //!< number of the next event
    uint64_t m_eventCount{0};           //!< events run
    std::vector<uint64_t> m_next;       //!< when each room has something to do next
    std::deque<Node> m_nodes;           //!< nodes by number
    Events m_global;                    //!< events that run alone
    std::vector<uint32_t> m_active;     //!< rooms of the present window
    std::list<EventId> m_destroy;       //!< what Destroy() runs
    std::mt19937 m_random;              //!< orders the rooms, if shuffled
};

} // namespace aifabric
} // namespace ns3

#endif /* WINDOW_SIMULATOR_H */
