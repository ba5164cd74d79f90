/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JOB_RUN_H
#define JOB_RUN_H

#include "fabric-scenario.h"

#include "ns3/callback.h"
#include "ns3/collective-run.h"
#include "ns3/compute-bound.h"
#include "ns3/flow-driver.h"
#include "ns3/message-service.h"
#include "ns3/training-driver.h"

#include <cstddef>
#include <cstdint>
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

/**
 * @ingroup ai-fabric
 *
 * A job: the traffic of a scenario, in so many iterations. When a queue pair fails, the job is
 * aborted, or all of its queue pairs are, and the iteration begins again some time later with new
 * ones. What an aborted attempt has achieved is lost: the last completed iteration counts.
 */
class JobRun
{
  public:
    /// @param scenario the scenario; must outlive this  @param flows the messages of an iteration,
    /// if it is flows; must outlive this
    JobRun(const FabricScenario& scenario, const std::vector<Flow>& flows);

    /// Begin.  @param service carries the messages  @param complete called when all is done
    void Install(Ptr<MessageService> service, const Callback<void>& complete);

    /// End the job with the messages that have come: failed queue pairs keep the others.
    void EndByFailure();

    /// @return whether the messages of an attempt count  @param attempt one of this job
    bool Counts(const JobAttempt& attempt) const;

    /// @return what came of it
    const JobOutcome& GetOutcome() const
    {
        return m_outcome;
    }

    /// @return what became of the collectives of attempts that count
    std::vector<CollectiveRecord> GetCollectives() const;

    /// @return which messages of collectives the messages of attempts that count are
    std::vector<MessageOrigin> GetOrigins() const;

    /// @return when the job ended, and what the delays of completed iterations take, in ps
    IterationTimes GetTimes() const;

    /// Take it down.
    void Dispose();

  private:
    /// Begin an iteration, or begin it again.
    void Begin();

    /// The iteration is completed.
    void CompleteIteration();

    /// A queue pair has failed.
    void NoteFailure();

    /// Give up the iteration.
    void AbortIteration();

    /// End the job.  @param isAborted whether iterations are left
    void End(bool isAborted);

    const FabricScenario& m_scenario;   //!< the scenario
    const std::vector<Flow>& m_flows;   //!< the messages of an iteration
    Ptr<MessageService> m_service;      //!< who carries them
    Callback<void> m_complete;          //!< called at the end
    std::vector<Ptr<Object>> m_drivers; //!< by attempt: who starts the messages
    JobOutcome m_outcome;               //!< what came of it
    uint32_t m_iteration{0};            //!< completed iterations
    uint32_t m_restarts{0};             //!< since the last of them
    bool m_isFailing{false};            //!< AbortIteration() is scheduled
    bool m_isOver{false};               //!< the job has ended
};

} // namespace aifabric
} // namespace ns3

#endif /* JOB_RUN_H */
