/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LIVE_PATHS_H
#define LIVE_PATHS_H

#include "fabric-graph.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// A choice of a switch on a path.
struct PathHop
{
    uint32_t switchId; //!< the switch, which has several ports to choose from
    uint16_t port;     //!< the port that the path takes

    /// @return whether it is the same choice  @param other another one
    bool operator==(const PathHop& other) const
    {
        return switchId == other.switchId && port == other.port;
    }
};

/// A shortest path from a leaf to another one.
struct LivePath
{
    std::vector<PathHop> hops; //!< the choices of its switches
    /// The links between switches, in the order of the path: twice the id of the link, and 1 more
    /// on the way down.
    std::vector<uint32_t> links;
    uint32_t middle{0}; //!< the switch at which the path turns down
};

/**
 * @ingroup ai-fabric
 *
 * The shortest paths between leaves of which all links are alive: the live links are a graph of
 * Boost.Graph, a search in breadth from the destination gives the distances, and each step of a
 * path comes one link nearer. A path goes up and then down, and is no longer than without failures.
 * Parallel links are paths of their own. The paths of two leaves are found when they are asked for
 * the first time.
 */
class LivePaths
{
  public:
    /**
     * @param graph the fabric; must outlive this
     * @param alive whether frames cross a link, by link id
     * @throws std::invalid_argument if there are more or fewer entries than links
     */
    LivePaths(const FabricGraph& graph, const std::vector<bool>& alive);

    ~LivePaths();

    /**
     * @param source a host
     * @param destination a host
     * @return the paths between their leaves in the order of the ports; none if both have one leaf
     */
    const std::vector<LivePath>& Between(uint32_t source, uint32_t destination, uint16_t plane);

  private:
    /// A link of a switch, in one direction.
    struct Step
    {
        uint16_t port{0}; //!< of the switch
        uint32_t link{0}; //!< twice the id of the link, and 1 more on the way down
    };

    struct Graph; //!< of Boost.Graph

    /// @return the vertex of a switch  @param id the switch
    /// @param isDown whether frames have gone down
    static uint32_t VertexOf(uint32_t id, bool isDown)
    {
        return 2 * id + isDown;
    }

    /// Make the graph.  @param alive whether frames cross a link, by link id
    void MakeGraph(const std::vector<bool>& alive);

    /// @return links between switches from any vertex to a leaf, at least; NONE: there is no path
    /// @param leaf where paths end
    const std::vector<uint32_t>& DistancesTo(uint32_t leaf);

    /// Add the paths that begin with a known part.  @param vertex where that ends
    /// @param distances by vertex, to where the paths end  @param destination a host there
    /// @param path the part  @param [out] paths where the paths are added
    void Extend(uint32_t vertex,
                const std::vector<uint32_t>& distances,
                uint32_t destination,
                LivePath& path,
                std::vector<LivePath>& paths) const;

    static constexpr uint32_t NONE = UINT32_MAX; //!< no distance

    const FabricGraph& m_fabric;                                     //!< the fabric
    std::unique_ptr<Graph> m_graph;                                  //!< its live links
    std::unordered_map<uint32_t, std::vector<uint32_t>> m_distances; //!< by leaf and vertex
    /// By source leaf (upper 32 bits) and destination leaf
    std::unordered_map<uint64_t, std::vector<LivePath>> m_paths;
};

} // namespace aifabric
} // namespace ns3

#endif /* LIVE_PATHS_H */
