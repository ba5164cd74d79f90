/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "workload-extent.h"

#include "ns3/message-text.h"

#include <set>
#include <stdexcept>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return by rank: the number of what it is at, in the order of ranks  @param hosts by rank
/// @param placeOf where a host is
template <typename F>
std::vector<uint32_t>
Number(const std::vector<uint32_t>& hosts, F placeOf)
{
    std::vector<uint32_t> list;
    std::unordered_map<uint32_t, uint32_t> numbers;
    for (const uint32_t host : hosts)
    {
        const auto next = static_cast<uint32_t>(numbers.size());
        list.push_back(numbers.emplace(placeOf(host), next).first->second);
    }
    return list;
}

} // namespace

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
    spec.parts = node.parts;
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
    spec.nodeChunkBytes = m_defaults.nodeChunkBytes;
    spec.chunks = m_defaults.chunks;
    spec.hosts = m_workload.communicators[node.communicator].hosts;
    spec.nodes = NumberNodes(spec.hosts);
    spec.nics = NumberNics(spec.hosts);
    spec.protocol =
        node.protocol.empty() ? m_defaults.protocol : m_defaults.protocolByName.at(node.protocol);
    spec.travel = m_defaults.travel;
    spec.trafficClass = node.trafficClass;
    return spec;
}

std::vector<uint32_t>
WorkloadExtent::NumberNodes(const std::vector<uint32_t>& hosts) const
{
    const GpuNodes& nodes = m_defaults.nodes;
    if (nodes.GetGpus() == 1)
    {
        return {};
    }
    return Number(hosts, [&nodes](uint32_t host) { return nodes.NodeOf(host); });
}

std::vector<uint32_t>
WorkloadExtent::NumberNics(const std::vector<uint32_t>& hosts) const
{
    const GpuNodes& nodes = m_defaults.nodes;
    if (nodes.GetGpusPerNic() == 1)
    {
        return {};
    }
    return Number(hosts, [&nodes](uint32_t host) { return nodes.NicOf(host); });
}

const CollectiveExtent&
WorkloadExtent::Of(const WorkloadNode& node)
{
    const std::vector<uint32_t>& hosts = m_workload.communicators[node.communicator].hosts;
    const Shape shape{node.collective,
                      node.algorithm,
                      node.protocol,
                      hosts.size(),
                      node.root,
                      node.bytes,
                      node.parts,
                      NumberNodes(hosts),
                      NumberNics(hosts)};
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
    // By communicator and traffic class.
    std::set<std::tuple<uint32_t, uint8_t, const CollectiveExtent*>> seen;
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
                part.pairs = 1;
                const bool isInNode = m_defaults.nodes.Joins(host, node.peer);
                part.packets = isInNode ? 0 : (node.bytes + m_mtu - 1) / m_mtu;
                part.bytes = isInNode ? 0 : node.bytes;
            }
            else if (node.kind == WorkloadNode::Kind::COLLECTIVE &&
                     m_workload.communicators[node.communicator].hosts[0] == host)
            {
                const CollectiveExtent& extent = Of(node); // counted once, at its rank 0
                part = extent;
                // The next one of the same hosts uses the same queue pairs.
                const bool isNew =
                    seen.emplace(node.communicator, node.trafficClass, &extent).second;
                part.pairs = isNew ? extent.pairs : 0;
            }
            total.messages += part.messages;
            total.pairs += part.pairs;
            total.packets += part.packets;
            total.bytes += part.bytes;
        }
    }
    return total;
}

} // namespace aifabric
} // namespace ns3
