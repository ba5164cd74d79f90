/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "job-run.h"

#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

JobRun::JobRun(const FabricScenario& scenario, const std::vector<Flow>& flows)
    : m_scenario(scenario),
      m_flows(flows)
{
}

void
JobRun::Install(Ptr<MessageService> service, const Callback<void>& complete)
{
    m_service = service;
    m_complete = complete;
    if (m_scenario.job.EndsIterations())
    {
        m_service->SetFailureCallback(MakeCallback(&JobRun::NoteFailure, this));
    }
    if (!m_scenario.training)
    {
        m_service->TraceConnectWithoutContext("AllCompleted",
                                              MakeCallback(&JobRun::CompleteIteration, this));
    }
    Begin();
}

void
JobRun::Begin()
{
    if (!m_service)
    {
        return; // disposed of meanwhile
    }
    const int64_t now = FabricClock::Now();
    m_outcome.attempts.push_back({m_iteration, now, now, false, m_service->GetRecords().size(), 0});
    if (m_scenario.training)
    {
        const Ptr<TrainingDriver> driver = CreateObject<TrainingDriver>();
        m_drivers.push_back(driver);
        driver->Install(m_service, *m_scenario.training, m_scenario.collectives, m_scenario.mtu);
        driver->TraceConnectWithoutContext("Finished",
                                           MakeCallback(&JobRun::CompleteIteration, this));
        return;
    }
    std::vector<Flow> flows = m_flows;
    for (Flow& flow : flows)
    {
        flow.startPs += now;
    }
    const Ptr<FlowDriver> driver = CreateObject<FlowDriver>();
    m_drivers.push_back(driver);
    driver->Install(m_service, flows);
}

void
JobRun::CompleteIteration()
{
    JobAttempt& attempt = m_outcome.attempts.back();
    attempt.endPs = FabricClock::Now();
    attempt.isCompleted = true;
    attempt.endMessage = m_service->GetRecords().size();
    m_restarts = 0;
    if (++m_iteration == m_scenario.job.iterations)
    {
        End(false);
        return;
    }
    Simulator::ScheduleNow(&JobRun::Begin, this);
}

void
JobRun::NoteFailure()
{
    if (m_isOver)
    {
        return;
    }
    ++m_outcome.failedQueuePairs;
    if (!m_isFailing)
    {
        m_isFailing = true; // what happens at the same time is to be over
        Simulator::Schedule(FabricClock::Until(FabricClock::Now(), FabricClock::REVIEW_TURN),
                            &JobRun::AbortIteration,
                            this);
    }
}

void
JobRun::AbortIteration()
{
    m_isFailing = false;
    if (m_isOver || !m_service)
    {
        return;
    }
    JobAttempt& attempt = m_outcome.attempts.back();
    attempt.endPs = FabricClock::Now();
    attempt.endMessage = m_service->GetRecords().size();
    m_drivers.back()->Dispose();
    m_service->Abort();
    const JobSpec& job = m_scenario.job;
    if (job.onFailure == JobSpec::OnFailure::ABORT || m_restarts == job.restartLimit)
    {
        End(true);
        return;
    }
    ++m_restarts;
    Simulator::Schedule(FabricClock::Until(FabricClock::Now() + job.restartCostPs),
                        &JobRun::Begin,
                        this);
}

void
JobRun::EndByFailure()
{
    JobAttempt& attempt = m_outcome.attempts.back();
    const std::vector<FlowRecord>& records = m_service->GetRecords();
    attempt.endPs = attempt.startPs;
    attempt.endMessage = records.size();
    for (std::size_t i = attempt.firstMessage; i < records.size(); ++i)
    {
        const FlowRecord& record = records[i];
        attempt.endPs = std::max(attempt.endPs, record.completedAt.GetPicoSeconds());
    }
    m_isOver = true;
    m_outcome.isAborted = true;
    m_outcome.endPs = attempt.endPs;
}

bool
JobRun::Counts(const JobAttempt& attempt) const
{
    return attempt.isCompleted || !m_scenario.job.IsReported();
}

void
JobRun::End(bool isAborted)
{
    m_isOver = true;
    m_outcome.isAborted = isAborted;
    m_outcome.endPs = FabricClock::Now();
    m_complete();
}

std::vector<CollectiveRecord>
JobRun::GetCollectives() const
{
    std::vector<CollectiveRecord> records;
    for (std::size_t i = 0; i < m_drivers.size(); ++i)
    {
        if (Counts(m_outcome.attempts[i]))
        {
            const auto more = DynamicCast<TrainingDriver>(m_drivers[i])->GetCollectives();
            records.insert(records.end(), more.begin(), more.end());
        }
    }
    return records;
}

std::vector<MessageOrigin>
JobRun::GetOrigins() const
{
    std::vector<MessageOrigin> origins;
    uint32_t collectives = 0; // of attempts before
    for (std::size_t i = 0; i < m_drivers.size(); ++i)
    {
        const JobAttempt& attempt = m_outcome.attempts[i];
        if (!Counts(attempt))
        {
            continue;
        }
        const TrainingDriver& driver = *DynamicCast<TrainingDriver>(m_drivers[i]);
        for (std::size_t message = attempt.firstMessage; message < attempt.endMessage; ++message)
        {
            origins.push_back(message < driver.GetOrigins().size() ? driver.GetOrigins()[message]
                                                                   : MessageOrigin());
            origins.back().collective +=
                origins.back().collective == MessageOrigin::NONE ? 0 : collectives;
        }
        collectives += static_cast<uint32_t>(driver.GetCollectives().size());
    }
    while (!origins.empty() && origins.back().collective == MessageOrigin::NONE)
    {
        origins.pop_back(); // all messages of a run without collectives
    }
    return origins;
}

IterationTimes
JobRun::GetTimes() const
{
    const int64_t computePs =
        m_scenario.training
            ? DynamicCast<TrainingDriver>(m_drivers.back())->GetComputeBoundPs() * m_iteration
            : 0;
    return {m_outcome.endPs, computePs};
}

void
JobRun::Dispose()
{
    for (const Ptr<Object>& driver : m_drivers)
    {
        driver->Dispose();
    }
    m_drivers.clear();
    m_service = nullptr;
}

} // namespace aifabric
} // namespace ns3
