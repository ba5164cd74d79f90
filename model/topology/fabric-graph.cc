/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-graph.h"

#include "shortest-paths.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint8_t MAX_TIERS = 3;           //!< tiers of switches that PathLinks() understands
constexpr uint32_t NO_LINK = UINT32_MAX;   //!< marks a port whose link is not known yet
constexpr uint64_t MAX_PORTS = UINT32_MAX; //!< ports of all hosts and switches together

/**
 * @param ok whether a condition of a well-formed fabric holds
 * @param what what is wrong if it does not
 */
template <typename Text>
void
Require(bool ok, Text&& what)
{
    if (!ok)
    {
        throw std::invalid_argument("fabric: " + what());
    }
}

} // namespace

FabricGraph::FabricGraph(uint32_t hostCount,
                         uint16_t planes,
                         std::vector<FabricSwitchSpec> switches,
                         std::vector<FabricLinkSpec> links,
                         bool sharesNics)
    : m_hostCount(hostCount),
      m_planes(planes),
      m_sharesNics(sharesNics),
      m_switches(std::move(switches)),
      m_links(std::move(links))
{
    for (const auto& spec : m_switches)
    {
        Require(spec.tier < MAX_TIERS,
                [&] { return "tier " + std::to_string(spec.tier) + " is not one of 0, 1, 2"; });
        m_tiers = std::max<uint8_t>(m_tiers, spec.tier + 1);
        m_uplinks[spec.tier] = std::max(m_uplinks[spec.tier], spec.forwarding.up.count);
    }
    IndexPorts();
    CheckLinks();
    for (uint32_t id = 0; id < m_switches.size(); ++id)
    {
        CheckForwarding(id);
    }
}

FabricGraph::FabricGraph(uint32_t hostCount,
                         std::vector<FabricSwitchSpec> switches,
                         std::vector<FabricLinkSpec> links,
                         std::vector<std::string> names)
    : m_hostCount(hostCount),
      m_planes(1),
      m_switches(std::move(switches)),
      m_links(std::move(links)),
      m_names(std::move(names))
{
    Require(m_names.size() == m_switches.size(),
            [] { return std::string("not every switch has a name"); });
    IndexPorts();
    CheckAnyLinks();
    for (uint32_t id = 0; id < m_switches.size(); ++id)
    {
        auto& spec = m_switches[id];
        spec.forwarding = {0, 0, 1, {}, {0, spec.portCount}};
        spec.tier = 1;
        for (uint16_t port = 0; port < spec.portCount; ++port)
        {
            spec.tier = PeerOf({false, id, port}).isHost ? 0 : spec.tier;
        }
        m_tiers = std::max<uint8_t>(m_tiers, spec.tier + 1);
        m_uplinks[spec.tier] = std::max(m_uplinks[spec.tier], spec.portCount);
    }
    m_paths = std::make_shared<const ShortestPaths>(*this);
}

void
FabricGraph::IndexPorts()
{
    uint64_t ports = static_cast<uint64_t>(m_hostCount) * m_planes;
    for (const auto& spec : m_switches)
    {
        m_firstPort.push_back(static_cast<uint32_t>(ports));
        ports += spec.portCount;
        Require(ports < MAX_PORTS, [] { return std::string("more than 2^32 - 2 ports"); });
    }
    m_linkAt.assign(ports, NO_LINK);
    for (uint32_t id = 0; id < m_links.size(); ++id)
    {
        for (const auto& end : {m_links[id].a, m_links[id].b})
        {
            Require(end.isHost
                        ? end.id < m_hostCount && end.port < m_planes
                        : end.id < m_switches.size() && end.port < m_switches[end.id].portCount,
                    [&] { return "link " + std::to_string(id) + " ends at an unknown port"; });
            auto& linkAt = m_linkAt[PortIndex(end)];
            Require(linkAt == NO_LINK, [&] { return EndName(end) + " has two links"; });
            linkAt = id;
        }
    }
    Require(ports == 2 * m_links.size(), [] { return std::string("a port has no link"); });
}

void
FabricGraph::CheckLinks() const
{
    for (uint32_t id = 0; id < m_links.size(); ++id)
    {
        const auto& link = m_links[id];
        Require(!link.b.isHost, [&] { return "the upper end of " + LinkName(id) + " is a host"; });
        const auto& upper = m_switches[link.b.id];
        auto plane = link.a.isHost ? link.a.port : m_switches[link.a.id].plane;
        auto tier = link.a.isHost ? 0 : m_switches[link.a.id].tier + 1;
        Require(plane == upper.plane, [&] { return LinkName(id) + " joins two planes"; });
        Require(tier == upper.tier && tier == link.tier,
                [&] { return LinkName(id) + " does not join neighboring tiers"; });
    }
}

void
FabricGraph::CheckAnyLinks() const
{
    constexpr uint64_t PS_BIT_PER_BYTE = 8'000'000'000'000; // divided by bit/s: ps a byte
    for (uint32_t id = 0; id < m_links.size(); ++id)
    {
        const auto& link = m_links[id];
        Require(!link.b.isHost, [&] { return LinkName(id) + " ends at a host"; });
        Require(link.a.isHost || link.a.id != link.b.id,
                [&] { return LinkName(id) + " joins a switch to itself"; });
        Require(link.tier == (link.a.isHost ? 0 : 1),
                [&] { return LinkName(id) + " has the tier of another kind of link"; });
        Require(link.rate > 0 && PS_BIT_PER_BYTE % link.rate == 0,
                [&] { return "a byte takes no whole number of picoseconds on " + LinkName(id); });
        Require(link.delayPs && *link.delayPs >= 0,
                [&] { return LinkName(id) + " has no delay of at least 0"; });
    }
}

