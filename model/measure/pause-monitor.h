/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAUSE_MONITOR_H
#define PAUSE_MONITOR_H

#include "ns3/fabric-port.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/pause-counts.h"
#include "ns3/pause-meter.h"
#include "ns3/pause-sums.h"
#include "ns3/traced-callback.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Counts the pauses of all ports by class, and reports those that last longer than StormLimit. It
 * acts only when a PFC frame arrives, and schedules nothing. So a storm is reported at the first
 * frame after the limit, which the peer sends after half of its pause time at the latest.
 */
class PauseMonitor : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    PauseMonitor();
    ~PauseMonitor() override;

    /**
     * Watch ports. To be called once.
     *
     * @param classes the classes that are counted (bit c set: class c)
     */
    void Install(const std::vector<Ptr<FabricPort>>& ports, uint8_t classes);

    /// @return what was counted until now, by port and class. Frames sent, and what a watchdog has
    /// done, are for others to add.
    PauseCounts GetCounts() const;

    /// @return how each class of each port was paused since the last call, or since the start, in
    /// the order of GetCounts()
    std::vector<PauseSums> TakeRecent();

    /**
     * Signature of the Storm trace source.
     *
     * @param port the index of the port that is paused
     * @param length how long the pause has lasted so far
     */
    typedef void (*StormTracedCallback)(uint32_t port, uint8_t trafficClass, Time length);

  private:
    /// A class of a port.
    struct Entry
    {
        PauseMeter meter;       //!< how long it is paused
        uint64_t storms{0};     //!< pauses longer than the limit
        uint64_t reportedAt{0}; //!< number of the pause that was reported last, from 1
    };

    /// A PFC frame has arrived.  @param port the index of the port
    /// @param classes bit c set: class c  @param duration how long they are paused
    void PauseReceived(uint32_t port, uint8_t classes, Time duration);

    /// @return whether the last pause was not reported and is too long  @param entry the class
    /// @param now the time, in picoseconds
    bool IsStorm(const Entry& entry, int64_t now) const;

    Time m_limit;                                         //!< the longest pause that is no storm
    std::vector<uint8_t> m_classes;                       //!< the classes, ascending
    std::vector<Entry> m_entries;                         //!< by port, then class
    std::vector<PauseSums> m_taken;                       //!< until TakeRecent(), the same
    TracedCallback<uint32_t, uint8_t, Time> m_stormTrace; //!< a pause is too long
};

} // namespace aifabric
} // namespace ns3

#endif /* PAUSE_MONITOR_H */
