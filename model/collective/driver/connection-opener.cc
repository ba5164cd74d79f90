/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "connection-opener.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

ConnectionOpener::ConnectionOpener(const TrainingWorkload& workload,
                                   WorkloadExtent& extent,
                                   MessageService& service)
    : m_workload(workload),
      m_extent(extent),
      m_service(service)
{
}

void
ConnectionOpener::Open()
{
    std::size_t longest = 0;
    for (const WorkloadProgram& program : m_workload.programs)
    {
        longest = std::max(longest, program.size());
    }
    for (std::size_t place = 0; place < longest; ++place)
    {
        for (uint32_t host = 0; host < m_workload.programOf.size(); ++host)
        {
            const uint32_t program = m_workload.programOf[host];
            if (program != TrainingWorkload::NO_PROGRAM &&
                place < m_workload.programs[program].size())
            {
                OpenNode(host, m_workload.programs[program][place]);
            }
        }
    }
}

void
ConnectionOpener::OpenNode(uint32_t host, const WorkloadNode& node)
{
    if (node.kind == WorkloadNode::Kind::SEND)
    {
        Flow flow;
        flow.source = host;
        flow.destination = node.peer;
        flow.bytes = node.bytes;
        flow.trafficClass = node.trafficClass;
        m_service.Open(flow);
    }
    else if (node.kind == WorkloadNode::Kind::COLLECTIVE &&
             m_open.emplace(node.communicator, node.trafficClass, &m_extent.Of(node)).second)
    {
        const CollectiveSpec spec = m_extent.Describe(node);
        const CollectiveLayout layout(spec);
        uint32_t step = 0;
        while (OpenStep(layout, spec, step))
        {
            ++step;
        }
    }
}

bool
ConnectionOpener::OpenStep(const CollectiveLayout& layout,
                           const CollectiveSpec& spec,
                           uint32_t step)
{
    bool isAny = false;
    for (uint32_t rank = 0; rank < spec.hosts.size(); ++rank)
    {
        for (uint32_t slice = 0; slice < layout.CountSlices(); ++slice)
        {
            if (step >= layout.GetAlgorithm().CountSteps(rank, layout.LaneOf(slice)))
            {
                continue;
            }
            isAny = true;
            for (const CollectiveMessage& message : layout.GetStep(rank, slice, step).sends)
            {
                Flow flow;
                flow.source = spec.hosts[rank];
                flow.destination = spec.hosts[message.peer];
                flow.bytes = layout.GetBytes(slice, message);
                flow.channel = static_cast<uint16_t>(layout.ChannelOf(slice));
                flow.trafficClass = spec.trafficClass;
                m_service.Open(flow);
            }
        }
    }
    return isAny;
}

} // namespace aifabric
} // namespace ns3
