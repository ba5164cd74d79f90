/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "telemetry-tables.h"

#include "ns3/csv-writer.h"

namespace ns3
{
namespace aifabric
{

void
TelemetryTables::WriteNics(const std::string& path, const NicCounters& counters)
{
    constexpr double PS_PER_US = 1e6;
    CsvWriter csv(path,
                  {"host",
                   "data_packets",
                   "retransmissions",
                   "out_of_sequence",
                   "packet_seq_err",
                   "local_ack_timeout_err",
                   "np_cnp_sent",
                   "rp_cnp_handled",
                   "rx_discards",
                   "rx_trimmed",
                   "rx_pause",
                   "rx_pause_transition",
                   "rx_pause_duration_us",
                   "tx_pause"});
    for (std::size_t host = 0; host < counters.nics.size(); ++host)
    {
        const NicCounters::Entry& entry = counters.nics[host];
        csv.Write(host,
                  entry.dataPackets,
                  entry.retransmissions,
                  entry.outOfSequence,
                  entry.packetSeqErr,
                  entry.localAckTimeoutErr,
                  entry.cnpsSent,
                  entry.cnpsHandled,
                  entry.discards,
                  entry.trimmed,
                  entry.pauseFrames,
                  entry.pauses,
                  entry.pausedPs / PS_PER_US,
                  entry.pauseFramesSent);
    }
    csv.Close();
}

void
TelemetryTables::WriteLinks(const std::string& path,
                            const LinkSeries& series,
                            const PortCatalog& catalog)
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
            const PortCatalog::Entry& entry = catalog.GetPorts()[port];
            csv.Write(FormatNs(series.times[i]),
                      FormatNs(length),
                      entry.name,
                      entry.peer,
                      catalog.GetLayerName(entry.layer),
                      now.bytes - before.bytes,
                      static_cast<double>(now.busyPs - before.busyPs) / length,
                      now.waiting);
        }
    }
    csv.Close();
}

} // namespace aifabric
} // namespace ns3
