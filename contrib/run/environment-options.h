/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef ENVIRONMENT_OPTIONS_H
#define ENVIRONMENT_OPTIONS_H

#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

// ns-3 reads the environment variables NS_ATTRIBUTE_DEFAULT and NS_GLOBAL_VALUE
// (NAME=VALUE;NAME=VALUE) without a record, ignores names that it does not know, and aborts at a
// bad value before main(). They are hidden from ns-3, and OptionTable treats them as options.

/// An attribute default or a global value of the environment.
struct EnvironmentOption
{
    std::string variable; //!< the environment variable
    std::string name;     //!< name of the attribute or global value
    std::string value;    //!< its value
};

/// Rename the variables, so that ns-3 does not find them. Uses no memory, and may be called before
/// the constructors of libraries.  @param environment the variables, ended by nullptr
void HideEnvironment(char** environment);

/// @return all entries of both variables, hidden or not
/// @throws std::invalid_argument if an entry is not NAME=VALUE
std::vector<EnvironmentOption> ReadEnvironment();

} // namespace aifabric
} // namespace ns3

#endif /* ENVIRONMENT_OPTIONS_H */
