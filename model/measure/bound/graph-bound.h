/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GRAPH_BOUND_H
#define GRAPH_BOUND_H

#include "bound-frames.h"
#include "least-times.h"

#include "ns3/fabric-graph.h"
#include "ns3/flow.h"

#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * CompletionBoundPs() in a fabric that is no Clos network: with the rate and the delay of each
 * link. It holds for each host by itself, for each switch, and for each set of switches that
 * SwitchCuts names, such as a site that long links join with others. The proofs stand in
 * graph-bound.cc.
 *
 * @param flows messages of at least 1 byte, none within a node
 * @param parameters frames and NICs; the rates and the delay of links do not count
 * @return the time in ps on the clock of Flow::startPs, rounded down; 0 without flows
 */
double GraphBoundPs(const FabricGraph& graph,
                    const std::vector<Flow>& flows,
                    const BoundParameters& parameters);

/// @return the same of one flow, but for borders of sets
/// @param flow one as above  @param parameters as above  @param times of the fabric, with these
double GraphBoundPs(const FabricGraph& graph,
                    const Flow& flow,
                    const BoundParameters& parameters,
                    LeastTimes& times);

} // namespace aifabric
} // namespace ns3

#endif /* GRAPH_BOUND_H */
