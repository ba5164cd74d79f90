/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "failure-helper.h"

#include "ns3/pointer.h"

#include <algorithm>
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

const std::string JOINT = "--"; //!< between the two ends of a link's name

/// @return the two ends that a text names, if it names two
/// @param text such as host-5:0--leaf-1:3
std::pair<std::string, std::string>
Split(const std::string& text)
{
    const std::size_t joint = text.find(JOINT);
    return joint == std::string::npos
               ? std::pair<std::string, std::string>(text, "")
               : std::pair<std::string, std::string>(text.substr(0, joint),
                                                     text.substr(joint + JOINT.size()));
}

/// @return whether a text names an end or its node  @param text such as leaf-1 or leaf-1:3
/// @param end such as leaf-1:3
bool
Names(const std::string& text, const std::string& end)
{
    return text == end || text == end.substr(0, end.find(':'));
}

/// @return the number that a text is, or a number that no link has  @param text the text
uint64_t
ToNumber(const std::string& text)
{
    constexpr std::size_t MOST_DIGITS = 10;
    const bool isNumber = !text.empty() && text.size() <= MOST_DIGITS &&
                          text.find_first_not_of("0123456789") == std::string::npos;
    return isNumber ? std::stoull(text) : UINT64_MAX;
}

/// Tell the hosts what all know of a link.  @param paths the hosts' paths  @param link the link
/// @param alive whether frames cross it
void
TellHosts(std::shared_ptr<PathView> paths, uint32_t link, bool alive)
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
FailureHelper::FindLinks(const FabricGraph& graph, const std::string& where)
{
    const auto [first, second] = Split(where);
    const bool isPair = where.find(JOINT) != std::string::npos;
    const uint64_t number = ToNumber(where);
    std::vector<uint32_t> links;
    for (uint32_t id = 0; id < graph.Links().size(); ++id)
    {
        const auto [lower, upper] = Split(graph.LinkName(id));
        const bool found = isPair ? (Names(first, lower) && Names(second, upper)) ||
                                        (Names(second, lower) && Names(first, upper))
                                  : number == id || Names(where, lower) || Names(where, upper);
        if (found)
        {
            links.push_back(id);
        }
    }
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
                                            MakeBoundCallback(&TellHosts, fabric.GetPaths()));
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
