/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "aggregation-driver.h"

#include "ns3/double.h"
#include "ns3/enum-accessor.h"
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
    m_done.assign(workers.size(), 0);
    for (uint32_t number = 0; number < m_workers.size(); ++number)
    {
        m_workers[number]->SetCompleted(MakeCallback(&AggregationDriver::Finish, this));
        Simulator::Schedule(m_shape.start, &AggregationDriver::Begin, this, number);
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
    if (m_done[number] == m_began.size())
    {
        m_began.push_back(Simulator::Now());
    }
    Time& began = m_began[m_done[number]];
    began = Min(began, Simulator::Now());
    const double factor =
        m_shape.jitter > 0 ? 1 + m_shape.jitter * std::abs(m_normal->GetValue()) : 1;
    const Time compute = PicoSeconds(std::llround(m_shape.compute.GetPicoSeconds() * factor));
    Simulator::Schedule(compute, &AggregationDriver::Communicate, this, number);
}

void
AggregationDriver::Communicate(uint32_t number)
{
    const std::vector<uint8_t>& priorities = GetPriorities(m_done[number]);
    uint32_t posted = 0;
    for (uint32_t layer = m_shape.layers; layer > 0; --layer)
    {
        const uint32_t end =
            uint64_t{m_shape.fragments} * (m_shape.layers + 1 - layer) / m_shape.layers;
        if (end > posted)
        {
            m_workers[number]->Post(end - posted, priorities[layer - 1]);
        }
        posted = end;
    }
}

void
AggregationDriver::Finish(uint32_t number)
{
    if (++m_done[number] < m_shape.iterations)
    {
        Begin(number);
    }
    else
    {
        FinishJob();
    }
}

void
AggregationDriver::FinishJob()
{
    m_end = Max(m_end, Simulator::Now());
    if (++m_finished == m_workers.size())
    {
        for (const Ptr<AggregationStage>& stage : m_stages)
        {
            stage->EndJob(m_job->GetPlan().number, m_end.GetPicoSeconds());
        }
        if (!m_completed.IsNull())
        {
            m_completed();
        }
    }
}

const std::vector<uint8_t>&
AggregationDriver::GetPriorities(uint32_t iteration)
{
    while (m_priorities.size() <= iteration)
    {
        std::vector<uint8_t> priorities;
        for (uint32_t layer = 1; layer <= m_shape.layers; ++layer)
        {
            priorities.push_back(ComputePriority(layer, m_priorities.size()));
        }
        m_priorities.push_back(std::move(priorities));
    }
    return m_priorities[iteration];
}

uint8_t
AggregationDriver::ComputePriority(uint32_t layer, uint32_t iteration)
{
    constexpr double LONGEST = 1e3;
    constexpr double SHORTEST = 1e-9; // seconds
    const double compute = std::max(m_shape.compute.GetSeconds(), SHORTEST);
    const double mean = std::max(EstimateIteration(iteration), SHORTEST);
    const double remaining = mean * (m_shape.iterations - iteration);
    const double ratio =
        iteration > 0 ? std::clamp((mean - compute) / compute, 1 / LONGEST, LONGEST) : 1;
    double value = 1;
    switch (m_policy)
    {
    case FULL:
        value = ratio / (remaining * layer);
        break;
    case JOB_ONLY:
        value = 1 / remaining;
        break;
    case LAYER_ONLY:
        value = 1.0 / layer;
        break;
    case COMM_RATIO:
        value = ratio;
        break;
    case RANDOM:
        return m_uniform->GetInteger(0, 255);
    default:
        return 0;
    }
    const double share = (std::log2(value) - m_least) / (m_most - m_least);
    return std::lround(255 * std::clamp(share, 0.0, 1.0));
}

double
AggregationDriver::EstimateIteration(uint32_t iteration) const
{
    if (iteration > 0)
    {
        return (m_began[iteration] - m_shape.start).GetSeconds() / iteration;
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
