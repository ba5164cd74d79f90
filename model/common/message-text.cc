/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "message-text.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr std::size_t MAX_QUOTED = 80; //!< characters of a text shown in a message

/// @return a text, cut and without control characters
std::string
Plain(std::string_view text)
{
    std::string plain;
    for (const char c : text.substr(0, MAX_QUOTED))
    {
        plain += c >= ' ' && c <= '~' ? c : '?';
    }
    return plain + (text.size() > MAX_QUOTED ? "..." : "");
}

/// @return a letter in lower case
char
Lower(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// @return how many letters have to be put in, left out or changed to make one text of another,
/// whatever their case  @param a a text  @param b another
std::size_t
EditDistance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 0; i < a.size(); ++i)
    {
        std::size_t diagonal = row[0]++;
        for (std::size_t j = 0; j < b.size(); ++j)
        {
            const std::size_t changed = diagonal + (Lower(a[i]) == Lower(b[j]) ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({changed, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

} // namespace

std::string
Quoted(std::string_view text)
{
    return "'" + Plain(text) + "'";
}

std::string
Listed(const std::vector<std::string>& names, std::size_t most)
{
    std::string list;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
    {
        list += (i == 0 ? "" : ", ") + Plain(names[i]);
    }
    return list + (names.size() > most ? ", ..." : "");
}

std::string
Hint(const std::string& name, const std::vector<std::string>& known)
{
    if (known.empty() || name.size() > MAX_QUOTED)
    {
        return "";
    }
    const auto nearest =
        std::min_element(known.begin(), known.end(), [&name](const auto& a, const auto& b) {
            return EditDistance(name, a) < EditDistance(name, b);
        });
    const bool isNear = EditDistance(name, *nearest) * 2 <= nearest->size();
    return isNear ? " (did you mean " + Quoted(*nearest) + "?)" : "";
}

} // namespace aifabric
} // namespace ns3
