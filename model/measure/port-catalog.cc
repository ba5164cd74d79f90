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

/// @return the names of the tiers
std::vector<std::string>
TierNames(uint32_t tiers)
{
    return tiers > 2 ? std::vector<std::string>{"edge", "agg", "core"}
                     : std::vector<std::string>{"leaf", "spine"};
}

} // namespace

PortCatalog::PortCatalog(const FabricGraph& graph, const std::vector<Ptr<FabricChannel>>& channels)
{
    const uint32_t tiers = graph.Tiers();
    const bool isClos = graph.IsClos();
    AddLayers(tiers, isClos);
    m_ports.reserve(2 * channels.size());
    for (uint32_t link = 0; link < channels.size(); ++link)
    {
        const std::string name = graph.LinkName(link);
        const std::size_t middle = name.find("--");
        const std::string lower = name.substr(0, middle);
        const std::string upper = name.substr(middle + 2);
        const uint32_t tier = graph.Links()[link].tier;
        AddPort({channels[link]->GetPort(0), link, tier, lower, upper});
        const uint32_t back = isClos ? 2 * tiers - 1 - tier : 2 - tier;
        AddPort({channels[link]->GetPort(1), link, back, upper, lower});
    }
}

void
PortCatalog::AddLayers(uint32_t tiers, bool isClos)
{
    AddLayer("host-up");
    if (!isClos)
    {
        AddLayer("switch-to-switch");
        AddLayer("switch-to-host");
        return;
    }
    const std::vector<std::string> names = TierNames(tiers);
    for (uint32_t tier = 0; tier + 1 < tiers; ++tier)
    {
        AddLayer(names[tier] + "-up");
    }
    for (uint32_t tier = tiers; tier-- > 0;)
    {
        AddLayer(names[tier] + "-down");
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
