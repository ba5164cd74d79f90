/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pause-monitor.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PauseMonitor);

TypeId
PauseMonitor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::PauseMonitor")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<PauseMonitor>()
            .AddAttribute("StormLimit",
                          "The longest pause of a class that is not a storm.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&PauseMonitor::m_limit),
                          MakeTimeChecker(Time(0)))
            .AddTraceSource("Storm",
                            "The peer of a port keeps a class paused for longer than StormLimit.",
                            MakeTraceSourceAccessor(&PauseMonitor::m_stormTrace),
                            "ns3::aifabric::PauseMonitor::StormTracedCallback");
    return tid;
}

PauseMonitor::PauseMonitor()
{
}

PauseMonitor::~PauseMonitor()
{
}

void
PauseMonitor::Install(const std::vector<Ptr<FabricPort>>& ports, uint8_t classes)
{
    NS_ABORT_MSG_IF(!m_entries.empty(), "PauseMonitor::Install: it watches ports already");
    for (uint8_t rest = classes; rest; rest &= rest - 1)
    {
        m_classes.push_back(__builtin_ctz(rest));
    }
    m_entries.resize(ports.size() * m_classes.size());
    m_taken.resize(m_entries.size());
    for (std::size_t i = 0; i < ports.size(); ++i)
    {
        ports[i]->TraceConnectWithoutContext(
            "Pause",
            MakeCallback(&PauseMonitor::PauseReceived, this).Bind(static_cast<uint32_t>(i)));
    }
}

bool
PauseMonitor::IsStorm(const Entry& entry, int64_t now) const
{
    return entry.meter.GetPauses() > entry.reportedAt &&
           entry.meter.GetLength(now) > m_limit.GetPicoSeconds();
}

void
PauseMonitor::PauseReceived(uint32_t port, uint8_t classes, Time duration)
{
    const int64_t now = FabricClock::Now();
    for (std::size_t i = 0; i < m_classes.size(); ++i)
    {
        if (!(classes >> m_classes[i] & 1))
        {
            continue;
        }
        Entry& entry = m_entries[port * m_classes.size() + i];
        if (IsStorm(entry, now))
        {
            ++entry.storms;
            entry.reportedAt = entry.meter.GetPauses();
            m_stormTrace(port, m_classes[i], PicoSeconds(entry.meter.GetLength(now)));
        }
        entry.meter.Receive(now, duration.GetPicoSeconds());
    }
}

PauseCounts
PauseMonitor::GetCounts() const
{
    const int64_t now = FabricClock::Now();
    PauseCounts counts;
    counts.classes = m_classes;
    for (const Entry& entry : m_entries)
    {
        PauseCounts::Entry count;
        count.received = entry.meter.GetFrames();
        count.pauses = entry.meter.GetPauses();
        count.pausedPs = entry.meter.GetPausedTime(now);
        count.longestPs = entry.meter.GetLongest(now);
        count.storms = entry.storms + IsStorm(entry, now);
        counts.entries.push_back(count);
    }
    return counts;
}

std::vector<PauseSums>
PauseMonitor::TakeRecent()
{
    const int64_t now = FabricClock::Now();
    std::vector<PauseSums> recent;
    for (std::size_t i = 0; i < m_entries.size(); ++i)
    {
        const PauseMeter& meter = m_entries[i].meter;
        const PauseSums whole = {meter.GetFrames(), meter.GetPauses(), meter.GetPausedTime(now)};
        recent.push_back({whole.received - m_taken[i].received,
                          whole.pauses - m_taken[i].pauses,
                          whole.pausedPs - m_taken[i].pausedPs});
        m_taken[i] = whole;
    }
    return recent;
}

} // namespace aifabric
} // namespace ns3
