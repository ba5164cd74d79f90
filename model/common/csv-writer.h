/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CSV_WRITER_H
#define CSV_WRITER_H

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @param ps a time in picoseconds
 * @return the same in nanoseconds, as a decimal number with all its digits
 */
std::string FormatNs(int64_t ps);

/**
 * @param value a number
 * @return it as a decimal number, with up to 15 significant digits
 */
std::string FormatNumber(double value);

/**
 * @ingroup ai-fabric
 *
 * Writes a table as comma-separated values (RFC 4180, but with line feeds only): the header line at
 * once, so that a table without rows says what it would hold.
 */
class CsvWriter
{
  public:
    /**
     * Create the file and write the header line.
     *
     * @param path the file
     * @param columns the names of the columns, each with its unit unless it is a count or a name
     * @throws std::runtime_error if the file cannot be written
     */
    CsvWriter(const std::string& path, const std::vector<std::string>& columns);

    /**
     * Write a row.
     *
     * @param values one value a column: text, integers, or floating-point numbers
     */
    template <typename... Ts>
    void Write(const Ts&... values)
    {
        WriteRow({Format(values)...});
    }

    /**
     * Write a row of fields that are text already.
     *
     * @param fields one field a column
     */
    void WriteRow(const std::vector<std::string>& fields);

    /// @return the text of a row, without its line feed  @param fields one field a column
    static std::string FormatRow(const std::vector<std::string>& fields);

    /// Write a row that FormatRow() has made.  @param row its text
    void WriteText(const std::string& row);

    /**
     * Finish the file.
     *
     * @throws std::runtime_error if not all could be written
     */
    void Close();

  private:
    /// @return a field
    static std::string Format(const std::string& value)
    {
        return value;
    }

    /// @copydoc Format
    static std::string Format(const char* value)
    {
        return value;
    }

    /// @copydoc Format
    static std::string Format(double value)
    {
        return FormatNumber(value);
    }

    /// @copydoc Format
    template <typename T>
    static std::string Format(const T& value)
    {
        return std::to_string(value);
    }

    std::string m_path;    //!< the file's name
    std::ofstream m_file;  //!< the file
    std::size_t m_columns; //!< the number of columns
};

} // namespace aifabric
} // namespace ns3

#endif /* CSV_WRITER_H */
