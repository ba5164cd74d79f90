/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TELEMETRY_TABLES_H
#define TELEMETRY_TABLES_H

#include "ns3/hop-latencies.h"
#include "ns3/interval-series.h"
#include "ns3/latency-sums.h"
#include "ns3/link-series.h"
#include "ns3/nic-counters.h"
#include "ns3/nic-series.h"
#include "ns3/port-catalog.h"
#include "ns3/probe-sums.h"
#include "ns3/queue-peak.h"
#include "ns3/queue-peaks.h"
#include "ns3/reachability.h"

#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The tables by which a fabric is run. doc/telemetry.rst says what each column means. Each function
 * throws std::runtime_error if its file cannot be written.
 */
class TelemetryTables
{
  public:
    /// @param graph the fabric; must outlive this  @param catalog its ports; must outlive this
    TelemetryTables(const FabricGraph& graph, const PortCatalog& catalog);

    /// Write the counters of NICs.  @param path the file  @param counters what was counted
    void WriteNics(const std::string& path, const NicCounters& counters) const;

    /// Write the counters of NICs over time. A NIC that has counted nothing in an interval has no
    /// row.  @param path the file  @param series what was seen
    void WriteNicSeries(const std::string& path, const NicSeries& series) const;

    /// Write the use of links over time. A port that has sent nothing in an interval has no row.
    /// @param path the file  @param series what was seen
    void WriteLinks(const std::string& path, const LinkSeries& series) const;

    /// Write the high-water marks of queues.  @param path the file  @param peaks what was seen
    void WriteQueues(const std::string& path, const QueuePeaks& peaks) const;

    /// Write the high-water marks of queues over time. A queue in which nothing waited in an
    /// interval has no row.  @param path the file  @param series what was seen
    /// @param peaks which queues there are
    void WriteQueueSeries(const std::string& path,
                          const IntervalSeries<QueuePeak>& series,
                          const QueuePeaks& peaks) const;

    /// Write the high-water marks of buffers.  @param path the file  @param peaks what was seen
    void WriteBuffers(const std::string& path, const QueuePeaks& peaks) const;

    /// Write how long frames stay in switches.  @param path the file  @param hops what was seen
    void WriteHops(const std::string& path, const HopLatencies& hops) const;

    /// Write how long frames stay in switches over time. A switch that no frame has left in an
    /// interval has no row.  @param path the file  @param series what was seen
    void WriteHopSeries(const std::string& path, const IntervalSeries<LatencySums>& series) const;

    /// Write what probes found.  @param path the file  @param found what they found
    void WriteReachability(const std::string& path, const Reachability& found) const;

    /// Write what probes found over time. Two racks without probes in an interval have no row.
    /// @param path the file  @param series what they found  @param found which racks there are
    void WriteProbeSeries(const std::string& path,
                          const IntervalSeries<ProbeSums>& series,
                          const Reachability& found) const;

  private:
    const FabricGraph& m_graph;   //!< the fabric
    const PortCatalog& m_catalog; //!< its ports
};

} // namespace aifabric
} // namespace ns3

#endif /* TELEMETRY_TABLES_H */
