/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BYTE_WRITER_H
#define BYTE_WRITER_H

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Makes a string of bytes from numbers, texts and records, for the other processes of a run on
 * machines of the same kind: a ByteReader there gets the same back, bit by bit. The string begins
 * with a tag that says what it holds and in which version, and ends with a checksum.
 */
class ByteWriter
{
  public:
    /// @param tag what the string holds, with a version, such as "RunMeasures 1"
    explicit ByteWriter(const std::string& tag);

    /// @param value a number to write
    void WriteNumber(uint64_t value);

    /// @param text a text to write
    void WriteText(const std::string& text);

    /// @param record a record to write: plain values of 8 bytes each
    template <typename T>
    void WriteRecord(const T& record)
    {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(uint64_t) == 0);
        Append(&record, sizeof(T));
    }

    /// @param records records to write, as many as there are
    template <typename T>
    void WriteRecords(const std::vector<T>& records)
    {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(uint64_t) == 0);
        WriteNumber(records.size());
        Append(records.data(), records.size() * sizeof(T));
    }

    /// @return the string; the writer is empty then
    std::string Finish();

    /// @return the checksum of some bytes, FNV-1a with 64 bits: it differs for any two strings that
    /// differ in one byte only
    static uint64_t Checksum(std::string_view bytes);

  private:
    /// Write bytes as they are.  @param data where they begin  @param size how many they are
    void Append(const void* data, std::size_t size);

    std::string m_bytes; //!< what was written
};

} // namespace aifabric
} // namespace ns3

#endif /* BYTE_WRITER_H */
