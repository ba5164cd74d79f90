/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef EGRESS_GROUP_H
#define EGRESS_GROUP_H

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

class FabricTransmitter;

/**
 * @ingroup ai-fabric
 *
 * The next hops of a switch among which a balancer chooses: all of them are on shortest paths to
 * the destination, and none is known to be dead.
 *
 * Where next hops have unequal weights (W-ECMP), a member of weight w stands there w times, at
 * interleaved places: a round-robin balancer serves each by its weight, and so does a random one.
 */
struct EgressGroup
{
    uint16_t id{0};                          //!< number of the group in its switch
    std::vector<FabricTransmitter*> members; //!< the live ports; without weights in port order
    std::vector<uint16_t> ports;             //!< their numbers

    /**
     * @param port number of a port
     * @param usual its place if all ports are alive and have the same weight
     * @return its place among the members; their number if it is none of them
     */
    uint32_t Find(uint32_t port, uint32_t usual) const
    {
        if (usual < ports.size() && ports[usual] == port)
        {
            return usual;
        }
        return std::find(ports.begin(), ports.end(), port) - ports.begin();
    }
};

} // namespace aifabric
} // namespace ns3

#endif /* EGRESS_GROUP_H */
