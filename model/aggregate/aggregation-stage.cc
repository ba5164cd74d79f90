/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aggregation-stage.h"

#include "ns3/aggregation-codec.h"
#include "ns3/fabric-frame-pool.h"
#include "ns3/fabric-switch.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(AggregationStage);

TypeId
AggregationStage::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::AggregationStage")
                            .SetParent<IngressStage>()
                            .SetGroupName("AiFabric");
    return tid;
}

bool
AggregationStage::AddJob(Ptr<const AggregationJob> job)
{
    const std::size_t number = job->GetPlan().number;
    m_jobs.resize(std::max(m_jobs.size(), number + 1));
    m_jobs[number].job = job;
    return true;
}

void
AggregationStage::EndJob(uint16_t number)
{
    if (number < m_jobs.size())
    {
        m_jobs[number].job = nullptr;
    }
}

uint64_t
AggregationStage::GetReceived(uint16_t number) const
{
    return number < m_jobs.size() ? m_jobs[number].received : 0;
}

uint64_t
AggregationStage::GetAdded(uint16_t number) const
{
    return number < m_jobs.size() ? m_jobs[number].added : 0;
}

void
AggregationStage::Install(FabricSwitch& fabricSwitch)
{
    m_switch = &fabricSwitch;
}

uint32_t
AggregationStage::GetLocal(const AggregationJob& job) const
{
    uint32_t bitmap = 0;
    for (std::size_t w = 0; w < job.GetPlan().workers.size(); ++w)
    {
        bitmap |= IsBelow(job.GetPlan().workers[w]) ? 1U << w : 0;
    }
    return bitmap;
}

bool
AggregationStage::IsBelow(uint32_t host) const
{
    return m_switch->GetSite().IsBelow(host);
}

void
AggregationStage::SendCopy(const FabricFrame& frame,
                           uint32_t source,
                           uint32_t host,
                           int64_t now) const
{
    const Ptr<FabricFrame> copy = FabricFramePool::CloneInPool(frame);
    copy->source = source;
    copy->destination = host;
    AggregationCodec::SetFlow(*copy, frame.GetSourcePort()); // it has the size of the frame
    m_switch->Originate(copy, now);
}

void
AggregationStage::Count(PolicyCounters& counters) const
{
    constexpr double PS_PER_NS = 1000;
    counters["aggregation_held_ns"] += static_cast<uint64_t>(m_held / PS_PER_NS);
    counters["aggregation_filling_ns"] += static_cast<uint64_t>(m_filling / PS_PER_NS);
    for (const Entry& entry : m_jobs)
    {
        counters["aggregation_received"] += entry.received;
        counters["aggregation_added"] += entry.added;
    }
}

} // namespace aifabric
} // namespace ns3
