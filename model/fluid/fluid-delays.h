/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_DELAYS_H
#define FLUID_DELAYS_H

#include "ns3/callback.h"
#include "ns3/event-id.h"

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
 */
class FluidDelays
{
  public:
    /// @param due called for each item when it is due
    explicit FluidDelays(const Callback<void, uint32_t>& due);
    ~FluidDelays();

    /// Add an item.  @param item its number  @param delayPs from now until it is due, in ps
    void Add(uint32_t item, int64_t delayPs);

    /// Forget all items.
    void Clear();

  private:
    /// An item that is due at a time.
    struct Entry
    {
        int64_t ps;    //!< when, in picoseconds
        uint32_t item; //!< its number
    };

    /// The items of one delay.
    struct Line
    {
        std::deque<Entry> entries;  //!< in the order in which they are due
        std::deque<EventId> events; //!< one for each time
    };

    /// Call back for what is due.  @param delayPs the delay of the items, in ps
    void Expire(int64_t delayPs);

    Callback<void, uint32_t> m_due;            //!< called for each item
    std::unordered_map<int64_t, Line> m_lines; //!< by delay, in picoseconds
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_DELAYS_H */
