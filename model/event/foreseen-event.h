/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FORESEEN_EVENT_H
#define FORESEEN_EVENT_H

#include "ns3/event-impl.h"

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
class ForeseenEvent : public EventImpl
{
  public:
    /**
     * The event will occur soon: prefetch what it will touch. Nothing else may be done.
     */
    virtual void Foresee() const = 0;
};

} // namespace aifabric
} // namespace ns3

#endif /* FORESEEN_EVENT_H */
