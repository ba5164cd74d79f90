/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csv-writer.h"

#include "ns3/assert.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return whether a field needs quotes
bool
NeedsQuotes(const std::string& field)
{
    return std::any_of(field.begin(), field.end(), [](char c) {
        return c == ',' || c == '"' || c == '\r' || c == '\n';
    });
}

/// Append a field, in quotes if it needs them.  @param row where to
void
AppendField(const std::string& field, std::string& row)
{
    if (!NeedsQuotes(field))
    {
        row += field;
        return;
    }
    row += '"';
    for (const char c : field)
    {
        row.append(c == '"' ? 2 : 1, c);
    }
    row += '"';
}

} // namespace

std::string
FormatNs(int64_t ps)
{
    constexpr uint64_t PS_PER_NS = 1000;
    std::array<char, 32> text{};
    char* end = text.data();
    if (ps < 0)
    {
        *end++ = '-';
    }
    const uint64_t magnitude = std::abs(ps);
    end = std::to_chars(end, text.end(), magnitude / PS_PER_NS).ptr;
    const char* const first = end; // a digit that the point replaces
    end = std::to_chars(end, text.end(), PS_PER_NS + magnitude % PS_PER_NS).ptr;
    text[first - text.data()] = '.';
    return {text.data(), end};
}

std::string
FormatNumber(double value)
{
    if (!std::isfinite(value))
    {
        return ""; // a share of nothing
    }
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.15g", value);
    return text.data();
}

CsvWriter::CsvWriter(const std::string& path, const std::vector<std::string>& columns)
    : m_path(path),
      m_file(path),
      m_columns(columns.size())
{
    WriteRow(columns);
    if (!m_file)
    {
        throw std::runtime_error(m_path + ": cannot be written");
    }
}

void
CsvWriter::WriteRow(const std::vector<std::string>& fields)
{
    NS_ASSERT_MSG(fields.size() == m_columns,
                  m_path << ": a row has " << fields.size() << " fields, not " << m_columns);
    WriteText(FormatRow(fields));
}

std::string
CsvWriter::FormatRow(const std::vector<std::string>& fields)
{
    std::string row;
    for (const std::string& field : fields)
    {
        AppendField(field, row);
        row += ',';
    }
    row.resize(row.size() - !row.empty());
    return row;
}

void
CsvWriter::WriteText(const std::string& row)
{
    m_file << row << '\n';
}

void
CsvWriter::Close()
{
    m_file.close();
    if (!m_file)
    {
        throw std::runtime_error(m_path + ": cannot be written");
    }
}

} // namespace aifabric
} // namespace ns3
