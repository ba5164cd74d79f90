/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "failure-helper.h"

#include "ns3/link-finder.h"
#include "ns3/pointer.h"

#include <memory>
#include <set>
#include <stdexcept>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// Update the hosts' paths when the state of a link is known everywhere.
/// @param paths the hosts' paths  @param alive whether frames cross it
void
UpdateHosts(std::shared_ptr<PathView> paths, uint32_t link, bool alive)
{
    paths->SetLinkAlive(link, alive);
}

} // namespace

FailureHelper::FailureHelper()
{
    m_fault.SetTypeId(LinkFault::GetTypeId());
}

void
FailureHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_fault.Set(name, value);
}

std::vector<uint32_t>
FailureHelper::FindLinks(const FabricGraph& graph, const std::string& where, uint32_t opticPorts)
{
    std::vector<uint32_t> links = LinkFinder(graph, opticPorts).Find(where);
    if (links.empty())
    {
        throw std::invalid_argument("no link '" + where + "'; there are links 0 to " +
                                    std::to_string(graph.Links().size() - 1) + ", such as '" +
                                    graph.LinkName(graph.Links().size() - 1) +
                                    "', and a node names all of its links");
    }
    return links;
}

std::vector<Ptr<LinkFault>>
FailureHelper::Install(const Fabric& fabric, const std::string& where) const
{
    std::vector<Ptr<LinkFault>> faults;
    for (uint32_t link : FindLinks(fabric.GetGraph(), where))
    {
        faults.push_back(Install(fabric, link));
    }
    return faults;
}

Ptr<LinkFault>
FailureHelper::Install(const Fabric& fabric, uint32_t link) const
{
    Ptr<LinkFault> fault = m_fault.Create<LinkFault>();
    fault->SetAttribute("Channel", PointerValue(fabric.GetChannel(link)));
    fault->Initialize();
    return fault;
}

Ptr<RouteConvergence>
FailureHelper::InstallConvergence(const Fabric& fabric, Time delay)
{
    const std::vector<Ptr<FabricSwitch>>& switches = fabric.GetSwitchList();
    const std::vector<Ptr<FabricChannel>>& channels = fabric.GetChannelList();
    Ptr<RouteConvergence> convergence = CreateObject<RouteConvergence>();
    convergence->SetAttribute("Delay", TimeValue(delay));
    convergence->TraceConnectWithoutContext("LinkKnown",
                                            MakeBoundCallback(&UpdateHosts, fabric.GetPaths()));
    convergence->Install(fabric.GetGraph(), switches, channels);
    return convergence;
}

int64_t
FailureHelper::AssignStreams(const std::vector<Ptr<LinkFault>>& faults, int64_t stream)
{
    int64_t used = 0;
    std::set<Ptr<FabricChannel>> done;
    for (const Ptr<LinkFault>& fault : faults)
    {
        if (done.insert(fault->GetChannel()).second)
        {
            used += fault->GetChannel()->AssignStreams(stream + used);
        }
    }
    return used;
}

} // namespace aifabric
} // namespace ns3
