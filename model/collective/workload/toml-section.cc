/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "toml-section.h"

#include "workload-check.h"
#include "workload-text.h"

#include "ns3/message-text.h"
#include "ns3/table-reader.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return a value as a message names it, with a blank behind it; empty: it is a list or a table
std::string
Name(const TomlValue& value)
{
    std::ostringstream os;
    if (const auto* text = std::get_if<std::string>(&value.value))
    {
        os << Quoted(*text) << ' ';
    }
    else if (const auto* flag = std::get_if<bool>(&value.value))
    {
        os << (*flag ? "true " : "false ");
    }
    else if (const auto* whole = std::get_if<int64_t>(&value.value))
    {
        os << *whole << ' ';
    }
    else if (const auto* number = std::get_if<double>(&value.value))
    {
        os << *number << ' ';
    }
    return os.str();
}

} // namespace

TomlSection::TomlSection(const TomlValue& table, std::string name, std::string what)
    : m_table(table),
      m_name(std::move(name)),
      m_what(std::move(what))
{
}

std::string
TomlSection::Where(std::size_t line) const
{
    return m_name + ":" + std::to_string(line);
}

std::string
TomlSection::Where() const
{
    return Where(m_table.line);
}

void
TomlSection::Fail(const std::string& why) const
{
    throw std::invalid_argument(Where() + ": " + why);
}

void
TomlSection::Fail(const std::string& key, const std::string& why) const
{
    const bool isAboutValue = why.rfind("is ", 0) == 0 || why.rfind("are ", 0) == 0;
    throw std::invalid_argument(Where(Find(key)->line) + ": " + key + ": " +
                                (isAboutValue ? Name(*Find(key)) : "") + why);
}

void
TomlSection::CheckKeys(const std::vector<std::string>& known) const
{
    for (const TomlEntry& entry : std::get<TomlValue::Table>(m_table.value))
    {
        if (std::find(known.begin(), known.end(), entry.key) == known.end())
        {
            throw std::invalid_argument(Where(entry.keyLine) + ": " + Quoted(entry.key) +
                                        " is not a key of " + m_what + Hint(entry.key, known) +
                                        "; keys are " + Listed(known));
        }
    }
}

const TomlValue*
TomlSection::Find(const std::string& key) const
{
    const auto& entries = std::get<TomlValue::Table>(m_table.value);
    const auto found = std::find_if(entries.begin(), entries.end(), [&key](const auto& entry) {
        return entry.key == key;
    });
    return found == entries.end() ? nullptr : &found->value;
}

template <typename T>
const T*
TomlSection::Get(const std::string& key) const
{
    const TomlValue* value = Find(key);
    return value ? std::get_if<T>(&value->value) : nullptr;
}

bool
TomlSection::Has(const std::string& key) const
{
    return Find(key);
}

bool
TomlSection::IsText(const std::string& key) const
{
    return Get<std::string>(key);
}

bool
TomlSection::GetBool(const std::string& key) const
{
    const bool* value = Get<bool>(key);
    if (!value && Has(key))
    {
        Fail(key, "is not true or false");
    }
    return value && *value;
}

std::string
TomlSection::GetText(const std::string& key) const
{
    const auto* text = Get<std::string>(key);
    if (Has(key) && (!text || text->empty()))
    {
        Fail(key, "is not a text in quotes");
    }
    return text ? *text : "";
}

uint32_t
TomlSection::GetNumber(const std::string& key,
                       uint32_t least,
                       uint32_t most,
                       uint32_t otherwise) const
{
    if (!Has(key))
    {
        return otherwise;
    }
    const auto* number = Get<int64_t>(key);
    if (!number || *number < least || *number > most)
    {
        Fail(key,
             "is not a whole number of " + std::to_string(least) + ".." + std::to_string(most));
    }
    return static_cast<uint32_t>(*number);
}

std::optional<uint64_t>
TomlSection::BytesOf(const TomlValue& value, uint64_t most)
{
    std::optional<uint64_t> bytes;
    const auto* number = std::get_if<int64_t>(&value.value);
    if (number && *number >= 0)
    {
        bytes = static_cast<uint64_t>(*number);
    }
    if (const auto* text = std::get_if<std::string>(&value.value))
    {
        bytes = ParseBytes(*text);
    }
    return bytes && *bytes <= most ? bytes : std::nullopt;
}

