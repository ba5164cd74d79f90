/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "csv-writer.h"

#include "ns3/assert.h"

#include <array>
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

/// @return a field, in quotes if it needs them
std::string
Quote(const std::string& field)
{
    if (field.find_first_of(",\"\r\n") == std::string::npos)
    {
        return field;
    }
    std::string quoted = "\"";
    for (const char c : field)
    {
        quoted += c == '"' ? "\"\"" : std::string(1, c);
    }
    return quoted + '"';
}

} // namespace

std::string
FormatNs(int64_t ps)
{
    constexpr int64_t PS_PER_NS = 1000;
    const std::string decimals = std::to_string(PS_PER_NS + std::abs(ps % PS_PER_NS)).substr(1);
    const std::string sign = ps < 0 ? "-" : "";
    return sign + std::to_string(std::abs(ps / PS_PER_NS)) + "." + decimals;
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
    const char* separator = "";
    for (const std::string& field : fields)
    {
        row += separator + Quote(field);
        separator = ",";
    }
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
