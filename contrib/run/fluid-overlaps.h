/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_OVERLAPS_H
#define FLUID_OVERLAPS_H

#include "ns3/fabric-graph.h"
#include "ns3/gpu-nodes.h"
#include "ns3/training-workload.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// Finds collectives of a host that may run at the same time, where single messages or packets
/// decide what comes of it: those whose messages are far from equally long, of which the short ones
/// get out of step, sooner where these leave their leaf; and those of GPUs of one node.
class FluidOverlaps
{
  public:
    /// @param graph the fabric; must outlive this  @param training the iteration; must outlive this
    /// @param nodes whose GPUs send no packets to each other; must outlive this
    /// @param channels of each collective  @param mtu payload of a full packet, in bytes
    FluidOverlaps(const FabricGraph& graph,
                  const TrainingWorkload& training,
                  const GpuNodes& nodes,
                  uint32_t channels,
                  uint32_t mtu)
        : m_graph(graph),
          m_training(training),
          m_nodes(nodes),
          m_channels(channels),
          m_mtu(mtu)
    {
    }

    /// @return whether a host has collectives whose messages are far from equally long
    bool Find() const
    {
        return FindIf([this](const WorkloadNode& node) { return IsRing(node); },
                      [this](const WorkloadNode& one, const WorkloadNode& other) {
                          return IsUneven(one, other);
                      });
    }

    /// @return whether a host has collectives that may run at the same time, and of which each has
    /// messages between the GPUs of a node: their order decides which waits
    bool FindWithinNodes() const
    {
        return FindIf([this](const WorkloadNode& node) { return HasNeighbours(node); },
                      [](const WorkloadNode&, const WorkloadNode&) { return true; });
    }

    /// @return whether a node is a collective of which several ranks are in one node
    bool HasNeighbours(const WorkloadNode& node) const
    {
        if (node.kind != WorkloadNode::Kind::COLLECTIVE)
        {
            return false;
        }
        std::set<uint32_t> nodes;
        const std::vector<uint32_t>& hosts = m_training.communicators[node.communicator].hosts;
        return std::any_of(hosts.begin(), hosts.end(), [this, &nodes](uint32_t host) {
            return !nodes.insert(m_nodes.NodeOf(host)).second;
        });
    }

    /// @return whether all hosts are in one node, so that their messages cross no network
    static bool AreInNode(const GpuNodes& nodes, const std::vector<uint32_t>& hosts)
    {
        return std::all_of(hosts.begin(), hosts.end(), [&nodes, &hosts](uint32_t host) {
            return nodes.NodeOf(host) == nodes.NodeOf(hosts.front());
        });
    }

    static constexpr uint32_t LONG_PACKETS = 1024; //!< of the longer messages
    static constexpr uint32_t NEAR_PACKETS = 2048; //!< of those beside others within a leaf
    static constexpr uint32_t RATIO = 8;           //!< by which others are shorter

  private:
    /// @return whether a host has two collectives that may run at the same time, of those that
    /// count
    /// @param counts whether one does  @param isFar whether two of them are what is looked for
    template <class Counts, class IsFar>
    bool FindIf(const Counts& counts, const IsFar& isFar) const
    {
        return std::any_of(
            m_training.programs.begin(),
            m_training.programs.end(),
            [&](const WorkloadProgram& program) { return FindIn(program, counts, isFar); });
    }

    /// @return whether a program has two such collectives, one after the other in its order
    /// @param counts as in FindIf()  @param isFar as in FindIf()
    template <class Counts, class IsFar>
    static bool FindIn(const WorkloadProgram& program, const Counts& counts, const IsFar& isFar)
    {
        std::vector<std::size_t> awaited(program.size(), 0); // 1 more than the last one; 0: none
        std::size_t last = 0;                                // 1 more than the last collective
        for (std::size_t node = 0; node < program.size(); ++node)
        {
            for (const uint32_t before : program[node].dependencies)
            {
                const std::size_t collective = counts(program[before]) ? before + 1 : 0;
                awaited[node] = std::max({awaited[node], awaited[before], collective});
            }
            if (!counts(program[node]))
            {
                continue;
            }
            if (awaited[node] < last && isFar(program[node], program[last - 1]))
            {
                return true;
            }
            last = node + 1;
        }
        return false;
    }

    /// @return whether a node is a collective that crosses the network
    bool IsRing(const WorkloadNode& node) const
    {
        return node.kind == WorkloadNode::Kind::COLLECTIVE &&
               !AreInNode(m_nodes, m_training.communicators[node.communicator].hosts);
    }

    /// @return whether two collectives have messages that are far from equally long
    bool IsUneven(const WorkloadNode& one, const WorkloadNode& other) const
    {
        const bool isSorted = GetMessage(one) <= GetMessage(other);
        const WorkloadNode& shorter = isSorted ? one : other;
        const uint64_t least = GetMessage(shorter);
        const uint64_t most = GetMessage(isSorted ? other : one);
        const uint64_t packets = IsWithinLeaf(shorter) ? NEAR_PACKETS : LONG_PACKETS;
        return most >= packets * m_mtu && most >= RATIO * least;
    }

    /// @return whether no message of a ring leaves its leaf
    bool IsWithinLeaf(const WorkloadNode& node) const
    {
        const std::vector<uint32_t>& hosts = m_training.communicators[node.communicator].hosts;
        return std::all_of(hosts.begin(), hosts.end(), [this, &hosts](uint32_t host) {
            return m_graph.LeafOf(host) == m_graph.LeafOf(hosts.front());
        });
    }

    /// @return bytes of a message of a ring
    uint64_t GetMessage(const WorkloadNode& node) const
    {
        const std::size_t ranks = m_training.communicators[node.communicator].hosts.size();
        return node.bytes / (ranks * m_channels);
    }

    const FabricGraph& m_graph;         //!< the fabric
    const TrainingWorkload& m_training; //!< the iteration
    const GpuNodes& m_nodes;            //!< of hosts
    const uint32_t m_channels;          //!< of each collective
    const uint32_t m_mtu;               //!< payload of a full packet, in bytes
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_OVERLAPS_H */
