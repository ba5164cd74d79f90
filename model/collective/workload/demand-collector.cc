/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "demand-collector.h"

#include "ns3/collective-layout.h"

#include <algorithm>
#include <unordered_map>

namespace ns3
{
namespace aifabric
{

void
DemandCollector::Add(const std::vector<Flow>& flows)
{
    for (const Flow& flow : flows)
    {
        if (!flow.inNode)
        {
            m_bytes[{flow.source, flow.destination}] += flow.bytes;
        }
    }
}

void
DemandCollector::Add(const TrainingWorkload& workload, const CollectiveDefaults& defaults)
{
    const WorkloadExtent extent(workload, defaults, 1);
    for (uint32_t host = 0; host < workload.programOf.size(); ++host)
    {
        if (workload.programOf[host] == TrainingWorkload::NO_PROGRAM)
        {
            continue;
        }
        for (const WorkloadNode& node : workload.programs[workload.programOf[host]])
        {
            if (node.kind == WorkloadNode::Kind::SEND && node.peer != host &&
                !defaults.nodes.Joins(host, node.peer))
            {
                m_bytes[{host, node.peer}] += node.bytes;
            }
            else if (node.kind == WorkloadNode::Kind::COLLECTIVE &&
                     workload.communicators[node.communicator].hosts[0] == host)
            {
                AddCollective(extent.Describe(node)); // once, at its rank 0
            }
        }
    }
}

void
DemandCollector::AddCollective(const CollectiveSpec& spec)
{
    const CollectiveLayout layout(spec);
    const CollectiveAlgorithm& algorithm = layout.GetAlgorithm();
    const uint32_t lanes = layout.CountSlices() / spec.channels; // channels are alike
    for (uint32_t rank = 0; rank < algorithm.GetRanks(); ++rank)
    {
        for (uint32_t lane = 0; lane < lanes; ++lane)
        {
            for (uint32_t step = 0; step < algorithm.CountSteps(rank, lane); ++step)
            {
                for (const auto& message : layout.GetStep(rank, lane, step).sends)
                {
                    if (!layout.IsInNode(rank, message.peer))
                    {
                        m_bytes[{spec.hosts[rank], spec.hosts[message.peer]}] +=
                            layout.GetBytes(lane, message) * spec.channels;
                    }
                }
            }
        }
    }
}

std::vector<TrafficDemand>
DemandCollector::GetDemands(double ackShare) const
{
    std::unordered_map<uint32_t, uint64_t> sent;
    std::unordered_map<uint32_t, uint64_t> received;
    for (const auto& [hosts, bytes] : m_bytes)
    {
        sent[hosts.first] += bytes;
        received[hosts.second] += bytes;
    }
    std::map<std::pair<uint32_t, uint32_t>, double> rates;
    for (const auto& [hosts, bytes] : m_bytes)
    {
        const auto most =
            static_cast<double>(std::max({sent[hosts.first], received[hosts.second], uint64_t{1}}));
        rates[hosts] += bytes / most;
        rates[{hosts.second, hosts.first}] += bytes / most * ackShare;
    }
    std::vector<TrafficDemand> demands;
    for (const auto& [hosts, rate] : rates)
    {
        if (rate > 0)
        {
            demands.push_back({hosts.first, hosts.second, rate});
        }
    }
    return demands;
}

} // namespace aifabric
} // namespace ns3
