/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PENALTY_TABLE_H
#define PENALTY_TABLE_H

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A penalty for each value of each part of an entropy. Penalties decay with a clock of their part,
 * which never goes back: a penalty of P is P - d when the clock has advanced by d, and 0 from P on.
 * The table stores the clock at which a penalty ends, so the decay costs nothing.
 */
class PenaltyTable
{
  public:
    /// @param sizes the number of values of each part
    explicit PenaltyTable(const std::vector<uint16_t>& sizes)
    {
        for (const uint16_t size : sizes)
        {
            m_ends.emplace_back(size, 0);
        }
    }

    /// @return the penalty  @param clock of the part
    uint64_t Get(uint32_t part, uint32_t value, uint64_t clock) const
    {
        const uint64_t end = m_ends[part][value];
        return end > clock ? end - clock : 0;
    }

    /// Set a penalty.  @param clock of the part
    void Set(uint32_t part, uint32_t value, uint64_t clock, uint64_t penalty)
    {
        m_ends[part][value] = clock + penalty;
    }

  private:
    std::vector<std::vector<uint64_t>> m_ends; //!< when a penalty ends, by part and value
};

} // namespace aifabric
} // namespace ns3

#endif /* PENALTY_TABLE_H */
