/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "usid-plan.h"

#include "path-digit.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// By tier.
constexpr std::array<UsidClass, 3> CLASSES = {UsidClass::LEAF, UsidClass::SPINE, UsidClass::CORE};

/// @return the parts of the uSIDs of all switches
std::vector<Usid>
NumberSwitches(const FabricGraph& graph)
{
    std::map<std::pair<uint16_t, uint8_t>, uint16_t> next; // by plane and tier
    std::vector<Usid> usids;
    usids.reserve(graph.Switches().size());
    for (const FabricSwitchSpec& spec : graph.Switches())
    {
        usids.push_back({CLASSES[spec.tier], spec.plane, next[{spec.plane, spec.tier}]++});
    }
    return usids;
}

} // namespace

UsidPlan::UsidPlan(const FabricGraph& graph, const UsidScheme& scheme, const Options& options)
    : m_graph(graph),
      m_scheme(scheme),
      m_options(options)
{
    for (const Usid& usid : NumberSwitches(graph))
    {
        m_usids.push_back(m_scheme.Make(usid));
    }
}

std::string
UsidPlan::FindObstacle(const FabricGraph& graph, const UsidScheme& scheme)
{
    const uint32_t most = scheme.CountIndices();
    const std::string names = std::to_string(scheme.CountPlanes()) + " planes of " +
                              std::to_string(most) + " switches a tier";
    if (graph.Planes() > scheme.CountPlanes())
    {
        return std::to_string(graph.Planes()) + " planes; uSIDs have names for " + names;
    }
    uint32_t switches = 0;
    for (const Usid& usid : NumberSwitches(graph))
    {
        switches = std::max<uint32_t>(switches, usid.index + 1);
    }
    if (switches > most)
    {
        return std::to_string(switches) + " switches of a tier; uSIDs have names for " + names;
    }
    for (const FabricSwitchSpec& spec : graph.Switches())
    {
        for (const PortGroup& group : spec.forwarding.down)
        {
            if (group.count > 1)
            {
                return "parallel links, which have one name (uN)";
            }
            if (spec.tier == 0 && group.first >= most)
            {
                return std::to_string(group.first + 1) + " hosts of a leaf; uSIDs have names for " +
                       std::to_string(most);
            }
        }
    }
    return "";
}

const UsidScheme&
UsidPlan::GetScheme() const
{
    return m_scheme;
}

uint16_t
UsidPlan::GetPlane(uint32_t id) const
{
    return id < m_usids.size() ? m_graph.Switches()[id].plane : 0;
}

uint32_t
UsidPlan::CountConsumed(uint32_t hops) const
{
    return m_options.omitsFirst && hops > 0 ? hops - 1 : hops;
}

bool
UsidPlan::HasCopy() const
{
    return m_options.hasCopy;
}

UsidScheme::List
UsidPlan::FindPath(const FabricFrame& frame, uint16_t plane) const
{
    UsidScheme::List list = MakeList(frame.source, frame.destination, plane, frame.GetSourcePort());
    if (m_options.omitsFirst && !list.empty())
    {
        list.erase(list.begin());
    }
    return list;
}

UsidScheme::List
UsidPlan::FindOwn(uint32_t host, uint16_t plane) const
{
    return MakeList(host, host, plane, 0);
}

UsidScheme::List
UsidPlan::MakeList(uint32_t source, uint32_t destination, uint16_t plane, uint16_t sourcePort) const
{
    if (std::max(source, destination) >= m_graph.HostCount() || plane >= m_graph.Planes())
    {
        return {};
    }
    uint32_t id = m_graph.LeafOf(source, plane);
    const FabricSwitchSpec* spec = &m_graph.Switches()[id];
    UsidScheme::List list{m_usids[id]};
    const auto go = [&](uint32_t port) {
        id = Follow(id, port);
        spec = &m_graph.Switches()[id];
        list.push_back(m_usids[id]);
    };
    while (!spec->forwarding.IsBelow(destination))
    {
        const PortGroup& up = spec->forwarding.up;
        go(up.first + GetPathDigit(sourcePort, spec->tier, m_graph.LeafUplinks(), up.count));
    }
    while (spec->tier > 0)
    {
        go(spec->forwarding.GroupFor(destination).first);
    }
    const uint16_t downlink = spec->forwarding.GroupFor(destination).first;
    list.push_back(m_scheme.Make({UsidClass::NIC, plane, downlink}));
    return list;
}

std::optional<uint32_t>
UsidPlan::FindSwitch(uint16_t usid) const
{
    const auto found = std::find(m_usids.begin(), m_usids.end(), usid);
    return found == m_usids.end() ? std::nullopt : std::optional<uint32_t>(found - m_usids.begin());
}

std::optional<uint16_t>
UsidPlan::FindPort(uint32_t id, const PortGroup& group, uint32_t peer) const
{
    for (uint16_t i = 0; i < group.count; ++i)
    {
        if (Follow(id, group.first + i) == peer)
        {
            return i;
        }
    }
    return std::nullopt;
}

std::optional<UsidPath>
UsidPlan::ReadList(const UsidScheme::List& list) const
{
    constexpr std::size_t LEAST = 2; // leaf and NIC
    if (list.size() < LEAST)
    {
        return std::nullopt;
    }
    const auto first = FindSwitch(list.front());
    const auto last = FindSwitch(list[list.size() - LEAST]);
    const auto nic = m_scheme.Read(list.back());
    if (!first || !last || !nic || m_graph.Switches()[*last].tier != 0 ||
        nic->index >= m_graph.Switches()[*last].forwarding.hostCount)
    {
        return std::nullopt;
    }
    const std::vector<FabricSwitchSpec>& switches = m_graph.Switches();
    UsidPath path{switches[*first].plane,
                  0,
                  switches[*first].forwarding.firstHost,
                  switches[*last].forwarding.firstHost + nic->index};
    uint32_t place = 1; // what an uplink adds to the label
    for (std::size_t i = 1; i < list.size() / 2; ++i)
    {
        const auto id = FindSwitch(list[i - 1]);
        const auto above = FindSwitch(list[i]);
        const auto port =
            id && above ? FindPort(*id, switches[*id].forwarding.up, *above) : std::nullopt;
        path.label += port.value_or(0) * place;
        place *= m_graph.LeafUplinks();
    }
    const auto sourcePort = static_cast<uint16_t>(PathChoice::FIRST_PORT + path.label);
    const bool isPath = MakeList(path.source, path.destination, path.plane, sourcePort) == list;
    return isPath ? std::optional<UsidPath>(path) : std::nullopt;
}

} // namespace aifabric
} // namespace ns3
