/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "hop-latency-monitor.h"

#include "ns3/fabric-clock.h"
#include "ns3/function-callback.h"

namespace ns3
{
namespace aifabric
{

HopLatencyMonitor::HopLatencyMonitor(const std::vector<Ptr<FabricSwitch>>& switches)
{
    m_latencies.switches.resize(switches.size());
    m_recent.resize(switches.size());
    for (uint32_t id = 0; id < switches.size(); ++id)
    {
        for (std::size_t port = 0; port < switches[id]->GetPortCount(); ++port)
        {
            switches[id]->GetPort(port)->TraceConnectWithoutContext(
                "Receive",
                FunctionCallback<void, Ptr<const FabricFrame>>(
                    [this, id](Ptr<const FabricFrame> frame) { Received(id, *frame); }));
            switches[id]->GetPort(port)->TraceConnectWithoutContext(
                "Send",
                FunctionCallback<void, Ptr<const FabricFrame>>(
                    [this, id](Ptr<const FabricFrame> frame) { Sent(id, *frame); }));
        }
    }
}

void
HopLatencyMonitor::Received(uint32_t switchId, const FabricFrame& frame)
{
    m_arrivals[&frame] = {switchId, FabricClock::Now(), frame.sentAt};
}

void
HopLatencyMonitor::Sent(uint32_t switchId, const FabricFrame& frame)
{
    const auto found = m_arrivals.find(&frame);
    if (found == m_arrivals.end())
    {
        return;
    }
    const Arrival& arrival = found->second;
    if (arrival.switchId == switchId && arrival.sentAt == frame.sentAt)
    {
        const int64_t time = FabricClock::Now() - arrival.time;
        m_latencies.switches[switchId].Add(time);
        m_recent[switchId].Add(time);
    }
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
