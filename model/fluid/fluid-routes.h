/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_ROUTES_H
#define FLUID_ROUTES_H

#include "ns3/connection-table.h"
#include "ns3/fabric-graph.h"
#include "ns3/fabric-switch.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The paths that switches choose by a hash of the flow (EcmpBalancer), in a Clos network of one
 * plane without failures. The queue pairs, their entropies, and the hashes of the switches are
 * those of a run with packets: queue pairs have to be opened in the same order.
 */
class FluidRoutes
{
  public:
    /**
     * @param graph the fabric; must outlive this
     * @param switches its switches, by id, which are initialized before the first path is asked for
     * @param nics its NICs, by host; must outlive this
     */
    FluidRoutes(const FabricGraph& graph,
                std::vector<Ptr<FabricSwitch>> switches,
                const std::vector<Ptr<RoceNetDevice>>& nics);

    /// Open the queue pairs of a message.  @param flow the message
    void Open(const Flow& flow);

    /// @return the directed links that the packets of a message cross, in order: twice the id of
    /// the link, and 1 if it leads down  @param flow the message
    std::vector<uint32_t> FindLinks(const Flow& flow);

    /// @return the same of its acknowledgements, which have the entropy of the packets
    /// @param flow the message
    std::vector<uint32_t> FindAckLinks(const Flow& flow);

  private:
    /// @return the entropy of the queue pair of a message  @param flow the message
    uint32_t FindEntropy(const Flow& flow);

    /// @return the directed links between two hosts  @param entropy of the packets
    std::vector<uint32_t> Walk(uint32_t source, uint32_t destination, uint32_t entropy) const;

    /// @return the port by which a switch sends a frame  @param id number of the switch
    uint16_t FindPort(uint32_t id, const FabricFrame& frame) const;

    const FabricGraph& m_graph;                //!< the fabric
    std::vector<Ptr<FabricSwitch>> m_switches; //!< by id
    ConnectionTable m_connections;             //!< queue pairs
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_ROUTES_H */
