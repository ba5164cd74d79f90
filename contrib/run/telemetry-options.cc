/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "telemetry-options.h"

#include "option-value.h"

#include "ns3/clos-forwarder.h"
#include "ns3/csv-writer.h"
#include "ns3/double.h"
#include "ns3/mrc-queue-pair.h"
#include "ns3/queue-monitor.h"
#include "ns3/reachability-prober.h"

namespace ns3
{
namespace aifabric
{

namespace
{

const char* const LINKS = "linkSeries";    //!< option: the interval of link-series.csv
const char* const NICS = "nicCounters";    //!< option: whether to write nic-counters.csv
const char* const SERIES = "nicSeries";    //!< option: the interval of nic-series.csv
const char* const QUEUES = "queuePeaks";   //!< option: whether to write queue-peaks.csv
const char* const HOPS = "hopLatency";     //!< option: whether to write hop-latency.csv
const char* const PROBES = "reachability"; //!< option: the interval of probes

} // namespace

void
TelemetryOptions::Declare(OptionTable& table)
{
    table.AddNone(LINKS,
                  "interval of link-series.csv, such as 1ms, which has the use of each link over "
                  "time, and of the series that other options write with it; a long run doubles it "
                  "when there are too many");
    table.AddFlag(NICS, "write nic-counters.csv: the counters of each NIC, by names of mlx5 NICs");
    table.AddNone(SERIES,
                  "interval of nic-series.csv, such as 1ms, which has the same counters over time; "
                  "a long run doubles it when there are too many");
    table.AddFlag(QUEUES,
                  "write queue-peaks.csv and buffers.csv: the most that waited in each queue and "
                  "buffer; an event says when a buffer passes 75 % of its size; the queues over "
                  "time are in queue-series.csv, with --linkSeries");
    table.AddFlag(
        HOPS,
        "write hop-latency.csv: how long frames stay in each switch; the same over time is in "
        "hop-series.csv, with --linkSeries");
    table.AddNone(
        PROBES,
        "time between two probes of each NIC to each rack, such as 100us; "
        "reachability.csv has their losses and round-trip times; the same over time is in "
        "reachability-series.csv, with --linkSeries");
    table.Reserve("ns3::aifabric::ReachabilityProber::Interval", PROBES);
}

void
TelemetryOptions::ReadProbes()
{
    if (IsNone(PROBES))
    {
        RefuseAttributes(ReachabilityProber::GetTypeId().GetName(), "only with --reachability");
        return;
    }
    RefuseIf(m_scenario.forwarding != ClosForwarder::GetTypeId() ||
                 m_scenario.transport == MrcQueuePair::GetTypeId(),
             PROBES,
             "only with --forwarding=clos and without --transport=mrc, for which there is "
             "--prober");
    RefuseIf(!m_scenario.acksInFabric, PROBES, "only with --acks=fabric");
    RefuseIf(m_scenario.aggregation.has_value(), PROBES, "not with in-network aggregation");
    m_scenario.reachabilityPs = ReadProbeInterval(PROBES);
    const Time timeout = FindDefault<TimeValue>(ReachabilityProber::GetTypeId(), "Timeout").value();
    OptionError::ThrowIf(timeout.GetPicoSeconds() > m_scenario.reachabilityPs,
                         "ns3::aifabric::ReachabilityProber::Timeout",
                         FormatNs(timeout.GetPicoSeconds()) + "ns",
                         "at most the interval of --reachability");
}

void
TelemetryOptions::CheckWaterMarks() const
{
    const TypeId monitor = QueueMonitor::GetTypeId();
    if (!m_scenario.queuePeaks)
    {
        RefuseAttributes(monitor.GetName(), "only with --queuePeaks");
    }
    const std::string high = monitor.GetName() + "::HighWater";
    const std::string low = monitor.GetName() + "::LowWater";
    const double most = FindDefault<DoubleValue>(monitor, "HighWater").value();
    const double least = FindDefault<DoubleValue>(monitor, "LowWater").value();
    const bool isLow = IsAttributeGiven(low);
    OptionError::ThrowIf(least > most,
                         isLow ? low : high,
                         FormatNumber(isLow ? least : most),
                         isLow ? "at most " + high + ", which is " + FormatNumber(most)
                               : "at least " + low + ", which is " + FormatNumber(least));
}

void
TelemetryOptions::Read()
{
    m_scenario.linkSeriesPs = IsNone(LINKS) ? 0 : ReadTime(LINKS, 1);
    m_scenario.nicCounters = ReadFlag(NICS);
    RefuseIf(m_scenario.nicCounters && m_scenario.aggregation.has_value(),
             NICS,
             "not with in-network aggregation, which has no queue pairs");
    m_scenario.options[NICS] = m_scenario.nicCounters;
    m_scenario.nicSeriesPs = IsNone(SERIES) ? 0 : ReadTime(SERIES, 1);
    m_scenario.queuePeaks = ReadFlag(QUEUES);
    m_scenario.options[QUEUES] = m_scenario.queuePeaks;
    CheckWaterMarks();
    m_scenario.hopLatency = ReadFlag(HOPS);
    m_scenario.options[HOPS] = m_scenario.hopLatency;
    ReadProbes();
}

} // namespace aifabric
} // namespace ns3
