/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANK_PLANNER_H
#define RANK_PLANNER_H

#include "fabric-graph.h"
#include "rank-plan.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * Plan a distributed run of any fabric.
 *
 * 1. A *block* is a leaf with its hosts, the leaves of all planes that have the same hosts, and a
 *    part of the pod's other switches: the i-th aggregation of a pod stands with the i-th edge.
 *    Blocks are never cut, so no link of a host is.
 * 2. The blocks, in the order of pods and hosts, are dealt to the ranks in runs of about equal
 *    work. Pods stay whole, unless there are more ranks than pods, or the greatest work of a rank
 *    would be more than a tenth greater than if pods were split.
 * 3. The switches of no pod (spines, cores) even out the work: each in turn is given to the rank
 *    with the least work. Which of them a rank gets is decided by the load on its links to them.
 *
 * With B equal blocks of work w and switches of no pod of work v each, no rank has more work than
 * the greater of ceil(B / ranks) * w and mean + v; or a tenth more, if pods are whole.
 *
 * @param ranks number of ranks, each of which gets hosts
 * @return the plan
 * @throws std::invalid_argument with one line, if there are fewer blocks than ranks
 */
RankPlan PlanRanks(const FabricGraph& graph, uint32_t ranks);

} // namespace aifabric
} // namespace ns3

#endif /* RANK_PLANNER_H */
