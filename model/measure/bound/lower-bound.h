/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LOWER_BOUND_H
#define LOWER_BOUND_H

#include "published-bound.h"

#include "ns3/fabric-graph.h"
#include "ns3/flow.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * A time before which no fabric can complete the given flows, whatever its load balancing, queues,
 * losses and order of service. A flow is complete when its source has received the acknowledgement
 * of all its data.
 *
 * Assumed: links are no faster and no shorter than the parameters say; switches store and forward;
 * a frame crosses as many links as FabricGraph::PathLinks() says, and so does an acknowledgement; a
 * flow is sent as Flow::pieces messages, of whatever lengths, and each of these in full packets and
 * at most one shorter one; acknowledgements of a piece leave its destination in order. The proofs
 * stand in lower-bound.cc.
 *
 * It holds for each host by itself, what it must send and receive, and for each leaf (and
 * NIC that hosts share) whose hosts together are faster than its uplinks. Each flow counts with the
 * length of its own path. For a permutation of m packets between pods at the defaults it stays
 * within 0.04 % of PublishedBoundPs(). In a fabric that is no Clos network it is that of
 * GraphBoundPs(). Messages within a node (Flow::inNode) count by NodeBoundPs() alone, and messages
 * of 0 bytes (EmptyMessages) are complete two delays of the sender's link after their start. Where
 * faults slow or cut links for good, it is at least that of GraphBoundPs().
 *
 * @param parameters links, frames and NICs
 * @return the time in ps on the clock of Flow::startPs, rounded down to a whole one; the earliest
 *         start is to be subtracted for a duration; 0 without flows
 * @throws std::invalid_argument if a parameter is out of range
 */
double CompletionBoundPs(const FabricGraph& graph,
                         const std::vector<Flow>& flows,
                         const BoundParameters& parameters);

} // namespace aifabric
} // namespace ns3

#endif /* LOWER_BOUND_H */
