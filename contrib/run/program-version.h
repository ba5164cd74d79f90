/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROGRAM_VERSION_H
#define PROGRAM_VERSION_H

#include <string>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// @return what a result has to be attributed to: the versions of the module, of ns-3 and of the
/// compiler, and the commit of the clone ("unknown" without git), each with its name in run.json
std::vector<std::pair<std::string, std::string>> GetVersions();

/// @return how the program was built, such as release
std::string GetBuildProfile();

/// @return the versions and the build, in one line
std::string DescribeVersion();

} // namespace aifabric
} // namespace ns3

#endif /* PROGRAM_VERSION_H */
