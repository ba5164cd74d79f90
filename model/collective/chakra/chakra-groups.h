/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CHAKRA_GROUPS_H
#define CHAKRA_GROUPS_H

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// The ranks of process groups, by the groups' names; no rank: all ranks of the run.
using ChakraGroups = std::map<std::string, std::vector<uint32_t>>;

/// A process group of a file does not fit the traces.
class ChakraGroupsError : public std::invalid_argument
{
  public:
    using std::invalid_argument::invalid_argument;
};

/**
 * Read process groups from a JSON text: an object with a list of ranks for each name, such as
 * {"1": [0, 1], "2": [2, 3]}, which is what ASTRA-sim reads.
 *
 * @param name what to call it in messages, such as the file's name
 * @return the groups, each with a rank at least
 * @throws std::invalid_argument with one line that names the text, the line or group, and what is
 * wrong
 */
ChakraGroups ReadChakraGroups(const std::string& text, const std::string& name);

/**
 * Read process groups from a JSON file.
 *
 * @param path the file
 * @return the groups
 * @throws std::invalid_argument as ReadChakraGroups() does, and if it is no file that can be read
 * or is longer than 16 MiB
 */
ChakraGroups ReadChakraGroupsFile(const std::string& path);

/**
 * Read process groups from what PyTorch writes when it makes them, a list of objects with pg_name
 * and ranks. Converters put quotes and brackets around it, and backslashes before its quotes.
 *
 * @param text the inputs of the node that says it
 * @return the groups; none, if the text is not such a list
 * @throws std::invalid_argument if it is longer than 16 MiB
 */
ChakraGroups ReadPyTorchGroups(const std::string& text);

} // namespace aifabric
} // namespace ns3

#endif /* CHAKRA_GROUPS_H */
