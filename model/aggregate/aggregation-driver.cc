/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aggregation-driver.h"

#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-clock.h"
#include "ns3/node.h"
#include "ns3/roce-net-device.h"
#include "ns3/simulator.h"
#include "ns3/window-simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(AggregationDriver);

TypeId
AggregationDriver::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::AggregationDriver")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<AggregationDriver>()
            .AddAttribute("PriorityPolicy",
                          "ESA: how the priority of a packet follows from its job "
                          "and layer.",
                          EnumValue(FULL),
                          MakeEnumMemberAccessor<PriorityPolicy>(&AggregationDriver::m_policy),
                          MakeEnumChecker(FULL,
                                          "full",
                                          JOB_ONLY,
                                          "job",
                                          LAYER_ONLY,
                                          "layer",
                                          COMM_RATIO,
                                          "ratio",
                                          EQUAL,
                                          "equal",
                                          RANDOM,
                                          "random"))
            .AddAttribute("LeastLog",
                          "ESA: base-2 logarithm, per second, of what has the priority 0.",
                          DoubleValue(-20),
                          MakeDoubleAccessor(&AggregationDriver::m_least),
                          MakeDoubleChecker<double>(-100, 0))
            .AddAttribute("MostLog",
                          "ESA: base-2 logarithm, per second, of what has the priority 255. With "
                          "8, all jobs that end within 4 ms have it.",
                          DoubleValue(24),
                          MakeDoubleAccessor(&AggregationDriver::m_most),
                          MakeDoubleChecker<double>(1, 100));
    return tid;
}

AggregationDriver::AggregationDriver()
    : m_normal(CreateObject<NormalRandomVariable>()),
      m_uniform(CreateObject<UniformRandomVariable>())
{
}

void
AggregationDriver::Start(const AggregationShape& shape,
                         Ptr<AggregationJob> job,
                         const std::vector<Ptr<GradientWorker>>& workers,
                         const std::vector<Ptr<AggregationStage>>& stages)
{
    WindowSimulator::RequireOneThread("AggregationDriver");
    m_shape = shape;
    m_job = job;
    m_workers = workers;
    m_stages = stages;
    m_progress.assign(workers.size(), {});
    for (uint32_t number = 0; number < m_workers.size(); ++number)
    {
        GradientWorker& worker = *m_workers[number];
        worker.SetCompleted(MakeCallback(&AggregationDriver::Finish, this));
        Simulator::ScheduleWithContext(worker.GetNic().GetNode()->GetId(),
                                       m_shape.start,
                                       &AggregationDriver::Begin,
                                       this,
                                       number);
    }
}

void
AggregationDriver::SetCompleted(Callback<void> completed)
{
    m_completed = completed;
}

void
AggregationDriver::Begin(uint32_t number)
{
    m_progress[number].began = Simulator::Now();
    // Not in the turn of the frame that ended what was before.
    const int64_t due = FabricClock::Now() + FindCompute(number).GetPicoSeconds();
    Simulator::Schedule(FabricClock::Until(due), &AggregationDriver::Communicate, this, number);
}

Time
AggregationDriver::FindCompute(uint32_t number)
{
    if (m_shape.jitter == 0)
    {
        return m_shape.compute;
    }
    const std::size_t index = m_progress[number].done * m_workers.size() + number;
    while (m_jitters.size() <= index) // in this order, whoever is the first
    {
        m_jitters.push_back(std::abs(m_normal->GetValue()));
    }
    const double factor = 1 + m_shape.jitter * m_jitters[index];
    return PicoSeconds(std::llround(m_shape.compute.GetPicoSeconds() * factor));
}

void
AggregationDriver::Communicate(uint32_t number)
{
    uint32_t posted = 0;
    for (uint32_t layer = m_shape.layers; layer > 0; --layer)
    {
        const uint32_t end =
            uint64_t{m_shape.fragments} * (m_shape.layers + 1 - layer) / m_shape.layers;
        if (end > posted)
        {
            m_workers[number]->Post(end - posted, GetPriority(number, layer));
        }
        posted = end;
    }
}

