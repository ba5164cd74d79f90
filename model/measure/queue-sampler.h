/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef QUEUE_SAMPLER_H
#define QUEUE_SAMPLER_H

#include "port-catalog.h"

#include "ns3/nstime.h"
#include "ns3/queue-samples.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Looks at the queues of all ports at regular intervals and keeps what they held, layer by layer.
 * Whenever it has as many samples as it may keep, it forgets every other one and doubles the
 * interval, so that a run of any length leaves a table of bounded length.
 *
 * Looking changes nothing: ports are brought up to date, which they are sooner or later anyway.
 * What starts at the very instant of a sample has started, whether the port is observed or not.
 */
class QueueSampler
{
  public:
    /// The most times that are kept.
    static constexpr std::size_t MAX_TIMES = 1000;

    /**
     * @param catalog the ports; must outlive the sampler
     * @param interval time between two samples, at first
     */
    QueueSampler(const PortCatalog& catalog, Time interval);

    /**
     * Take a sample now, when all else of this picosecond has happened.
     *
     * @return the time until the next one is to be taken
     */
    Time Sample();

    /// @return the samples that are kept
    const QueueSamples& GetSamples() const;

  private:
    /// Forget every other sample.
    void Thin();

    const PortCatalog& m_catalog; //!< the ports
    Time m_interval;              //!< between two samples
    QueueSamples m_samples;       //!< the samples
};

} // namespace aifabric
} // namespace ns3

#endif /* QUEUE_SAMPLER_H */
