/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "given-option.h"

namespace ns3
{
namespace aifabric
{

GivenOption
GivenOption::TakeApart(const std::string& argument)
{
    GivenOption given;
    const std::size_t begin =
        argument.compare(0, 2, "--") == 0 ? 2 : argument.compare(0, 1, "-") == 0;
    const std::size_t equal = argument.find('=');
    given.isOption = begin > 0;
    given.hasValue = equal != std::string::npos;
    given.name = argument.substr(begin, given.hasValue ? equal - begin : equal);
    given.value = given.hasValue ? argument.substr(equal + 1) : "";
    given.noted = given.value;
    return given;
}

} // namespace aifabric
} // namespace ns3
