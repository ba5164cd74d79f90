/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef UPLINK_SUMMARY_H
#define UPLINK_SUMMARY_H

#include "ns3/fabric-graph.h"
#include "ns3/port-catalog.h"
#include "ns3/run-measures.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * How evenly the uplinks of leaves are used: `uplink_utilization` of run.json. The utilization of
 * an uplink is the share of the run in which its leaf sends on it.
 */
class UplinkSummary
{
  public:
    /**
     * @param catalog its ports
     * @param ports what the ports have counted
     * @param durationPs how long the run took, in picoseconds
     */
    UplinkSummary(const FabricGraph& graph,
                  const PortCatalog& catalog,
                  const std::vector<RunMeasures::Port>& ports,
                  int64_t durationPs);

    /// @return the numbers, or null if no leaf has uplinks
    nlohmann::ordered_json ToJson() const;

  private:
    /// @return the least utilization that a share of the uplinks do not exceed
    /// @param share from 0 to 1
    double GetQuantile(double share) const;

    std::vector<double> m_shares; //!< utilizations, ascending
};

} // namespace aifabric
} // namespace ns3

#endif /* UPLINK_SUMMARY_H */
