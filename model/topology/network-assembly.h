/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NETWORK_ASSEMBLY_H
#define NETWORK_ASSEMBLY_H

#include "fabric-graph.h"

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
 * The parts of a fabric of any shape that is being built. Links are numbered from those of the
 * hosts on, in the order of hosts, then in the order in which switches are joined. The ports of a
 * switch are numbered in the order of their links.
 */
class NetworkAssembly
{
  public:
    /// What a link is like.
    struct Cable
    {
        uint64_t rate{0};   //!< in both directions, in bit/s
        int64_t delayPs{0}; //!< propagation delay, in picoseconds
    };

    /// @return the id of the switch  @param pod the group that it belongs to, of equally many hosts
    uint32_t AddSwitch(std::string name, uint32_t pod = 0);

    /**
     * Attach a host to a switch.
     *
     * @param host number of the host
     * @param to id of the switch
     * @return whether it is the first link of the host; a second one is not added
     */
    bool Attach(uint32_t host, uint32_t to, const Cable& cable);

    /// Join two switches; a second time: by a parallel link.
    void Join(uint32_t from, uint32_t to, const Cable& cable);

    /// @return the fabric
    /// @throws std::invalid_argument with one line that names what is wrong
    FabricGraph Finish() const;

  private:
    /// The end of a host at a switch, or none.
    struct HostLink
    {
        bool isThere{false}; //!< whether the host has a link
        uint32_t to{0};      //!< the switch
        Cable cable;         //!< the link
    };

    /// Two switches that are joined.
    struct SwitchLink
    {
        uint32_t from; //!< a switch
        uint32_t to;   //!< another one
        Cable cable;   //!< the link
    };

    /// Refuse a host without a link, and a switch that no path crosses.
    void CheckNodes() const;

    std::vector<std::string> m_names; //!< of switches
    std::vector<uint32_t> m_pods;     //!< of switches
    std::vector<HostLink> m_hosts;    //!< by host
    std::vector<SwitchLink> m_links;  //!< between switches
};

} // namespace aifabric
} // namespace ns3

#endif /* NETWORK_ASSEMBLY_H */
