/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "environment-options.h"

#include <cstdlib>
#include <sstream>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr char HIDDEN[] = {'A', 'F'}; //!< in place of the first two letters of a name
const char* const VARIABLES[] = {"NS_ATTRIBUTE_DEFAULT", "NS_GLOBAL_VALUE"}; //!< of ns-3

/// @return whether an entry of the environment has a name
bool
HasName(const char* entry, const char* name)
{
    while (*name != '\0' && *entry == *name)
    {
        ++entry;
        ++name;
    }
    return *name == '\0' && *entry == '=';
}

} // namespace

void
HideEnvironment(char** environment)
{
    for (; *environment; ++environment)
    {
        for (const char* const variable : VARIABLES)
        {
            if (HasName(*environment, variable))
            {
                (*environment)[0] = HIDDEN[0];
                (*environment)[1] = HIDDEN[1];
                break;
            }
        }
    }
}

std::vector<EnvironmentOption>
ReadEnvironment()
{
    std::vector<EnvironmentOption> entries;
    for (const std::string variable : VARIABLES)
    {
        const std::string hidden =
            std::string(HIDDEN, sizeof(HIDDEN)) + variable.substr(sizeof(HIDDEN));
        const char* text = std::getenv(hidden.c_str());
        text = text ? text : std::getenv(variable.c_str());
        std::istringstream items(text ? text : "");
        for (std::string item; std::getline(items, item, ';');)
        {
            const std::size_t equal = item.find('=');
            if (item.empty())
            {
                continue;
            }
            if (equal == std::string::npos)
            {
                throw std::invalid_argument("environment variable " + variable + ": " + item +
                                            ": NAME=VALUE is needed");
            }
            entries.push_back({variable, item.substr(0, equal), item.substr(equal + 1)});
        }
    }
    return entries;
}

} // namespace aifabric
} // namespace ns3
