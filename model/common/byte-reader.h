/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef BYTE_READER_H
#define BYTE_READER_H

#include <cstdint>
#include <cstring>
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
 * Reads what a ByteWriter wrote, in the same order. Whatever else it is given, it throws
 * std::invalid_argument with what is wrong, and reads no byte that is not there.
 */
class ByteReader
{
  public:
    /**
     * @param tag what the string has to hold, the tag of ByteWriter
     * @param bytes the string; must outlive the reader
     * @throws std::invalid_argument if it is damaged or holds something else
     */
    ByteReader(const std::string& tag, const std::string& bytes);

    /// @return the next number
    uint64_t ReadNumber();

    /// @return the next text
    std::string ReadText();

    /// @return the next record
    template <typename T>
    T ReadRecord()
    {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(uint64_t) == 0);
        T record;
        std::memcpy(&record, Take(1, sizeof(T)).data(), sizeof(T));
        return record;
    }

    /// @return the next records, as many as there are
    template <typename T>
    std::vector<T> ReadRecords()
    {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) % sizeof(uint64_t) == 0);
        const std::string_view bytes = Take(ReadNumber(), sizeof(T));
        std::vector<T> records(bytes.size() / sizeof(T));
        if (!records.empty())
        {
            std::memcpy(records.data(), bytes.data(), bytes.size());
        }
        return records;
    }

    /// Make sure that all was read.
    void Finish() const;

  private:
    /// @return the next bytes  @param count how many things they are  @param size bytes of each
    std::string_view Take(uint64_t count, std::size_t size);

    /// Throw.  @param fault what is wrong
    [[noreturn]] void Refuse(const std::string& fault) const;

    std::string m_tag;       //!< what the string has to hold
    std::string_view m_rest; //!< what was not read yet
};

} // namespace aifabric
} // namespace ns3

#endif /* BYTE_READER_H */
