/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHARED_PENALTIES_H
#define SHARED_PENALTIES_H

#include "penalty-table.h"

#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// The penalties by which a PrimeSelector chooses, and the packets by which they decay.
struct Penalties
{
    /// @param sizes the number of values of each part
    explicit Penalties(const std::vector<uint16_t>& sizes)
        : table(sizes)
    {
    }

    PenaltyTable table;  //!< of the values
    uint64_t packets{0}; //!< choices so far, of all that use the table
};

/**
 * @ingroup ai-fabric
 *
 * The penalties of all queue pairs from one host to another one
 * (PrimeBalancer::SharePenaltiesAcrossQps).
 */
class SharedPenalties
{
  public:
    /// @return the penalties of a pair of hosts; new ones have no penalty
    /// @param sizes the number of values of each part
    std::shared_ptr<Penalties> Get(uint32_t source,
                                   uint32_t destination,
                                   const std::vector<uint16_t>& sizes)
    {
        std::shared_ptr<Penalties>& penalties = m_penalties[{source, destination}];
        if (!penalties)
        {
            penalties = std::make_shared<Penalties>(sizes);
        }
        return penalties;
    }

  private:
    /// Penalties by sender and receiver.
    std::map<std::pair<uint32_t, uint32_t>, std::shared_ptr<Penalties>> m_penalties;
};

} // namespace aifabric
} // namespace ns3

#endif /* SHARED_PENALTIES_H */
