/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PREFETCHING_EVENT_H
#define PREFETCHING_EVENT_H

#include "ns3/event-impl.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * An event that knows which memory it will touch. A large simulation waits for memory most of the
 * time; a scheduler that knows what comes next (MonotoneScheduler) can have it fetched meanwhile.
 * Other schedulers treat it as any event.
 */
class PrefetchingEvent : public EventImpl
{
  public:
    static constexpr uint32_t STEPS = 4; //!< calls of Prefetch() for each event

    /**
     * The event will occur soon: prefetch what it will touch, and do nothing else. Called once for
     * each step, in order, with the same step of other events in between: what one step prefetches
     * has come when the next one reads it.
     *
     * @param step the step, from 0 to STEPS - 1; before step 0, the first 64 bytes of the event
     * itself are prefetched
     */
    virtual void Prefetch(uint32_t step) const = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* PREFETCHING_EVENT_H */
