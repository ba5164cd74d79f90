/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef AGGREGATION_RUN_H
#define AGGREGATION_RUN_H

#include "fabric-scenario.h"

#include "ns3/aggregation-helper.h"
#include "ns3/compute-bound.h"
#include "ns3/gradient-carrier.h"

#include <memory>
#include <nlohmann/json.hpp>

namespace ns3
{
namespace aifabric
{

/// The jobs of a scenario with in-network aggregation, and their results.
class AggregationRun : public Object
{
  public:
    /// @return the object TypeId
    static TypeId GetTypeId();

    /// @return the system of an algorithm  @param algorithm atp, switchml or esa
    static AggregationHelper::System FindSystem(const std::string& algorithm);

    /// @return the packets of an iteration that each worker sends  @param spec all jobs
    static uint64_t CountFragments(const AggregationSpec& spec, const ClusterJob& job);

    /// Install the jobs.  @param spec the jobs
    /// @param complete called when all are done, with the time of the last, in ps
    void Install(const AggregationSpec& spec,
                 Ptr<Fabric> fabric,
                 const Callback<void, int64_t>& complete);

    /// Install jobs whose sums are collectives of a training iteration.  @param spec the jobs
    /// @return carries these collectives; lasts as long as this
    CollectiveCarrier& InstallGroups(const AggregationSpec& spec, Ptr<Fabric> fabric);

    /// @return when the last job has ended, and what its computations take at least
    IterationTimes GetTimes() const;

    /// @return the results  @param endPs when the last job has ended, in ps
    nlohmann::ordered_json Summarize(int64_t endPs) const;

  protected:
    void DoDispose() override;

  private:
    /// A job is done.
    void Finish();

    /// Install the stages.  @param spec the jobs
    void MakeHelper(const AggregationSpec& spec, Ptr<Fabric> fabric);

    /// @return the results of a job  @param number of the job
    nlohmann::ordered_json SummarizeJob(std::size_t number) const;

    /// @return the plan of a job  @param spec all jobs  @param number of the job
    static AggregationPlan MakePlan(const AggregationSpec& spec, uint16_t number);

    /// @return what a job does  @param spec all jobs
    static AggregationShape MakeShape(const AggregationSpec& spec, const ClusterJob& job);

    /// @return packets of a job that were added up in a switch, as a share of those that came to a
    /// switch that had to wait for others  @param number of the job
    double FindHitShare(uint16_t number) const;

    /// @return the time in which slots fill, as a share of all slots of all switches that add up,
    /// until the last job has ended  @param fillingNs the time, summed up over slots, in
    /// nanoseconds  @param endPs when it has, in ps
    double FindUtilization(double fillingNs, int64_t endPs) const;

    /// @return the time that a worker needs at the line rate, without computation, in nanoseconds
    /// @param number of the job
    double GetBoundNs(std::size_t number) const;

    Ptr<Fabric> m_fabric;                        //!< the fabric
    std::unique_ptr<AggregationHelper> m_helper; //!< all parts
    AggregationSpec m_spec;                      //!< the jobs
    GradientCarrier m_carrier;                   //!< of collectives
    Callback<void, int64_t> m_complete;          //!< called when all are done
    std::size_t m_finished{0};                   //!< jobs that are done
};

} // namespace aifabric
} // namespace ns3

#endif /* AGGREGATION_RUN_H */
