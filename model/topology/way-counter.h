/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef WAY_COUNTER_H
#define WAY_COUNTER_H

#include "fabric-graph.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Counts the shortest ways from switches to a leaf of which all links are alive. Parallel links
 * are ways of their own. One count looks at each port of the plane above tier 0 once; the ways from
 * a leaf are added up when they are asked for, so that a count costs little where there are many
 * leaves.
 */
class WayCounter
{
  public:
    /**
     * @param graph the fabric; must outlive the counter
     * @param alive whether frames cross a link, by link id
     * @throws std::invalid_argument if there are more or fewer entries than links
     */
    WayCounter(const FabricGraph& graph, std::vector<bool> alive);

    /**
     * Count the ways to a leaf from all switches of its plane.
     *
     * @param leaf id of a switch of tier 0
     */
    void CountTo(uint32_t leaf);

    /// @return the ways to the leaf of the last CountTo(), from a switch of its plane
    /// @param id the switch
    uint64_t GetWays(uint32_t id) const;

    /// @return those of them that begin with a port, which leads to a switch  @param id the switch
    uint64_t GetWaysBy(uint32_t id, uint16_t port) const;

    /// @return whether the link at a port is alive  @param id the switch
    bool IsAlive(uint32_t id, uint16_t port) const;

    /// @return the ids of the switches of a tier
    const std::vector<uint32_t>& GetSwitches(uint16_t plane, uint8_t tier) const;

  private:
    /// @return the ways of a switch by its next hops  @param id the switch
    uint64_t SumWays(uint32_t id) const;

    const FabricGraph& m_graph;                    //!< the fabric
    std::vector<bool> m_alive;                     //!< by link id
    std::vector<uint64_t> m_ways;                  //!< by switch id; of leaves, m_leaf has any
    std::vector<uint32_t> m_leaf;                  //!< of the last CountTo(), by plane
    std::vector<std::vector<uint32_t>> m_switches; //!< by plane and tier
};

/**
 * @param alive whether frames cross a link, by link id
 * @return whether each host reaches each other one over each plane, by a shortest way
 */
bool IsConnected(const FabricGraph& graph, const std::vector<bool>& alive);

/// Two hosts: a source and a destination.
using HostPair = std::pair<uint32_t, uint32_t>;

/**
 * @param alive whether frames cross a link, by link id; links of hosts count too
 * @param pairs the hosts of interest; none: all
 * @return two of them that have no shortest way to each other in any plane; nothing if there are
 *         no such
 */
std::optional<HostPair> FindSeparated(const FabricGraph& graph,
                                      const std::vector<bool>& alive,
                                      std::vector<HostPair> pairs);

} // namespace aifabric
} // namespace ns3

#endif /* WAY_COUNTER_H */
