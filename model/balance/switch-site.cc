/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "switch-site.h"

#include "ns3/fabric-graph.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

SwitchSite
SwitchSite::Of(const FabricGraph& graph, uint32_t id)
{
    const FabricSwitchSpec& spec = graph.Switches()[id];
    SwitchSite site;
    site.id = id;
    site.tier = spec.tier;
    site.ports = spec.portCount;
    site.firstUp = spec.forwarding.up.first;
    site.upCount = spec.forwarding.up.count;
    site.leafUplinks = std::max<uint16_t>(graph.LeafUplinks(), 1);
    site.firstHost = spec.forwarding.firstHost;
    site.hostCount = spec.forwarding.hostCount;
    // The switches of a tier have equally many hosts below, and those of one pod the same ones.
    site.waypointHosts = graph.IsClos() ? spec.forwarding.hostCount : 1;
    site.fabricHosts = graph.HostCount();
    site.podHosts = graph.HostCount() / (graph.PodOf(graph.HostCount() - 1) + 1);
    return site;
}

} // namespace aifabric
} // namespace ns3
