/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef GPU_NODES_H
#define GPU_NODES_H

#include "fabric-graph.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Which hosts are the GPUs of one node. A host of the fabric is a GPU with its NIC; a node has
 * several of them, numbered from 0 within the node.
 *
 * - RACK: all GPUs of a node hang at the same leaf: hosts that follow each other.
 * - RAIL: leaves form groups of as many as a node has GPUs, and GPU g of each node hangs at leaf g
 *   of a group, all GPUs of a node behind the same port number of their leaves. Where s GPUs share
 *   a NIC, a group has as many leaves as a node has NICs, and GPU g hangs at leaf g / s.
 */
class GpuNodes
{
  public:
    /// Where the GPUs of a node hang.
    enum class Mapping
    {
        RACK, //!< at the same leaf
        RAIL, //!< each at a leaf of its own
    };

    /// Each host is a node by itself.
    GpuNodes() = default;

    /**
     * @param graph the fabric, whose leaves have equally many hosts
     * @param gpus GPUs of a node, at least 1; a multiple of those that share a NIC
     * @param mapping where they hang
     * @throws std::invalid_argument that says which number of GPUs the fabric allows
     */
    GpuNodes(const FabricGraph& graph, uint32_t gpus, Mapping mapping);

    /// @return GPUs of a node
    uint32_t GetGpus() const
    {
        return m_gpus;
    }

    /// @return the node of a host
    uint32_t NodeOf(uint32_t host) const
    {
        const uint32_t group = m_gpus * m_stride;
        return host / group * m_stride + host / m_share % m_stride;
    }

    /// @return the number of a host within its node
    uint32_t IndexOf(uint32_t host) const
    {
        return host % (m_gpus * m_stride) / (m_share * m_stride) * m_share + host % m_share;
    }

    /// @return the host of a GPU  @param index its number there
    uint32_t HostOf(uint32_t node, uint32_t index) const
    {
        return node / m_stride * m_gpus * m_stride + index / m_share * m_share * m_stride +
               node % m_stride * m_share + index % m_share;
    }

    /// @return GPUs that share a NIC; 1: each has its own
    uint32_t GetGpusPerNic() const
    {
        return m_share;
    }

    /// @return the NIC of a host
    uint32_t NicOf(uint32_t host) const
    {
        return host / m_share;
    }

    /// @return whether two different hosts are GPUs of one node  @param a a host  @param b a host
    bool Joins(uint32_t a, uint32_t b) const
    {
        return m_gpus > 1 && a != b && NodeOf(a) == NodeOf(b);
    }

  private:
    uint32_t m_gpus{1};   //!< GPUs of a node
    uint32_t m_share{1};  //!< GPUs that share a NIC
    uint32_t m_stride{1}; //!< from a NIC to the next one of its node, in NICs
};

} // namespace aifabric
} // namespace ns3

#endif /* GPU_NODES_H */
