/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef HEARTBEAT_H
#define HEARTBEAT_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Calls observers of a run from time to time, all of them by one event. So it knows when nothing
 * but itself is scheduled any more, which a run with several independent watchers would never
 * notice, and how many events are not the run's own. It calls them when all else of a picosecond
 * has happened (FabricClock::REVIEW_TURN).
 */
class Heartbeat
{
  public:
    /// An observer: it returns the time until it is to be called next, in whole picoseconds, or
    /// zero for never again.
    using Beat = std::function<Time()>;

    ~Heartbeat();

    /**
     * Add an observer. To be called before Start().
     *
     * @param beat the observer
     */
    void Add(Beat beat);

    /// @param dry called once when nothing else is scheduled any more
    void SetDryCallback(std::function<void()> dry);

    /// Call all observers now, and then as they want.
    void Start();

    /// Remove all observers.
    void Stop();

    /// @return how many events this heartbeat has taken
    uint64_t GetEvents() const;

  private:
    /// An observer and when it is due.
    struct Observer
    {
        Beat beat;       //!< the observer
        bool live{true}; //!< it wants to be called again
        int64_t due{0};  //!< when, in picoseconds
    };

    /// Call who is due.
    void Fire();

    /// Schedule the next call.
    void Schedule();

    std::vector<Observer> m_observers; //!< whom to call
    std::function<void()> m_dry;       //!< called when no event is scheduled
    EventId m_event;                   //!< the next call
    uint64_t m_events{0};              //!< calls so far
};

} // namespace aifabric
} // namespace ns3

#endif /* HEARTBEAT_H */
