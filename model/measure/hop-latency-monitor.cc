/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hop-latency-monitor.h"

#include "ns3/fabric-clock.h"
#include "ns3/function-callback.h"
#include "ns3/window-simulator.h"

#include <algorithm>
#include <iterator>

namespace ns3
{
namespace aifabric
{

HopLatencyMonitor::HopLatencyMonitor(const std::vector<Ptr<FabricSwitch>>& switches)
{
    WindowSimulator::RequireOneThread("HopLatencyMonitor");
    m_latencies.switches.resize(switches.size());
    m_recent.resize(switches.size());
    for (uint32_t id = 0; id < switches.size(); ++id)
    {
        for (std::size_t port = 0; port < switches[id]->GetPortCount(); ++port)
        {
            switches[id]->GetPort(port)->TraceConnectWithoutContext(
                "Receive",
                FunctionCallback<void, Ptr<const FabricFrame>>(
                    [this](Ptr<const FabricFrame> frame) { Received(frame); }));
            switches[id]->GetPort(port)->TraceConnectWithoutContext(
                "Send",
                FunctionCallback<void, Ptr<const FabricFrame>>(
                    [this, id](Ptr<const FabricFrame> frame) { Sent(id, *frame); }));
        }
    }
}

void
HopLatencyMonitor::Received(const Ptr<const FabricFrame>& frame)
{
    if (m_arrivals.size() >= m_mostArrivals)
    {
        ForgetGone();
    }
    m_arrivals[PeekPointer(frame)] = {frame, FabricClock::Now()};
}

void
HopLatencyMonitor::ForgetGone()
{
    for (auto arrival = m_arrivals.begin(); arrival != m_arrivals.end();)
    {
        const bool isGone = arrival->second.frame->GetReferenceCount() == 1;
        arrival = isGone ? m_arrivals.erase(arrival) : std::next(arrival);
    }
    m_mostArrivals = std::max(LEAST_ARRIVALS, 2 * m_arrivals.size());
}

void
HopLatencyMonitor::Sent(uint32_t switchId, const FabricFrame& frame)
{
    const auto found = m_arrivals.find(&frame);
    if (found == m_arrivals.end())
    {
        return;
    }
    const int64_t time = FabricClock::Now() - found->second.time;
    m_latencies.switches[switchId].Add(time);
    m_recent[switchId].Add(time);
    m_arrivals.erase(found);
}

std::vector<LatencySums>
HopLatencyMonitor::TakeRecent()
{
    std::vector<LatencySums> recent(m_recent.size());
    recent.swap(m_recent);
    return recent;
}

} // namespace aifabric
} // namespace ns3
