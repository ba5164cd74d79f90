/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "output-options.h"

#include "option-value.h"

#include "ns3/csv-writer.h"
#include "ns3/process-cost.h"

#include <algorithm>
#include <cstdint>
#include <optional>

namespace ns3
{
namespace aifabric
{

void
OutputOptions::Declare(OptionTable& table)
{
    table.Add("pcap",
              NONE,
              "ports to capture, separated by commas: host-0, a switch, or switch:port");
    table.Add("out", "results/run", "folder for the results");
    table.Add("sample", "100ns", "time between two samples of the queues, at first (0: none)");
    table.Add("period",
              AUTO,
              "time that sending_queue_packets is about (auto: what the busiest NIC takes to "
              "send its data)");
    table.Add("stallTime",
              AUTO,
              "simulated time without an acknowledgement after which a run "
              "has stalled (auto: 20 timeouts of a queue pair)");
    table.AddFlag("progress", "say on stderr how far the run is");
    table.AddFlag("check", "check the options, say how large the run is, and do not run it");
}

void
OutputOptions::ReadCaptures()
{
    const std::string& pcap = m_table.Get("pcap");
    m_scenario.options["pcap"] = pcap;
    if (IsNone("pcap"))
    {
        return;
    }
    uint64_t files = 0;
    for (const std::string& item : ReadList("pcap"))
    {
        m_scenario.captures.push_back(ReadCapture(item));
        const CaptureSpec& capture = m_scenario.captures.back();
        files +=
            capture.isHost || capture.port ? 1 : m_scenario.graph->Switches()[capture.id].portCount;
    }
    constexpr uint64_t OTHERS = 32; // files that a run has open beside its captures
    const uint64_t most = ProcessCost::RaiseOpenFiles(files + OTHERS);
    if (files + OTHERS > most)
    {
        Refuse("pcap",
               "captures in " + std::to_string(files) + " files, and a process may have only " +
                   std::to_string(most) + " open (ulimit -n)");
    }
}

CaptureSpec
OutputOptions::ReadCapture(const std::string& item) const
{
    const FabricGraph& graph = *m_scenario.graph;
    const std::string prefix = "host-";
    const std::size_t colon = item.find(':');
    const std::string node = item.substr(0, colon);
    const std::optional<int64_t> port =
        ParseInteger(colon == std::string::npos ? "" : item.substr(colon + 1));
    const bool isHost = node.compare(0, prefix.size(), prefix) == 0;
    const int64_t host = isHost ? ParseInteger(node.substr(prefix.size())).value_or(-1) : -1;
    CaptureSpec capture;
    capture.isHost = host >= 0 && host < graph.HostCount();
    int64_t ports = graph.Planes() == 1 ? 1 : 0; // a NIC of several ports is captured whole
    if (capture.isHost)
    {
        capture.id = host;
    }
    else
    {
        while (capture.id < graph.Switches().size() && graph.SwitchName(capture.id) != node)
        {
            ++capture.id;
        }
        const bool found = capture.id < graph.Switches().size();
        ports = found ? graph.Switches()[capture.id].portCount : 0;
    }
    const bool isPort = port && *port >= 0 && *port < ports;
    if ((!capture.isHost && ports == 0) || (colon != std::string::npos && !isPort))
    {
        throw OptionError("pcap",
                          item,
                          "host-0 to host-" + std::to_string(graph.HostCount() - 1) +
                              ", a switch such as " + graph.SwitchName(0) + ", or " +
                              graph.SwitchName(0) + ":0");
    }
    if (isPort)
    {
        capture.port = *port;
    }
    return capture;
}

void
OutputOptions::ReadObservation()
{
    ReadPatience();
    m_scenario.out = m_table.Get("out");
    m_scenario.samplePs = ReadTime("sample", 0);
    if (m_table.Get("period") != AUTO)
    {
        m_scenario.periodPs = ReadTime("period", 1);
    }
    m_scenario.progress = ReadFlag("progress");
    m_scenario.options["out"] = m_scenario.out;
    m_scenario.options["sample"] = m_table.Get("sample");
    m_scenario.options["progress"] = m_scenario.progress;
    m_scenario.check = ReadFlag("check");
    m_scenario.options["check"] = m_scenario.check;
}

void
OutputOptions::ReadPatience()
{
    constexpr int64_t TIMEOUTS = 20;
    constexpr int64_t MOST_PS = 2'000'000'000'000'000; // ns-3 counts up to 9223 s in femtoseconds
    m_scenario.stallPs = m_table.Get("stallTime") == AUTO
                             ? TIMEOUTS * std::min(m_scenario.ackTimeoutPs, MOST_PS / TIMEOUTS)
                             : ReadTime("stallTime", 1);
    m_scenario.options["stallTime"] = FormatNs(m_scenario.stallPs) + "ns";
}

} // namespace aifabric
} // namespace ns3
