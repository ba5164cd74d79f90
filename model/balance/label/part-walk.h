/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PART_WALK_H
#define PART_WALK_H

#include "ns3/uniform-integer.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The round robin of PRIME (arXiv 2507.23012) over the parts of an entropy. Part t has values from
 * 0 to n_t - 1, a random order of them, and a cursor. The cursors advance like an odometer: part 0
 * with each step, part t + 1 when part t has used all its values (a round of part t). Then part t
 * gets a new random order.
 *
 * Law: each aligned cycle of n_0 * n_1 * ... steps visits each combination of values exactly once,
 * and over any number of consecutive steps the visits of two values of part 0 differ by at most 2.
 */
class PartWalk
{
  public:
    /**
     * @param sizes the number of values of each part, 1 to 65535; no part: one empty combination
     * @param uniform randomness
     */
    PartWalk(const std::vector<uint16_t>& sizes, const UniformInteger& uniform);

    /// @return the number of parts
    uint32_t CountParts() const
    {
        return m_parts.size();
    }

    /// @return the number of values of a part
    uint32_t GetSize(uint32_t part) const
    {
        return m_parts[part].order.size();
    }

    /// @return the number of combinations of values
    uint64_t CountCombinations() const;

    /// @return the steps in a round of a part, if none is skipped
    uint64_t CountSteps(uint32_t part) const
    {
        uint64_t steps = 1;
        for (uint32_t i = 0; i <= part; ++i)
        {
            steps *= GetSize(i);
        }
        return steps;
    }

    /// @return the value of a part at its cursor
    uint16_t GetValue(uint32_t part) const
    {
        return m_parts[part].order[m_parts[part].cursor];
    }

    /// @return rounds that a part has completed
    uint64_t GetRounds(uint32_t part) const
    {
        return m_parts[part].rounds;
    }

    /**
     * Advance the cursor of a part, and those of the parts after it as far as rounds end.
     *
     * @param part the part, or the number of parts for no effect
     * @param uniform randomness, for the orders of new rounds
     */
    void Advance(uint32_t part, const UniformInteger& uniform)
    {
        while (part < m_parts.size() && ++m_parts[part].cursor == m_parts[part].order.size())
        {
            BeginRound(m_parts[part], uniform);
            ++part;
        }
    }

  private:
    /// A part of the entropy.
    struct Part
    {
        std::vector<uint16_t> order; //!< its values, in the order of use
        uint32_t cursor{0};          //!< index of the next one
        uint64_t rounds{0};          //!< rounds completed
    };

    /// A part has used all its values.  @param uniform randomness
    static void BeginRound(Part& part, const UniformInteger& uniform);

    std::vector<Part> m_parts; //!< the fastest one first
};

} // namespace aifabric
} // namespace ns3

#endif /* PART_WALK_H */
