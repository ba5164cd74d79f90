/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aggregation-stage.h"

#include "ns3/aggregation-codec.h"
#include "ns3/fabric-clock.h"
#include "ns3/fabric-frame-pool.h"
#include "ns3/fabric-switch.h"
#include "ns3/simulator.h"
#include "ns3/time-units.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(AggregationStage);

TypeId
AggregationStage::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::AggregationStage")
            .SetParent<IngressStage>()
            .SetGroupName("AiFabric")
            .AddAttribute("PacketRate",
                          "Packets of jobs that the pipeline of the switch processes per second; "
                          "others wait (0: no limit).",
                          UintegerValue(0),
                          MakeUintegerAccessor(&AggregationStage::m_rate),
                          MakeUintegerChecker<uint64_t>(0, 1000000000000))
            .AddAttribute("PacketQueue",
                          "The most packets that wait for the pipeline (PacketRate); one that "
                          "comes then is dropped.",
                          UintegerValue(1024),
                          MakeUintegerAccessor(&AggregationStage::m_queue),
                          MakeUintegerChecker<uint32_t>());
    return tid;
}

AggregationStage::AggregationStage(FrameKind kind)
    : m_kind(kind)
{
}

void
AggregationStage::DoDispose()
{
    m_switch = nullptr; // packets may still wait
    m_jobs.clear();
    IngressStage::DoDispose();
}

bool
AggregationStage::Passes(const Ptr<FabricFrame>& frame, int64_t now)
{
    if (frame->kind != m_kind)
    {
        return true;
    }
    const AggregationJob* job = FindJob(frame->GetExtra().gradients.job);
    if (!job)
    {
        return true;
    }
    return m_rate == 0 ? Process(frame, *job, now) : PassesInTurn(frame, *job, now);
}

bool
AggregationStage::PassesInTurn(const Ptr<FabricFrame>& frame,
                               const AggregationJob& job,
                               int64_t now)
{
    constexpr int64_t SECOND = 1000000000000; // in picoseconds
    const int64_t turn = std::max(now, m_nextTurn);
    if (turn > now && m_waiting >= m_queue)
    {
        ++m_overflows;
        return false;
    }
    m_nextTurn = turn + SECOND / static_cast<int64_t>(m_rate);
    if (turn == now)
    {
        return Process(frame, job, now);
    }
    ++m_waiting;
    ++m_waited;
    Simulator::Schedule(FabricClock::Until(turn),
                        &AggregationStage::Serve,
                        Ptr<AggregationStage>(this),
                        frame);
    return false;
}

void
AggregationStage::Serve(Ptr<FabricFrame> frame)
{
    if (!m_switch)
    {
        return; // disposed of meanwhile
    }
    --m_waiting;
    const int64_t now = FabricClock::Now();
    const AggregationJob* job = FindJob(frame->GetExtra().gradients.job);
    if (!job || Process(frame, *job, now))
    {
        m_switch->Originate(frame, now); // it was consumed when it came
    }
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
AggregationStage::EndJob(uint16_t number, int64_t)
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
    counters["aggregation_held_ns"] += static_cast<uint64_t>(m_held / PS_PER_NS);
    counters["aggregation_filling_ns"] += static_cast<uint64_t>(m_filling / PS_PER_NS);
    for (const Entry& entry : m_jobs)
    {
        counters["aggregation_received"] += entry.received;
        counters["aggregation_added"] += entry.added;
    }
    if (m_rate > 0)
    {
        counters["aggregation_waited"] += m_waited;
        counters["aggregation_overflows"] += m_overflows;
    }
}

} // namespace aifabric
} // namespace ns3
