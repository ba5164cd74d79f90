/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef SHORTEST_PATHS_H
#define SHORTEST_PATHS_H

#include "fabric-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The shortest paths between the hosts of a fabric of any shape: those with the fewest links. All
 * are equally good, whatever the rates and delays of their links. It is worked out once, by a
 * search from each switch that has hosts.
 */
class ShortestPaths
{
  public:
    /// What no shortest path between two hosts exceeds.
    struct Extent
    {
        uint32_t links{0};     //!< links of a path
        int64_t delayPs{0};    //!< sum of their delays, in picoseconds
        uint64_t psPerByte{0}; //!< sum of the times of a byte on them, in picoseconds
    };

    /// Links of a path, at most: fewer than the TTL of a new frame.
    static constexpr uint32_t MOST_LINKS = 60;

    /// Hops of a switch that has no path.
    static constexpr uint32_t NONE = UINT32_MAX;

    /**
     * @param graph a fabric whose links have rates and delays; it is not kept
     * @throws std::invalid_argument if two hosts have no path, or one that is too long
     */
    explicit ShortestPaths(const FabricGraph& graph);

    /// @return the links of a path between two hosts  @param from the switch of one of them
    /// @param to the switch of the other
    uint32_t CountLinks(uint32_t from, uint32_t to) const;

    /// @return what no path exceeds
    const Extent& GetLongest() const;

    /**
     * @param to a switch
     * @param alive whether frames cross a link, by link id; empty: all links are alive
     * @return the links between each switch and that switch, or NONE, by switch id
     */
    static std::vector<uint32_t> HopsTo(const FabricGraph& graph,
                                        uint32_t to,
                                        const std::vector<bool>& alive = {});

    /// @return the ports of a switch that lead nearer to another one, ascending
    /// @param hops what HopsTo() says of the other one  @param alive the argument of HopsTo()
    static std::vector<uint16_t> FindNextHops(const FabricGraph& graph,
                                              uint32_t from,
                                              const std::vector<uint32_t>& hops,
                                              const std::vector<bool>& alive = {});

    /// @return the hosts of each switch, by switch id
    static std::vector<std::vector<uint32_t>> FindHosts(const FabricGraph& graph);

  private:
    /// Note the links of all paths to a switch.  @param to the switch
    void AddPathsTo(const FabricGraph& graph, uint32_t to);

    std::vector<uint32_t> m_places;             //!< of switches with hosts in m_hops, by switch id
    std::vector<std::vector<uint16_t>> m_hops;  //!< between switches with hosts
    std::vector<std::vector<uint32_t>> m_hosts; //!< of each switch
    Extent m_longest;                           //!< what no path exceeds
};

} // namespace aifabric
} // namespace ns3

#endif /* SHORTEST_PATHS_H */
