/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLACEMENT_FILE_H
#define PLACEMENT_FILE_H

#include "ns3/gpu-nodes.h"

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * Read on which hosts ranks run: the number of a host a line, or its node and its GPU there (such
 * as 3:7), rank 0 first. Blank lines and lines that begin with '#' are skipped.
 *
 * @param input the text
 * @param name what to call the text in messages, such as the file's name
 * @param nodes which hosts are the GPUs of a node
 * @return the hosts by rank, at least two, none twice
 * @throws std::invalid_argument with one line that names the text, line, value and what is allowed,
 * such as "map.txt:3: '99' is not a host (0..15)"
 */
std::vector<uint32_t> ReadPlacement(std::istream& input,
                                    const std::string& name,
                                    uint32_t hosts,
                                    const GpuNodes& nodes = GpuNodes());

/// @return the hosts of a file, as ReadPlacement() does  @param path the file
/// @param nodes which hosts are the GPUs of a node
std::vector<uint32_t> ReadPlacementFile(const std::string& path,
                                        uint32_t hosts,
                                        const GpuNodes& nodes = GpuNodes());

/**
 * Read groups of ranks: the ranks of a group a line, with blanks or commas between them. Blank
 * lines and lines that begin with '#' are skipped.
 *
 * @param input the text
 * @param name what to call the text in messages, such as the file's name
 * @return the groups, at least one; each has at least two ranks, none twice
 * @throws std::invalid_argument as ReadPlacement() does
 */
std::vector<std::vector<uint32_t>> ReadRankGroups(std::istream& input,
                                                  const std::string& name,
                                                  uint32_t ranks);

/// @return the groups of a file, as ReadRankGroups() does  @param path the file
std::vector<std::vector<uint32_t>> ReadRankGroupFile(const std::string& path, uint32_t ranks);

} // namespace aifabric
} // namespace ns3

#endif /* PLACEMENT_FILE_H */
