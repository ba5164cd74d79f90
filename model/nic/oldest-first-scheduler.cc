/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "oldest-first-scheduler.h"

#include "endpoint.h"

#include "ns3/prefetch-lines.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(OldestFirstScheduler);

TypeId
OldestFirstScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::OldestFirstScheduler")
                            .SetParent<EndpointScheduler>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<OldestFirstScheduler>();
    return tid;
}

OldestFirstScheduler::Line::iterator
OldestFirstScheduler::Find(Line& line, uint64_t turn)
{
    const auto isYounger = [turn](const Place& place) { return place.turn > turn; };
    return std::partition_point(line.begin(), line.end(), isYounger);
}

void
OldestFirstScheduler::Insert(uint8_t trafficClass, Endpoint* endpoint)
{
    Line& line = m_lines[trafficClass];
    const uint64_t turn = endpoint->CanSend() ? endpoint->GetTurn() : UINT64_MAX;
    m_turns[endpoint] = turn;
    line.insert(Find(line, turn), Place{turn, endpoint});
}

void
OldestFirstScheduler::Reorder(Endpoint* endpoint)
{
    const auto known = m_turns.find(endpoint);
    if (known == m_turns.end() || !endpoint->CanSend() || known->second == endpoint->GetTurn())
    {
        return;
    }
    Line& line = m_lines[endpoint->GetClass()];
    const uint64_t turn = known->second;
    for (auto place = Find(line, turn); place != line.end() && place->turn == turn; ++place)
    {
        if (place->endpoint == endpoint)
        {
            line.erase(place);
            Insert(endpoint->GetClass(), endpoint);
            return;
        }
    }
}

EndpointScheduler::Front
OldestFirstScheduler::FrontOf(const Line& line)
{
    const std::size_t size = line.size();
    return {size > 0 ? line[size - 1].endpoint : nullptr,
            size > 1 ? line[size - 2].endpoint : nullptr};
}

EndpointScheduler::Front
OldestFirstScheduler::Peek(uint8_t trafficClass) const
{
    return FrontOf(m_lines[trafficClass]);
}

void
OldestFirstScheduler::Prefetch(uint8_t trafficClass) const
{
    PrefetchLine(&m_lines[trafficClass].back());
}

EndpointScheduler::Front
OldestFirstScheduler::RemoveFirst(uint8_t trafficClass)
{
    Line& line = m_lines[trafficClass];
    const Front front = FrontOf(line);
    line.pop_back();
    return front;
}

uint32_t
OldestFirstScheduler::Count(uint8_t trafficClass) const
{
    return m_lines[trafficClass].size();
}

} // namespace aifabric
} // namespace ns3
