/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "option-row.h"

#include "ns3/message-text.h"

namespace ns3
{
namespace aifabric
{

std::string
OptionType::Describe() const
{
    if (unit == "count")
    {
        return high == 0
                   ? ""
                   : "a whole number from " + std::to_string(low) + " to " + std::to_string(high);
    }
    if (unit == "bytes")
    {
        return "a number of bytes, such as 4096, 800kB or 1MiB, of at least " + std::to_string(low);
    }
    if (unit == "time")
    {
        return std::string("a time with its unit (ps, ns, us, ms, s), such as 500ns, ") +
               (low > 0 ? "above zero and of" : "of") + " at most 1000s";
    }
    if (unit == "flag" || unit == "boolean")
    {
        return "true or false";
    }
    return unit == "choice" ? "one of " + Listed(choices, choices.size()) : allowed;
}

} // namespace aifabric
} // namespace ns3
