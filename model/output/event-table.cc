/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "event-table.h"

#include "event-table-reader.h"

#include "ns3/assert.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace aifabric
{

EventTable::EventTable(const std::string& path, int64_t latenessPs)
    : m_csv(path, GetColumns()),
      m_latenessPs(latenessPs)
{
}

std::vector<std::string>
EventTable::GetColumns()
{
    return {"time_ns", "event", "subject", "detail"};
}

void
EventTable::Write(int64_t ps,
                  const std::string& event,
                  const std::string& subject,
                  const std::string& detail)
{
    NS_ASSERT_MSG(ps > m_writtenPs, "an event is written later than allowed");
    m_rows[ps].push_back(CsvWriter::FormatRow({FormatNs(ps), event, subject, detail}));
    Flush(m_rows.rbegin()->first - m_latenessPs);
}

void
EventTable::Flush(int64_t ps)
{
    m_writtenPs = std::max(m_writtenPs, ps);
    const auto end = m_rows.upper_bound(ps);
    for (auto rows = m_rows.begin(); rows != end; ++rows)
    {
        std::sort(rows->second.begin(), rows->second.end());
        for (const std::string& row : rows->second)
        {
            m_csv.WriteText(row);
        }
    }
    m_rows.erase(m_rows.begin(), end);
}

void
EventTable::Close()
{
    Flush(std::numeric_limits<int64_t>::max());
    m_csv.Close();
}

void
EventTable::Merge(const std::vector<std::istream*>& parts, const std::string& path)
{
    std::vector<EventTableReader> readers;
    for (std::istream* part : parts)
    {
        readers.emplace_back(*part, readers.size());
    }
    CsvWriter csv(path, GetColumns());
    while (!readers.empty())
    {
        const auto first = std::min_element(readers.begin(), readers.end());
        if (first->IsAtEnd())
        {
            break;
        }
        csv.WriteText(first->GetRow());
        first->Next();
    }
    csv.Close();
}

} // namespace aifabric
} // namespace ns3
