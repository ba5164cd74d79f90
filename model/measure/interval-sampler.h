/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef INTERVAL_SAMPLER_H
#define INTERVAL_SAMPLER_H

#include "thinning-sampler.h"

#include "ns3/interval-series.h"

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
 * Asks a monitor at regular intervals what it has seen since the last time, and joins each two
 * intervals where others forget one.
 *
 * @tparam T what is seen of one queue, switch or the like in an interval (IntervalSeries)
 */
template <typename T>
class IntervalSampler final : public ThinningSampler<IntervalSeries<T>>
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
        : ThinningSampler<IntervalSeries<T>>(catalog, interval),
          m_take(take)
    {
        constexpr std::size_t LEAST_INTERVALS = 10;
        m_series.width = width;
        const std::size_t room = MAX_STATES / std::max<std::size_t>(1, width);
        m_most = std::clamp(room / 2 * 2, LEAST_INTERVALS, MAX_INTERVALS) + 1; // Thin() needs pairs
    }

  private:
    /// End an interval. The first time begins the first one; what was seen before is of it, too.
    void Add() override
    {
        if (!m_series.times.empty())
        {
            const std::vector<T> seen = m_take();
            m_series.seen.insert(m_series.seen.end(), seen.begin(), seen.end());
        }
        m_series.times.push_back(FabricClock::Now());
    }

    using ThinningSampler<IntervalSeries<T>>::m_most;
    using ThinningSampler<IntervalSeries<T>>::m_series;

    Take m_take; //!< asks the monitor
};

} // namespace aifabric
} // namespace ns3

#endif /* INTERVAL_SAMPLER_H */
