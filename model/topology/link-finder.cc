/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "link-finder.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

namespace
{

const std::string JOINT = "--";     //!< between the two ends of a link's name
const std::string HOST = "host-";   //!< before the number of a host
const std::string PLANE = "plane-"; //!< before the number of a plane
const std::string OPTIC = "optic-"; //!< before a port of a transceiver

/// @return whether a text begins with another one
bool
BeginsWith(const std::string& text, const std::string& prefix)
{
    return text.compare(0, prefix.size(), prefix) == 0;
}

/// @return the number that a text is, if it is one
std::optional<uint64_t>
ToNumber(const std::string& text)
{
    constexpr std::size_t MOST_DIGITS = 10;
    const bool isNumber = !text.empty() && text.size() <= MOST_DIGITS &&
                          text.find_first_not_of("0123456789") == std::string::npos;
    return isNumber ? std::optional<uint64_t>(std::stoull(text)) : std::nullopt;
}

/// @return the number at the end of a name, if it is one without zeros in front of it
/// @param prefix what stands before the number
std::optional<uint64_t>
GetNumber(const std::string& name, std::size_t prefix)
{
    const std::string text = name.substr(prefix);
    const std::optional<uint64_t> number = ToNumber(text);
    return number && std::to_string(*number) == text ? number : std::nullopt;
}

} // namespace

LinkFinder::LinkFinder(const FabricGraph& graph, uint32_t opticPorts)
    : m_graph(graph),
      m_opticPorts(opticPorts > 0 ? opticPorts : graph.Planes())
{
}

std::vector<uint32_t>
LinkFinder::Find(const std::string& where) const
{
    std::vector<uint32_t> links;
    std::size_t begin = 0;
    while (begin != std::string::npos)
    {
        const std::size_t plus = where.find('+', begin);
        const bool isLast = plus == std::string::npos;
        const auto more = FindOne(where.substr(begin, isLast ? plus : plus - begin));
        if (more.empty())
        {
            return {};
        }
        links.insert(links.end(), more.begin(), more.end());
        begin = isLast ? plus : plus + 1;
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return links;
}

std::vector<uint32_t>
LinkFinder::FindOne(const std::string& where) const
{
    if (const std::optional<uint64_t> number = ToNumber(where))
    {
        return *number < m_graph.Links().size()
                   ? std::vector<uint32_t>{static_cast<uint32_t>(*number)}
                   : std::vector<uint32_t>{};
    }
    const std::size_t joint = where.find(JOINT);
    if (joint != std::string::npos)
    {
        return FindBetween(where.substr(0, joint), where.substr(joint + JOINT.size()));
    }
    if (BeginsWith(where, PLANE))
    {
        return FindPlane(GetNumber(where, PLANE.size()).value_or(UINT64_MAX));
    }
    const bool isOptic = BeginsWith(where, OPTIC);
    const std::optional<Place> place = ReadPlace(isOptic ? where.substr(OPTIC.size()) : where);
    if (!place || (isOptic && !place->port))
    {
        return {};
    }
    if (isOptic)
    {
        return FindOptic({place->node.isHost, place->node.id, *place->port});
    }
    std::vector<uint32_t> links;
    for (const FabricEnd& end : GetEnds(*place))
    {
        links.push_back(m_graph.LinkAt(end));
    }
    return links;
}

std::vector<uint32_t>
LinkFinder::FindBetween(const std::string& first, const std::string& second) const
{
    const std::optional<Place> from = ReadPlace(first);
    const std::optional<Place> to = ReadPlace(second);
    std::vector<uint32_t> links;
    if (!from || !to)
    {
        return links;
    }
    for (const FabricEnd& end : GetEnds(*from))
    {
        const FabricEnd& peer = m_graph.PeerOf(end);
        if (peer.isHost == to->node.isHost && peer.id == to->node.id &&
            to->port.value_or(peer.port) == peer.port)
        {
            links.push_back(m_graph.LinkAt(end));
        }
    }
    return links;
}

std::vector<uint32_t>
LinkFinder::FindPlane(uint64_t plane) const
{
    std::vector<uint32_t> links;
    for (uint32_t link = 0; link < m_graph.Links().size(); ++link)
    {
        if (m_graph.Switches()[m_graph.Links()[link].b.id].plane == plane)
        {
            links.push_back(link);
        }
    }
    return links;
}

std::vector<FabricEnd>
LinkFinder::GetOptics() const
{
    std::vector<FabricEnd> optics;
    for (uint32_t id = 0; id < m_graph.Switches().size(); ++id)
    {
        for (uint32_t port = 0; port < m_graph.Switches()[id].portCount; port += m_opticPorts)
        {
            optics.push_back({false, id, static_cast<uint16_t>(port)});
        }
    }
    return optics;
}

std::vector<uint32_t>
LinkFinder::FindOptic(const FabricEnd& end) const
{
    const uint32_t first = end.port / m_opticPorts * m_opticPorts;
    const uint32_t ports = std::min(first + m_opticPorts, CountPorts(end));
    std::vector<uint32_t> links;
    for (uint32_t port = first; port < ports; ++port)
    {
        links.push_back(m_graph.LinkAt({end.isHost, end.id, static_cast<uint16_t>(port)}));
    }
    std::sort(links.begin(), links.end());
    return links;
}

uint32_t
LinkFinder::GetOpticPorts() const
{
    return m_opticPorts;
}

std::optional<LinkFinder::Place>
LinkFinder::ReadPlace(const std::string& text) const
{
    const std::size_t colon = text.find(':');
    const std::optional<FabricEnd> node = ReadNode(text.substr(0, colon));
    if (!node)
    {
        return std::nullopt;
    }
    if (colon == std::string::npos)
    {
        return Place{*node, std::nullopt};
    }
    const std::optional<uint64_t> port = GetNumber(text, colon + 1);
    return port && *port < CountPorts(*node)
               ? std::optional<Place>(Place{*node, static_cast<uint16_t>(*port)})
               : std::nullopt;
}

std::optional<FabricEnd>
LinkFinder::ReadNode(const std::string& text) const
{
    if (BeginsWith(text, HOST))
    {
        const std::optional<uint64_t> host = GetNumber(text, HOST.size());
        return host && *host < m_graph.HostCount()
                   ? std::optional<FabricEnd>({true, static_cast<uint32_t>(*host), 0})
                   : std::nullopt;
    }
    for (uint32_t id = 0; id < m_graph.Switches().size(); ++id)
    {
        if (m_graph.SwitchName(id) == text)
        {
            return FabricEnd{false, id, 0};
        }
    }
    return std::nullopt;
}

std::vector<FabricEnd>
LinkFinder::GetEnds(const Place& place) const
{
    std::vector<FabricEnd> ends;
    for (uint32_t port = 0; port < CountPorts(place.node); ++port)
    {
        if (place.port.value_or(port) == port)
        {
            ends.push_back({place.node.isHost, place.node.id, static_cast<uint16_t>(port)});
        }
    }
    return ends;
}

uint32_t
LinkFinder::CountPorts(const FabricEnd& node) const
{
    return node.isHost ? m_graph.Planes() : m_graph.Switches()[node.id].portCount;
}

} // namespace aifabric
} // namespace ns3
