/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "event-table.h"

#include "event-table-reader.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

EventTable::EventTable(const std::string& path)
    : m_csv(path, GetColumns())
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
    NS_ASSERT_MSG(ps >= m_ps, "events have to be written in the order of their times");
    if (ps != m_ps)
    {
        Flush();
        m_ps = ps;
    }
    m_rows.push_back(CsvWriter::FormatRow({FormatNs(ps), event, subject, detail}));
}

void
EventTable::Flush()
{
    std::sort(m_rows.begin(), m_rows.end());
    for (const std::string& row : m_rows)
    {
        m_csv.WriteText(row);
    }
    m_rows.clear();
}

void
EventTable::Close()
{
    Flush();
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
