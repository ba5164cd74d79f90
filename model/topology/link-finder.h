/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef LINK_FINDER_H
#define LINK_FINDER_H

#include "fabric-graph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * Finds links of a fabric by a text that names a place:
 *
 * | for example | means |
 * |---|---|
 * | `17` | the link of that number |
 * | `leaf-0:3--spine-1:0` | the link of that name (FabricGraph::LinkName) |
 * | `spine-1:0` | the link at a port |
 * | `leaf-0--spine-1` | all links between two nodes |
 * | `spine-1`, `host-5` | all links of a node |
 * | `plane-1` | all links of a plane |
 * | `optic-leaf-0:5` | all links that share a transceiver with the one at a port |
 * | `optic-leaf-0:5+plane-1` | all links of several places |
 *
 * A transceiver (optic) serves a number of consecutive ports of a node, beginning at a multiple of
 * that number. The last transceiver of a node may serve fewer.
 */
class LinkFinder
{
  public:
    /**
     * @param graph the fabric; must outlive this
     * @param opticPorts ports of a transceiver; 0: as many as a NIC has ports, so that a
     * transceiver of a switch carries as much as a NIC does
     */
    explicit LinkFinder(const FabricGraph& graph, uint32_t opticPorts = 0);

    /// @return the numbers of the links of a place, ascending; none, if there is no such place
    /// @param where the place
    std::vector<uint32_t> Find(const std::string& where) const;

    /// @return the first port of each transceiver of a switch, in the order of switches and ports
    std::vector<FabricEnd> GetOptics() const;

    /// @return the numbers of the links of the transceiver that serves a port, ascending
    /// @param end the port
    std::vector<uint32_t> FindOptic(const FabricEnd& end) const;

    /// @return ports of a transceiver
    uint32_t GetOpticPorts() const;

  private:
    /// A node, or one of its ports.
    struct Place
    {
        FabricEnd node;               //!< the node; its port does not count
        std::optional<uint16_t> port; //!< the port; all of them, if not given
    };

    /// @return the links of one place, in any order  @param where the place
    std::vector<uint32_t> FindOne(const std::string& where) const;

    /// @return the node or port that a text names, if there is one  @param text such as leaf-1:3
    std::optional<Place> ReadPlace(const std::string& text) const;

    /// @return the node that a text names, if there is one  @param text such as leaf-1
    std::optional<FabricEnd> ReadNode(const std::string& text) const;

    /// @return the links between two places  @param second the other
    std::vector<uint32_t> FindBetween(const std::string& first, const std::string& second) const;

    /// @return the links of a plane  @param plane its number
    std::vector<uint32_t> FindPlane(uint64_t plane) const;

    /// @return the ports of a node or place
    std::vector<FabricEnd> GetEnds(const Place& place) const;

    /// @return ports of a node
    uint32_t CountPorts(const FabricEnd& node) const;

    const FabricGraph& m_graph; //!< the fabric
    uint32_t m_opticPorts;      //!< ports of a transceiver
};

} // namespace aifabric
} // namespace ns3

#endif /* LINK_FINDER_H */
