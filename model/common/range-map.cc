/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "range-map.h"

#include "printable.h"

#include <charconv>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace ns3
{
namespace aifabric
{

namespace
{

/// One entry of the text: a range of keys and the value of all of them.
struct RangeEntry
{
    uint32_t first; //!< first key
    uint32_t last;  //!< last key
    uint32_t value; //!< their value
};

/// @return whether a whole text is a number  @param number where it goes
bool
ReadNumber(std::string_view text, uint32_t& number)
{
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && rest == end;
}

/// @return whether a text is an entry  @param entry where it goes
bool
ReadEntry(std::string_view text, RangeEntry& entry)
{
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || !ReadNumber(text.substr(colon + 1), entry.value))
    {
        return false;
    }
    const std::string_view keys = text.substr(0, colon);
    const std::size_t dash = keys.find('-');
    if (dash == std::string_view::npos)
    {
        const bool isKey = ReadNumber(keys, entry.first);
        entry.last = entry.first;
        return isKey;
    }
    return ReadNumber(keys.substr(0, dash), entry.first) &&
           ReadNumber(keys.substr(dash + 1), entry.last) && entry.first <= entry.last;
}

/// Refuse an entry.  @param text the entry  @param why what is wrong
[[noreturn]] void
Refuse(std::string_view text, const std::string& why)
{
    throw std::invalid_argument("\"" + OneLine(std::string(text)) + "\": " + why);
}

} // namespace

std::vector<uint32_t>
ReadRangeMap(const std::string& text, std::vector<uint32_t> map, const RangeMapLimits& limits)
{
    std::vector<bool> isNamed(map.size());
    std::string_view rest = text;
    while (!rest.empty())
    {
        const std::size_t comma = rest.find(',');
        const std::string_view part = rest.substr(0, comma);
        rest = comma == std::string_view::npos ? std::string_view() : rest.substr(comma + 1);
        RangeEntry entry{};
        if (!ReadEntry(part, entry) || entry.last >= map.size() || entry.value < limits.least ||
            entry.value > limits.most || (rest.empty() && comma != std::string_view::npos))
        {
            Refuse(part,
                   "an entry is KEY:VALUE or FIRST-LAST:VALUE, with keys of 0 to " +
                       std::to_string(map.size() - 1) + " and values of " +
                       std::to_string(limits.least) + " to " + std::to_string(limits.most) +
                       ", and commas between entries");
        }
        for (uint32_t key = entry.first; key <= entry.last; ++key)
        {
            if (isNamed[key])
            {
                Refuse(part, std::to_string(key) + " stands in two entries; one is allowed");
            }
            isNamed[key] = true;
            map[key] = entry.value;
        }
    }
    return map;
}

std::string
WriteRangeMap(const std::vector<uint32_t>& map)
{
    std::ostringstream text;
    for (std::size_t first = 0; first < map.size();)
    {
        std::size_t last = first;
        while (last + 1 < map.size() && map[last + 1] == map[first])
        {
            ++last;
        }
        text << (first > 0 ? "," : "") << first;
        if (last > first)
        {
            text << '-' << last;
        }
        text << ':' << map[first];
        first = last + 1;
    }
    return text.str();
}

} // namespace aifabric
} // namespace ns3
