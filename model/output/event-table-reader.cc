/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "event-table-reader.h"

#include "event-table.h"

#include <charconv>
#include <stdexcept>
#include <tuple>

namespace ns3
{
namespace aifabric
{

EventTableReader::EventTableReader(std::istream& is, std::size_t number)
    : m_is(is),
      m_number(number)
{
    if (!ReadLine() || m_row != CsvWriter::FormatRow(EventTable::GetColumns()))
    {
        Refuse("is not the header of a table of events");
    }
    m_row.clear();
    Next();
}

void
EventTableReader::Next()
{
    const int64_t lastPs = m_ps;
    const std::string last = m_row;
    if (!ReadLine())
    {
        m_atEnd = true;
        return;
    }
    m_ps = ReadTime();
    if (std::tie(m_ps, m_row) < std::tie(lastPs, last))
    {
        Refuse("follows a row that it should precede");
    }
}

bool
EventTableReader::IsAtEnd() const
{
    return m_atEnd;
}

const std::string&
EventTableReader::GetRow() const
{
    return m_row;
}

bool
EventTableReader::operator<(const EventTableReader& other) const
{
    return std::tie(m_atEnd, m_ps, m_row) < std::tie(other.m_atEnd, other.m_ps, other.m_row);
}

bool
EventTableReader::ReadLine()
{
    ++m_line;
    const bool found = static_cast<bool>(std::getline(m_is, m_row));
    if (m_is.bad())
    {
        Refuse("cannot be read");
    }
    if (found && m_is.eof())
    {
        Refuse("is cut off");
    }
    return found;
}

int64_t
EventTableReader::ReadTime() const
{
    constexpr std::size_t DECIMALS = 3; // of a nanosecond
    std::string digits = m_row.substr(0, m_row.find(','));
    if (digits.size() > DECIMALS + 1 && digits[digits.size() - DECIMALS - 1] == '.')
    {
        digits.erase(digits.size() - DECIMALS - 1, 1);
        int64_t ps = 0;
        const auto [rest, error] = std::from_chars(&digits.front(), &digits.back() + 1, ps);
        if (error == std::errc() && rest == &digits.back() + 1 && digits[0] != '-')
        {
            return ps;
        }
    }
    Refuse("does not begin with a time");
}

void
EventTableReader::Refuse(const std::string& fault) const
{
    throw std::runtime_error("table of events " + std::to_string(m_number) + ", line " +
                             std::to_string(m_line) + ": \"" + m_row + "\" " + fault);
}

} // namespace aifabric
} // namespace ns3
