/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JOB_RUN_H
#define JOB_RUN_H

#include "fabric-scenario.h"

#include "ns3/callback.h"
#include "ns3/cluster-report.h"
#include "ns3/collective-run.h"
#include "ns3/compute-bound.h"
#include "ns3/fabric-clock.h"
#include "ns3/flow-driver.h"
#include "ns3/message-service.h"
#include "ns3/simulator.h"
#include "ns3/training-driver.h"
#include "ns3/window-simulator.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// One attempt to do an iteration of a job.
struct JobAttempt
{
    uint32_t iteration{0};       //!< which one, from 0 on
    int64_t startPs{0};          //!< when it began, in ps
    int64_t endPs{0};            //!< when it was completed or aborted, in ps
    bool isCompleted{false};     //!< whether it was completed
    std::size_t firstMessage{0}; //!< number of its first message
    std::size_t endMessage{0};   //!< number of the message that follows its last one
};

/// What came of a job.
struct JobOutcome
{
    std::vector<JobAttempt> attempts; //!< in order
    bool isAborted{false};            //!< not all iterations were completed
    uint64_t failedQueuePairs{0};     //!< failures of queue pairs
    int64_t endPs{0};                 //!< when it ended, in ps
};

/// A job: the traffic of a scenario, in so many iterations. When a queue pair fails, the job is
/// aborted, or all of its queue pairs are, and the iteration begins again some time later with new
/// ones. What an aborted attempt has achieved is lost: the last completed iteration counts.
class JobRun
{
  public:
    /// @param scenario the scenario; must outlive this  @param flows the messages of an iteration,
    /// if it is flows; must outlive this
    JobRun(const FabricScenario& scenario, const std::vector<Flow>& flows)
        : m_scenario(scenario),
          m_flows(flows)
    {
    }

    /// @param carrier carries collectives that are no messages; must outlive this. To be called
    /// before Install()
    void SetCarrier(CollectiveCarrier& carrier)
    {
        m_carrier = &carrier;
    }

    /// Begin.  @param service carries the messages
    /// @param complete called when all is done, with the time, in ps
    void Install(Ptr<MessageService> service, const Callback<void, int64_t>& complete)
    {
        m_service = service;
        m_complete = complete;
        if (m_scenario.job.EndsIterations())
        {
            m_service->SetFailureCallback(MakeCallback(&JobRun::Fail, this));
        }
        if (!m_scenario.training)
        {
            m_service->TraceConnectWithoutContext("AllCompleted",
                                                  MakeCallback(&JobRun::CompleteIteration, this));
        }
        Begin();
    }

    /// End the job with the messages that have come: failed queue pairs keep the others.
    void EndByFailure()
    {
        JobAttempt& attempt = m_outcome.attempts.back();
        const std::vector<FlowRecord>& records = m_service->GetRecords();
        attempt.endPs = attempt.startPs;
        attempt.endMessage = records.size();
        for (std::size_t i = attempt.firstMessage; i < records.size(); ++i)
        {
            const FlowRecord& record = records[i];
            const int64_t endPs = record.completedAt.GetPicoSeconds();
            attempt.endPs =
                record.flow.isBackground ? attempt.endPs : std::max(attempt.endPs, endPs);
        }
        m_isOver = true;
        m_hasFailed = true;
        m_outcome.isAborted = true;
        m_outcome.endPs = attempt.endPs;
    }

    /// @return whether the messages of an attempt count: those of one that was aborted do not
    /// @param attempt one of this job
    bool Counts(const JobAttempt& attempt) const
    {
        return attempt.isCompleted || m_hasFailed || !m_scenario.job.IsReported();
    }

    /// @return the numbers of the messages of attempts that count, in the order of results
    std::vector<std::size_t> GetMessages() const
    {
        std::vector<std::size_t> messages;
        for (const JobAttempt& attempt : m_outcome.attempts)
        {
            if (Counts(attempt))
            {
                const std::vector<std::size_t> more = GetMessages(attempt);
                messages.insert(messages.end(), more.begin(), more.end());
            }
        }
        return messages;
    }

