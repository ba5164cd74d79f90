/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EVENT_TABLE_READER_H
#define EVENT_TABLE_READER_H

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Reads a table that an EventTable wrote, row by row, and throws std::runtime_error with the number
 * of the line if it is something else.
 */
class EventTableReader
{
  public:
    /**
     * Go to the first row.
     *
     * @param is the table; must outlive the reader
     * @param number which table it is, for error messages
     */
    EventTableReader(std::istream& is, std::size_t number);

    /// Go to the next row, or to the end.
    void Next();

    /// @return whether all rows were read
    bool IsAtEnd() const;

    /// @return the text of the current row
    const std::string& GetRow() const;

    /// @return whether the current row precedes that of another table; an end precedes nothing
    /// @param other the reader of the other table
    bool operator<(const EventTableReader& other) const;

  private:
    /// Read a line.  @return whether there was one
    bool ReadLine();

    /// @return the time of the current row, in ps
    int64_t ReadTime() const;

    /// Throw.  @param fault what is wrong with the current line
    [[noreturn]] void Refuse(const std::string& fault) const;

    std::istream& m_is;    //!< the table
    std::size_t m_number;  //!< which one it is
    std::size_t m_line{0}; //!< number of the current line, from 1
    bool m_atEnd{false};   //!< all rows were read
    int64_t m_ps{0};       //!< time of the current row, in ps
    std::string m_row;     //!< its text
};

} // namespace aifabric
} // namespace ns3

#endif /* EVENT_TABLE_READER_H */
