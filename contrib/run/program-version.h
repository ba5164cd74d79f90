/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PROGRAM_VERSION_H
#define PROGRAM_VERSION_H

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Which program this is: what a result has to be attributed to.
 */
class ProgramVersion
{
  public:
    /// @return the versions of the module, of ns-3 and of the compiler, and the commit of the clone
    /// ("unknown" without git)
    static nlohmann::ordered_json GetVersions();

    /// @return how the program was built, such as release
    static std::string GetBuildProfile();

    /// @return all of it, in one line
    static std::string Describe();
};

} // namespace aifabric
} // namespace ns3

#endif /* PROGRAM_VERSION_H */
