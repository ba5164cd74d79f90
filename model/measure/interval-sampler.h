/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTERVAL_SAMPLER_H
#define INTERVAL_SAMPLER_H

#include "port-catalog.h"

#include "ns3/fabric-clock.h"
#include "ns3/interval-series.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Asks a monitor at regular intervals what it has seen since the last time. Whenever there are as
 * many intervals as may be kept, it joins each two of them and doubles the interval. Sampling
 * changes nothing, as with LinkSampler.
 *
 * @tparam T what is seen of one queue, switch or the like in an interval (IntervalSeries)
 */
template <typename T>
class IntervalSampler
{
  public:
    /// Returns what was seen of each since the last call, or since the start.
    using Take = std::function<std::vector<T>()>;

    /// The most intervals that are kept, and of a large fabric the most states.
    static constexpr std::size_t MAX_INTERVALS = 1000;
    static constexpr std::size_t MAX_STATES = 2'000'000; //!< by interval and queue or switch

    /**
     * @param catalog the ports, which are brought up to date before each sample; must outlive the
     *        sampler
     * @param width how many queues, switches or the like there are
     * @param take asks the monitor
     * @param interval time between two samples, at first
     */
    IntervalSampler(const PortCatalog& catalog, std::size_t width, const Take& take, Time interval)
        : m_catalog(catalog),
          m_take(take),
          m_interval(interval)
    {
        constexpr std::size_t LEAST_INTERVALS = 10;
        m_series.width = width;
        const std::size_t room = MAX_STATES / std::max<std::size_t>(1, width);
        m_most = std::clamp(room / 2 * 2, LEAST_INTERVALS, MAX_INTERVALS); // Thin() needs pairs
    }

    /**
     * Take a sample now, when all else of this picosecond has happened.
     *
     * @return the time until the next one is to be taken
     */
    Time Sample()
    {
        if (m_series.times.size() > m_most)
        {
            m_series.Thin();
            m_interval = m_interval + m_interval;
        }
        for (const PortCatalog::Entry& entry : m_catalog.GetPorts())
        {
            entry.port->GetTransmitter().Advance(FabricClock::Now());
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
    const IntervalSeries<T>& GetSeries() const
    {
        return m_series;
    }

  private:
    /// End an interval. The first time begins the first one; what was seen before is of it, too.
    void Add()
    {
        if (!m_series.times.empty())
        {
            const std::vector<T> seen = m_take();
            m_series.seen.insert(m_series.seen.end(), seen.begin(), seen.end());
        }
        m_series.times.push_back(FabricClock::Now());
    }

    const PortCatalog& m_catalog; //!< the ports
    Take m_take;                  //!< asks the monitor
    Time m_interval;              //!< between two samples
    std::size_t m_most;           //!< intervals that are kept, an even number
    IntervalSeries<T> m_series;   //!< what was seen
};

} // namespace aifabric
} // namespace ns3

#endif /* INTERVAL_SAMPLER_H */
