/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FAILURE_DRAW_H
#define FAILURE_DRAW_H

#include "fabric-graph.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * Draw a set of dead links as the load-balancing study does (arXiv 2507.21372, section 5.3): each
 * link between switches fails independently; links of hosts do not fail. A set that leaves two
 * hosts without a way in one of the planes is drawn again.
 *
 * @param rate with which probability a link fails, 0 to 1
 * @param uniform draws a number, uniform in [0, 1)
 * @param draws how many sets are drawn at most
 * @return the links, ascending; nothing if no set left all hosts connected
 */
std::optional<std::vector<uint32_t>> DrawFailures(const FabricGraph& graph,
                                                  double rate,
                                                  const std::function<double()>& uniform,
                                                  uint32_t draws = 1000);

} // namespace aifabric
} // namespace ns3

#endif /* FAILURE_DRAW_H */
