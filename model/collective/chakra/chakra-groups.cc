/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-groups.h"

#include "ns3/message-text.h"
#include "ns3/table-reader.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Most bytes of a text of groups: 16 MiB. The parser needs up to 40 bytes of memory for each.
constexpr std::size_t MAX_GROUP_BYTES = std::size_t{1} << 24;

/// @return the part of a text that is a list of objects, if there is one
std::string_view
FindList(std::string_view text)
{
    constexpr std::string_view BEGIN = "[{";
    constexpr std::string_view END = "}]";
    const std::size_t begin = text.find(BEGIN);
    const std::size_t end = text.rfind(END);
    if (begin == std::string_view::npos || end == std::string_view::npos || end < begin)
    {
        return {};
    }
    return text.substr(begin, end + END.size() - begin);
}

using nlohmann::json;

constexpr uint64_t MAX_RANK = UINT32_MAX - 1; //!< the largest number of a rank

/// @return the ranks of a list, if it is one of ranks
std::optional<std::vector<uint32_t>>
RanksOf(const json& list)
{
    if (!list.is_array())
    {
        return std::nullopt;
    }
    std::vector<uint32_t> ranks;
    for (const json& rank : list)
    {
        if (!rank.is_number_unsigned() || rank.get<uint64_t>() > MAX_RANK)
        {
            return std::nullopt;
        }
        ranks.push_back(rank.get<uint32_t>());
    }
    return ranks;
}

/// @return the line of a text and what is wrong there  @param error what the parser says
std::string
ReasonOf(const json::exception& error)
{
    const std::string_view what = error.what();
    const std::size_t line = what.find("line ");
    if (line == std::string_view::npos)
    {
        return "a number is too large";
    }
    const std::size_t shown = what.find("; last read"); // part of the text, of any length
    return std::string(what.substr(line, shown == std::string_view::npos ? shown : shown - line));
}

/// @return an object of lists  @param text a JSON text
json
ParseGroups(const std::string& text)
{
    std::set<std::string> names;
    const auto check = [&names](int depth, json::parse_event_t event, const json& value) {
        if (depth > 0 && event == json::parse_event_t::object_start)
        {
            throw std::invalid_argument("there is an object in the object");
        }
        if (event == json::parse_event_t::key && !names.insert(value).second)
        {
            throw std::invalid_argument("there are two groups " +
                                        Quoted(value.get_ref<const std::string&>()));
        }
        return true;
    };
    try
    {
        return json::parse(text, check);
    }
    catch (const json::exception& error)
    {
        throw std::invalid_argument(ReasonOf(error));
    }
}

/// @return the groups of an object of lists
ChakraGroups
GroupsOf(const json& object)
{
    if (!object.is_object())
    {
        throw std::invalid_argument("is no object");
    }
    ChakraGroups groups;
    for (const auto& [name, list] : object.items())
    {
        auto ranks = RanksOf(list);
        if (!ranks)
        {
            throw std::invalid_argument("group " + Quoted(name) + " is no list of ranks (0.." +
                                        std::to_string(MAX_RANK) + ")");
        }
        if (ranks->empty())
        {
            throw std::invalid_argument("group " + Quoted(name) + " has no ranks");
        }
        groups.emplace(name, std::move(*ranks));
    }
    return groups;
}

/// @return the groups of a list, if it is one of groups  @param text the list
std::optional<ChakraGroups>
ReadPyTorchList(std::string_view text)
{
    const json list = json::parse(text, nullptr, false);
    if (!list.is_array())
    {
        return std::nullopt;
    }
    ChakraGroups groups;
    for (const json& group : list)
    {
        if (!group.is_object() || !group.contains("pg_name") || !group.contains("ranks"))
        {
            continue;
        }
        const json& name = group["pg_name"];
        auto ranks = RanksOf(group["ranks"]);
        if (!ranks || !(name.is_string() || name.is_number_unsigned()))
        {
            return std::nullopt;
        }
        groups[name.is_string() ? name.get<std::string>() : name.dump()] = std::move(*ranks);
    }
    return groups;
}

} // namespace

ChakraGroups
ReadChakraGroups(const std::string& text, const std::string& name)
{
    try
    {
        return GroupsOf(ParseGroups(text));
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(
            name + ": " + error.what() +
            R"( (lists of ranks are expected: {"1": [0, 1], "2": [2, 3]}))");
    }
}

ChakraGroups
ReadPyTorchGroups(const std::string& text)
{
    const std::string_view list = FindList(text);
    if (list.size() > MAX_GROUP_BYTES)
    {
        throw std::invalid_argument("the list of process groups is longer than 16 MiB");
    }
    if (auto groups = ReadPyTorchList(list))
    {
        return *groups;
    }
    std::string plain;
    for (std::size_t i = 0; i < list.size(); ++i)
    {
        const bool isEscape = list[i] == '\\' && i + 1 < list.size();
        i += isEscape ? 1 : 0;
        plain += list[i];
    }
    return ReadPyTorchList(plain).value_or(ChakraGroups());
}

ChakraGroups
ReadChakraGroupsFile(const std::string& path)
{
    std::ifstream input = OpenTable(path);
    std::error_code error;
    if (std::filesystem::file_size(path, error) > MAX_GROUP_BYTES)
    {
        throw std::invalid_argument(path + ": is longer than 16 MiB");
    }
    const std::string text{std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
    return ReadChakraGroups(text, path);
}

} // namespace aifabric
} // namespace ns3
