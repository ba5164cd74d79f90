/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "toml-text.h"

#include "ns3/message-text.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#ifdef AI_FABRIC_TOMLPLUSPLUS

namespace
{

/// What toml++ relies on does not hold.
struct BrokenToml
{
};

/// Refuse a text that toml++ cannot take.  @param holds whether what it relies on holds
constexpr void
RequireToml(bool holds)
{
    if (!holds)
    {
        throw BrokenToml();
    }
}

} // namespace

// There are malformed texts at which toml++ 3.3 runs into an assertion; without assertions, it
// takes what they say for granted. Here they refuse the text, in all builds.
#undef NDEBUG
#define TOML_ASSERT(condition) RequireToml(static_cast<bool>(condition))
#include <toml++/toml.h>
#endif

namespace ns3
{
namespace aifabric
{

#ifdef AI_FABRIC_TOMLPLUSPLUS

namespace
{

constexpr std::ptrdiff_t MAX_DOTS = 4096; //!< in a line: toml++ needs stack for each part of a key
constexpr uint32_t MAX_DEPTH = 16;        //!< of nested tables and lists that are converted

/// Refuse keys of so many parts that their table needs too much stack.
void
CheckDots(const std::string& text, const std::string& name)
{
    std::istringstream lines(text);
    std::size_t number = 0;
    for (std::string line; std::getline(lines, line);)
    {
        ++number;
        if (std::count(line.begin(), line.end(), '.') > MAX_DOTS)
        {
            throw std::invalid_argument(name + ":" + std::to_string(number) + ": has more than " +
                                        std::to_string(MAX_DOTS) + " dots");
        }
    }
}

/// @return a value without toml++  @param node what toml++ has parsed  @param depth nested levels
/// that may follow
TomlValue
Convert(const toml::node& node, uint32_t depth)
{
    TomlValue result;
    result.line = node.source().begin.line;
    if (node.is_boolean())
    {
        result.value = node.as_boolean()->get();
    }
    else if (node.is_integer())
    {
        result.value = int64_t{node.as_integer()->get()};
    }
    else if (node.is_floating_point())
    {
        result.value = node.as_floating_point()->get();
    }
    else if (node.is_string())
    {
        result.value = node.as_string()->get();
    }
    else if (node.is_array() && depth > 0)
    {
        auto& list = result.value.emplace<TomlValue::List>();
        for (const auto& element : *node.as_array())
        {
            list.push_back(Convert(element, depth - 1));
        }
    }
    else if (node.is_table() && depth > 0)
    {
        auto& table = result.value.emplace<TomlValue::Table>();
        for (const auto& [key, value] : *node.as_table())
        {
            table.push_back(
                {std::string(key.str()), key.source().begin.line, Convert(value, depth - 1)});
        }
    }
    return result;
}

} // namespace

TomlValue
ParseToml(const std::string& text, const std::string& name)
{
    CheckDots(text, name);
    try
    {
        return Convert(toml::parse(text), MAX_DEPTH);
    }
    catch (const toml::parse_error& error)
    {
        throw std::invalid_argument(name + ":" + std::to_string(error.source().begin.line) + ": " +
                                    Quoted(error.description()) + " (see https://toml.io)");
    }
    catch (const BrokenToml&)
    {
        throw std::invalid_argument(name + ": is no TOML (see https://toml.io)");
    }
}

#else

TomlValue
ParseToml(const std::string& /* text */, const std::string& name)
{
    throw std::invalid_argument(name + ": cannot be read, because this program was built without "
                                       "toml++ (Debian package libtomlplusplus-dev)");
}

#endif

} // namespace aifabric
} // namespace ns3
