/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TE_FLOORS_H
#define TE_FLOORS_H

#include "te-solver.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

constexpr double LOAD_EPSILON = 1e-9; //!< by which loads may differ and count as equal

/**
 * Find the loads below which a refinement cannot help, because of what a leaf's live links carry
 * together.
 *
 * @param loads load of each link, as of TeSolution
 * @param users by link: the demands whose paths cross it
 * @return by link, the load from which on TeSolver refines it
 */
std::vector<double> FindFloors(const FabricGraph& graph,
                               const TeSnapshot& snapshot,
                               const std::vector<double>& loads,
                               const std::vector<std::vector<uint32_t>>& users);

} // namespace aifabric
} // namespace ns3

#endif /* TE_FLOORS_H */
