/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAUSE_WATCH_H
#define PAUSE_WATCH_H

#include "fabric-scenario.h"
#include "simulated-fabric.h"

#include "ns3/event-log.h"
#include "ns3/pause-monitor.h"
#include "ns3/pause-storm.h"
#include "ns3/pfc-watchdog.h"

#include <map>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * What a run has beside its fabric for priority-based flow control: the monitor of all pauses, the
 * watchdogs of switches, and NICs that storm.
 */
class PauseWatch
{
  public:
    /// @param scenario the scenario; must outlive this  @param fabric its fabric; must outlive
    /// this, up to Dispose()  @param events who writes it down; must outlive the simulation
    PauseWatch(const FabricScenario& scenario, const SimulatedFabric& fabric, EventLog& events);

    /// @return what was counted
    PauseCounts GetCounts() const;

    /// @return how each class of each port was paused since the last call, or since the start
    std::vector<PauseSums> TakeRecent()
    {
        return m_monitor->TakeRecent();
    }

    /// The simulation ends.
    void Dispose();

  private:
    /// Watch the switches.  @param events who writes it down
    void InstallWatchdogs(EventLog& events);

    /// Have NICs storm.
    void InstallStorms();

    /// Write down what watchdogs detect.  @param events who writes it down
    void Trace(PfcWatchdog& watchdog, const FabricSwitch& fabricSwitch, EventLog& events) const;

    /// Add what switches have sent and watchdogs have done.  @param counts where
    void AddSwitches(PauseCounts& counts) const;

    const FabricScenario& m_scenario;                 //!< the scenario
    const SimulatedFabric& m_fabric;                  //!< its fabric
    std::map<const FabricPort*, std::size_t> m_ports; //!< index of each port in the catalog
    Ptr<PauseMonitor> m_monitor;                      //!< counts pauses
    std::vector<Ptr<PfcWatchdog>> m_watchdogs;        //!< by switch, or none
    std::vector<Ptr<PauseStorm>> m_storms;            //!< NICs that storm
};

} // namespace aifabric
} // namespace ns3

#endif /* PAUSE_WATCH_H */
