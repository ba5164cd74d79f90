/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "table-reader.h"

#include "message-text.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr std::string_view BYTE_ORDER_MARK = "\xef\xbb\xbf";
constexpr std::size_t MAX_LINE = 4096; //!< characters of a line

/// @return the text without blanks at its ends
std::string_view
Trim(std::string_view text)
{
    constexpr std::string_view BLANKS = " \t\r";
    auto first = text.find_first_not_of(BLANKS);
    if (first == std::string_view::npos)
    {
        return {};
    }
    return text.substr(first, text.find_last_not_of(BLANKS) - first + 1);
}

/// @return the fields of a line, without blanks around them
std::vector<std::string_view>
Split(std::string_view line)
{
    std::vector<std::string_view> fields;
    for (auto comma = line.find(','); comma != std::string_view::npos; comma = line.find(','))
    {
        fields.push_back(Trim(line.substr(0, comma)));
        line.remove_prefix(comma + 1);
    }
    fields.push_back(Trim(line));
    return fields;
}

/// @return names with commas between them
std::string
Join(const std::vector<std::string>& names)
{
    std::string joined;
    for (const std::string& name : names)
    {
        joined += (joined.empty() ? "" : ",") + name;
    }
    return joined;
}

} // namespace

TableReader::TableReader(std::istream& input,
                         std::string name,
                         std::vector<std::string> columns,
                         std::vector<std::string> skipped,
                         std::vector<std::string> optional)
    : m_input(input),
      m_name(std::move(name)),
      m_columns(std::move(columns)),
      m_needed(m_columns.size()),
      m_skipped(std::move(skipped)),
      m_header(Join(m_columns))
{
    m_columns.insert(m_columns.end(), optional.begin(), optional.end());
}

bool
TableReader::Next()
{
    while (GetLine())
    {
        auto content = Content();
        if (content.empty())
        {
            continue;
        }
        m_fields = Split(content);
        if (m_hasHeader)
        {
            CheckFieldCount();
            return true;
        }
        ReadHeader();
        m_hasHeader = true;
    }
    if (m_input.bad())
    {
        FailText("cannot be read");
    }
    if (!m_hasHeader)
    {
        FailText("is empty (the first line must be " + DescribeHeader() + ")");
    }
    return false;
}

std::string_view
TableReader::GetField(std::size_t column) const
{
    const std::size_t place = m_places[column];
    return place < m_fields.size() ? m_fields[place] : std::string_view();
}

const std::string&
TableReader::GetHeader() const
{
    return m_header;
}

void
TableReader::Require(bool ok, std::size_t column, const std::string& allowed) const
{
    if (!ok)
    {
        FailLine("column " + m_columns[column] + ": " + Quoted(GetField(column)) + " is not " +
                 allowed);
    }
}

uint64_t
TableReader::GetWhole(std::size_t column, uint64_t least, uint64_t most) const
{
    const std::optional<uint64_t> value = ParseDigits(ExpandExponent(GetField(column)));
    Require(value && *value >= least && *value <= most,
            column,
            "a whole number from " + std::to_string(least) + " to " + std::to_string(most));
    return *value;
}

void
TableReader::FailText(const std::string& why) const
{
    throw std::invalid_argument(m_name + ": " + why);
}

std::string
TableReader::DescribeHeader() const
{
    const std::vector<std::string> others(m_columns.begin() + m_needed, m_columns.end());
    return m_header + (others.empty() ? "" : ", perhaps with " + Join(others));
}

bool
TableReader::GetLine()
{
    constexpr auto END = std::istream::traits_type::eof();
    m_line.clear();
    ++m_number;
    int character = m_input.get();
    const bool there = character != END;
    for (; character != END && character != '\n'; character = m_input.get())
    {
        m_line += static_cast<char>(character);
        if (m_line.size() > MAX_LINE)
        {
            FailLine("is longer than " + std::to_string(MAX_LINE) + " characters");
        }
    }
    return there;
}

