/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "program-version.h"

#include "ns3/ai-fabric-version.h"
#include "ns3/command-line.h"

namespace ns3
{
namespace aifabric
{

namespace
{

#if defined(__clang__)
constexpr const char* COMPILER = "clang++ " __clang_version__;
#elif defined(__GNUC__)
constexpr const char* COMPILER = "g++ " __VERSION__;
#else
constexpr const char* COMPILER = "unknown";
#endif

#ifdef AI_FABRIC_COMMIT
constexpr const char* COMMIT = AI_FABRIC_COMMIT;
#else
constexpr const char* COMMIT = "unknown";
#endif

/// @return the version of ns-3
std::string
Ns3Version()
{
#ifdef AI_FABRIC_NS3_VERSION
    return AI_FABRIC_NS3_VERSION;
#else
    return CommandLine().GetVersion();
#endif
}

} // namespace

std::vector<std::pair<std::string, std::string>>
GetVersions()
{
    return {{"ai-fabric", AI_FABRIC_VERSION},
            {"commit", COMMIT},
            {"ns-3", Ns3Version()},
            {"compiler", COMPILER}};
}

std::string
GetBuildProfile()
{
#if defined(NS3_BUILD_PROFILE_DEBUG)
    return "debug";
#elif defined(NS3_BUILD_PROFILE_OPTIMIZED)
    return "optimized";
#elif defined(NS3_BUILD_PROFILE_RELEASE)
    return "release";
#else
    return "unknown";
#endif
}

std::string
DescribeVersion()
{
    return std::string("ai-fabric ") + AI_FABRIC_VERSION + " (commit " + COMMIT + "), ns-3 " +
           Ns3Version() + ", " + GetBuildProfile() + " build by " + COMPILER;
}

} // namespace aifabric
} // namespace ns3
