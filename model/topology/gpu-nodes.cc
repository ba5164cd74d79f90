/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gpu-nodes.h"

#include <stdexcept>
#include <string>

namespace ns3
{
namespace aifabric
{

GpuNodes::GpuNodes(const FabricGraph& graph, uint32_t gpus, Mapping mapping)
    : m_gpus(gpus)
{
    if (!graph.IsClos())
    {
        if (gpus == 0 || graph.HostCount() % gpus != 0)
        {
            throw std::invalid_argument("a number that divides the " +
                                        std::to_string(graph.HostCount()) + " hosts");
        }
        return;
    }
    const uint32_t perLeaf = graph.Switches()[graph.LeafOf(0)].forwarding.hostCount;
    const uint32_t leaves = graph.HostCount() / perLeaf;
    if (mapping == Mapping::RACK && (gpus == 0 || perLeaf % gpus != 0))
    {
        throw std::invalid_argument("a number that divides the " + std::to_string(perLeaf) +
                                    " hosts of a leaf");
    }
    if (mapping == Mapping::RAIL && (gpus == 0 || leaves % gpus != 0))
    {
        throw std::invalid_argument("a number that divides the " + std::to_string(leaves) +
                                    " leaves");
    }
    m_stride = mapping == Mapping::RAIL ? perLeaf : 1;
}

} // namespace aifabric
} // namespace ns3
