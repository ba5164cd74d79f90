/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PATH_VIEW_H
#define PATH_VIEW_H

#include "fabric-graph.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * A choice among the shortest paths between two hosts: its label (see PathView), and the number of
 * paths that have it, which is more than 1 where parallel links lead down.
 */
struct LabelledPaths
{
    uint16_t label; //!< of the paths
    uint32_t paths; //!< how many of them are alive, at least 1
};

/**
 * @ingroup ai-fabric
 *
 * Which shortest paths between two hosts are known to be alive: the view of the fabric of hosts
 * that choose among whole paths. SetLinkAlive() keeps it up to date.
 *
 * A path is named by its label, which says what the switches on the way up choose: the i-th uplink
 * of the leaf and the j-th uplink of the switch of tier 1 have label `j * U + i`, where U is the
 * number of uplinks of a leaf (FabricGraph::LeafUplinks). In a k-ary fat-tree, where U = h = k / 2,
 * this is the label of the way over core (i, j), and the labels from 0 to h * h - 1 in ascending
 * order are those of the digit-reversed order of the cores. Where the way turns around at tier 1
 * the label is i, and under one leaf it is 0. On the way down there is no choice but among parallel
 * links. Labels are defined where a plane has no more than 2^16 paths between two hosts.
 *
 * It holds one bit a link; paths are found when they are asked for.
 */
class PathView
{
  public:
    /// @param graph the fabric, all of it alive; must outlive the view
    explicit PathView(const FabricGraph& graph);

    /// @return the fabric
    const FabricGraph& GetGraph() const
    {
        return m_graph;
    }

    /// @return the number of planes
    uint16_t GetPlanes() const;

    /**
     * Take note of a failure or a repair.
     *
     * @param link id of the link
     * @param alive whether frames cross it, in both directions
     */
    void SetLinkAlive(uint32_t link, bool alive);

    /// @return whether a link is known to be alive  @param link id of the link
    bool IsLinkAlive(uint32_t link) const;

    /// @return a number that is another one as soon as any link was noted to have changed
    uint64_t GetVersion() const
    {
        return m_version;
    }

    /**
     * Find the shortest paths in one plane of which all links are alive, those of the two hosts
     * included. Of parallel links down, one has to be alive.
     *
     * @param source a host
     * @param destination another host
     * @return their labels, in ascending order
     */
    std::vector<uint16_t> UsablePaths(uint32_t source,
                                      uint32_t destination,
                                      uint16_t plane = 0) const;

    /**
     * The same, with the number of paths of each label. Over all labels they are the paths that
     * RhoMax() and WecmpTable split traffic over.
     *
     * @param source a host
     * @param destination another host
     * @return the labels in ascending order
     */
    std::vector<LabelledPaths> CountPaths(uint32_t source,
                                          uint32_t destination,
                                          uint16_t plane = 0) const;

  private:
    /**
     * @param middle a switch of tier 1 that a path goes over
     * @param i the uplink of the leaf that leads there
     * @param destination the host to reach
     * @param [out] labels where the ways from there are added
     */
    void AddPathsOver(uint32_t middle,
                      uint16_t i,
                      uint32_t destination,
                      std::vector<LabelledPaths>& labels) const;

    /// @return the switch above, unless the link is dead  @param id the switch
    std::optional<uint32_t> Climb(uint32_t id, uint16_t port) const;

    /// @return the ways from a switch to a host below it  @param id the switch
    uint32_t CountDescents(uint32_t id, uint32_t host) const;

    const FabricGraph& m_graph; //!< the fabric
    std::vector<bool> m_alive;  //!< by link
    uint64_t m_version{0};      //!< changes so far
};

} // namespace aifabric
} // namespace ns3

#endif /* PATH_VIEW_H */
