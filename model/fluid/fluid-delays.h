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
#include <queue>
#include <tuple>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Calls back for items, each after a delay; those that are due in one picosecond in the order in
 * which they were added.
 */
class FluidDelays
{
  public:
    /// @param due called for each item when it is due; may add items, or clear all
    explicit FluidDelays(const Callback<void, uint32_t>& due);
    ~FluidDelays();

    /// Add an item.  @param item what is delayed  @param delayPs from now until it is due, in ps
    void Add(uint32_t item, int64_t delayPs);

    /// Forget all items.
    void Clear();

  private:
    /// An item that is due at a time.
    struct Entry
    {
        int64_t ps;      //!< when, in picoseconds
        uint64_t number; //!< of items that were added before
        uint32_t item;   //!< the item

        /// @return the order of a queue with the first one in front  @param other another one
        bool operator<(const Entry& other) const
        {
            return std::tie(ps, number) > std::tie(other.ps, other.number);
        }
    };

    /// Have Expire() called for the first item.
    void Schedule();

    /// Call back for what is due.
    void Expire();

    Callback<void, uint32_t> m_due;       //!< called for each item
    std::priority_queue<Entry> m_entries; //!< the first one in front
    uint64_t m_added{0};                  //!< items so far
    EventId m_event;                      //!< calls Expire()
    int64_t m_eventPs{0};                 //!< when, in picoseconds
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_DELAYS_H */
