/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef TELEMETRY_TABLES_H
#define TELEMETRY_TABLES_H

#include "ns3/link-series.h"
#include "ns3/nic-counters.h"
#include "ns3/port-catalog.h"

#include <string>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The tables by which a fabric is run: nic-counters.csv and link-series.csv. doc/telemetry.rst says
 * what each column means.
 */
class TelemetryTables
{
  public:
    /**
     * Write the counters of NICs.
     *
     * @param path the file
     * @param counters what was counted
     * @throws std::runtime_error if it cannot be written
     */
    static void WriteNics(const std::string& path, const NicCounters& counters);

    /**
     * Write the use of links over time. Ports that have sent nothing in an interval have no row.
     *
     * @param path the file
     * @param series what was seen
     * @param catalog the ports
     * @throws std::runtime_error if it cannot be written
     */
    static void WriteLinks(const std::string& path,
                           const LinkSeries& series,
                           const PortCatalog& catalog);
};

} // namespace aifabric
} // namespace ns3

#endif /* TELEMETRY_TABLES_H */
