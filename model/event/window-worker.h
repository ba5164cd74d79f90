/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WINDOW_WORKER_H
#define WINDOW_WORKER_H

#include "window-rooms.h"

#include "ns3/scheduler.h"

#include <algorithm>
#include <cstdint>
#include <functional>
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
 * Runs rooms of a WindowSimulator through windows, one after the other: one thread's part of the
 * simulator, with its own present. What it has for the rooms of other workers waits until all have
 * ended the window.
 */
class alignas(128) WindowWorker
{
  public:
    static constexpr uint32_t NO_NODE = UINT32_MAX; //!< context of what has no node

    /// What a node says after the window.
    struct Report
    {
        uint64_t ts;                //!< when it happened, in time steps
        uint32_t node;              //!< number of the node
        std::function<void()> call; //!< what is called
    };

    /// What comes to a node in a window.
    struct Arrival
    {
        uint64_t place; //!< its place in the order of all
        void* what;     //!< what comes
    };

    /// @param rooms those of all workers  @param number of the worker  @see WorkerNumber
    WindowWorker(WindowRooms& rooms, uint32_t number)
        : m_rooms(&rooms),
          m_number(number)
    {
    }

    /// @return who runs a room of a window on this thread, or nullptr
    static WindowWorker* GetCurrent()
    {
        return m_current;
    }

    // The present

    /// @return the time of what runs, in time steps
    uint64_t GetTs() const
    {
        return m_now;
    }

    /// @return the number of the event that runs; 0: none does
    uint32_t GetUid() const
    {
        return m_uid;
    }

    /// @return the node of what runs
    uint32_t GetContext() const
    {
        return m_context;
    }

    /// @return whether a node runs through a window
    bool IsInWindow() const
    {
        return m_events;
    }

    /// @return the end of the window, in time steps; nothing that another room gets is before it
    uint64_t GetEnd() const
    {
        return m_end.m_ts;
    }

    /// @return the room of what runs
    uint32_t GetRoom() const
    {
        return m_room;
    }

    /// @return the time of the last thing that has run in the window, in time steps
    uint64_t GetLatest() const
    {
        return m_latest;
    }

    /// @return events run
    uint64_t GetEventCount() const
    {
        return m_eventCount;
    }

    // For nodes

    /// What follows happens at a node of the room that runs now.  @param node its number
    void Enter(uint32_t node)
    {
        m_context = node;
        m_uid = 0;
    }

    /// Something happens there that is no event: run the events up to it first, those of its own
    /// time step included, as they were scheduled earlier.  @param ts the time
    void Advance(uint64_t ts)
    {
        if (!m_events->empty() && m_events->top().key.m_ts <= ts)
        {
            RunEventsUntil(ts);
        }
        m_now = ts;
    }

    /// So many things happen in the present window that are no events.
    void Count(std::size_t happenings)
    {
        m_eventCount += happenings;
    }

    /// Run the events of the room that runs now, to the end of the window.
    void RunEvents();

    /// Lend lists to a node that runs, or take them back: all nodes use the same memory, which
    /// stays in the cache.
    void SwapLists(std::vector<Arrival>& arrivals, std::vector<Arrival>& sorted)
    {
        m_arrivals.swap(arrivals);
        m_sorted.swap(sorted);
    }

    /**
     * A node has sent something to one of another worker, which is to take it over.
     *
     * @param node that other one
     * @param place by where: what WindowNode::TakeOver() gets
     */
    void Notify(WindowNode& node, uint32_t place)
    {
        m_notices[node.GetWorker()].push_back({&node, place});
    }

    // For the simulator

    /// @return the number of a new event
    uint32_t TakeUid()
    {
        return m_nextUid++;
    }

    /// @param uid number of the next event
    void SetNextUid(uint32_t uid)
    {
        m_nextUid = uid;
    }

    /// @return number of the next event
    uint32_t GetNextUid() const
    {
        return m_nextUid;
    }

    /// Run the first event of a queue, alone.
    void RunAlone(WindowRooms::Events& events);

    /// Call what a node has deferred, as at its time.
    void Call(const Report& report);

    /// An event that a room schedules for another one, or for none.  @param event with a reference
    void Send(const Scheduler::Event& event)
    {
        m_sent.push_back(event);
    }

    /// @return what Send() got since, removed
    std::vector<Scheduler::Event> TakeSent()
    {
        return std::exchange(m_sent, {});
    }

    /// Have something called after the window.
    void Defer(std::function<void()> call)
    {
        m_reports.push_back({m_now, m_context, std::move(call)});
    }

    /// @return what Defer() got since
    std::vector<Report>& GetReports()
    {
        return m_reports;
    }

    /// Prepare for a run.  @param workers how many workers there are
    void Prepare(uint32_t workers)
    {
        m_notices.resize(workers);
    }

    /// Have its nodes take over what those of another worker have sent.
    void TakeOver(WindowWorker& other);

    /**
     * Run its rooms through a window.
     *
     * @param begin of the window, in time steps
     * @param end before what the window ends
     * @param shuffled whether its rooms run in a random order
     * @param [in,out] work events of each room
     */
    void Run(uint64_t begin,
             const Scheduler::EventKey& end,
             bool shuffled,
             std::vector<uint64_t>& work);

    /// Set the present of what has no room.  @param ts the time  @param uid of what has run by then
    void SetPresent(uint64_t ts, uint32_t uid);

  private:
    /// What comes to a node of another worker.
    struct Notice
    {
        WindowNode* node; //!< the node
        uint32_t place;   //!< by where
    };

    /// Run the first event of a queue.
    void RunFirst(WindowRooms::Events& events);
    /// Run the events of the room, then go on at the node.  @param ts the time of the last ones
    void RunEventsUntil(uint64_t ts);
    /// Run a room through the window.  @param room its number
    void RunRoom(uint32_t room);
    /// @param active the place of a room among those of the window, or more
    /// @param step as WindowNode::Prefetch() has it
    void PrefetchRoom(std::size_t active, uint32_t step) const;

    [[gnu::tls_model("initial-exec")]] static inline thread_local WindowWorker* m_current{
        nullptr}; //!< on this thread

    WindowRooms* m_rooms;                       //!< all rooms
    uint32_t m_number;                          //!< of the worker
    uint64_t m_now{0};                          //!< the time of what runs
    uint32_t m_uid{0};                          //!< its number, 0 if it is no event
    uint32_t m_context{NO_NODE};                //!< its node
    uint32_t m_room{NO_NODE};                   //!< its room
    WindowRooms::Events* m_events{nullptr};     //!< events of the room that runs in a window
    Scheduler::EventKey m_end{0, 0, 0};         //!< before what the present window ends
    uint64_t m_begin{0};                        //!< when it began
    uint32_t m_nextUid{0};                      //!< number of the next event
    uint64_t m_eventCount{0};                   //!< events run
    uint64_t m_latest{0};                       //!< of what has run in the window
    std::mt19937 m_random;                      //!< orders the rooms, if shuffled
    std::vector<uint32_t> m_active;             //!< those of the present window
    std::vector<Arrival> m_arrivals;            //!< for the node that runs
    std::vector<Arrival> m_sorted;              //!< the same
    std::vector<std::vector<Notice>> m_notices; //!< by worker that gets them
    std::vector<Scheduler::Event> m_sent;       //!< events for other rooms
    std::vector<Report> m_reports;              //!< what is called after the window
};

} // namespace aifabric
} // namespace ns3

#endif /* WINDOW_WORKER_H */
