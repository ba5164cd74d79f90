/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAKRA_PARTS_H
#define CHAKRA_PARTS_H

#include "chakra-options.h"
#include "chakra-trace.h"

#include "ns3/training-workload.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * Set how many bytes a rank has for each rank in an all-to-all, if its trace says so: its size,
 * divided in the ratio of in_split_size.
 *
 * @param node the node of the trace
 * @param ranks number of ranks of its group
 * @param made the node of the workload, whose parts become those of this rank alone
 * @throws std::invalid_argument if there are not as many numbers as ranks, or the numbers are too
 * large
 */
void SetOwnParts(const ChakraNode& node, uint32_t ranks, WorkloadNode& made);

/**
 * Join what the ranks of each all-to-all have for each other. A rank without parts of its own
 * divides its size evenly. If all sizes are alike, the parts are; if nothing at all is sent, the
 * nodes become delays of 0.
 *
 * @param workload the workload; its nodes have the parts of their rank alone
 * @param omissions where nodes that send nothing are counted
 */
void JoinParts(TrainingWorkload& workload, ChakraOmissions& omissions);

} // namespace aifabric
} // namespace ns3

#endif /* CHAKRA_PARTS_H */
