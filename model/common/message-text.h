/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MESSAGE_TEXT_H
#define MESSAGE_TEXT_H

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// @return a text in quotes, cut and without control characters, for a message of one line
std::string Quoted(std::string_view text);

/// @return names, with commas between them, each cut likewise
/// @param most how many of them are shown: all names of the module, or the first of a file's
std::string Listed(const std::vector<std::string>& names, std::size_t most = 20);

/**
 * @param name a name that is not known
 * @param known the names that are
 * @return what may have been meant, such as " (did you mean 'repeat'?)"; empty if none is near
 */
std::string Hint(const std::string& name, const std::vector<std::string>& known);

} // namespace aifabric
} // namespace ns3

#endif /* MESSAGE_TEXT_H */
