/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "telemetry-tables.h"

#include "ns3/csv-writer.h"
#include "ns3/time-units.h"

#include <vector>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the columns of counters of NICs, behind others
std::vector<std::string>
NicColumns(std::vector<std::string> columns)
{
    for (const NicCounters::Field& field : NicCounters::GetFields())
    {
        columns.emplace_back(field.name);
    }
    return columns;
}

/// @return the counters of a NIC as text, behind others  @param entry the counters
std::vector<std::string>
NicRow(const NicCounters::Entry& entry, std::vector<std::string> fields)
{
    for (const NicCounters::Field& field : NicCounters::GetFields())
    {
        const uint64_t counter = entry.*field.counter;
        fields.push_back(field.unit == 1 ? std::to_string(counter)
                                         : FormatNumber(static_cast<double>(counter) / field.unit));
    }
    return fields;
}

/// @return whether a NIC has counted anything  @param entry its counters
bool
HasCounted(const NicCounters::Entry& entry)
{
    for (const NicCounters::Field& field : NicCounters::GetFields())
    {
        if (entry.*field.counter != 0)
        {
            return true;
        }
    }
    return false;
}

/// @return the classes of a queue, such as 3-5  @param mask the classes (bit c set: class c),
/// which are consecutive
std::string
FormatClasses(uint64_t mask)
{
    const std::string first = std::to_string(__builtin_ctzll(mask));
    const std::string last = std::to_string(63 - __builtin_clzll(mask));
    return first == last ? first : first + "-" + last;
}

/// @return a mean in nanoseconds
double
MeanNs(const LatencyHistogram& histogram)
{
    return histogram.GetMean() / PS_PER_NS;
}

/// @return a mean in nanoseconds; 0: there was none
double
MeanNs(const LatencySums& sums)
{
    return sums.count > 0
               ? static_cast<double>(sums.sum) / static_cast<double>(sums.count) / PS_PER_NS
               : 0;
}

} // namespace

TelemetryTables::TelemetryTables(const FabricGraph& graph, const PortCatalog& catalog)
    : m_graph(graph),
      m_catalog(catalog)
{
}

void
TelemetryTables::WriteNics(const std::string& path, const NicCounters& counters) const
{
    CsvWriter csv(path, NicColumns({"host"}));
    for (std::size_t host = 0; host < counters.nics.size(); ++host)
    {
        csv.WriteRow(NicRow(counters.nics[host], {std::to_string(host)}));
    }
    csv.Close();
}

void
TelemetryTables::WriteNicSeries(const std::string& path, const NicSeries& series) const
{
    CsvWriter csv(path, NicColumns({"time_ns", "interval_ns", "host"}));
    for (std::size_t i = 1; i < series.times.size(); ++i)
    {
        const std::string length = FormatNs(series.times[i] - series.times[i - 1]);
        for (std::size_t host = 0; host < series.nics; ++host)
        {
            const NicCounters::Entry change = series.GetChange(i, host);
            if (HasCounted(change))
            {
                csv.WriteRow(
                    NicRow(change, {FormatNs(series.times[i]), length, std::to_string(host)}));
            }
        }
    }
    csv.Close();
}

void
TelemetryTables::WriteLinks(const std::string& path, const LinkSeries& series) const
{
    CsvWriter csv(path,
                  {"time_ns",
                   "interval_ns",
                   "from",
                   "to",
                   "layer",
                   "sent_bytes",
                   "utilization",
                   "waiting_bytes"});
    for (std::size_t i = 1; i < series.times.size(); ++i)
    {
        const int64_t length = series.times[i] - series.times[i - 1];
        for (std::size_t port = 0; port < series.ports; ++port)
        {
            const LinkSeries::State& now = series.states[i * series.ports + port];
            const LinkSeries::State& before = series.states[(i - 1) * series.ports + port];
            if (now.busyPs == before.busyPs && now.waiting == 0)
            {
                continue;
            }
            const PortCatalog::Entry& entry = m_catalog.GetPorts()[port];
            csv.Write(FormatNs(series.times[i]),
                      FormatNs(length),
                      entry.name,
                      entry.peer,
                      m_catalog.GetLayerName(entry.layer),
                      now.bytes - before.bytes,
                      static_cast<double>(now.busyPs - before.busyPs) / length,
                      now.waiting);
        }
    }
    csv.Close();
}

void
TelemetryTables::WriteQueues(const std::string& path, const QueuePeaks& peaks) const
{
    CsvWriter csv(path, {"from", "to", "layer", "classes", "max_bytes", "max_frames"});
    for (const QueuePeaks::Queue& queue : peaks.queues)
    {
        const PortCatalog::Entry& entry = m_catalog.GetPorts()[queue.port];
        csv.Write(entry.name,
                  entry.peer,
                  m_catalog.GetLayerName(entry.layer),
                  FormatClasses(queue.classes),
                  queue.maxBytes,
                  queue.maxFrames);
    }
    csv.Close();
}

