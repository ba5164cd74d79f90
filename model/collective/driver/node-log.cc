/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "node-log.h"

namespace ns3
{
namespace aifabric
{

void
NodeLog::AddHost(std::size_t nodes)
{
    m_spans.emplace_back(nodes);
}

void
NodeLog::Begin(uint32_t host, uint32_t node, int64_t ps)
{
    m_spans[host][node].startPs = ps;
}

void
NodeLog::End(uint32_t host, uint32_t node, int64_t ps)
{
    m_spans[host][node].endPs = ps;
}

std::vector<NodeRecord>
NodeLog::Describe(const TrainingWorkload& workload) const
{
    std::vector<NodeRecord> records;
    for (uint32_t host = 0; host < m_spans.size(); ++host)
    {
        for (uint32_t node = 0; node < m_spans[host].size(); ++node)
        {
            const Span& span = m_spans[host][node];
            if (span.endPs < 0)
            {
                continue;
            }
            const WorkloadNode& what = workload.programs[workload.programOf[host]][node];
            const bool isCollective = what.kind == WorkloadNode::Kind::COLLECTIVE;
            records.push_back({host,
                               what.name,
                               what.kind,
                               what.unit,
                               what.stream,
                               isCollective ? workload.communicators[what.communicator].name : "",
                               what.bytes,
                               what.peer,
                               span.startPs,
                               span.endPs});
        }
    }
    return records;
}

} // namespace aifabric
} // namespace ns3
