/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef JOB_PLACEMENT_H
#define JOB_PLACEMENT_H

#include "flow-list.h"

#include "ns3/fabric-graph.h"
#include "ns3/gpu-nodes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// How a scheduler gives nodes to a job. GPUs of a node stay together and in order.
enum class JobPlacement
{
    PACKED,     //!< rack after rack, each whole
    FRAGMENTED, //!< one node of each rack, then the next one of each; racks in random order
    RANDOM,     //!< nodes in random order
};

/// @return the placement of a name; none if there is no such placement  @param name such as
/// "packed"
std::optional<JobPlacement> FindJobPlacement(const std::string& name);

/**
 * Place a job. The nodes of a rack are those whose first GPUs hang at one leaf; where GPUs hang at
 * leaves of their own (GpuNodes::Mapping::RAIL), a rack is a group of leaves.
 *
 * @param placement how nodes are chosen
 * @param nodes which hosts are the GPUs of one node
 * @param ranks ranks of the job, at most the hosts of the fabric
 * @param uniform draws
 * @return the hosts by rank
 */
std::vector<uint32_t> PlaceJob(JobPlacement placement,
                               const FabricGraph& graph,
                               const GpuNodes& nodes,
                               uint32_t ranks,
                               const UniformInteger& uniform);

} // namespace aifabric
} // namespace ns3

#endif /* JOB_PLACEMENT_H */
