/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_GRAPH_H
#define FABRIC_GRAPH_H

#include <array>
#include <cstdint>
#include <memory>
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
 * Ports of one switch with consecutive numbers that are equally good next hops: parallel links to
 * one neighbor, or all uplinks.
 */
struct PortGroup
{
    uint16_t first{0}; //!< lowest port number
    uint16_t count{0}; //!< number of ports, 0 for no group
};

/**
 * @ingroup ai-fabric
 *
 * Where a switch sends a packet, by the number of the destination host. The hosts
 * [firstHost, firstHost + hostCount) lie below the switch, `chunk` consecutive ones behind each
 * down group; everything else goes up. This takes a few bytes a group and nothing a host.
 */
struct ForwardingRule
{
    uint32_t firstHost{0};       //!< first host below the switch
    uint32_t hostCount{0};       //!< number of hosts below the switch
    uint32_t chunk{1};           //!< hosts behind each down group; the last may have fewer
    std::vector<PortGroup> down; //!< the ways down, in host order
    PortGroup up;                //!< the way up, empty at the top tier

    /**
     * @param host the destination
     * @return whether the destination lies below the switch
     */
    bool IsBelow(uint32_t host) const
    {
        return host - firstHost < hostCount;
    }

    /**
     * @param host the destination, any host of the fabric
     * @return the ports that lie on shortest paths to it
     */
    const PortGroup& GroupFor(uint32_t host) const
    {
        return IsBelow(host) ? down[(host - firstHost) / chunk] : up;
    }
};

/**
 * @ingroup ai-fabric
 *
 * A switch of a fabric. Ports are numbered from 0 without holes: first the way down in host order,
 * then the way up.
 */
struct FabricSwitchSpec
{
    /// The pod of a switch that belongs to none.
    static constexpr uint32_t NO_POD = UINT32_MAX;

    uint8_t tier{0};           //!< 0 where hosts attach, growing upwards
    uint16_t plane{0};         //!< the plane it belongs to
    uint32_t pod{0};           //!< the pod it belongs to, or NO_POD
    uint32_t index{0};         //!< number within its plane, pod and tier
    uint16_t portCount{0};     //!< number of ports, each with a link
    ForwardingRule forwarding; //!< its routes
};

/**
 * @ingroup ai-fabric
 *
 * One end of a link: a port of a host or of a switch.
 */
struct FabricEnd
{
    bool isHost{false}; //!< whether `id` counts hosts or switches
    uint32_t id{0};     //!< number of the host, or of the switch in FabricGraph::Switches()
    uint16_t port{0};   //!< port number; of a host, the plane
};

/**
 * @ingroup ai-fabric
 *
 * A full-duplex link.
 */
struct FabricLinkSpec
{
    FabricEnd a;     //!< the lower end
    FabricEnd b;     //!< the upper end, always a switch
    uint8_t tier{0}; //!< tier of the upper end: 0 for the links of hosts

    /// Its rate in both directions, in bit/s; 0: that of its kind, which ClosHelper knows.
    uint64_t rate{0};
    /// Its propagation delay, in picoseconds; none: that of all links.
    std::optional<int64_t> delayPs{};
};

class ShortestPaths;

/**
 * @ingroup ai-fabric
 *
 * A multi-tier fabric as data: hosts, switches, links and routes, without simulation and without
 * state. Builders of common shapes are in clos-builder.h; a fabric of another shape is passed to
 * the constructor.
 *
 * A fabric has one or more planes, which share nothing but the hosts: port p of each host leads
 * into plane p. In each plane a host attaches to one switch of tier 0, its leaf. Leaves of one pod
 * reach each other through tier 1. With three tiers, pods reach each other through tier 2.
 *
 * Planes are alike in which hosts share a leaf and a pod; plane 0 answers for all where no plane is
 * named. All queries are O(1), and construction is linear in the number of ports.
 *
 * Hosts may share NICs. Then switches of tier 0 are NICs, and the leaves are those of tier 1, one
 * a pod.
 *
 * A fabric of another shape than a Clos network (IsClos()) has one plane, switches with names, and
 * links with rates and delays. Its switches have no rule: routes are shortest paths (WecmpTable).
 * Switches with hosts have tier 0, and those without have tier 1. Its construction takes a search
 * from each switch that has hosts.
 */
class FabricGraph
{
  public:
    /**
     * Take a fabric and check it: each port of each host and switch has exactly one link, hosts
     * attach to tier 0 of the right plane, other links join neighboring tiers of one plane, and
     * the forwarding groups of each switch name existing ports and leave no destination out.
     *
     * @param hostCount number of hosts
     * @param planes number of planes, which is the number of ports a host
     * @param switches the switches; a switch's id is its position here
     * @param links the links; a link's id is its position here
     * @param sharesNics whether switches of tier 0 are NICs that hosts share
     * @throws std::invalid_argument with one line that names what is wrong
     */
    FabricGraph(uint32_t hostCount,
                uint16_t planes,
                std::vector<FabricSwitchSpec> switches,
                std::vector<FabricLinkSpec> links,
                bool sharesNics = false);

