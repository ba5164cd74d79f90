/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRADIENT_GROUP_H
#define GRADIENT_GROUP_H

#include "gradient-worker.h"

#include "ns3/collective-work.h"
#include "ns3/object.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A communicator whose all-reduces are one job of in-network aggregation: each rank has a worker,
 * and the fragments of all all-reduces are numbered through. A rank begins an all-reduce when it
 * has the sums of those before it, as a communicator of NCCL does.
 *
 * In ESA, the fragments of an all-reduce have the priority 255 / layer: the last all-reduce of an
 * iteration is layer 1, which the next forward pass needs first.
 */
class GradientGroup : public Object
{
  public:
    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * Take the members of a job. To be called once, before the simulation begins.
     *
     * @param workers by rank
     * @param layers all-reduces of an iteration
     */
    void Install(Ptr<AggregationJob> job,
                 const std::vector<Ptr<GradientWorker>>& workers,
                 uint32_t layers);

    /// @copydoc CollectiveCarrier::Add
    std::shared_ptr<CollectiveWork> Add(const CollectiveSpec& spec, CollectiveWork::RankDone done);

    /// @return fragments of so many bytes  @param values in a fragment
    static uint64_t CountFragments(uint64_t bytes, uint32_t values);

  protected:
    void DoDispose() override;

  private:
    class Sum;

    /// What a rank does.
    struct Turn
    {
        std::size_t next{0}; //!< the first all-reduce whose sums it does not have
        bool isBusy{false};  //!< it has begun it
    };

    /// Begin the next all-reduce of a rank, if it is its turn.
    void Serve(uint32_t rank);

    /// A rank has all sums of its all-reduce.
    void Finish(uint32_t rank);

    Ptr<AggregationJob> m_job;                  //!< the job
    std::vector<Ptr<GradientWorker>> m_workers; //!< by rank
    std::vector<Turn> m_turns;                  //!< by rank
    std::vector<std::shared_ptr<Sum>> m_sums;   //!< of all iterations, in the order of programs
    uint32_t m_layers{1};                       //!< all-reduces of an iteration
};

} // namespace aifabric
} // namespace ns3

#endif /* GRADIENT_GROUP_H */