std::string_view
TableReader::Content() const
{
    std::string_view line = m_line;
    if (m_number == 1 && line.substr(0, BYTE_ORDER_MARK.size()) == BYTE_ORDER_MARK)
    {
        line.remove_prefix(BYTE_ORDER_MARK.size());
    }
    line = Trim(line);
    return line.empty() || line.front() == '#' ? std::string_view() : line;
}

void
TableReader::ReadHeader()
{
    m_names.assign(m_fields.begin(), m_fields.end());
    for (const std::string& name : m_names)
    {
        CheckName(name);
    }
    for (const std::string& column : m_columns)
    {
        const auto place = std::find(m_names.begin(), m_names.end(), column);
        if (place == m_names.end() && m_places.size() < m_needed)
        {
            FailLine("column " + column + ": missing (a first line is " + DescribeHeader() + ")");
        }
        m_places.push_back(place - m_names.begin());
    }
}

void
TableReader::CheckName(const std::string& name) const
{
    std::vector<std::string> known = m_columns;
    known.insert(known.end(), m_skipped.begin(), m_skipped.end());
    if (std::find(known.begin(), known.end(), name) == known.end())
    {
        FailLine("there is no column " + Quoted(name) + Hint(name, known) + "; columns are " +
                 Listed(known));
    }
    if (std::count(m_names.begin(), m_names.end(), name) > 1)
    {
        FailLine("column " + name + " stands twice");
    }
}

void
TableReader::CheckFieldCount() const
{
    const auto count = m_fields.size();
    const std::string line = " (a line is " + Join(m_names) + ")";
    if (count < m_names.size())
    {
        FailLine("column " + m_names[count] + ": missing" + line);
    }
    if (count > m_names.size())
    {
        FailLine("column " + std::to_string(m_names.size() + 1) + ": one too many" + line);
    }
}

void
TableReader::FailLine(const std::string& why) const
{
    throw std::invalid_argument(m_name + ":" + std::to_string(m_number) + ": " + why);
}

std::optional<uint64_t>
ParseDigits(std::string_view text)
{
    uint64_t value = 0;
    auto end = text.data() + text.size();
    auto result = std::from_chars(text.data(), end, value);
    if (text.empty() || result.ec != std::errc() || result.ptr != end)
    {
        return std::nullopt;
    }
    return value;
}

std::string
ExpandExponent(std::string_view text)
{
    constexpr int MOST = 40;
    const std::string_view number = text.substr(0, text.find_first_not_of("0123456789."));
    std::string_view rest = text.substr(number.size());
    const std::size_t point = std::min(number.find('.'), number.size());
    const std::size_t sign = rest.substr(0, 2) == "e+" || rest.substr(0, 2) == "E+" ? 2 : 1;
    const char* const end = rest.data() + rest.size();
    int exponent = 0;
    if (number.empty() || rest.size() <= sign || (rest[0] != 'e' && rest[0] != 'E') ||
        number.rfind('.') != number.find('.') || (sign == 2 && rest[sign] == '-'))
    {
        return std::string(text);
    }
    const auto found = std::from_chars(rest.data() + sign, end, exponent);
    if (found.ec != std::errc() || std::abs(exponent) > MOST)
    {
        return std::string(text);
    }
    rest.remove_prefix(found.ptr - rest.data());
    std::string digits(number.substr(0, point));
    digits += number.substr(std::min(point + 1, number.size()));
    const int place = static_cast<int>(point) + exponent; // of the point
    digits.insert(0, std::max(0, 1 - place), '0');
    const std::size_t whole = std::max(1, place);
    digits.append(whole - std::min(whole, digits.size()), '0');
    digits.insert(whole, whole < digits.size() ? "." : "");
    return digits.append(rest);
}

std::ifstream
OpenTable(const std::string& path)
{
    std::error_code error;
    std::ifstream input;
    if (std::filesystem::is_regular_file(path, error)) // not what may go on for ever
    {
        input.open(path);
    }
    if (!input.is_open())
    {
        throw std::invalid_argument(path + ": cannot be read");
    }
    return input;
}

} // namespace aifabric
} // namespace ns3
