/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "port-catalog.h"

#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return the layers of a fabric, in the order of a frame's way
std::vector<std::string>
LayerNames(const FabricGraph& graph)
{
    if (!graph.IsClos())
    {
        const bool hasOne = graph.Links().size() == graph.HostCount(); // switch
        return hasOne
                   ? std::vector<std::string>{"host-up", "host-down"}
                   : std::vector<std::string>{"host-up", "switch-up", "switch-down", "host-down"};
    }
    const std::vector<std::string> tiers =
        graph.LeafTier() > 0 ? std::vector<std::string>{"nic", "leaf", "spine"}
        : graph.Tiers() > 2  ? std::vector<std::string>{"edge", "agg", "core"}
                             : std::vector<std::string>{"leaf", "spine"};
    std::vector<std::string> names{"host-up"};
    for (uint32_t tier = 0; tier + 1 < graph.Tiers(); ++tier)
    {
        names.push_back(tiers[tier] + "-up");
    }
    for (uint32_t tier = graph.Tiers(); tier-- > 0;)
    {
        names.push_back(tiers[tier] + "-down");
    }
    return names;
}

} // namespace

PortCatalog::PortCatalog(const FabricGraph& graph, const std::vector<Ptr<FabricChannel>>& channels)
{
    for (const std::string& name : LayerNames(graph))
    {
        AddLayer(name);
    }
    const uint32_t last = GetLayerCount() - 1;
    m_ports.reserve(2 * channels.size());
    for (uint32_t link = 0; link < channels.size(); ++link)
    {
        const std::string name = graph.LinkName(link);
        const std::size_t middle = name.find("--");
        const std::string lower = name.substr(0, middle);
        const std::string upper = name.substr(middle + 2);
        const uint32_t tier = graph.Links()[link].tier;
        AddPort({channels[link]->GetPort(0), link, tier, lower, upper});
        AddPort({channels[link]->GetPort(1), link, last - tier, upper, lower});
    }
}

void
PortCatalog::AddLayer(const std::string& name)
{
    m_layerNames.push_back(name);
    m_layerSizes.push_back(0);
}

void
PortCatalog::AddPort(Entry entry)
{
    ++m_layerSizes[entry.layer];
    m_ports.push_back(std::move(entry));
}

const std::vector<PortCatalog::Entry>&
PortCatalog::GetPorts() const
{
    return m_ports;
}

uint32_t
PortCatalog::GetLayerCount() const
{
    return m_layerNames.size();
}

const std::string&
PortCatalog::GetLayerName(uint32_t layer) const
{
    return m_layerNames.at(layer);
}

uint32_t
PortCatalog::GetLayerSize(uint32_t layer) const
{
    return m_layerSizes.at(layer);
}

void
PortCatalog::CatchUp() const
{
    const int64_t before = FabricClock::Now() - 1;
    for (const Entry& entry : m_ports)
    {
        entry.port->GetTransmitter().Advance(before);
    }
}

uint64_t
PortCatalog::GetPacketHops() const
{
    uint64_t hops = 0;
    for (const Entry& entry : m_ports)
    {
        hops += entry.port->GetTransmitter().GetCounters().deliveredFrames;
    }
    return hops;
}

} // namespace aifabric
} // namespace ns3
