/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "telemetry-options.h"

namespace ns3
{
namespace aifabric
{

namespace
{

const char* const LINKS = "linkSeries"; //!< option: the interval of link-series.csv
const char* const NICS = "nicCounters"; //!< option: whether to write nic-counters.csv

} // namespace

void
TelemetryOptions::Declare(OptionTable& table)
{
    table.AddNone(LINKS,
                  "interval of link-series.csv, such as 1ms, which has the use of each link over "
                  "time; a long run doubles it when there are too many");
    table.AddFlag(NICS, "write nic-counters.csv: the counters of each NIC, by names of mlx5 NICs");
}

void
TelemetryOptions::Read()
{
    m_scenario.linkSeriesPs = IsNone(LINKS) ? 0 : ReadTime(LINKS, 1);
    m_scenario.nicCounters = ReadFlag(NICS);
    m_scenario.options[NICS] = m_scenario.nicCounters;
}

} // namespace aifabric
} // namespace ns3
