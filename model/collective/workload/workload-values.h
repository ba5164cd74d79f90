/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WORKLOAD_VALUES_H
#define WORKLOAD_VALUES_H

#include "training-workload.h"

#include <cstdint>
#include <string>

namespace ns3
{
namespace aifabric
{

/// Refuse a workload.  @param why what is wrong
[[noreturn]] void RefuseWorkload(const std::string& why);

/// @return what a node is called in a message
std::string NodeText(const WorkloadProgram& program, uint32_t index);

/**
 * Check that all that a workload names is there, and that sizes and times are in range: each
 * communicator and each node by itself.
 *
 * @param hosts number of hosts of the fabric
 * @throws std::invalid_argument as CheckWorkload()
 */
void CheckValues(const TrainingWorkload& workload, uint32_t hosts);

} // namespace aifabric
} // namespace ns3

#endif /* WORKLOAD_VALUES_H */
