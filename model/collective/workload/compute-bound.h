/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef COMPUTE_BOUND_H
#define COMPUTE_BOUND_H

#include "training-workload.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/// The time of an iteration, which begins at time 0.
struct IterationTimes
{
    int64_t endPs;     //!< when all hosts had ended all that they do
    int64_t computePs; //!< what the delays alone take, at least (ComputeBoundPs())
};

/**
 * A lower bound of the time that a workload takes because of its delays: on the slowest host, the
 * longest chain of nodes that wait for each other, or the work of the busiest stream, whichever is
 * longer. Collectives and messages count as 0, also where a delay has to wait for them, so the sum
 * of the delays and of the communication between them may be far above the bound.
 *
 * @param workload the workload, checked
 * @param processorOperations operations that the processor of a host does at a time, at least 1
 * @param streamOperations kernels or copies that a stream does at a time, at least 1
 * @return the bound, in ps
 */
int64_t ComputeBoundPs(const TrainingWorkload& workload,
                       uint32_t processorOperations,
                       uint32_t streamOperations);

} // namespace aifabric
} // namespace ns3

#endif /* COMPUTE_BOUND_H */
