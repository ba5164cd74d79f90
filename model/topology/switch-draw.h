/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SWITCH_DRAW_H
#define SWITCH_DRAW_H

#include "fabric-graph.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @return the switches that choose among several ports for some destination, ascending. Those at
 * the top of a fat-tree have one port to each pod, and never choose.
 */
std::vector<uint32_t> ChoosingSwitches(const FabricGraph& graph);

/**
 * Draw a share of the switches that choose, to be given another balancer: partial deployment. With
 * the same random numbers a larger share contains all switches of a smaller one.
 *
 * @param share the share, 0 to 1; the number of switches is rounded
 * @param uniform draws a number, uniform in [0, 1); it is called once a switch that chooses
 * @return the switches, ascending
 */
std::vector<uint32_t> DrawSwitches(const FabricGraph& graph,
                                   double share,
                                   const std::function<double()>& uniform);

} // namespace aifabric
} // namespace ns3

#endif /* SWITCH_DRAW_H */
