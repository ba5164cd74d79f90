/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_LOAD_H
#define LINK_LOAD_H

#include "fabric-graph.h"

#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * How much of uniform traffic each link carries. Each host sends one unit, an equal part to each
 * other host (an all-to-all; a random permutation on average), spread evenly over planes and
 * uplinks. With N hosts in total and b(x) of them below a switch or a host x (itself), the load of
 * each uplink of switch s is
 *
 *     load(uplink of s) = sum over the links x - s below: load * (N - b(s)) / (N - b(x)), divided
 * by the number of uplinks of s
 *
 * because of what comes up from x, which goes to the N - b(x) hosts not below x, the share for the
 * hosts not below s goes on. In a fabric whose switches of a tier are alike the way down carries
 * the same, so each link has this load in either direction.
 *
 * @return by link, in units, for one direction
 */
std::vector<double> UniformLinkLoads(const FabricGraph& graph);

} // namespace aifabric
} // namespace ns3

#endif /* LINK_LOAD_H */
