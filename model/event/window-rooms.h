/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WINDOW_ROOMS_H
#define WINDOW_ROOMS_H

#include "room-agenda.h"
#include "window-node.h"

#include "ns3/event-impl.h"
#include "ns3/ptr.h"
#include "ns3/scheduler.h"

#include <algorithm>
#include <cstdint>
#include <queue>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The rooms of a WindowSimulator: the nodes in them, their events, and when each has something to
 * do next. A room that no node has joined is that of the node with its number.
 */
class WindowRooms
{
  public:
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

    /// Have an entry for a node, before or between windows: events of rooms move.
    /// @param node its number
    void Reserve(uint32_t node);

    /// @return how many numbers of nodes and rooms there are
    uint32_t GetSize() const
    {
        return m_nodes.size();
    }

    /// @return what was set for a node, or nullptr  @param node its number
    WindowNode* GetNode(uint32_t node) const
    {
        return node < m_nodes.size() ? PeekPointer(m_nodes[node].what) : nullptr;
    }

    /// @param node number of a node  @param what the rest of what happens there
    void SetNode(uint32_t node, Ptr<WindowNode> what);

    /// @copydoc WindowSimulator::Join
    void Join(uint32_t room, uint32_t node);

    /// @return the room of a node  @param node its number, or another one
    uint32_t RoomOf(uint32_t node) const
    {
        return node < m_nodes.size() ? m_nodes[node].room : node;
    }

    /// @return the events of a room  @param room its number
    Events& EventsOf(uint32_t room)
    {
        return m_nodes[room].events;
    }

    /// Add an event to those of its room.  @param event with a reference
    void Add(uint32_t room, const Scheduler::Event& event);

    /// A room has something to do, no sooner than the end of the window.  @param room its number
    /// @param ts when, in time steps
    void Wake(uint32_t room, uint64_t ts)
    {
        m_agenda.Lower(room, ts);
    }

    /// A room has run.  @param ts when it has something to do next, events aside, in time steps
    void SetNext(uint32_t room, uint64_t ts)
    {
        const Events& events = m_nodes[room].events;
        m_agenda.Set(room, events.empty() ? ts : std::min(ts, events.top().key.m_ts));
    }

    /// @return the first time at which a room has something to do, or WindowNode::NEVER
    uint64_t FindFirst() const
    {
        return m_agenda.FindFirst();
    }

    /// @copydoc RoomAgenda::TakeDue
    void TakeDue(uint32_t worker, uint64_t last, std::vector<uint32_t>& due)
    {
        m_agenda.TakeDue(worker, last, due);
    }

    /// Ask all nodes for the length of a window.  @return the least, or WindowNode::NEVER
    uint64_t Prepare();

    /// Share the rooms among workers, equal work for each, neighbours together.
    /// @param work what a room has to do, by room
    void Share(uint32_t workers, const std::vector<uint64_t>& work);

    /// Forget all events and nodes.
    void Clear();

    /// Forget events.
    static void Clear(Events& events);

  private:
    /// A node.
    struct Node
    {
        Ptr<WindowNode> what; //!< the rest of what happens there, or nullptr
        uint32_t room;        //!< number of the room where it runs
        Events events;        //!< of the room that has its number
    };

    /// @return all rooms, those of neighbours near each other: a node that sends to none of a lower
    /// number stands at its own, such as a host, and others amid their neighbours of lower numbers
    std::vector<uint32_t> SortByPlace() const;

    RoomAgenda m_agenda;       //!< when each room has something to do next
    std::vector<Node> m_nodes; //!< nodes by number
};

} // namespace aifabric
} // namespace ns3

#endif /* WINDOW_ROOMS_H */
