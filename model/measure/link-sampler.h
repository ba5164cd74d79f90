/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_SAMPLER_H
#define LINK_SAMPLER_H

#include "port-catalog.h"

#include "ns3/link-series.h"
#include "ns3/nstime.h"

#include <cstddef>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Reads at regular intervals what each port has sent and what waits there. Whenever it has as many
 * samples as it may keep, it forgets every other one and doubles the interval. Sampling changes
 * nothing, as with QueueSampler: ports count bytes and time anyway.
 */
class LinkSampler
{
  public:
    /// The most times that are kept, and of a large fabric the most states.
    static constexpr std::size_t MAX_TIMES = 1001;
    static constexpr std::size_t MAX_STATES = 4'000'000; //!< by time and port

    /**
     * @param catalog the ports; must outlive the sampler
     * @param interval time between two samples, at first
     */
    LinkSampler(const PortCatalog& catalog, Time interval);

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
    const LinkSeries& GetSeries() const
    {
        return m_series;
    }

  private:
    /// Add a sample.
    void Add();

    const PortCatalog& m_catalog; //!< the ports
    Time m_interval;              //!< between two samples
    std::size_t m_most;           //!< times that are kept
    LinkSeries m_series;          //!< what was seen
};

} // namespace aifabric
} // namespace ns3

#endif /* LINK_SAMPLER_H */
