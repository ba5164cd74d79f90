/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-extent.h"

#include "workload-text.h"

#include <stdexcept>

namespace ns3
{
namespace aifabric
{

WorkloadExtent::WorkloadExtent(const TrainingWorkload& workload,
                               const CollectiveDefaults& defaults,
                               uint32_t mtu)
    : m_workload(workload),
      m_defaults(defaults),
      m_mtu(mtu)
{
}

CollectiveSpec
WorkloadExtent::Describe(const WorkloadNode& node) const
{
    CollectiveSpec spec;
    spec.name = node.name;
    spec.kind = node.collective;
    spec.bytes = node.bytes;
    spec.root = node.root;
    spec.algorithm = m_defaults.algorithm;
    if (!node.algorithm.empty())
    {
        const auto named = m_defaults.byName.find(node.algorithm);
        if (named == m_defaults.byName.end())
        {
            throw std::invalid_argument(Quoted(node.name) + ": there is no algorithm " +
                                        Quoted(node.algorithm));
        }
        spec.algorithm = named->second;
    }
    spec.channels = m_defaults.channels;
    spec.chunkBytes = m_defaults.chunkBytes;
    spec.chunks = m_defaults.chunks;
    spec.hosts = m_workload.communicators[node.communicator].hosts;
    return spec;
}

const CollectiveExtent&
WorkloadExtent::Of(const WorkloadNode& node)
{
    const std::size_t ranks = m_workload.communicators[node.communicator].hosts.size();
    const Shape shape{node.collective, node.algorithm, ranks, node.root, node.bytes};
    const auto known = m_extents.find(shape);
    if (known != m_extents.end())
    {
        return known->second;
    }
    const CollectiveSpec spec = Describe(node);
    CollectiveExtent extent;
    try
    {
        extent = CollectiveLayout(spec).Measure(m_mtu);
    }
    catch (const std::invalid_argument& error)
    {
        throw std::invalid_argument(Quoted(node.name) + ": " + error.what());
    }
    return m_extents.emplace(shape, extent).first->second;
}

CollectiveExtent
WorkloadExtent::Total()
{
    CollectiveExtent total;
    for (uint32_t host = 0; host < m_workload.programOf.size(); ++host)
    {
        if (m_workload.programOf[host] == TrainingWorkload::NO_PROGRAM)
        {
            continue;
        }
        for (const WorkloadNode& node : m_workload.programs[m_workload.programOf[host]])
        {
            CollectiveExtent part;
            if (node.kind == WorkloadNode::Kind::SEND)
            {
                part.messages = 1;
                part.packets = (node.bytes + m_mtu - 1) / m_mtu;
                part.bytes = node.bytes;
            }
            else if (node.kind == WorkloadNode::Kind::COLLECTIVE &&
                     m_workload.communicators[node.communicator].hosts[0] == host)
            {
                part = Of(node); // counted once, at its rank 0
            }
            total.messages += part.messages;
            total.packets += part.packets;
            total.bytes += part.bytes;
        }
    }
    return total;
}

} // namespace aifabric
} // namespace ns3
