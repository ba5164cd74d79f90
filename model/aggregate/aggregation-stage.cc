/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aggregation-stage.h"

#include "ns3/aggregation-codec.h"
#include "ns3/fabric-frame-pool.h"
#include "ns3/fabric-switch.h"

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
    m_jobs[job->GetPlan().number] = job;
    return true;
}

void
AggregationStage::EndJob(uint16_t number)
{
    m_jobs.erase(number);
}

void
AggregationStage::Install(FabricSwitch& fabricSwitch)
{
    m_switch = &fabricSwitch;
}

const AggregationJob*
AggregationStage::FindJob(uint16_t number) const
{
    const auto found = m_jobs.find(number);
    return found == m_jobs.end() ? nullptr : PeekPointer(found->second);
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
    AggregationCodec::Complete(*copy, frame.GetSourcePort());
    m_switch->Originate(copy, now);
}

void
AggregationStage::CountPacket(bool isAdded)
{
    ++m_received;
    m_added += isAdded ? 1 : 0;
}

void
AggregationStage::Count(PolicyCounters& counters) const
{
    counters["aggregation_received"] += m_received;
    counters["aggregation_added"] += m_added;
}

} // namespace aifabric
} // namespace ns3