std::vector<std::vector<uint64_t>>
TomlSection::GetByteLists(const std::string& key, uint64_t most) const
{
    const auto* outer = Get<TomlValue::List>(key);
    const auto isList = [](const TomlValue& value) {
        return std::holds_alternative<TomlValue::List>(value.value);
    };
    std::vector<const TomlValue::List*> lists;
    if (outer && std::any_of(outer->begin(), outer->end(), isList))
    {
        for (const TomlValue& inner : *outer)
        {
            lists.push_back(std::get_if<TomlValue::List>(&inner.value));
        }
    }
    else
    {
        lists.push_back(outer);
    }
    std::vector<std::vector<uint64_t>> result;
    for (const TomlValue::List* list : lists)
    {
        result.emplace_back();
        for (const TomlValue& value : list ? *list : TomlValue::List{TomlValue()})
        {
            const auto bytes = BytesOf(value, most);
            if (!bytes)
            {
                Fail(key,
                     "is not a list of numbers of bytes, such as [4096, \"6MiB\"], or of such "
                     "lists (0.." +
                         std::to_string(most) + ")");
            }
            result.back().push_back(*bytes);
        }
    }
    return result;
}

uint64_t
TomlSection::GetBytes(const std::string& key, uint64_t most) const
{
    const auto bytes = BytesOf(*Find(key), most);
    if (!bytes)
    {
        Fail(key,
             "is not a number of bytes, such as 4096 or \"6MiB\" (0.." + std::to_string(most) +
                 ")");
    }
    return *bytes;
}

int64_t
TomlSection::GetDuration(const std::string& key) const
{
    const auto* text = Get<std::string>(key);
    const auto time = text ? ParseDuration(*text) : std::nullopt;
    if (!time || *time > MAX_WORKLOAD_DELAY_PS)
    {
        Fail(key, "is not a time with its unit, such as \"1.5ms\" (\"0\"..\"1000s\")");
    }
    return *time;
}

std::vector<std::string>
TomlSection::GetTexts(const std::string& key) const
{
    const auto* list = Get<TomlValue::List>(key);
    std::vector<std::string> texts;
    if (!list)
    {
        Fail(key, "is not a list, such as [\"forward\"]");
    }
    for (const TomlValue& element : *list)
    {
        const auto* text = std::get_if<std::string>(&element.value);
        if (!text)
        {
            Fail(key, "is not a list of texts, such as [\"forward\"]");
        }
        texts.push_back(*text);
    }
    return texts;
}

TomlSection
TomlSection::GetSection(const std::string& key, const std::string& what) const
{
    if (!Get<TomlValue::Table>(key))
    {
        Fail(key, "is not a table");
    }
    return {*Find(key), m_name, what};
}

std::vector<TomlSection>
TomlSection::GetSections(const std::string& key, const std::string& what) const
{
    std::vector<TomlSection> sections;
    if (!Has(key))
    {
        return sections;
    }
    const auto* list = Get<TomlValue::List>(key);
    const auto isTable = [](const TomlValue& element) {
        return std::holds_alternative<TomlValue::Table>(element.value);
    };
    if (!list || !std::all_of(list->begin(), list->end(), isTable))
    {
        Fail(key, "is not a list of tables");
    }
    for (const TomlValue& element : *list)
    {
        sections.emplace_back(element, m_name, what);
    }
    return sections;
}

std::vector<uint32_t>
TomlSection::GetHosts(const std::string& key, uint32_t hosts) const
{
    std::vector<uint32_t> numbers;
    if (const auto* text = Get<std::string>(key))
    {
        if (*text == ALL)
        {
            numbers.resize(hosts);
            std::iota(numbers.begin(), numbers.end(), 0);
        }
        else
        {
            AddRanges(*text, key, hosts, numbers);
        }
    }
    else if (const auto* list = Get<TomlValue::List>(key))
    {
        for (const TomlValue& element : *list)
        {
            const auto* host = std::get_if<int64_t>(&element.value);
            Require(host && *host >= 0 && *host < hosts, key, hosts);
            numbers.push_back(static_cast<uint32_t>(*host));
        }
    }
    Require(!numbers.empty(), key, hosts);
    return numbers;
}

void
TomlSection::AddRanges(std::string_view text,
                       const std::string& key,
                       uint32_t hosts,
                       std::vector<uint32_t>& list) const
{
    for (std::size_t begin = 0; begin <= text.size();)
    {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string_view range = text.substr(begin, end - begin);
        const std::size_t dash = std::min(range.find('-'), range.size());
        const auto first = ParseDigits(range.substr(0, dash));
        const auto last = dash < range.size() ? ParseDigits(range.substr(dash + 1)) : first;
        Require(first && last && *first <= *last && *last < hosts && list.size() < hosts,
                key,
                hosts);
        for (uint64_t host = *first; host <= *last; ++host)
        {
            list.push_back(static_cast<uint32_t>(host));
        }
        begin = end + 1;
    }
}

void
TomlSection::Require(bool ok, const std::string& key, uint32_t hosts) const
{
    if (!ok)
    {
        Fail(key,
             "are not hosts, such as \"all\", \"0-3,7\" or [0, 1] (0.." +
                 std::to_string(hosts - 1) + ")");
    }
}

} // namespace aifabric
} // namespace ns3
