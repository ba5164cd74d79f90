/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EVENT_TABLE_H
#define EVENT_TABLE_H

#include "ns3/csv-writer.h"

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The table of events, events.csv: rows in the order of their times, and those of one time in the
 * order of their text, byte by byte. So the table does not depend on who wrote which row first, and
 * the tables of the parts of a run (RunMeasures says what a part is) can be merged into that of the
 * whole. Only the rows of the current time are kept in memory.
 */
class EventTable
{
  public:
    /**
     * @param path the file
     * @throws std::runtime_error if it cannot be written
     */
    explicit EventTable(const std::string& path);

    /// @return the names of the columns
    static std::vector<std::string> GetColumns();

    /**
     * Add a row. None of the texts may have a line feed.
     *
     * @param ps when, in ps; not before the rows so far
     * @param event what happened
     * @param subject to whom
     * @param detail more about it
     */
    void Write(int64_t ps,
               const std::string& event,
               const std::string& subject,
               const std::string& detail);

    /**
     * Finish the file.
     *
     * @throws std::runtime_error if not all could be written
     */
    void Close();

    /**
     * Write the table that has the rows of all of the given tables, as many of them as there are
     * together. It reads and writes row by row.
     *
     * @param parts whole tables, as this class writes them
     * @param path the file for the result, none of those that are read
     * @throws std::runtime_error if one of them is not such a table, or the file cannot be written
     */
    static void Merge(const std::vector<std::istream*>& parts, const std::string& path);

  private:
    /// Write the rows of the current time.
    void Flush();

    CsvWriter m_csv;                 //!< the file
    int64_t m_ps{0};                 //!< the current time, in ps
    std::vector<std::string> m_rows; //!< its rows
};

} // namespace aifabric
} // namespace ns3

#endif /* EVENT_TABLE_H */
