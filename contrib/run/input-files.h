/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INPUT_FILES_H
#define INPUT_FILES_H

#include "option-row.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// @return whether a value of an option names files that the run reads, and is not a number, a word
/// or none
bool NamesFiles(const OptionRow& row, const std::string& value);

/// @return a value of an option with other paths  @param move what becomes of a path
std::string MovePaths(const OptionRow& row,
                      const std::string& value,
                      const std::function<std::string(const std::string&)>& move);

/// @return the SHA-256 digests of the files that a value of an option names, by path; empty: of
/// what is no regular file  @throws std::ios_base::failure if one cannot be read
std::map<std::string, std::string> DigestFiles(const OptionRow& row, const std::string& value);

/// @return how to write a path in a file in a folder: relative to that folder, unless the user has
/// written it as an absolute one  @param written how the user has
std::string SeenFrom(const std::string& folder,
                     const std::string& path,
                     const std::string& written);

} // namespace aifabric
} // namespace ns3

#endif /* INPUT_FILES_H */
