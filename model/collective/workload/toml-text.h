/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TOML_TEXT_H
#define TOML_TEXT_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace ns3
{
namespace aifabric
{

struct TomlEntry;

/// A value of a TOML text, without the library that parsed it.
struct TomlValue
{
    /// A table, by key.
    using Table = std::vector<TomlEntry>;
    /// A list.
    using List = std::vector<TomlValue>;

    std::size_t line{0}; //!< where it begins
    /// What it is; std::monostate: of another type, or nested deeper than files of this module are
    std::variant<std::monostate, bool, int64_t, double, std::string, List, Table> value;
};

/// A key of a table and its value.
struct TomlEntry
{
    std::string key;        //!< the key
    std::size_t keyLine{0}; //!< where the key stands
    TomlValue value;        //!< its value
};

/**
 * Parse a TOML text.
 *
 * @param name what to call the text in messages, such as the file's name
 * @return its table
 * @throws std::invalid_argument with one line that names the text and the line; without toml++, one
 * line that says so
 */
TomlValue ParseToml(const std::string& text, const std::string& name);

} // namespace aifabric
} // namespace ns3

#endif /* TOML_TEXT_H */
