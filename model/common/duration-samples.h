/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DURATION_SAMPLES_H
#define DURATION_SAMPLES_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Durations, in nanoseconds, of which the 99th percentile counts.
 */
class DurationSamples
{
  public:
    /// Add a duration.  @param ps how long it is, in picoseconds
    void Add(int64_t ps);

    /// @return how many there are
    std::size_t Count() const
    {
        return m_ns.size();
    }

    /// @return the smallest one that at least 99 % do not exceed; 0: there is none
    uint32_t GetPercentile99() const;

  private:
    std::vector<uint32_t> m_ns; //!< the durations
};

} // namespace aifabric
} // namespace ns3

#endif /* DURATION_SAMPLES_H */
