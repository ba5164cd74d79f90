/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GIVEN_OPTION_H
#define GIVEN_OPTION_H

#include <string>

namespace ns3
{
namespace aifabric
{

/// What an option or an attribute is given, on a command line or in a file of --config.
struct GivenOption
{
    std::string name;    //!< its name
    std::string value;   //!< its value; a path is relative to the working directory
    std::string noted;   //!< the value for run.json: a path is as it was written
    std::string origin;  //!< where it is from, such as "ring.toml:3: "; empty: the command line
    bool isOption{true}; //!< it begins with - or --
    bool hasValue{true}; //!< it has a =

    /// @return an argument of a command line, taken apart
    static GivenOption TakeApart(const std::string& argument);
};

} // namespace aifabric
} // namespace ns3

#endif /* GIVEN_OPTION_H */