    /// @return what came of it
    const JobOutcome& GetOutcome() const
    {
        return m_outcome;
    }

    /// @return what became of the collectives of attempts that count
    std::vector<CollectiveRecord> GetCollectives() const
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

    /// @return when hosts did which nodes of attempts that count
    std::vector<NodeRecord> GetNodes() const
    {
        std::vector<NodeRecord> records;
        for (std::size_t i = 0; i < m_drivers.size(); ++i)
        {
            if (Counts(m_outcome.attempts[i]))
            {
                const auto more = DynamicCast<TrainingDriver>(m_drivers[i])->GetNodes();
                records.insert(records.end(), more.begin(), more.end());
            }
        }
        return records;
    }

    /// @return which messages of collectives the messages of attempts that count are
    std::vector<MessageOrigin> GetOrigins() const
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
            const std::vector<MessageOrigin> known = driver.GetOrigins();
            for (const std::size_t message : GetMessages(attempt))
            {
                origins.push_back(message < known.size() ? known[message] : MessageOrigin());
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

    /// @return by host: when the job of a cluster began and ended there
    std::vector<ClusterReport::Times> GetJobTimes() const
    {
        std::vector<ClusterReport::Times> times(m_scenario.graph->HostCount());
        for (uint32_t host = 0; host < times.size() && Counts(m_outcome.attempts.back()); ++host)
        {
            const auto driver = DynamicCast<TrainingDriver>(m_drivers.back());
            times[host] = {driver->GetJobBeginPs(host), driver->GetJobEndPs(host)};
        }
        return times;
    }

    /// @return when the job ended, and what the delays of completed iterations take, in ps
    IterationTimes GetTimes() const
    {
        const int64_t computePs =
            m_scenario.training
                ? DynamicCast<TrainingDriver>(m_drivers.back())->GetComputeBoundPs() * m_iteration
                : 0;
        return {m_outcome.endPs, computePs};
    }

    /// Take it down.
    void Dispose()
    {
        for (const Ptr<Object>& driver : m_drivers)
        {
            driver->Dispose();
        }
        m_drivers.clear();
        m_service = nullptr;
    }

  private:
    /// @return the numbers of the messages of an attempt, in the order of results: of a training
    /// iteration those that were sent, by their starts, sources and turns
    std::vector<std::size_t> GetMessages(const JobAttempt& attempt) const
    {
        std::vector<std::size_t> messages(attempt.endMessage - attempt.firstMessage);
        std::iota(messages.begin(), messages.end(), attempt.firstMessage);
        if (m_scenario.training)
        {
            messages = m_service->SortStarted(attempt.firstMessage, attempt.endMessage);
        }
        const auto isBackground = [this](std::size_t message) {
            return m_service->GetRecords()[message].flow.isBackground;
        };
        messages.erase(std::remove_if(messages.begin(), messages.end(), isBackground),
                       messages.end());
        return messages;
    }

    /// Begin an iteration, or begin it again.
    void Begin()
    {
        if (!m_service)
        {
            return; // disposed of meanwhile
        }
        const int64_t now = FabricClock::Now();
        m_outcome.attempts.push_back(
            {m_iteration, now, now, false, m_service->GetRecords().size(), 0});
        if (m_scenario.training)
        {
            const Ptr<TrainingDriver> driver = CreateObject<TrainingDriver>();
            m_drivers.push_back(driver);
            if (m_scenario.nodeTimes)
            {
                driver->KeepTimes();
            }
            driver->SetCarrier(m_carrier);
            driver->Install(m_service,
                            *m_scenario.training,
                            m_scenario.collectives,
                            m_scenario.mtu);
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

    /// The iteration is completed.
    void CompleteIteration()
    {
        JobAttempt& attempt = m_outcome.attempts.back();
        attempt.endPs = m_scenario.training
                            ? DynamicCast<TrainingDriver>(m_drivers.back())->GetEndPs()
                            : m_service->GetEndPs();
        attempt.isCompleted = true;
        attempt.endMessage = m_service->GetRecords().size();
        m_restarts = 0;
        if (++m_iteration == m_scenario.job.iterations)
        {
            End(false, attempt.endPs);
            return;
        }
        AtAllHosts(attempt.endPs, &JobRun::Begin);
        attempt.endPs = KnownAt(attempt.endPs);
    }

    /// A queue pair has failed.
    void Fail()
    {
        WindowSimulator::Defer([this, now = FabricClock::Now()]() { NoteFailure(now); });
    }

    /// A queue pair has failed.  @param now when, in ps
    void NoteFailure(int64_t now)
    {
        if (m_isOver)
        {
            return;
        }
        ++m_outcome.failedQueuePairs;
        if (now < m_failedPs) // the first failure counts, which another host may have had
        {
            m_failedPs = now;
            AtAllHosts(now, &JobRun::AbortIteration);
        }
    }

    /// @return when all hosts know what happened at one of them  @param ps when, in ps
    int64_t KnownAt(int64_t ps) const
    {
        return ps + std::max<int64_t>(m_scenario.delayPs, 1);
    }

    /// Schedule what follows from something that happened at one host: the others know it a link's
    /// delay later.  @param ps when it happened, in ps  @param what follows
    void AtAllHosts(int64_t ps, void (JobRun::*what)())
    {
        Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                       FabricClock::Until(KnownAt(ps), FabricClock::LAST_TURN),
                                       what,
                                       this);
    }

    /// Give up the iteration.
    void AbortIteration()
    {
        if (m_isOver || !m_service || m_failedPs == NEVER ||
            KnownAt(m_failedPs) != FabricClock::Now())
        {
            return; // the failure was not the first one of the attempt
        }
        m_failedPs = NEVER;
        JobAttempt& attempt = m_outcome.attempts.back();
        attempt.endPs = FabricClock::Now();
        attempt.endMessage = m_service->GetRecords().size();
        m_drivers.back()->Dispose();
        m_service->Abort();
        const JobSpec& job = m_scenario.job;
        if (job.onFailure == JobSpec::OnFailure::ABORT || m_restarts == job.restartLimit)
        {
            End(true, attempt.endPs);
            return;
        }
        ++m_restarts;
        Simulator::Schedule(FabricClock::Until(FabricClock::Now() + job.restartCostPs),
                            &JobRun::Begin,
                            this);
    }

    /// End the job.  @param isAborted whether iterations are left  @param ps when, in ps
    void End(bool isAborted, int64_t ps)
    {
        m_isOver = true;
        m_outcome.isAborted = isAborted;
        m_outcome.endPs = ps;
        m_complete(ps);
    }

    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max(); //!< no time

    const FabricScenario& m_scenario;   //!< the scenario
    const std::vector<Flow>& m_flows;   //!< the messages of an iteration
    Ptr<MessageService> m_service;      //!< who carries them
    CollectiveCarrier* m_carrier{};     //!< who carries collectives that are no messages, or null
    Callback<void, int64_t> m_complete; //!< called at the end
    std::vector<Ptr<Object>> m_drivers; //!< by attempt: who starts the messages
    JobOutcome m_outcome;               //!< what came of it
    uint32_t m_iteration{0};            //!< completed iterations
    uint32_t m_restarts{0};             //!< since the last of them
    int64_t m_failedPs{NEVER};          //!< the first failure of the attempt, in ps, or NEVER
    bool m_hasFailed{false};            //!< EndByFailure(): messages that failed are results, too
    bool m_isOver{false};               //!< the job has ended
};

} // namespace aifabric
} // namespace ns3

#endif /* JOB_RUN_H */
