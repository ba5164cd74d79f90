/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NEXT_HOP_GROUPS_H
#define NEXT_HOP_GROUPS_H

#include "next-hops.h"

#include "ns3/fabric-graph.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * Keeps the next hops of a switch up to date: which ports are in which group, which of them are
 * known to be alive, and the weights of ways up.
 */
class NextHopGroups
{
  public:
    /// @param hops what is kept up to date, and lives as long
    explicit NextHopGroups(NextHops& hops);

    /// Add the next port.  @param port the port, alive
    void AddPort(FabricTransmitter& port);

    /// Set where frames go, when all ports have been added.
    void SetRule(const ForwardingRule& rule);

    /**
     * A port is known to be alive or dead.
     *
     * @param port its number
     * @param alive whether frames may be sent there
     * @return the groups that have changed
     */
    std::vector<uint16_t> SetAlive(uint16_t port, bool alive);

    /// @return a group  @param group its number
    const EgressGroup& GetGroup(uint16_t group) const;

    /**
     * Set how frames to a waypoint are split over the uplinks (FabricSwitch::SetWeights).
     *
     * @param weights by uplink, in port order; empty: an even split
     */
    void SetWeights(uint32_t waypoint, const std::vector<uint32_t>& weights);

    /// @return how frames to a waypoint are split; empty: evenly
    const std::vector<uint32_t>& GetWeights(uint32_t waypoint) const;

    /// Set the random stream.  @param stream its index
    void SetStream(int64_t stream);

    /// Forget all: the simulation ends.
    void Dispose();

  private:
    /// Rebuild a group from its ports that are alive.  @param group its number
    void Rebuild(uint16_t group);

    /// @return the group of uplinks with some weights, made if need be
    uint16_t GetWeightedGroup(const std::vector<uint32_t>& weights);

    NextHops& m_hops;                             //!< what is kept up to date
    std::vector<FabricTransmitter*> m_ports;      //!< all ports
    std::vector<bool> m_alive;                    //!< which are known to be alive
    std::vector<PortGroup> m_groupPorts;          //!< the ports of each group, dead or alive
    std::vector<std::vector<uint32_t>> m_weights; //!< of the ports of each group; empty: even
    Ptr<UniformRandomVariable> m_random;          //!< draws the orders of weighted groups
};

} // namespace aifabric
} // namespace ns3

#endif /* NEXT_HOP_GROUPS_H */
