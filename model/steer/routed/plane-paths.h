/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLANE_PATHS_H
#define PLANE_PATHS_H

#include "ns3/path-view.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// @return all paths between two hosts that are known to be alive, of all planes, in ascending
/// order: the label times the number of planes, and the plane
std::vector<uint16_t> FindPaths(const PathView& view, uint32_t source, uint32_t destination);

/// @return of each plane whether the cable of a host is known to be alive there: in this alone the
/// paths to the hosts of one leaf differ
std::vector<bool> PlanesTo(const PathView& view, uint32_t destination);

/// Let planes take turns: the pieces of a message take paths in turn, so they share the planes of
/// the host that receives them.  @param [in,out] paths in the order in which they are taken
/// @param planes number of planes, by which the plane of a path is the remainder
void AlternatePlanes(std::vector<uint16_t>& paths, uint16_t planes);

} // namespace aifabric
} // namespace ns3

#endif /* PLANE_PATHS_H */