void
FabricGraph::CheckForwarding(uint32_t id) const
{
    const auto& rule = m_switches[id].forwarding;
    auto exists = [ports = m_switches[id].portCount](const PortGroup& group) {
        return group.count > 0 && group.first + group.count <= ports;
    };
    Require(std::all_of(rule.down.begin(), rule.down.end(), exists) &&
                (rule.up.count == 0 || exists(rule.up)),
            [&] { return SwitchName(id) + " forwards to a port it does not have"; });
    Require(rule.chunk > 0 &&
                static_cast<uint64_t>(rule.chunk) * rule.down.size() >= rule.hostCount,
            [&] { return SwitchName(id) + " has too few ways down for the hosts below it"; });
    Require(rule.up.count > 0 || (rule.firstHost == 0 && rule.hostCount == m_hostCount),
            [&] { return SwitchName(id) + " has no way to some hosts"; });
}

uint32_t
FabricGraph::HostCount() const
{
    return m_hostCount;
}

uint16_t
FabricGraph::Planes() const
{
    return m_planes;
}

uint8_t
FabricGraph::Tiers() const
{
    return m_tiers;
}

uint8_t
FabricGraph::LeafTier() const
{
    return m_sharesNics ? 1 : 0;
}

bool
FabricGraph::IsBetweenSwitches(uint32_t link) const
{
    const FabricEnd& lower = m_links[link].a;
    return !lower.isHost && m_switches[lower.id].tier >= LeafTier();
}

uint32_t
FabricGraph::HostsPerNic() const
{
    return m_sharesNics ? m_switches[LeafOf(0)].forwarding.hostCount : 1;
}

uint16_t
FabricGraph::LeafUplinks() const
{
    return Uplinks(0);
}

uint16_t
FabricGraph::Uplinks(uint8_t tier) const
{
    return m_uplinks[tier];
}

const std::vector<FabricSwitchSpec>&
FabricGraph::Switches() const
{
    return m_switches;
}

const std::vector<FabricLinkSpec>&
FabricGraph::Links() const
{
    return m_links;
}

uint32_t
FabricGraph::PortIndex(const FabricEnd& end) const
{
    return (end.isHost ? end.id * m_planes : m_firstPort[end.id]) + end.port;
}

uint32_t
FabricGraph::LinkAt(const FabricEnd& end) const
{
    return m_linkAt[PortIndex(end)];
}

const FabricEnd&
FabricGraph::PeerOf(const FabricEnd& end) const
{
    const auto& link = m_links[LinkAt(end)];
    bool isLower = link.a.isHost == end.isHost && link.a.id == end.id && link.a.port == end.port;
    return isLower ? link.b : link.a;
}

uint32_t
FabricGraph::LeafOf(uint32_t host, uint16_t plane) const
{
    return m_links[LinkAt({true, host, plane})].b.id;
}

uint32_t
FabricGraph::RackOf(uint32_t host) const
{
    return m_sharesNics ? PodOf(host) : LeafOf(host);
}

uint32_t
FabricGraph::PodOf(uint32_t host) const
{
    return m_switches[LeafOf(host)].pod;
}

uint32_t
FabricGraph::LongestPathLinks() const
{
    return m_paths ? m_paths->GetLongest().links : 2 * m_tiers;
}

uint32_t
FabricGraph::PathLinks(uint32_t source, uint32_t destination) const
{
    if (source == destination)
    {
        return 0;
    }
    if (m_paths)
    {
        return m_paths->CountLinks(LeafOf(source), LeafOf(destination));
    }
    if (LeafOf(source) == LeafOf(destination))
    {
        return 2;
    }
    return PodOf(source) == PodOf(destination) ? 4 : 6;
}

std::string
FabricGraph::SwitchName(uint32_t id) const
{
    static constexpr const char* TWO_TIERS[] = {"leaf-", "spine-"};
    static constexpr const char* THREE_TIERS[] = {"edge-", "agg-", "core-"};
    static constexpr const char* WITH_NICS[] = {"nic-", "leaf-", "spine-"};

    if (!m_names.empty())
    {
        return m_names[id];
    }
    const auto& spec = m_switches[id];
    std::string name;
    if (m_planes > 1)
    {
        name += "plane" + std::to_string(spec.plane) + "-";
    }
    if (m_sharesNics)
    {
        const ForwardingRule& below = spec.forwarding;
        const uint32_t number =
            spec.tier == MAX_TIERS - 1 ? spec.index : below.firstHost / below.hostCount;
        return name + WITH_NICS[spec.tier] + std::to_string(number);
    }
    if (m_tiers == MAX_TIERS && spec.pod != FabricSwitchSpec::NO_POD)
    {
        name += "pod" + std::to_string(spec.pod) + "-";
    }
    name += m_tiers == MAX_TIERS ? THREE_TIERS[spec.tier] : TWO_TIERS[spec.tier];
    return name + std::to_string(spec.index);
}

std::string
FabricGraph::EndName(const FabricEnd& end) const
{
    auto node = end.isHost ? "host-" + std::to_string(end.id) : SwitchName(end.id);
    return node + ":" + std::to_string(end.port);
}

std::string
FabricGraph::LinkName(uint32_t id) const
{
    return EndName(m_links[id].a) + "--" + EndName(m_links[id].b);
}

} // namespace aifabric
} // namespace ns3
