/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LEAST_CHOICE_H
#define LEAST_CHOICE_H

#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Finds the least of some values; a random one of those that are equally small.
 */
class LeastChoice
{
  public:
    /// Begin anew.
    void Clear()
    {
        m_least = UINT64_MAX;
        m_candidates.clear();
    }

    /// Offer a value.
    void Offer(uint64_t value, uint32_t index)
    {
        if (value < m_least)
        {
            m_least = value;
            m_candidates.clear();
        }
        if (value == m_least)
        {
            m_candidates.push_back(index);
        }
    }

    /// @return whether none is less than the value of an index
    bool Has(uint32_t index) const
    {
        return std::find(m_candidates.begin(), m_candidates.end(), index) != m_candidates.end();
    }

    /// @return the index of the least value  @param random breaks ties
    uint32_t Take(UniformRandomVariable& random) const
    {
        const uint32_t last = m_candidates.size() - 1;
        return m_candidates[last == 0 ? 0 : random.GetInteger(0, last)];
    }

  private:
    uint64_t m_least{UINT64_MAX};       //!< the least value so far
    std::vector<uint32_t> m_candidates; //!< the indices that have it
};

} // namespace aifabric
} // namespace ns3

#endif /* LEAST_CHOICE_H */
