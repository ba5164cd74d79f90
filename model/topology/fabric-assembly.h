/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_ASSEMBLY_H
#define FABRIC_ASSEMBLY_H

#include "fabric-graph.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

/**
 * The parts of a fabric that is being built.
 */
class FabricAssembly
{
  public:
    /// @param switches how many switches are to come  @param links how many links
    FabricAssembly(uint64_t switches, uint64_t links);

    /**
     * Add a switch whose ports are its down groups, followed by its uplinks.
     *
     * @param spec tier, plane, pod and index
     * @param firstHost first host below it
     * @param chunk hosts behind each down group
     * @param down number of down groups
     * @param width ports of each down group
     * @param up number of uplinks
     */
    void AddSwitch(FabricSwitchSpec spec,
                   uint32_t firstHost,
                   uint32_t chunk,
                   uint32_t down,
                   uint32_t width,
                   uint32_t up);

    /**
     * Attach consecutive hosts to a leaf, in port order.
     *
     * @param leaf id of the leaf
     * @param count number of hosts
     * @param plane the plane of the leaf
     */
    void AttachHosts(uint32_t leaf, uint32_t firstHost, uint32_t count, uint16_t plane);

    /// Join two switches.  @param lower id of the lower one  @param upper id of the upper one
    void Join(uint32_t lower, uint32_t lowerPort, uint32_t upper, uint32_t upperPort);

    /// @return the id of the next switch to be added
    uint32_t NextSwitch() const;

    /// @return the fabric  @param sharesNics whether switches of tier 0 are NICs of several hosts
    FabricGraph Finish(uint32_t hosts, uint16_t planes, bool sharesNics = false);

  private:
    std::vector<FabricSwitchSpec> m_switches; //!< switches so far
    std::vector<FabricLinkSpec> m_links;      //!< links so far
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_ASSEMBLY_H */
