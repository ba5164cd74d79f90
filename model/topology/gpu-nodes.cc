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
    : m_gpus(gpus),
      m_share(graph.HostsPerNic())
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
    const uint32_t leaf =
        m_share > 1 ? graph.PeerOf({false, graph.LeafOf(0), static_cast<uint16_t>(m_share)}).id
                    : graph.LeafOf(0);
    const uint32_t perLeaf = graph.Switches()[leaf].forwarding.hostCount;
    const uint32_t leaves = graph.HostCount() / perLeaf;
    if (gpus % m_share != 0)
    {
        throw std::invalid_argument("a multiple of the " + std::to_string(m_share) +
                                    " GPUs that share a NIC");
    }
    const uint32_t nics = gpus / m_share;
    if (mapping == Mapping::RACK && (gpus == 0 || perLeaf % gpus != 0))
    {
        throw std::invalid_argument("a number that divides the " + std::to_string(perLeaf) +
                                    " hosts of a leaf");
    }
    if (mapping == Mapping::RAIL && (gpus == 0 || leaves % nics != 0))
    {
        throw std::invalid_argument(
            (m_share > 1 ? "as many NICs as divide the " : "a number that divides the ") +
            std::to_string(leaves) + " leaves");
    }
    m_stride = mapping == Mapping::RAIL ? perLeaf / m_share : 1;
}

} // namespace aifabric
} // namespace ns3
