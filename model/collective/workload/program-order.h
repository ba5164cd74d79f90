/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROGRAM_ORDER_H
#define PROGRAM_ORDER_H

#include "training-workload.h"

namespace ns3
{
namespace aifabric
{

/**
 * Put a program in an order in which a node comes after all that it depends on; otherwise the order
 * is as it was.
 *
 * @param program the program, in which no nodes depend on each other in a circle
 * @return the same nodes in that order
 */
WorkloadProgram OrderByDependencies(WorkloadProgram program);

} // namespace aifabric
} // namespace ns3

#endif /* PROGRAM_ORDER_H */
