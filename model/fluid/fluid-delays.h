/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_DELAYS_H
#define FLUID_DELAYS_H

#include "ns3/callback.h"
#include "ns3/event-id.h"
#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <deque>
#include <unordered_map>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Calls back for items, each after a delay, where many items have few different delays: those of
 * one delay are due in the order in which they were added, so they need no heap, and all that are
 * due in one picosecond need one event.
 *
 * @tparam Item what is delayed: a number, or a few of them
 */
template <typename Item = uint32_t>
class FluidDelays
{
  public:
    /// @param due called for each item when it is due
    explicit FluidDelays(const Callback<void, Item>& due)
        : m_due(due)
    {
    }

    ~FluidDelays()
    {
        Clear();
    }

    /// Add an item.  @param item what is delayed  @param delayPs from now until it is due, in ps
    void Add(const Item& item, int64_t delayPs)
    {
        Line& line = m_lines[delayPs];
        const int64_t ps = FabricClock::Now() + delayPs;
        if (line.entries.empty() || line.entries.back().ps != ps)
        {
            line.events.push_back(
                Simulator::Schedule(FabricClock::Until(ps), &FluidDelays::Expire, this, delayPs));
        }
        line.entries.push_back({ps, item});
    }

    /// Call for each item that is not due yet, which may be changed.  @param visitor what is called
    template <typename Visitor>
    void Visit(Visitor visitor)
    {
        for (auto& [delayPs, line] : m_lines)
        {
            for (Entry& entry : line.entries)
            {
                visitor(entry.item);
            }
        }
    }

    /// Forget all items.
    void Clear()
    {
        for (auto& [delayPs, line] : m_lines)
        {
            for (EventId& event : line.events)
            {
                event.Cancel();
            }
            line.events.clear();
            line.entries.clear();
        }
    }

  private:
    /// An item that is due at a time.
    struct Entry
    {
        int64_t ps; //!< when, in picoseconds
        Item item;  //!< the item
    };

    /// The items of one delay.
    struct Line
    {
        std::deque<Entry> entries;  //!< in the order in which they are due
        std::deque<EventId> events; //!< one for each time
    };

    /// Call back for what is due.  @param delayPs the delay of the items, in ps
    void Expire(int64_t delayPs)
    {
        const int64_t now = FabricClock::Now();
        Line& line = m_lines[delayPs];
        line.events.pop_front();
        while (!line.entries.empty() && line.entries.front().ps == now) // a callback may clear all
        {
            const Item item = line.entries.front().item;
            line.entries.pop_front();
            m_due(item);
        }
    }

    Callback<void, Item> m_due;                //!< called for each item
    std::unordered_map<int64_t, Line> m_lines; //!< by delay, in picoseconds
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_DELAYS_H */
