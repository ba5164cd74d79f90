/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PSN_WINDOW_H
#define PSN_WINDOW_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A set of packet numbers that have come in any order: everything below a base, and some above it.
 * Numbers count the packets of a queue pair without wrapping; on the wire they appear modulo 2^24
 * as packet sequence numbers (PSN).
 */
class PsnWindow
{
  public:
    static constexpr uint32_t PSN_MASK = 0xFFFFFF; //!< a PSN has 24 bits

    /**
     * Find the packet number that a PSN stands for.
     *
     * @param psn the PSN
     * @param reference a packet number less than 2^23 packets away
     * @return the number nearest to the reference; less than 0 is possible for a PSN that was never
     * sent
     */
    static int64_t Unwrap(uint32_t psn, uint64_t reference)
    {
        const auto distance = static_cast<int32_t>((psn - static_cast<uint32_t>(reference)) << 8);
        return static_cast<int64_t>(reference) + (distance >> 8);
    }

    /// @return the first number that has not come
    uint64_t GetBase() const
    {
        return m_base;
    }

    /// @return whether a number has come  @param number the number
    bool Contains(uint64_t number) const
    {
        if (number < m_base)
        {
            return true;
        }
        const uint64_t word = number / 64 - m_base / 64;
        return word < m_count && (Word(word) >> number % 64 & 1);
    }

    /**
     * A number has come.
     *
     * @param number the number
     * @return whether it is new
     */
    bool Insert(uint64_t number)
    {
        if (number == m_base && m_count == 0)
        {
            ++m_base;
            return true;
        }
        if (Contains(number))
        {
            return false;
        }
        const uint64_t word = number / 64 - m_base / 64;
        while (word >= m_count)
        {
            Append();
        }
        Word(word) |= uint64_t{1} << number % 64;
        if (number == m_base)
        {
            Slide();
        }
        return true;
    }

  private:
    /// @return a word of 64 numbers  @param index counted from the base's word
    uint64_t& Word(uint64_t index)
    {
        return m_words[(m_head + index) & (m_words.size() - 1)];
    }

    /// @return a word of 64 numbers  @param index counted from the base's word
    uint64_t Word(uint64_t index) const
    {
        return m_words[(m_head + index) & (m_words.size() - 1)];
    }

    /// Make room for 64 more numbers.
    void Append()
    {
        if (m_count == m_words.size())
        {
            std::vector<uint64_t> words(m_words.empty() ? 4 : 2 * m_words.size());
            for (uint64_t i = 0; i < m_count; ++i)
            {
                words[i] = Word(i);
            }
            m_words.swap(words);
            m_head = 0;
        }
        ++m_count;
        Word(m_count - 1) = 0;
    }

    /// Move the base to the first number that has not come.
    void Slide()
    {
        while (m_count > 0)
        {
            const uint64_t missing = ~Word(0) >> m_base % 64;
            if (missing)
            {
                m_base += __builtin_ctzll(missing);
                break;
            }
            m_base = (m_base / 64 + 1) * 64;
            m_head = (m_head + 1) & (m_words.size() - 1);
            --m_count;
        }
        if (m_count == 1 && !(Word(0) >> m_base % 64))
        {
            m_count = 0;
        }
    }

    uint64_t m_base{0};            //!< the first number that has not come
    std::vector<uint64_t> m_words; //!< bits from the base's word on, a ring of 2^n words
    uint64_t m_head{0};            //!< where in the ring the base's word is
    uint64_t m_count{0};           //!< words in use
};

} // namespace aifabric
} // namespace ns3

#endif /* PSN_WINDOW_H */
