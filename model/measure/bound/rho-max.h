/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef RHO_MAX_H
#define RHO_MAX_H

#include "ns3/fabric-graph.h"
#include "ns3/flow.h"

#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * The share of the line rate at which hosts can send without end when each flow is split evenly
 * over its surviving shortest paths (arXiv 2507.21372, section 4 and appendix A): one over the load
 * of the most loaded link, and at most 1. Traffic engineering might do better.
 *
 * The flows are taken as if they all lasted: the host that sends most sends at line rate, and the
 * others in proportion to their bytes. So a flow of a permutation counts 1, and one of an
 * all-to-all 1 / (n - 1). Directions of a link are loaded separately. With several planes the line
 * rate of a host is that of its ports together, and a flow is split evenly over its paths in all
 * planes; a plane in which a link of one of its two hosts is dead has none.
 *
 * It takes the time of the flows, and of one look at each port for each leaf: no path is
 * enumerated.
 *
 * @param alive whether frames cross a link, by link id
 * @param fabricSpeed the rate of links between switches, as a multiple of that of a host's link
 * @return the share; 0 if a flow has no path; 1 without flows
 */
double RhoMax(const FabricGraph& graph,
              const std::vector<bool>& alive,
              const std::vector<Flow>& flows,
              double fabricSpeed = 1);

} // namespace aifabric
} // namespace ns3

#endif /* RHO_MAX_H */
