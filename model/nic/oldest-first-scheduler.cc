/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "oldest-first-scheduler.h"

#include "roce-queue-pair.h"

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
                            .SetParent<QueuePairScheduler>()
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
OldestFirstScheduler::Insert(uint8_t trafficClass, RoceQueuePair* queuePair)
{
    Line& line = m_lines[trafficClass];
    const uint64_t turn = queuePair->CanSend() ? queuePair->GetTurn() : UINT64_MAX;
    queuePair->SetPlace(turn);
    line.insert(Find(line, turn), Place{turn, queuePair});
}

void
OldestFirstScheduler::Reorder(RoceQueuePair* queuePair)
{
    if (!queuePair->CanSend() || queuePair->GetPlace() == queuePair->GetTurn())
    {
        return;
    }
    Line& line = m_lines[queuePair->GetClass()];
    const uint64_t turn = queuePair->GetPlace();
    for (auto place = Find(line, turn); place != line.end() && place->turn == turn; ++place)
    {
        if (place->queuePair == queuePair)
        {
            line.erase(place);
            Insert(queuePair->GetClass(), queuePair);
            return;
        }
    }
}

QueuePairScheduler::Front
OldestFirstScheduler::FrontOf(const Line& line)
{
    const std::size_t size = line.size();
    return {size > 0 ? line[size - 1].queuePair : nullptr,
            size > 1 ? line[size - 2].queuePair : nullptr};
}

QueuePairScheduler::Front
OldestFirstScheduler::Peek(uint8_t trafficClass) const
{
    return FrontOf(m_lines[trafficClass]);
}

void
OldestFirstScheduler::Prefetch(uint8_t trafficClass) const
{
    __builtin_prefetch(&m_lines[trafficClass].back());
}

QueuePairScheduler::Front
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
