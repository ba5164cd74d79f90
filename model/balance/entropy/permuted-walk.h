/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PERMUTED_WALK_H
#define PERMUTED_WALK_H

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A walk over the numbers from 0 to a power of two, each once a round, in another order each round:
 * the numbers in ascending order, XOR a mask that is drawn at the begin of the round (htsim,
 * UecMpOblivious).
 */
class PermutedWalk
{
  public:
    /// @param count how many numbers there are, a power of two
    explicit PermutedWalk(uint32_t count)
        : m_count(count)
    {
    }

    /**
     * @tparam Draw type of the function
     * @param draw gives a random number below the one that it is given
     * @return the next number
     */
    template <typename Draw>
    uint32_t Next(Draw&& draw)
    {
        if (m_step == 0)
        {
            m_mask = draw(m_count);
        }
        const uint32_t number = m_step ^ m_mask;
        m_step = (m_step + 1) & (m_count - 1);
        return number;
    }

  private:
    uint32_t m_count;   //!< how many numbers there are
    uint32_t m_step{0}; //!< steps made in this round
    uint32_t m_mask{0}; //!< of this round
};

} // namespace aifabric
} // namespace ns3

#endif /* PERMUTED_WALK_H */
