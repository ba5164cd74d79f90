/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOPOLOGY_FILE_H
#define TOPOLOGY_FILE_H

#include "ns3/fabric-graph.h"
#include "ns3/network-builder.h"

#include <string>

namespace ns3
{
namespace aifabric
{

/// @return whether the value of --topology names a file: it ends in .toml or .csv
bool IsTopologyFile(const std::string& topology);

/**
 * Read a fabric of any shape. A table of the file is a switch, a host with its link, or a link
 * between switches: its kind, node, to, rate, delay, count. A name may be a range (host-0..7).
 *
 * @param path the file
 * @param usual what links are like of which it does not say it
 * @return the fabric
 * @throws std::invalid_argument with one line that names the place, the value and what is allowed
 */
FabricGraph ReadTopologyFile(const std::string& path, const NetworkCables& usual);

} // namespace aifabric
} // namespace ns3

#endif /* TOPOLOGY_FILE_H */
