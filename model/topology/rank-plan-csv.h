/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RANK_PLAN_CSV_H
#define RANK_PLAN_CSV_H

#include "fabric-graph.h"
#include "rank-plan.h"

#include <cstdint>
#include <istream>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * Read a plan from a CSV text. Its first line is `node,rank`; each further line gives one switch
 * (FabricGraph::SwitchName()) or host ("host-12") its rank. Each switch needs a line; a host
 * without one is on the rank of its leaf in plane 0. Blanks and comments as in TableReader.
 *
 * @param input the text
 * @param name what to call the text in messages, such as the file's name
 * @param ranks number of ranks, at least 1
 * @return the plan
 * @throws std::invalid_argument with one line, as TableReader and RankPlan
 */
RankPlan ReadRankPlanCsv(std::istream& input,
                         const std::string& name,
                         const FabricGraph& graph,
                         uint32_t ranks);

/**
 * Get the plan that an option names.
 *
 * @param plan "auto" for PlanRanks(), otherwise a file for ReadRankPlanCsv()
 * @return the plan
 * @throws std::invalid_argument with one line
 */
RankPlan MakeRankPlan(const std::string& plan, const FabricGraph& graph, uint32_t ranks);

} // namespace aifabric
} // namespace ns3

#endif /* RANK_PLAN_CSV_H */
