/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_DELAYS_H
#define FLUID_DELAYS_H

#include "fluid-dues.h"

#include "ns3/callback.h"
#include "ns3/event-id.h"

#include <cstdint>

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
    /// Have Expire() called for the first item.
    void Schedule();

    /// Call back for what is due.
    void Expire();

    Callback<void, uint32_t> m_due; //!< called for each item
    FluidDues<> m_items;            //!< what is delayed
    EventId m_event;                //!< calls Expire()
    int64_t m_eventPs{0};           //!< when, in picoseconds
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_DELAYS_H */
