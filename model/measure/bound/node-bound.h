/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NODE_BOUND_H
#define NODE_BOUND_H

#include "ns3/flow.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * A time before which no private fabric of nodes (NodeFabric) can complete the given messages.
 *
 * A GPU sends its messages one after another, and receives them one after another. So the last one
 * ends no earlier than the start of the first one plus the transmission times of all. It arrives
 * one latency later, and its sender knows that another latency later. This holds for the messages
 * of each GPU that start at some time or later, for each such time.
 *
 * @param flows the messages; those without Flow::inNode are left out
 * @param rate of each direction of a GPU, in bit/s
 * @param latencyPs of a message, in ps
 * @return the time in ps on the clock of Flow::startPs; 0 without such messages
 */
double NodeBoundPs(const std::vector<Flow>& flows, uint64_t rate, int64_t latencyPs);

} // namespace aifabric
} // namespace ns3

#endif /* NODE_BOUND_H */
