/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TABLE_READER_H
#define TABLE_READER_H

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Reads a table of comma-separated values that a user wrote, row by row, and knows where it is, for
 * messages. The first line has the names of the columns, in any order. Blank lines, lines that
 * begin with '#', blanks around fields, carriage returns and a byte order mark are skipped. There
 * is no quoting. ns-3's CsvReader checks neither the names nor the number of columns, and knows no
 * line for a message.
 *
 * What is wrong throws std::invalid_argument with one line that names the text, line, column, value
 * and what is allowed, such as "flows.csv:3: column destination: '99' is not a host (0..15)".
 */
class TableReader
{
  public:
    /**
     * @param input the text; must outlive the reader
     * @param name what to call the text in messages, such as the file's name
     * @param columns the names of the columns, which the text has in any order
     * @param skipped columns that it may have, too, and that are not read
     * @param optional columns that it may have, too, and that are read; their numbers follow
     * those of the others
     */
    TableReader(std::istream& input,
                std::string name,
                std::vector<std::string> columns,
                std::vector<std::string> skipped = {},
                std::vector<std::string> optional = {});

    TableReader(const TableReader&) = delete;            //!< not copied: fields point into a line
    TableReader& operator=(const TableReader&) = delete; //!< not copied

    /**
     * Go to the next row; before the first one the names of the columns are checked.
     *
     * @return whether there is one
     */
    bool Next();

    /**
     * @param column number of a column, as it was named to the constructor
     * @return what stands there in the current row, until the next call of Next(); empty, if the
     * text does not have the column
     */
    std::string_view GetField(std::size_t column) const;

    /// @return a first line that the text may have
    const std::string& GetHeader() const;

    /// @return the number of the current row's line, from 1
    uint64_t GetLineNumber() const
    {
        return m_number;
    }

    /**
     * Refuse a field of the current row, unless it is allowed.
     *
     * @param ok whether it is allowed
     * @param column number of its column
     * @param allowed what is allowed
     */
    void Require(bool ok, std::size_t column, const std::string& allowed) const;

    /**
     * Read a field of the current row, and refuse it unless it is a whole number that is allowed.
     *
     * @param column number of its column
     * @param least the least number
     * @param most the largest one
     * @return the number
     */
    uint64_t GetWhole(std::size_t column, uint64_t least, uint64_t most) const;

    /// Refuse the whole text.  @param why what is wrong with it
    [[noreturn]] void FailText(const std::string& why) const;

  private:
    /// @return a first line that the text may have, and what else may be in it
    std::string DescribeHeader() const;

    /// Read a line, or as much of it as shows that it is too long.  @return whether there was one
    bool GetLine();

    /// @return what the current line says, empty if it is blank or a comment
    std::string_view Content() const;

    /// Check the names of the columns, which are the current row, and find those that are read.
    void ReadHeader();

    /// Refuse a name in the first line unless it is that of a column.  @param name as it stands
    /// there
    void CheckName(const std::string& name) const;

    /// Check that the current row has all columns and no others.
    void CheckFieldCount() const;

    /// Refuse the current line.  @param why what is wrong with it
    [[noreturn]] void FailLine(const std::string& why) const;

    std::istream& m_input;                  //!< the text
    std::string m_name;                     //!< its name
    std::vector<std::string> m_columns;     //!< names of the columns that are read
    std::size_t m_needed;                   //!< how many of them, from the first one, are needed
    std::vector<std::string> m_skipped;     //!< names of those that may be there, too
    std::vector<std::size_t> m_places;      //!< where those that are read stand in a row
    std::vector<std::string> m_names;       //!< the first line
    std::string m_header;                   //!< a first line that it may have
    bool m_hasHeader{false};                //!< whether that line was there
    uint64_t m_number{0};                   //!< number of the current line, from 1
    std::string m_line;                     //!< the current line
    std::vector<std::string_view> m_fields; //!< its fields
};

/**
 * @param text decimal digits and nothing else
 * @return the number, unless it is none or has more than 64 bits
 */
std::optional<uint64_t> ParseDigits(std::string_view text);

/**
 * @param text a decimal number, perhaps with an exponent, and perhaps a unit behind it: 1.5e6B
 * @return the same without the exponent: 1500000B. A text that does not begin with such a number,
 * or whose exponent is not within -40 to 40, stays as it is.
 */
std::string ExpandExponent(std::string_view text);

/**
 * @param path a file with a table
 * @return the file, open
 * @throws std::invalid_argument if it is no file that can be read
 */
std::ifstream OpenTable(const std::string& path);

} // namespace aifabric
} // namespace ns3

#endif /* TABLE_READER_H */
