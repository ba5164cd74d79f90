/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PLANE_SAMPLER_H
#define PLANE_SAMPLER_H

#include "ns3/mrc-balancer.h"
#include "ns3/nstime.h"
#include "ns3/plane-series.h"
#include "ns3/roce-net-device.h"

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Counts at regular intervals what NICs have sent into each plane and, of queue pairs of MRC, how
 * many entropy values (EV) of each plane are in each state. It also records each change of an EV
 * between GOOD, ASSUMED_BAD and DENIED at its time. Whenever it has as many samples as it may keep,
 * it forgets every other one and doubles the interval; changes are all kept.
 *
 * Sampling changes nothing, as with QueueSampler. It costs the path of packets nothing: ports count
 * bytes anyway, and the states of EVs are read when a sample is taken.
 */
class PlaneSampler
{
  public:
    /// The most times that are kept.
    static constexpr std::size_t MAX_TIMES = 1001;

    /**
     * @param nics the NICs of all hosts, by host
     * @param hosts hosts that have counts of their own
     * @param interval time between two samples, at first
     */
    PlaneSampler(std::vector<Ptr<RoceNetDevice>> nics, std::vector<uint32_t> hosts, Time interval);

    /// Watch the EVs of all queue pairs that are connected from now on. The sampler must outlive
    /// the simulation.
    void WatchEvs();

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
    const PlaneSeries& GetSeries() const
    {
        return m_series;
    }

  private:
    /// Add a sample.  @param now the time, in picoseconds
    void Add(int64_t now);

    /// Watch a queue pair.  @param queuePair the queue pair, connected
    void Watch(const RoceNetDevice& nic, const QueuePair& queuePair);

    /// Record a change.  @param change all of it but plane and path  @param balancer whose EV it is
    /// @param entropy the EV
    void Record(PlaneSeries::EvChange change, const MrcBalancer& balancer, uint32_t entropy);

    std::vector<Ptr<RoceNetDevice>> m_nics; //!< the NICs
    Time m_interval;                        //!< between two samples
    PlaneSeries m_series;                   //!< what was seen
    std::set<Ptr<MrcBalancer>> m_balancers; //!< of the queue pairs that are watched
};

} // namespace aifabric
} // namespace ns3

#endif /* PLANE_SAMPLER_H */