void
TelemetryTables::WriteQueueSeries(const std::string& path,
                                  const IntervalSeries<QueuePeak>& series,
                                  const QueuePeaks& peaks) const
{
    CsvWriter csv(
        path,
        {"time_ns", "interval_ns", "from", "to", "layer", "classes", "max_bytes", "max_frames"});
    series.Visit([&](int64_t end, int64_t length, std::size_t place, const QueuePeak& peak) {
        const QueuePeaks::Queue& queue = peaks.queues[place];
        const PortCatalog::Entry& entry = m_catalog.GetPorts()[queue.port];
        csv.Write(FormatNs(end),
                  FormatNs(length),
                  entry.name,
                  entry.peer,
                  m_catalog.GetLayerName(entry.layer),
                  FormatClasses(queue.classes),
                  peak.maxBytes,
                  peak.maxFrames);
    });
    csv.Close();
}

void
TelemetryTables::WriteBuffers(const std::string& path, const QueuePeaks& peaks) const
{
    CsvWriter csv(path, {"buffer", "size_bytes", "max_bytes", "max_share", "high_events"});
    for (const QueuePeaks::Buffer& buffer : peaks.buffers)
    {
        csv.Write(QueuePeaks::GetName(buffer, m_graph, m_catalog),
                  buffer.size,
                  buffer.maxBytes,
                  static_cast<double>(buffer.maxBytes) / static_cast<double>(buffer.size),
                  buffer.passes);
    }
    csv.Close();
}

void
TelemetryTables::WriteHops(const std::string& path, const HopLatencies& hops) const
{
    CsvWriter csv(path,
                  {"switch",
                   "tier",
                   "frames",
                   "min_ns",
                   "mean_ns",
                   "p50_ns",
                   "p99_ns",
                   "p99_9_ns",
                   "max_ns"});
    for (std::size_t id = 0; id < hops.switches.size(); ++id)
    {
        const LatencyHistogram& histogram = hops.switches[id];
        csv.Write(m_graph.SwitchName(id),
                  uint32_t{m_graph.Switches()[id].tier},
                  histogram.GetCount(),
                  FormatNs(histogram.GetLeast()),
                  MeanNs(histogram),
                  FormatNs(histogram.GetPercentile(50)),
                  FormatNs(histogram.GetPercentile(99)),
                  FormatNs(histogram.GetPercentile(99.9)),
                  FormatNs(histogram.GetLargest()));
    }
    csv.Close();
}

void
TelemetryTables::WriteHopSeries(const std::string& path,
                                const IntervalSeries<LatencySums>& series) const
{
    CsvWriter csv(
        path,
        {"time_ns", "interval_ns", "switch", "tier", "frames", "min_ns", "mean_ns", "max_ns"});
    series.Visit([&](int64_t end, int64_t length, std::size_t id, const LatencySums& times) {
        csv.Write(FormatNs(end),
                  FormatNs(length),
                  m_graph.SwitchName(id),
                  uint32_t{m_graph.Switches()[id].tier},
                  times.count,
                  FormatNs(times.least),
                  MeanNs(times),
                  FormatNs(times.largest));
    });
    csv.Close();
}

void
TelemetryTables::WriteReachability(const std::string& path, const Reachability& found) const
{
    CsvWriter csv(path,
                  {"from_rack",
                   "to_rack",
                   "probes",
                   "answered",
                   "lost",
                   "alerts",
                   "rtt_min_ns",
                   "rtt_mean_ns",
                   "rtt_p50_ns",
                   "rtt_p99_ns",
                   "rtt_max_ns"});
    for (std::size_t i = 0; i < found.pairs.size(); ++i)
    {
        const Reachability::Pair& pair = found.pairs[i];
        const LatencyHistogram& times = pair.roundTrips;
        csv.Write(m_graph.SwitchName(found.racks[i / found.racks.size()]),
                  m_graph.SwitchName(found.racks[i % found.racks.size()]),
                  pair.sent,
                  times.GetCount(),
                  pair.lost,
                  pair.alerts,
                  FormatNs(times.GetLeast()),
                  MeanNs(times),
                  FormatNs(times.GetPercentile(50)),
                  FormatNs(times.GetPercentile(99)),
                  FormatNs(times.GetLargest()));
    }
    csv.Close();
}

void
TelemetryTables::WriteProbeSeries(const std::string& path,
                                  const IntervalSeries<ProbeSums>& series,
                                  const Reachability& found) const
{
    CsvWriter csv(path,
                  {"time_ns",
                   "interval_ns",
                   "from_rack",
                   "to_rack",
                   "probes",
                   "answered",
                   "lost",
                   "rtt_min_ns",
                   "rtt_mean_ns",
                   "rtt_max_ns"});
    series.Visit([&](int64_t end, int64_t length, std::size_t pair, const ProbeSums& sums) {
        csv.Write(FormatNs(end),
                  FormatNs(length),
                  m_graph.SwitchName(found.racks[pair / found.racks.size()]),
                  m_graph.SwitchName(found.racks[pair % found.racks.size()]),
                  sums.sent,
                  sums.roundTrips.count,
                  sums.lost,
                  FormatNs(sums.roundTrips.least),
                  MeanNs(sums.roundTrips),
                  FormatNs(sums.roundTrips.largest));
    });
    csv.Close();
}

} // namespace aifabric
} // namespace ns3
