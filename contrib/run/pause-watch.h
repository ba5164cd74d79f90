/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PAUSE_WATCH_H
#define PAUSE_WATCH_H

#include "fabric-scenario.h"
#include "simulated-fabric.h"

#include "ns3/csv-writer.h"
#include "ns3/enum.h"
#include "ns3/event-log.h"
#include "ns3/function-callback.h"
#include "ns3/pause-monitor.h"
#include "ns3/pause-storm.h"
#include "ns3/pfc-watchdog.h"
#include "ns3/rank-transport.h"
#include "ns3/shared-buffer.h"
#include "ns3/uinteger.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What a run has beside its fabric for priority-based flow control: the monitor of all pauses, the
/// watchdogs of switches, and NICs that storm.
class PauseWatch
{
  public:
    /// @param scenario the scenario; must outlive this  @param fabric its fabric; must outlive
    /// this, up to Dispose()  @param events who writes it down; must outlive the simulation
    PauseWatch(const FabricScenario& scenario, const SimulatedFabric& fabric, EventLog& events)
        : m_scenario(scenario),
          m_fabric(fabric),
          m_monitor(CreateObject<PauseMonitor>())
    {
        std::vector<Ptr<FabricPort>> ports;
        for (const PortCatalog::Entry& entry : fabric.GetCatalog().GetPorts())
        {
            m_ports[PeekPointer(entry.port)] = ports.size();
            ports.push_back(entry.port);
        }
        m_monitor->Install(ports, scenario.losslessClasses);
        m_monitor->TraceConnectWithoutContext(
            "Storm",
            FunctionCallback<void, uint32_t, uint8_t, Time>(
                [this, &events](uint32_t port, uint8_t trafficClass, Time length) {
                    events.Write("pause_storm",
                                 m_fabric.GetCatalog().GetPorts()[port].name,
                                 "class=" + std::to_string(trafficClass) +
                                     " length_ns=" + FormatNs(length.GetPicoSeconds()));
                }));
        if (!scenario.watchdog.empty())
        {
            InstallWatchdogs(events);
        }
        InstallStorms();
    }

    /// @return what was counted
    PauseCounts GetCounts() const
    {
        PauseCounts counts = m_monitor->GetCounts();
        AddSwitches(counts);
        for (const Ptr<PauseStorm>& storm : m_storms)
        {
            for (std::size_t i = 0; i < counts.classes.size(); ++i)
            {
                if (counts.classes[i] == storm->GetClass())
                {
                    counts.At(m_ports.at(PeekPointer(storm->GetPort())), i).sent +=
                        storm->GetFrames();
                }
            }
        }
        return counts;
    }

    /// @return how each class of each port was paused since the last call, or since the start
    std::vector<PauseSums> TakeRecent()
    {
        return m_monitor->TakeRecent();
    }

    /// The simulation ends.
    void Dispose()
    {
        for (const Ptr<PfcWatchdog>& watchdog : m_watchdogs)
        {
            watchdog->Dispose();
        }
        for (const Ptr<PauseStorm>& storm : m_storms)
        {
            storm->Dispose();
        }
        m_watchdogs.clear();
        m_storms.clear();
        m_monitor = nullptr;
    }

  private:
    /// Watch the switches.  @param events who writes it down
    void InstallWatchdogs(EventLog& events)
    {
        for (const Ptr<FabricSwitch>& fabricSwitch : m_fabric.GetParts().switches)
        {
            auto watchdog = CreateObject<PfcWatchdog>();
            watchdog->SetAttribute("Action",
                                   EnumValue(m_scenario.watchdog == "drop" ? PfcWatchdog::DROP
                                                                           : PfcWatchdog::FORWARD));
            watchdog->Install(*fabricSwitch, m_scenario.losslessClasses);
            Trace(*watchdog, *fabricSwitch, events);
            m_watchdogs.push_back(watchdog);
        }
    }

    /// Have NICs storm.
    void InstallStorms()
    {
        for (const StormSpec& spec : m_scenario.storms)
        {
            const Ptr<RoceNetDevice>& nic = m_fabric.GetParts().nics[spec.host];
            if (!RankTransport::IsHere(nic->GetNode()))
            {
                continue;
            }
            for (std::size_t port = 0; port < nic->GetPortCount(); ++port)
            {
                for (uint8_t rest = m_scenario.losslessClasses; rest; rest &= rest - 1)
                {
                    auto storm = CreateObject<PauseStorm>();
                    storm->SetAttribute("Class", UintegerValue(__builtin_ctz(rest)));
                    storm->SetAttribute("Start", TimeValue(PicoSeconds(spec.startPs)));
                    storm->SetAttribute("Stop", TimeValue(PicoSeconds(spec.stopPs.value_or(0))));
                    storm->SetPort(nic->GetPort(port));
                    storm->Initialize();
                    m_storms.push_back(storm);
                }
            }
        }
    }

    /// Write down what watchdogs detect.  @param events who writes it down
    void Trace(PfcWatchdog& watchdog, const FabricSwitch& fabricSwitch, EventLog& events) const
    {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < fabricSwitch.GetPortCount(); ++i)
        {
            const auto found = m_ports.find(PeekPointer(fabricSwitch.GetPort(i)));
            names.push_back(
                found == m_ports.end() ? "" : m_fabric.GetCatalog().GetPorts()[found->second].name);
        }
        for (const auto& [trace, event] : {std::make_pair("Detected", "watchdog_detected"),
                                           std::make_pair("Restored", "watchdog_restored")})
        {
            watchdog.TraceConnectWithoutContext(
                trace,
                FunctionCallback<void, uint16_t, uint8_t>(
                    [&events, &watchdog, names, event = std::string(event)](uint16_t port,
                                                                            uint8_t trafficClass) {
                        const uint64_t drops = watchdog.GetCounters(port, trafficClass).drops;
                        events.Write(event,
                                     names[port],
                                     "class=" + std::to_string(trafficClass) +
                                         " drops=" + std::to_string(drops));
                    }));
        }
    }

    /// Add what switches have sent and watchdogs have done.  @param counts where
    void AddSwitches(PauseCounts& counts) const
    {
        const std::vector<Ptr<FabricSwitch>>& switches = m_fabric.GetParts().switches;
        for (std::size_t id = 0; id < switches.size(); ++id)
        {
            const auto buffer = DynamicCast<SharedBuffer>(switches[id]->GetAdmission());
            for (uint16_t port = 0; port < switches[id]->GetPortCount(); ++port)
            {
                const auto found = m_ports.find(PeekPointer(switches[id]->GetPort(port)));
                for (std::size_t i = 0; found != m_ports.end() && i < counts.classes.size(); ++i)
                {
                    PauseCounts::Entry& entry = counts.At(found->second, i);
                    entry.sent += buffer ? buffer->GetPauseFrames(port, counts.classes[i]) : 0;
                    if (!m_watchdogs.empty())
                    {
                        const PfcWatchdog::Counters watched =
                            m_watchdogs[id]->GetCounters(port, counts.classes[i]);
                        entry.watchdogStorms += watched.storms;
                        entry.watchdogDrops += watched.drops;
                    }
                }
            }
        }
    }

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
