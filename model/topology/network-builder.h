/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_BUILDER_H
#define NETWORK_BUILDER_H

#include "network-assembly.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The links of a fabric that is no Clos network.
 */
struct NetworkCables
{
    NetworkAssembly::Cable host;   //!< of a host
    NetworkAssembly::Cable fabric; //!< between switches
};

/**
 * @ingroup ai-fabric
 *
 * The size of a torus: switches at the points of a grid, each joined with its neighbors in each
 * dimension, the last one with the first one. Two switches in a dimension have one link.
 */
struct TorusConfig
{
    std::vector<int64_t> lengths; //!< switches in each dimension
    int64_t hosts{1};             //!< hosts at each switch
    NetworkCables cables;         //!< its links
};

/**
 * @ingroup ai-fabric
 *
 * The size of a dragonfly (Kim, Dally, Scott and Abts, "Technology-Driven, Highly-Scalable
 * Dragonfly Topology", ISCA 2008): groups of routers, all joined with each other within a group,
 * and one link between any two groups. Link k of group i to another one leads to group i + k + 1,
 * modulo the number of groups, and begins at router k / globalLinks.
 */
struct DragonflyConfig
{
    int64_t routers{0};     //!< routers of each group (a)
    int64_t globalLinks{0}; //!< links of each router to other groups (h); a h + 1 groups
    int64_t hosts{0};       //!< hosts at each router (p)
    NetworkCables cables;   //!< its links
};

/// @return a torus; its switches are named torus-X-Y-... by their places
/// @throws std::invalid_argument with one line that names the parameter and what is allowed
FabricGraph MakeTorus(const TorusConfig& config);

/// @return a dragonfly; its routers are named group-G-router-R
/// @throws std::invalid_argument with one line that names the parameter and what is allowed
FabricGraph MakeDragonfly(const DragonflyConfig& config);

} // namespace aifabric
} // namespace ns3

#endif /* NETWORK_BUILDER_H */
