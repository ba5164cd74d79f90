/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LABEL_PERMUTATION_H
#define LABEL_PERMUTATION_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A pseudo-random order of the numbers 0 to count - 1 that needs no table: position to number and
 * back. Each step is a bijection of b-bit numbers, 2^b the least power of two that is not below the
 * count: add a part of the seed, multiply by an odd number, fold the upper half of the bits onto
 * the lower one. Numbers beyond the count are mapped again until one is below it.
 */
class LabelPermutation
{
  public:
    /// @param count how many numbers there are, 1 to 2^16  @param seed which order
    LabelPermutation(uint32_t count, uint32_t seed)
        : m_count(count),
          m_seed(seed)
    {
        while ((uint32_t{1} << m_bits) < count)
        {
            ++m_bits;
        }
    }

    /// @return how many numbers there are
    uint32_t GetCount() const
    {
        return m_count;
    }

    /// @return the number at a position, below the count  @param position below the count
    uint32_t Apply(uint32_t position) const
    {
        do
        {
            for (uint32_t round = 0; round < ROUNDS; ++round)
            {
                position = Fold((position + GetKey(round)) * FACTOR & GetMask());
            }
        } while (position >= m_count);
        return position;
    }

    /// @return the position of a number  @param number below the count
    uint32_t Invert(uint32_t number) const
    {
        do
        {
            for (uint32_t round = ROUNDS; round-- > 0;)
            {
                number = (Fold(number) * INVERSE - GetKey(round)) & GetMask();
            }
        } while (number >= m_count);
        return number;
    }

  private:
    static constexpr uint32_t ROUNDS = 3;           //!< enough for orders that look random
    static constexpr uint32_t FACTOR = 0x9E3779B1;  //!< odd
    static constexpr uint32_t INVERSE = 0x0E8B2F51; //!< FACTOR * INVERSE = 1 modulo 2^32
    static_assert(FACTOR * INVERSE == 1, "each other's inverse");

    /// @return b bits set
    uint32_t GetMask() const
    {
        return (uint32_t{1} << m_bits) - 1;
    }

    /// @return what a round adds
    uint32_t GetKey(uint32_t round) const
    {
        return m_seed >> (8 * round) ^ m_seed * (2 * round + 1);
    }

    /// @return a number whose upper half is added to the lower one, bit by bit; its own inverse
    uint32_t Fold(uint32_t number) const
    {
        return number ^ number >> (m_bits + 1) / 2;
    }

    uint32_t m_count;   //!< how many numbers there are
    uint32_t m_seed;    //!< which order
    uint32_t m_bits{0}; //!< of the numbers
};

} // namespace aifabric
} // namespace ns3

#endif /* LABEL_PERMUTATION_H */