void
AggregationDriver::Finish(uint32_t number)
{
    if (++m_progress[number].done < m_shape.iterations)
    {
        Begin(number);
    }
    else
    {
        WindowSimulator::Defer([this, now = Simulator::Now()]() { NoteEnd(now); });
    }
}

void
AggregationDriver::NoteEnd(Time end)
{
    m_end = Max(m_end, end);
    if (++m_finished < m_workers.size())
    {
        return;
    }
    const Time delay = m_workers.front()->GetNic().GetPort(0)->GetChannel()->GetDelay();
    const int64_t knownAt = m_end.GetPicoSeconds() + std::max<int64_t>(delay.GetPicoSeconds(), 1);
    Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                   FabricClock::Until(knownAt, FabricClock::LAST_TURN),
                                   &AggregationDriver::FreeSlots,
                                   this);
    if (!m_completed.IsNull())
    {
        m_completed();
    }
}

void
AggregationDriver::FreeSlots()
{
    for (const Ptr<AggregationStage>& stage : m_stages)
    {
        stage->EndJob(m_job->GetPlan().number, FabricClock::Now());
    }
}

uint8_t
AggregationDriver::GetPriority(uint32_t number, uint32_t layer)
{
    const Progress& progress = m_progress[number];
    const std::size_t index = std::size_t{progress.done} * m_shape.layers + layer - 1;
    while (m_policy == RANDOM && m_random.size() <= index)
    {
        m_random.push_back(m_uniform->GetInteger(0, 255));
    }
    if (m_policy == RANDOM || m_policy == EQUAL)
    {
        return m_policy == RANDOM ? m_random[index] : 0;
    }
    const double share = (std::log2(FindPriority(progress, layer)) - m_least) / (m_most - m_least);
    return std::lround(255 * std::clamp(share, 0.0, 1.0));
}

double
AggregationDriver::FindPriority(const Progress& progress, uint32_t layer) const
{
    constexpr double LONGEST = 1e3;
    constexpr double SHORTEST = 1e-9; // seconds
    const double compute = std::max(m_shape.compute.GetSeconds(), SHORTEST);
    const double mean = std::max(EstimateIteration(progress), SHORTEST);
    const double remaining = mean * (m_shape.iterations - progress.done);
    const double ratio =
        progress.done > 0 ? std::clamp((mean - compute) / compute, 1 / LONGEST, LONGEST) : 1;
    switch (m_policy)
    {
    case JOB_ONLY:
        return 1 / remaining;
    case LAYER_ONLY:
        return 1.0 / layer;
    case COMM_RATIO:
        return ratio;
    default:
        return ratio / (remaining * layer);
    }
}

double
AggregationDriver::EstimateIteration(const Progress& progress) const
{
    if (progress.done > 0)
    {
        return (progress.began - m_shape.start).GetSeconds() / progress.done;
    }
    const int64_t lineTime = m_workers.front()->GetLineTime(m_shape.fragments);
    return (m_shape.compute + PicoSeconds(lineTime)).GetSeconds();
}

bool
AggregationDriver::IsDone() const
{
    return m_finished == m_workers.size();
}

Time
AggregationDriver::GetCompletionTime() const
{
    return IsDone() ? m_end - m_shape.start : Time(0);
}

uint64_t
AggregationDriver::GetResent() const
{
    uint64_t resent = 0;
    for (const Ptr<GradientWorker>& worker : m_workers)
    {
        resent += worker->GetResent();
    }
    return resent;
}

int64_t
AggregationDriver::AssignStreams(int64_t stream)
{
    m_normal->SetStream(stream);
    m_uniform->SetStream(stream + 1);
    return 2;
}

void
AggregationDriver::DoDispose()
{
    m_completed = Callback<void>();
    m_workers.clear();
    m_stages.clear();
    Object::DoDispose();
}

} // namespace aifabric
} // namespace ns3
