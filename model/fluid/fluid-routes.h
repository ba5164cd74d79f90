/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLUID_ROUTES_H
#define FLUID_ROUTES_H

#include "fluid-loads.h"
#include "fluid-split.h"

#include "ns3/connection-table.h"
#include "ns3/fabric-graph.h"
#include "ns3/fabric-switch.h"
#include "ns3/path-choice.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace ns3
{
namespace aifabric
{

/// What switches hash of packets, and the plane that these are in.
struct FluidLabel
{
    uint32_t source{0};      //!< the host that sends
    uint32_t destination{0}; //!< the host that receives
    uint32_t queuePair{0};   //!< number of the queue pair that receives
    PathChoice choice;       //!< the entropy, and the plane; 0 if they leave by all
};

/// What the packets of a message cross, in order.
struct FluidRoute
{
    FluidLabel label;            //!< of data
    FluidLabel ackLabel;         //!< of acknowledgements
    std::vector<LinkShare> data; //!< what they take of links
    std::vector<LinkShare>
        acks;            //!< what acknowledgements take of links, for each byte of their own
    uint32_t skipped{0}; //!< links before these, of both, where nothing waits
};

/**
 * @ingroup ai-fabric
 *
 * The paths that switches choose by a hash (EcmpBalancer, EEcmpBalancer) in a Clos network, in the
 * plane that the NIC chooses (HostBalancer), among next hops that the switches know to be alive.
 * The queue pairs, their entropies, and the hashes of the switches are
 * those of a run with packets: queue pairs have to be opened in the same order.
 */
class FluidRoutes
{
  public:
    /**
     * @param graph the fabric; must outlive this
     * @param switches its switches, by id, which are initialized before the first path is asked for
     * @param nics its NICs, by host; must outlive this
     * @param split knows which links are slow; must outlive this
     */
    FluidRoutes(const FabricGraph& graph,
                std::vector<Ptr<FabricSwitch>> switches,
                const std::vector<Ptr<RoceNetDevice>>& nics,
                const FluidSplit& split);

    /// @return the queue pairs
    ConnectionTable& GetConnections()
    {
        return m_connections;
    }

    /// @return the path of messages. Links have the numbers 2 * id, and 1 more on the way down.
    /// @param queuePair that sends them  @param source its host  @param destination the other host
    FluidRoute Find(const QueuePair& queuePair, uint32_t source, uint32_t destination) const;

    /// Find the path of a message anew, behind the ports of its hosts.
    /// @param [in,out] route its path; as it was if there is none now  @return whether it is
    /// another
    bool Update(FluidRoute& route) const;

    /**
     * @param label of the packets
     * @param links of a path from one host to another; if the index is 0, the link of the source
     * goes before
     * @param index of the next link; others behind it do not count
     * @return what the path takes of the next link, as the switch chooses it now; none if it has no
     * path
     */
    std::optional<LinkShare> FindNext(const FluidLabel& label,
                                      const std::vector<LinkShare>& links,
                                      std::size_t index) const;

  private:
    /// @return the links between two hosts  @param label of the packets
    std::vector<LinkShare> Walk(const FluidLabel& label) const;

    /// Find a path anew.  @param [in,out] links the path, without the link of the source; as it was
    /// if there is none now  @return whether it is another one
    bool UpdateLinks(const FluidLabel& label, std::vector<LinkShare>& links) const;

    /// @return what a path takes of a directed link
    LinkShare GetShare(uint32_t link) const;

    /// @return what a directed link leads to
    FabricEnd GetEnd(uint32_t link) const;

    /// @return the directed link by which a switch sends a frame; none if it has no path
    /// @param id number of the switch
    std::optional<uint32_t> FindLink(uint32_t id, const FabricFrame& frame) const;

    const FabricGraph& m_graph;                //!< the fabric
    std::vector<Ptr<FabricSwitch>> m_switches; //!< by id
    ConnectionTable m_connections;             //!< queue pairs
    const FluidSplit& m_split;                 //!< knows which links are slow
    Ptr<FabricFrame> m_frame;                  //!< that switches are asked about
};

} // namespace aifabric
} // namespace ns3

#endif /* FLUID_ROUTES_H */
