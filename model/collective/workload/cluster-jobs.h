/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CLUSTER_JOBS_H
#define CLUSTER_JOBS_H

#include "job-placement.h"
#include "training-plan.h"

#include "ns3/collective-kind.h"

#include <cstdint>
#include <functional>
#include <istream>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// One of several jobs that share a fabric. In each iteration it computes, then does a collective
/// of each layer, one after the other.
struct ClusterJob
{
    std::string name;                                      //!< for results
    uint32_t ranks{0};                                     //!< hosts that it takes
    JobPlacement placement{JobPlacement::PACKED};          //!< which of the free ones
    int64_t arrivalPs{0};                                  //!< when it begins, in picoseconds
    CollectiveKind collective{CollectiveKind::ALL_REDUCE}; //!< of an iteration
    uint64_t bytes{0};                                     //!< of all layers together
    uint32_t layers{1};                                    //!< collectives of an iteration
    uint32_t iterations{1};                                //!< how often
    int64_t computePs{0};                                  //!< before the collectives
    double jitter{0};                                      //!< of the computation, as a share
    std::vector<uint32_t> hosts;                           //!< by rank, once it is placed
    std::string program; //!< a file or traces, instead of computation and collectives
    std::string after;   //!< the job whose end it awaits, too; empty: none
    uint64_t line{0};    //!< of the table that names it, from 1 on; 0: none does
};

/**
 * Read jobs: a table whose first line is
 * `name,ranks,placement,arrival_ns,collective,bytes,iterations,compute_ns`. The placement is a name
 * of JobPlacement. There may be columns `program`, beside which collective, bytes and compute_ns
 * are empty or no columns, and `after`, a job of a line before. Blank lines and lines that begin
 * with '#' are skipped.
 *
 * @param input the text
 * @param name what to call the text in messages, such as the file's name
 * @return the jobs, at least one, none of a name twice
 * @throws std::invalid_argument with one line that names the text, line, column, value and what is
 * allowed
 */
std::vector<ClusterJob> ReadClusterJobs(std::istream& input, const std::string& name);

/// @return whether a program is one file, in TOML or GOAL, and not traces, by the end of its name
bool IsProgramFile(const std::string& program);

/// @return the jobs of a file, as ReadClusterJobs() does  @param path the file
std::vector<ClusterJob> ReadClusterJobFile(const std::string& path);

/**
 * Give each job its hosts, one after the other, from the nodes that are free.
 *
 * @param nodes which hosts are the GPUs of one node
 * @param uniform draws
 * @throws std::invalid_argument with one line that names the job, if it does not have whole nodes
 * or finds too few free ones
 */
void PlaceClusterJobs(std::vector<ClusterJob>& jobs,
                      const FabricGraph& graph,
                      const GpuNodes& nodes,
                      const UniformInteger& uniform);

/// @return what is to be done, without jitter, of jobs without a program  @param jobs the jobs,
/// placed
TrainingPlan MakeClusterPlan(const std::vector<ClusterJob>& jobs);

/**
 * Draw the computations of jobs with jitter: each one takes 1 + jitter * |N| times as long, on each
 * host for itself, where N is normal with mean 0 and variance 1.
 *
 * @param [in,out] workload what MakeWorkload() makes of MakeClusterPlan()
 * @param jobs the jobs, placed
 * @param normal draws N
 */
void DrawComputations(TrainingWorkload& workload,
                      const std::vector<ClusterJob>& jobs,
                      const std::function<double()>& normal);

} // namespace aifabric
} // namespace ns3

#endif /* CLUSTER_JOBS_H */
