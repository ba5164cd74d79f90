/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MULTI_PLANE_CLOS_H
#define MULTI_PLANE_CLOS_H

#include "clos-builder.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

/**
 * @ingroup ai-fabric
 *
 * The size of a non-blocking Clos fabric of one or more planes, from the rates of switch and NIC: a
 * NIC of rate S has P ports of S / P, one in each plane, and a switch of capacity C has the radix
 * R = C / (S / P), of which a leaf uses half for hosts and half for uplinks.
 *
 * The formulas are those of a multi-plane Clos network of production: two tiers have R^2 / 2 hosts
 * and P * 3 R / 2 switches; n tiers have 2 (R / 2)^n hosts.
 */
class MultiPlaneClos
{
  public:
    /**
     * @param switchGbps capacity of a switch, in Gb/s, one direction
     * @param nicGbps rate of a NIC, in Gb/s
     * @throws std::invalid_argument with one line if the radix is not an even number
     */
    MultiPlaneClos(uint64_t switchGbps, uint64_t nicGbps, uint32_t planes);

    /// @return the number of planes
    uint32_t GetPlanes() const;

    /// @return ports of a switch
    uint64_t GetRadix() const;

    /// @return rate of a port, in Gb/s
    uint64_t GetPortGbps() const;

    /// @return hosts of a leaf
    uint64_t CountHostsPerLeaf() const;

    /// @return the most hosts of a fabric
    uint64_t CountHosts(uint32_t tiers = 2) const;

    /// @return switches of the largest fabric
    uint64_t CountSwitches(uint32_t tiers = 2) const;

    /// @return leaves of a plane of the largest fabric of two tiers
    uint64_t CountLeaves() const;

    /// @return spines of a plane of the largest fabric of two tiers
    uint64_t CountSpines() const;

    /// @return links of a host: those of its ports, and its share of those between two tiers
    uint64_t CountLinksPerHost() const;

    /// @return distinct shortest paths of two hosts of two leaves, of all planes together
    uint64_t CountPaths() const;

    /// @return switches of the longest path  @param tiers tiers of the fabric
    static uint32_t CountHops(uint32_t tiers);

    /// @return the share of a leaf's uplinks that one link is, which is what a host loses of its
    /// rate if this link fails and all planes are loaded equally
    double GetLinkShare() const;

    /// @return what makes the fabric, or a smaller one of the same shape
    /// @param leaves leaves of a plane; 0: as many as spines have ports
    LeafSpineConfig MakeConfig(uint32_t leaves = 0) const;

    /**
     * @param gbps rate of a link, or of several that are full
     * @param payload bytes of the message in a packet
     * @param headers bytes of all headers and of the ICRC, from the outermost IP header on
     * @return rate of the messages' bytes, in the same unit: a packet takes headers, payload, 18
     *         bytes of Ethernet and 20 bytes of preamble and gap
     */
    static double GetGoodput(double gbps, uint32_t payload, uint32_t headers);

  private:
    uint32_t m_planes;   //!< number of planes
    uint64_t m_portGbps; //!< rate of a port
    uint64_t m_radix;    //!< ports of a switch
};

} // namespace aifabric
} // namespace ns3

#endif /* MULTI_PLANE_CLOS_H */
