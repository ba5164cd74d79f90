/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLUSTER_WORKLOAD_H
#define CLUSTER_WORKLOAD_H

#include "cluster-jobs.h"
#include "training-workload.h"

#include <cstdint>
#include <map>
#include <set>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Joins the programs of jobs that share a fabric into one workload.
 *
 * A job with a program of its own (ClusterJob::program) begins with a delay, its arrival, and does
 * the program as often as it has iterations; a host begins an iteration when it has ended the one
 * before. A job that follows another one (ClusterJob::after) begins when that has ended: all hosts
 * of the earlier job report to its first host, which reports to all hosts of the later one. The
 * reports are messages of 0 bytes (EmptyMessages), so each takes a link's delay.
 */
class ClusterWorkload
{
  public:
    /// @param jobs the jobs, placed; must outlive this  @param plain what those without a program
    /// do, as MakeWorkload() makes it of MakeClusterPlan()  @param hosts of the fabric
    ClusterWorkload(const std::vector<ClusterJob>& jobs, TrainingWorkload plain, uint32_t hosts);

    /// Add a job with a program.  @param job one of those given, to be added once
    /// @param program what its ranks do, which are the hosts of the program
    void Add(const ClusterJob& job, const TrainingWorkload& program);

    /// Have jobs wait for those that they follow.  @return what all do, checked
    /// @throws std::invalid_argument with one line, if it is not as CheckWorkload() has it
    TrainingWorkload Join();

  private:
    /// @return the first host of a job that has a part in it
    uint32_t FindFirst(const ClusterJob& job) const;

    /// @return the programs of the hosts of a job
    std::set<uint32_t> FindPrograms(const ClusterJob& job) const;

    /// Give a host a program that it shares with no other one.
    void Part(uint32_t host);

    /// Mark the end of a program (WorkloadNode::isEnd).  @return the number of its node
    uint32_t MarkEnd(uint32_t program);

    /// Have all hosts of a job report its end to the first one.  @return the node of that one that
    /// ends when all have
    uint32_t Report(const ClusterJob& job);

    /// Have a job wait for another one.  @param job the later one  @param first the first host of
    /// the earlier one  @param ended what Report() returned of that
    void Follow(const ClusterJob& job, uint32_t first, uint32_t ended);

    const std::vector<ClusterJob>& m_jobs; //!< the jobs
    TrainingWorkload m_workload;           //!< what all do
    std::map<uint32_t, uint32_t> m_ends;   //!< by program: the node that ends it
};

} // namespace aifabric
} // namespace ns3

#endif /* CLUSTER_WORKLOAD_H */