    /**
     * Take a fabric of any shape, and check it: each port has exactly one link with a rate and a
     * delay, each host has one port, and all hosts have a path to each other. NetworkAssembly makes
     * the parts.
     *
     * @param hostCount number of hosts
     * @param switches the switches; they need no forwarding rule
     * @param links the links; at that of a host, the host is end a
     * @param names the names of the switches, by id
     * @throws std::invalid_argument with one line that names what is wrong
     */
    FabricGraph(uint32_t hostCount,
                std::vector<FabricSwitchSpec> switches,
                std::vector<FabricLinkSpec> links,
                std::vector<std::string> names);

    /// @return whether it is a Clos network, with tiers, pods and a forwarding rule
    bool IsClos() const
    {
        return !m_paths;
    }

    /// @return the shortest paths of a fabric that is no Clos network
    const ShortestPaths& GetPaths() const
    {
        return *m_paths;
    }

    /// @return the most links of a shortest path between two hosts
    uint32_t LongestPathLinks() const;

    /// @return the number of hosts
    uint32_t HostCount() const;
    /// @return the number of planes, which is the number of ports a host
    uint16_t Planes() const;
    /// @return the number of tiers of switches, 1 to 3
    uint8_t Tiers() const;
    /// @return the tier of the leaves: 0, or 1 above NICs that hosts share
    uint8_t LeafTier() const;
    /// @return whether a link is one between switches, and not that of a host or a NIC
    bool IsBetweenSwitches(uint32_t link) const;
    /// @return hosts that share a NIC; 1: each has its own
    uint32_t HostsPerNic() const;
    /// @return the most uplinks that a switch of tier 0 has
    uint16_t LeafUplinks() const;
    /// @return the most uplinks that a switch of a tier has
    uint16_t Uplinks(uint8_t tier) const;
    /// @return the switches by id
    const std::vector<FabricSwitchSpec>& Switches() const;
    /// @return the links by id
    const std::vector<FabricLinkSpec>& Links() const;

    /**
     * @param end a port of a host or of a switch
     * @return the id of the link at that port
     */
    uint32_t LinkAt(const FabricEnd& end) const;

    /**
     * @param end a port of a host or of a switch
     * @return the port at the other end of its link
     */
    const FabricEnd& PeerOf(const FabricEnd& end) const;

    /**
     * @return the id of the switch that the host attaches to in that plane
     */
    uint32_t LeafOf(uint32_t host, uint16_t plane = 0) const;

    /**
     * @return the number of the host's rack, which is that of all hosts below one leaf
     */
    uint32_t RackOf(uint32_t host) const;

    /**
     * @return the pod of the host's leaf
     */
    uint32_t PodOf(uint32_t host) const;

    /**
     * @param source a host
     * @param destination a host
     * @return the number of links on a shortest path; in a Clos network 0 to itself, 2 under one
     *         leaf, 4 within a pod, 6 between pods
     */
    uint32_t PathLinks(uint32_t source, uint32_t destination) const;

    /**
     * @param id id of a switch
     * @return its name, such as "leaf-3", "spine-0", "pod2-agg-1", "core-5"; with several planes
     *         "plane1-" comes first; where hosts share NICs, also "nic-5"; the given name, if the
     * fabric is no Clos network
     */
    std::string SwitchName(uint32_t id) const;

    /**
     * @param id id of a link
     * @return its name: the lower end, then the upper end, each with its port, such as
     *         "host-5:0--leaf-1:3"
     */
    std::string LinkName(uint32_t id) const;

  private:
    /// Find the link of each port and check that ports and links fit.
    void IndexPorts();
    /// Check that each link joins neighboring tiers of one plane.
    void CheckLinks() const;
    /// Check the links of a fabric that is no Clos network.
    void CheckAnyLinks() const;

    /**
     * Check the forwarding rule of a switch.
     *
     * @param id id of the switch
     */
    void CheckForwarding(uint32_t id) const;

    /**
     * @param end a port, checked to exist
     * @return its position in m_linkAt
     */
    uint32_t PortIndex(const FabricEnd& end) const;

    /**
     * @param end a port
     * @return its name, such as "host-5:0"
     */
    std::string EndName(const FabricEnd& end) const;

    uint32_t m_hostCount;                         //!< number of hosts
    uint16_t m_planes;                            //!< number of planes
    uint8_t m_tiers{0};                           //!< number of tiers
    std::array<uint16_t, 3> m_uplinks{};          //!< the most uplinks of a switch, by tier
    bool m_sharesNics{false};                     //!< switches of tier 0 are NICs of several hosts
    std::vector<FabricSwitchSpec> m_switches;     //!< switches by id
    std::vector<FabricLinkSpec> m_links;          //!< links by id
    std::vector<uint32_t> m_firstPort;            //!< position of each switch's port 0 in m_linkAt
    std::vector<uint32_t> m_linkAt;               //!< link ids by port, those of hosts first
    std::vector<std::string> m_names;             //!< of switches, if it is no Clos network
    std::shared_ptr<const ShortestPaths> m_paths; //!< its paths, if it is no Clos network
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_GRAPH_H */
