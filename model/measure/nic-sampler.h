/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NIC_SAMPLER_H
#define NIC_SAMPLER_H

#include "nic-series.h"
#include "port-catalog.h"

#include "ns3/nstime.h"

#include <cstddef>
#include <functional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Reads the counters of all NICs at regular intervals. Whenever it has as many samples as it may
 * keep, it forgets every other one and doubles the interval. Sampling changes nothing, as with
 * LinkSampler: NICs count anyway.
 */
class NicSampler
{
  public:
    /// The most times that are kept, and with many NICs the most states.
    static constexpr std::size_t MAX_TIMES = 1001;
    static constexpr std::size_t MAX_STATES = 1'000'000; //!< by time and NIC

    /**
     * @param catalog the ports, which are brought up to date before each sample; must outlive the
     *        sampler
     * @param measure reads the counters
     * @param interval time between two samples, at first
     */
    NicSampler(const PortCatalog& catalog,
               const std::function<NicCounters()>& measure,
               Time interval);

    /**
     * Take a sample now, when all else of this picosecond has happened.
     *
     * @return the time until the next one is to be taken
     */
    Time Sample();

    /// Take the last sample at the end of the run, when ports were brought up to now, unless one
    /// was taken at this time.
    void Close();

    /// @return what was seen
    const NicSeries& GetSeries() const
    {
        return m_series;
    }

  private:
    /// Add a sample.
    void Add();

    const PortCatalog& m_catalog;           //!< the ports
    std::function<NicCounters()> m_measure; //!< reads the counters
    Time m_interval;                        //!< between two samples
    NicSeries m_series;                     //!< what was seen
};

} // namespace aifabric
} // namespace ns3

#endif /* NIC_SAMPLER_H */
