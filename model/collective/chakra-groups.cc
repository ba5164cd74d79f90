/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "chakra-groups.h"

#include "json-text.h"
#include "workload-text.h"

#include "ns3/table-reader.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
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

constexpr std::size_t MAX_BYTES = std::size_t{1} << 26; //!< of a file of groups: 64 MiB
constexpr uint64_t MAX_RANK = UINT32_MAX - 1;           //!< the largest number of a rank

/// @return a list of ranks  @param json where it stands
std::vector<uint32_t>
ReadRanks(JsonText& json)
{
    std::vector<uint32_t> ranks;
    json.BeginList();
    while (json.NextValue())
    {
        const uint64_t rank = json.ReadNumber();
        if (rank > MAX_RANK)
        {
            json.Fail(std::to_string(rank) + " is no rank");
        }
        ranks.push_back(static_cast<uint32_t>(rank));
    }
    return ranks;
}

/// Read a group as PyTorch writes it.  @param json where it stands  @param groups where to add it
void
ReadPyTorchGroup(JsonText& json, ChakraGroups& groups)
{
    std::optional<std::string> name;
    std::optional<std::vector<uint32_t>> ranks;
    json.BeginObject();
    while (const auto key = json.NextKey())
    {
        if (*key == "pg_name")
        {
            name = json.IsText() ? json.ReadText() : std::to_string(json.ReadNumber());
        }
        else if (*key == "ranks")
        {
            ranks = ReadRanks(json);
        }
        else
        {
            json.Skip();
        }
    }
    if (name && ranks)
    {
        groups[*name] = std::move(*ranks);
    }
}

/// @return the groups of a list, if it is one  @param text the list
std::optional<ChakraGroups>
ReadPyTorchList(std::string_view text)
{
    JsonText json(text);
    ChakraGroups groups;
    try
    {
        json.BeginList();
        while (json.NextValue())
        {
            ReadPyTorchGroup(json, groups);
        }
        json.End();
    }
    catch (const std::invalid_argument&)
    {
        return std::nullopt;
    }
    return groups;
}

} // namespace

ChakraGroups
ReadChakraGroups(const std::string& text, const std::string& name)
{
    JsonText json(text);
    ChakraGroups groups;
    try
    {
        json.BeginObject();
        while (const auto key = json.NextKey())
        {
            std::vector<uint32_t> ranks = ReadRanks(json);
            if (ranks.empty())
            {
                json.Fail("group " + Quoted(*key) + " has no ranks");
            }
            if (!groups.emplace(*key, std::move(ranks)).second)
            {
                json.Fail("there is another group " + Quoted(*key));
            }
        }
        json.End();
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(
            name + ": " + error.what() +
            R"( (lists of ranks are expected: {"1": [0, 1], "2": [2, 3]}))");
    }
    return groups;
}

ChakraGroups
ReadChakraGroupsFile(const std::string& path)
{
    std::ifstream input = OpenTable(path);
    std::error_code error;
    if (std::filesystem::file_size(path, error) > MAX_BYTES)
    {
        throw std::invalid_argument(path + ": is longer than 64 MiB");
    }
    const std::string text{std::istreambuf_iterator<char>(input), std::istreambuf_iterator<char>()};
    return ReadChakraGroups(text, path);
}

ChakraGroups
ReadPyTorchGroups(const std::string& text)
{
    const std::size_t begin = text.find("[{");
    const std::size_t end = text.rfind("}]");
    if (begin == std::string::npos || end == std::string::npos || end < begin)
    {
        return {};
    }
    constexpr std::size_t BRACKETS = 2; // at the end
    const std::string list = text.substr(begin, end + BRACKETS - begin);
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

} // namespace aifabric
} // namespace ns3
