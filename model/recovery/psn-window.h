/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PSN_WINDOW_H
#define PSN_WINDOW_H

#include "ns3/growing-ring.h"

#include <cstdint>

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
 *
 * boost::dynamic_bitset has no sliding base: each advance of the base would shift all its words.
 */
class PsnWindow
{
  public:
    static constexpr uint32_t PSN_MASK = 0xFFFFFF; //!< a PSN has 24 bits

    /**
     * Find the packet number that a PSN stands for.
     *
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

    /// @return whether a number has come
    bool Contains(uint64_t number) const
    {
        if (number < m_base)
        {
            return true;
        }
        return GetWord(number / 64 - m_base / 64) >> number % 64 & 1;
    }

    /// @return which of 64 numbers have come, the first one in bit 0  @param first the first one,
    /// not before the base
    uint64_t GetBits(uint64_t first) const
    {
        const uint64_t word = first / 64 - m_base / 64;
        const uint32_t shift = first % 64;
        const uint64_t low = GetWord(word) >> shift;
        return shift == 0 ? low : low | GetWord(word + 1) << (64 - shift);
    }

    /**
     * A number has come.
     *
     * @return whether it is new
     */
    bool Insert(uint64_t number)
    {
        if (Contains(number))
        {
            return false;
        }
        const uint64_t word = number / 64 - m_base / 64;
        while (word > m_rest.size())
        {
            m_rest.push_back(0);
        }
        (word == 0 ? m_first : m_rest[word - 1]) |= uint64_t{1} << number % 64;
        if (number == m_base)
        {
            Slide();
        }
        return true;
    }

    /**
     * All numbers before one have come.
     *
     * @return how many of them are new
     */
    uint64_t InsertBefore(uint64_t end)
    {
        if (end <= m_base)
        {
            return 0;
        }
        uint64_t fresh = 0;
        while (m_base / 64 < end / 64)
        {
            fresh += __builtin_popcountll(~m_first >> m_base % 64);
            OpenWord();
        }
        const uint64_t come = (uint64_t{1} << end % 64) - 1;
        fresh += __builtin_popcountll((come & ~m_first) >> m_base % 64);
        m_first |= come;
        m_base = end;
        Slide();
        return fresh;
    }

  private:
    /// @return 64 bits  @param word which, that of the base is 0
    uint64_t GetWord(uint64_t word) const
    {
        return word == 0 ? m_first : word <= m_rest.size() ? m_rest[word - 1] : 0;
    }

    /// Move the base to the first number that has not come.
    void Slide()
    {
        uint64_t missing = ~m_first >> m_base % 64;
        while (missing == 0)
        {
            OpenWord();
            missing = ~m_first;
        }
        m_base += __builtin_ctzll(missing);
    }

    /// Move the base to the first number of the next word.
    void OpenWord()
    {
        m_base = (m_base / 64 + 1) * 64;
        m_first = m_rest.empty() ? 0 : m_rest.pop_front();
    }

    uint64_t m_base{0};           //!< the first number that has not come
    uint64_t m_first{0};          //!< bits of its word: 64 numbers
    GrowingRing<uint64_t> m_rest; //!< bits of the words after it
};

} // namespace aifabric
} // namespace ns3

#endif /* PSN_WINDOW_H */
