/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AGGREGATION_DRIVER_H
#define AGGREGATION_DRIVER_H

#include "aggregation-stage.h"
#include "gradient-worker.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <vector>

namespace ns3
{
namespace aifabric
{

/// What a job does in its time.
struct AggregationShape
{
    uint32_t fragments{1};  //!< of an iteration
    uint32_t layers{1};     //!< of an iteration; sent back to front
    uint32_t iterations{1}; //!< how often
    Time compute;           //!< computation before the communication of an iteration
    double jitter{0};       //!< a computation takes 1 + |N(0, jitter)| times as long
    Time start;             //!< when the job begins
};

/**
 * @ingroup ai-fabric
 *
 * Runs a job: in each iteration each worker computes, and then all-reduces the fragments of all
 * layers. It begins its next iteration when it has all sums. When all workers are done, the slots
 * of the job are freed, a link's delay later.
 *
 * Each worker computes the priority of a layer from its own iterations. It is a logarithm in 8
 * bits, of the range that two attributes set.
 */
class AggregationDriver : public Object
{
  public:
    /// How the priority of a packet follows from its job and layer (ESA).
    enum PriorityPolicy : uint8_t
    {
        FULL,       //!< 1 / remaining time / layer * communication / computation
        JOB_ONLY,   //!< 1 / remaining time
        LAYER_ONLY, //!< 1 / layer
        COMM_RATIO, //!< communication / computation
        EQUAL,      //!< all are equal, so that nothing preempts
        RANDOM,     //!< drawn for each layer of an iteration
    };

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    AggregationDriver();

    /**
     * Begin the job at its start. To be called before the simulation begins.
     *
     * @param shape what the job does
     * @param workers its workers, by their numbers
     * @param stages the switches that add up its packets
     */
    void Start(const AggregationShape& shape,
               Ptr<AggregationJob> job,
               const std::vector<Ptr<GradientWorker>>& workers,
               const std::vector<Ptr<AggregationStage>>& stages);

    /// @param completed called when all workers are done
    void SetCompleted(Callback<void> completed);

    /// @return whether all workers are done
    bool IsDone() const;

    /// @return time from the start until all workers are done; 0: they are not
    Time GetCompletionTime() const;

    /// @return the job
    const AggregationJob& GetJob() const
    {
        return *m_job;
    }

    /// @return its workers, by their numbers
    const std::vector<Ptr<GradientWorker>>& GetWorkers() const
    {
        return m_workers;
    }

    /// @return packets that workers have sent again
    uint64_t GetResent() const;

    /// Assign fixed random streams.  @param stream the first one  @return how many it uses
    int64_t AssignStreams(int64_t stream);

  protected:
    void DoDispose() override;

  private:
    /// What a worker has done.
    struct Progress
    {
        uint32_t done{0}; //!< iterations
        Time began;       //!< when the present one began
    };

    /// A worker begins an iteration.  @param number of the worker
    void Begin(uint32_t number);

    /// A worker has computed.  @param number of the worker
    void Communicate(uint32_t number);

    /// A worker has all sums.  @param number of the worker
    void Finish(uint32_t number);

    /// A worker is done.  @param end when
    void NoteEnd(Time end);

    /// The switches know that the job is done.
    void FreeSlots();

    /// @return how long a worker computes  @param number of the worker
    Time FindCompute(uint32_t number);

    /// @return the priority of a layer of the present iteration of a worker  @param number of the
    /// worker  @param layer from 1 on
    uint8_t GetPriority(uint32_t number, uint32_t layer);

    /// @return the same before the logarithm  @param progress of the worker  @param layer from 1 on
    double FindPriority(const Progress& progress, uint32_t layer) const;

    /// @return an estimate of the time of an iteration, in seconds: the mean of those of the worker
    /// that have ended; of the first one, its computation and its fragments at the line rate
    /// @param progress of the worker
    double EstimateIteration(const Progress& progress) const;

    AggregationShape m_shape;                    //!< what the job does
    Ptr<AggregationJob> m_job;                   //!< the job
    std::vector<Ptr<GradientWorker>> m_workers;  //!< by number
    std::vector<Ptr<AggregationStage>> m_stages; //!< where its slots are
    std::vector<Progress> m_progress;            //!< by worker
    std::vector<double> m_jitters;        //!< by iteration and worker, as far as they were used
    std::vector<uint8_t> m_random;        //!< by iteration and layer: random priorities
    Ptr<NormalRandomVariable> m_normal;   //!< draws the jitter
    Ptr<UniformRandomVariable> m_uniform; //!< draws random priorities
    PriorityPolicy m_policy{FULL};        //!< of packets
    double m_least{0};                    //!< logarithm of what priority 0 is
    double m_most{0};                     //!< logarithm of what priority 255 is
    uint32_t m_finished{0};               //!< workers that are done
    Callback<void> m_completed;           //!< called when all are
    Time m_end;                           //!< when the last one was
};

} // namespace aifabric
} // namespace ns3

#endif /* AGGREGATION_DRIVER_H */
