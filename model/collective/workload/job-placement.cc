/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "job-placement.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Put things into random order.  @param uniform draws
template <typename T>
void
Shuffle(std::vector<T>& things, const UniformInteger& uniform)
{
    for (auto left = static_cast<uint32_t>(things.size()); left > 1; --left)
    {
        std::swap(things[left - 1], things[uniform(left)]);
    }
}

/// @return the nodes of each rack
std::vector<std::vector<uint32_t>>
FindRacks(const FabricGraph& graph, const GpuNodes& nodes)
{
    std::map<uint32_t, std::vector<uint32_t>> racks;
    for (uint32_t node = 0; node < graph.HostCount() / nodes.GetGpus(); ++node)
    {
        racks[graph.RackOf(nodes.HostOf(node, 0))].push_back(node);
    }
    std::vector<std::vector<uint32_t>> list;
    for (auto& rack : racks)
    {
        list.push_back(std::move(rack.second));
    }
    return list;
}

/// @return all nodes, in the order in which the job gets them  @param placement how they are chosen
/// @param racks the nodes of each rack  @param uniform draws
std::vector<uint32_t>
OrderNodes(JobPlacement placement,
           std::vector<std::vector<uint32_t>> racks,
           const UniformInteger& uniform)
{
    std::vector<uint32_t> order;
    if (placement == JobPlacement::FRAGMENTED)
    {
        Shuffle(racks, uniform);
        std::size_t most = 0;
        for (const std::vector<uint32_t>& rack : racks)
        {
            most = std::max(most, rack.size());
        }
        for (std::size_t slot = 0; slot < most; ++slot)
        {
            for (const std::vector<uint32_t>& rack : racks)
            {
                if (slot < rack.size()) // only racks of a Clos network are equally large
                {
                    order.push_back(rack[slot]);
                }
            }
        }
        return order;
    }
    for (const std::vector<uint32_t>& rack : racks)
    {
        order.insert(order.end(), rack.begin(), rack.end());
    }
    if (placement == JobPlacement::RANDOM)
    {
        Shuffle(order, uniform);
    }
    return order;
}

} // namespace

std::optional<JobPlacement>
FindJobPlacement(const std::string& name)
{
    static const std::map<std::string, JobPlacement> PLACEMENTS = {
        {"packed", JobPlacement::PACKED},
        {"fragmented", JobPlacement::FRAGMENTED},
        {"random", JobPlacement::RANDOM}};
    const auto found = PLACEMENTS.find(name);
    return found == PLACEMENTS.end() ? std::nullopt : std::optional<JobPlacement>(found->second);
}

std::vector<uint32_t>
PlaceJob(JobPlacement placement,
         const FabricGraph& graph,
         const GpuNodes& nodes,
         uint32_t ranks,
         const UniformInteger& uniform)
{
    std::vector<uint32_t> hosts;
    for (const uint32_t node : OrderNodes(placement, FindRacks(graph, nodes), uniform))
    {
        for (uint32_t index = 0; index < nodes.GetGpus() && hosts.size() < ranks; ++index)
        {
            hosts.push_back(nodes.HostOf(node, index));
        }
    }
    return hosts;
}

} // namespace aifabric
} // namespace ns3
