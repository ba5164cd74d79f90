/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NIC_SAMPLER_H
#define NIC_SAMPLER_H

#include "nic-series.h"
#include "thinning-sampler.h"

#include <cstddef>
#include <functional>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Reads the counters of all NICs at regular intervals: NICs count anyway.
 */
class NicSampler final : public ThinningSampler<NicSeries>
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

  private:
    void Add() override;

    std::function<NicCounters()> m_measure; //!< reads the counters
};

} // namespace aifabric
} // namespace ns3

#endif /* NIC_SAMPLER_H */
