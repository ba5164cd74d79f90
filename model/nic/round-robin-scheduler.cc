/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "round-robin-scheduler.h"

#include "ns3/prefetch-lines.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(RoundRobinScheduler);

TypeId
RoundRobinScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::RoundRobinScheduler")
                            .SetParent<EndpointScheduler>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<RoundRobinScheduler>();
    return tid;
}

void
RoundRobinScheduler::Insert(uint8_t trafficClass, Endpoint* endpoint)
{
    m_lines[trafficClass].push_back(endpoint);
}

EndpointScheduler::Front
RoundRobinScheduler::FrontOf(const Line& line)
{
    return {!line.empty() ? line.front() : nullptr, line.size() > 1 ? line[1] : nullptr};
}

EndpointScheduler::Front
RoundRobinScheduler::Peek(uint8_t trafficClass) const
{
    return FrontOf(m_lines[trafficClass]);
}

void
RoundRobinScheduler::Prefetch(uint8_t trafficClass) const
{
    PrefetchLine(m_lines[trafficClass].Place());
}

EndpointScheduler::Front
RoundRobinScheduler::RemoveFirst(uint8_t trafficClass)
{
    Line& line = m_lines[trafficClass];
    const Front front = FrontOf(line);
    line.pop_front();
    return front;
}

uint32_t
RoundRobinScheduler::Count(uint8_t trafficClass) const
{
    return m_lines[trafficClass].size();
}

} // namespace aifabric
} // namespace ns3
