/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DEMAND_COLLECTOR_H
#define DEMAND_COLLECTOR_H

#include "training-workload.h"
#include "workload-extent.h"

#include "ns3/flow.h"
#include "ns3/traffic-demand.h"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Finds the demands of a job: which hosts send to which, and how fast. The rate of a demand is the
 * share that its bytes have in all bytes that its source sends, or in all bytes that its
 * destination receives, whichever is less. So no host sends or receives above its line rate.
 * Messages within a node (GpuNodes) are no demand.
 */
class DemandCollector
{
  public:
    /// Add messages.  @param flows the messages
    void Add(const std::vector<Flow>& flows);

    /**
     * Add the messages of collectives and training iterations.
     *
     * @param workload the workload, checked
     * @param defaults how collectives go
     */
    void Add(const TrainingWorkload& workload, const CollectiveDefaults& defaults);

    /**
     * @param ackShare bytes of acknowledgements, as a share of those of the packets that they are
     * for; 0: there are none
     * @return the demands, by source and destination; acknowledgements are demands of the other
     * direction, or add to these
     */
    std::vector<TrafficDemand> GetDemands(double ackShare) const;

  private:
    /// Add the messages of a collective.  @param spec the collective
    void AddCollective(const CollectiveSpec& spec);

    std::map<std::pair<uint32_t, uint32_t>, uint64_t> m_bytes; //!< by source and destination
};

} // namespace aifabric
} // namespace ns3

#endif /* DEMAND_COLLECTOR_H */
