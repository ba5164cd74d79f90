/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_SAMPLER_H
#define LINK_SAMPLER_H

#include "thinning-sampler.h"

#include "ns3/link-series.h"

#include <cstddef>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Reads at regular intervals what each port has sent and what waits there: ports count bytes and
 * time anyway.
 */
class LinkSampler final : public ThinningSampler<LinkSeries>
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

  private:
    void Add() override;
};

} // namespace aifabric
} // namespace ns3

#endif /* LINK_SAMPLER_H */
