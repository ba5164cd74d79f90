/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "event-log.h"

#include "ns3/function-callback.h"
#include "ns3/simulator.h"

namespace ns3
{
namespace aifabric
{

EventLog::EventLog(const std::string& path, bool isFirst, int64_t latenessPs)
    : m_table(path, latenessPs),
      m_isFirst(isFirst)
{
}

void
EventLog::WatchPauses(const PortCatalog& catalog)
{
    for (const PortCatalog::Entry& entry : catalog.GetPorts())
    {
        entry.port->TraceConnectWithoutContext(
            "Pause",
            FunctionCallback<void, uint8_t, Time>([this, &entry](uint8_t classes, Time duration) {
                Write(duration.IsZero() ? "resume" : "pause",
                      entry.name,
                      "classes=" + std::to_string(classes) +
                          " duration_ns=" + FormatNs(duration.GetPicoSeconds()));
            }));
    }
}

void
EventLog::WatchLinks(const PortCatalog& catalog)
{
    for (const PortCatalog::Entry& entry : catalog.GetPorts())
    {
        if (entry.port != entry.port->GetChannel()->GetPort(0))
        {
            continue; // the link is watched once
        }
        entry.port->GetChannel()->TraceConnectWithoutContext(
            "LinkState",
            FunctionCallback<void, bool>([this, &entry](bool up) {
                WriteGlobal(up ? "link_up" : "link_down", entry.name + "--" + entry.peer, "");
            }));
    }
}

void
EventLog::Watch(const std::vector<Ptr<RoceNetDevice>>& nics)
{
    for (const Ptr<RoceNetDevice>& nic : nics)
    {
        nic->TraceConnectWithoutContext(
            "QueuePairTimeout",
            FunctionCallback<void, Ptr<const QueuePair>, uint32_t>(
                [this, host = nic->GetHost()](Ptr<const QueuePair> queuePair, uint32_t retries) {
                    Write(queuePair->HasFailed() ? "give_up" : "timeout",
                          "host-" + std::to_string(host) + ":qp-" +
                              std::to_string(queuePair->GetNumber()),
                          "peer=host-" + std::to_string(queuePair->GetPeerHost()) +
                              " retries=" + std::to_string(retries));
                }));
    }
}

void
EventLog::Write(const std::string& event, const std::string& subject, const std::string& detail)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_table.Write(Simulator::Now().GetPicoSeconds(), event, subject, detail);
}

void
EventLog::WriteGlobal(const std::string& event,
                      const std::string& subject,
                      const std::string& detail)
{
    if (m_isFirst)
    {
        Write(event, subject, detail);
    }
}

void
EventLog::Close()
{
    m_table.Close();
}

} // namespace aifabric
} // namespace ns3
