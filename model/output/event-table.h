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
#include <map>
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
 * whole.
 *
 * Rows may come late, by less than a given time: a simulation that runs one node after the other
 * through a window of time writes the rows of a window node by node. Only the rows of that time
 * before the last one are kept in memory.
 */
class EventTable
{
  public:
    /**
     * @param path the file
     * @param latenessPs rows come by less than this after rows of a later time, in ps; at least 1
     * @throws std::runtime_error if it cannot be written
     */
    explicit EventTable(const std::string& path, int64_t latenessPs = 1);

    /// @return the names of the columns
    static std::vector<std::string> GetColumns();

    /**
     * Add a row. None of the texts may have a line feed.
     *
     * @param ps when, in ps
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
    /// Write the rows up to a time.  @param ps the time, in ps
    void Flush(int64_t ps);

    CsvWriter m_csv;                                    //!< the file
    int64_t m_latenessPs;                               //!< rows come late by less than this
    int64_t m_writtenPs{-1};                            //!< rows up to this time are written
    std::map<int64_t, std::vector<std::string>> m_rows; //!< those that are not, by time, in ps
};

} // namespace aifabric
} // namespace ns3

#endif /* EVENT_TABLE_H */
