/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORKLOAD_CHECK_H
#define WORKLOAD_CHECK_H

#include "training-workload.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// Most bytes of a collective or message: 1 TiB.
constexpr uint64_t MAX_WORKLOAD_BYTES = uint64_t{1} << 40;
/// Longest delay, in picoseconds: 1000 s.
constexpr int64_t MAX_WORKLOAD_DELAY_PS = 1'000'000'000'000'000;
/// Most nodes of all hosts together.
constexpr uint64_t MAX_WORKLOAD_NODES = uint64_t{1} << 24;
/// Most dependencies of all hosts together.
constexpr uint64_t MAX_WORKLOAD_DEPENDENCIES = uint64_t{1} << 26;

/**
 * Check that a workload can run to its end: that all it names is there, that sizes and times are in
 * range, that the hosts of a communicator issue the same collectives in the same order, that each
 * send has its receive, and that no nodes wait for each other in a circle, collectives, messages
 * and the order of a stream's collectives included. A collective counts as one node of all of its
 * hosts there.
 *
 * @param hosts number of hosts of the fabric
 * @throws std::invalid_argument with one line that says what is wrong, and where
 */
void CheckWorkload(const TrainingWorkload& workload, uint32_t hosts);

/**
 * @param program a program whose dependencies are there
 * @return nodes each of which depends on the next, and the last on the first; none if there is no
 * such circle
 */
std::vector<uint32_t> FindCycle(const WorkloadProgram& program);

} // namespace aifabric
} // namespace ns3

#endif /* WORKLOAD_CHECK_H */
