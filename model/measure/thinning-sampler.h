/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef THINNING_SAMPLER_H
#define THINNING_SAMPLER_H

#include "port-catalog.h"

#include "ns3/fabric-clock.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Takes samples at regular intervals. Whenever it has as many as it may keep, it forgets every
 * other one and doubles the interval. Sampling changes nothing, as with QueueSampler.
 *
 * @tparam Series what was seen: times, and Thin()
 */
template <typename Series>
class ThinningSampler
{
  public:
    /**
     * Take a sample now, when all else of this picosecond has happened.
     *
     * @return the time until the next one is to be taken
     */
    Time Sample()
    {
        if (m_series.times.size() >= m_most)
        {
            m_series.Thin();
            m_interval = m_interval + m_interval;
        }
        const int64_t now = FabricClock::Now();
        for (const PortCatalog::Entry& entry : m_catalog.GetPorts())
        {
            entry.port->GetTransmitter().Advance(now);
        }
        Add();
        return m_interval;
    }

    /// Take the last sample at the end of the run, when ports were brought up to now, unless one
    /// was taken at this time.
    void Close()
    {
        if (m_series.times.empty() || m_series.times.back() < FabricClock::Now())
        {
            Add();
        }
    }

    /// @return what was seen
    const Series& GetSeries() const
    {
        return m_series;
    }

  protected:
    /**
     * @param catalog the ports, which are brought up to date before each sample; must outlive the
     *        sampler
     * @param interval time between two samples, at first
     */
    ThinningSampler(const PortCatalog& catalog, Time interval)
        : m_catalog(catalog),
          m_interval(interval)
    {
    }

    ~ThinningSampler() = default;

    /// Keep as many times as states allow.  @param states of all times together, at most
    /// @param width states of a time  @param most times, at most
    void SetRoom(std::size_t states, std::size_t width, std::size_t most)
    {
        constexpr std::size_t LEAST_TIMES = 11;
        m_most = std::clamp(states / std::max<std::size_t>(1, width), LEAST_TIMES, most);
    }

    /// Add a sample.
    virtual void Add() = 0;

    const PortCatalog& m_catalog; //!< the ports
    Time m_interval;              //!< between two samples
    std::size_t m_most{SIZE_MAX}; //!< times that are kept
    Series m_series;              //!< what was seen
};

} // namespace aifabric
} // namespace ns3

#endif /* THINNING_SAMPLER_H */
