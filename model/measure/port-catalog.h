/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PORT_CATALOG_H
#define PORT_CATALOG_H

#include "ns3/fabric-channel.h"
#include "ns3/fabric-graph.h"
#include "ns3/fabric-port.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * All ports of a fabric, each with its name, its link and its layer: what the sending half of a
 * port counts is what happened in one direction of one link.
 *
 * A layer is the set of ports which frames leave at the same stage of their way: "host-up",
 * "edge-up", "agg-up", "core-down", "agg-down", "edge-down" with three tiers; "host-up", "leaf-up",
 * "spine-down", "leaf-down" with two; "host-up", "leaf-down" with one; "host-up",
 * "switch-up", "switch-down", "host-down" in a fabric that is no Clos network, where the end of a
 * link that is named first is the lower one.
 */
class PortCatalog
{
  public:
    /// A port.
    struct Entry
    {
        Ptr<FabricPort> port; //!< the port
        uint32_t link;        //!< its link's number
        uint32_t layer;       //!< its layer's number
        std::string name;     //!< its name, such as "leaf-1:3"
        std::string peer;     //!< the name of the port at the other end
    };

    /**
     * @param graph the fabric's description
     * @param channels its channels, by link number
     */
    PortCatalog(const FabricGraph& graph, const std::vector<Ptr<FabricChannel>>& channels);

    /// @return the ports: for each link its lower end, then its upper end
    const std::vector<Entry>& GetPorts() const;

    /// @return the number of layers
    uint32_t GetLayerCount() const;

    /// @return a layer's name  @param layer its number, in the order of a frame's way
    const std::string& GetLayerName(uint32_t layer) const;

    /// @return how many ports a layer has  @param layer its number
    uint32_t GetLayerSize(uint32_t layer) const;

    /// @return whether a layer is one of switches  @param layer its number
    static bool IsOfSwitches(uint32_t layer)
    {
        return layer > 0;
    }

    /// Bring all ports up to now. To be called before counters are read. Frames that start at this
    /// very instant are not started: the ports of a NIC decide the order among themselves.
    void CatchUp() const;

    /// @return frames delivered over all links: packet-hops
    uint64_t GetPacketHops() const;

  private:
    /// Add a layer.
    void AddLayer(const std::string& name);

    /// Add a port.  @param entry the port
    void AddPort(Entry entry);

    std::vector<Entry> m_ports;            //!< all ports
    std::vector<std::string> m_layerNames; //!< by number
    std::vector<uint32_t> m_layerSizes;    //!< by number
};

} // namespace aifabric
} // namespace ns3

#endif /* PORT_CATALOG_H */
