/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/frame-codec.h"
#include "ns3/names.h"
#include "ns3/serialization-time.h"
#include "ns3/shortest-paths.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(Fabric);

TypeId
Fabric::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::Fabric")
                            .SetParent<Object>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<Fabric>();
    return tid;
}

Fabric::Fabric()
    : m_pool(Create<FabricFramePool>())
{
}

Fabric::~Fabric()
{
}

void
Fabric::DoDispose()
{
    m_hosts = NodeContainer();
    m_switchNodes = NodeContainer();
    m_nics.clear();
    m_switches.clear();
    m_channels.clear();
    m_pool = nullptr;
    Object::DoDispose();
}

const FabricGraph&
Fabric::GetGraph() const
{
    return *m_graph;
}

const std::shared_ptr<PathView>&
Fabric::GetPaths() const
{
    return m_paths;
}

const NodeContainer&
Fabric::GetHosts() const
{
    return m_hosts;
}

const Ptr<RoceNetDevice>&
Fabric::GetNic(uint32_t host) const
{
    return m_nics.at(host);
}

NetDeviceContainer
Fabric::GetNics() const
{
    NetDeviceContainer nics;
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        nics.Add(nic);
    }
    return nics;
}

void
Fabric::AddNames(const std::string& prefix) const
{
    const auto add = [](const std::string& name, const Ptr<Node>& node) {
        NS_ABORT_MSG_IF(Names::Find<Object>(name),
                        "Fabric::AddNames: the name "
                            << name << " is taken; give each fabric a prefix of its own, and call "
                            << "Names::Clear() after Simulator::Destroy()");
        Names::Add(name, node);
    };
    for (uint32_t host = 0; host < m_hosts.GetN(); ++host)
    {
        add(prefix + "host-" + std::to_string(host), m_hosts.Get(host));
    }
    for (uint32_t id = 0; id < m_switchNodes.GetN(); ++id)
    {
        add(prefix + m_graph->SwitchName(id), m_switchNodes.Get(id));
    }
}

Time
Fabric::GetRoundTripTime(uint32_t mtu) const
{
    const int64_t links = m_graph->LongestPathLinks();
    const uint32_t bytes = m_nics.at(0)->GetRoundTripBytes(*m_nics.at(0), mtu);
    if (!m_graph->IsClos())
    {
        const ShortestPaths::Extent& path = m_graph->GetPaths().GetLongest();
        return PicoSeconds(2 * path.delayPs + path.psPerByte * bytes) + GetRoundTripLatency();
    }
    Time delay;
    Time host;
    Time fabric;
    for (uint32_t link = 0; link < m_channels.size(); ++link)
    {
        const FabricLinkSpec& spec = m_graph->Links()[link];
        Time& slowest = spec.a.isHost || spec.b.isHost ? host : fabric;
        slowest = Max(slowest, SerializationTime(GetPort(spec.a)->GetDataRate(), bytes));
        delay = Max(delay, m_channels[link]->GetDelay());
    }
    return PicoSeconds(links * 2 * delay.GetPicoSeconds() + 2 * host.GetPicoSeconds() +
                       (links - 2) * fabric.GetPicoSeconds()) +
           GetRoundTripLatency();
}

Time
Fabric::GetRoundTripLatency() const
{
    Time inSwitch;
    Time inNic;
    for (const Ptr<FabricSwitch>& fabricSwitch : m_switches)
    {
        inSwitch = Max(inSwitch, fabricSwitch->GetLatency());
    }
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        inNic = Max(inNic, nic->GetLatency());
    }
    const int64_t switches = m_graph->LongestPathLinks() - 1;
    return PicoSeconds(2 * (switches * inSwitch.GetPicoSeconds() + inNic.GetPicoSeconds()));
}

const NodeContainer&
Fabric::GetSwitchNodes() const
{
    return m_switchNodes;
}

std::size_t
Fabric::GetSwitchCount() const
{
    return m_switches.size();
}

const Ptr<FabricSwitch>&
Fabric::GetSwitch(uint32_t id) const
{
    return m_switches.at(id);
}

std::size_t
Fabric::GetChannelCount() const
{
    return m_channels.size();
}

const Ptr<FabricChannel>&
Fabric::GetChannel(uint32_t link) const
{
    return m_channels.at(link);
}

Ptr<FabricPort>
Fabric::GetPort(const FabricEnd& end) const
{
    return end.isHost ? m_nics.at(end.id)->GetPort(end.port)
                      : m_switches.at(end.id)->GetPort(end.port);
}

const Ptr<FabricFramePool>&
Fabric::GetPool() const
{
    return m_pool;
}

void
Fabric::CatchUp() const
{
    const int64_t before = FabricClock::Now() - 1;
    for (const Ptr<FabricChannel>& channel : m_channels)
    {
        channel->GetPort(0)->GetTransmitter().Advance(before);
        channel->GetPort(1)->GetTransmitter().Advance(before);
    }
}

uint64_t
Fabric::GetPacketHops() const
{
    uint64_t hops = 0;
    for (const Ptr<FabricChannel>& channel : m_channels)
    {
        hops += channel->GetPort(0)->GetTransmitter().GetCounters().deliveredFrames +
                channel->GetPort(1)->GetTransmitter().GetCounters().deliveredFrames;
    }
    return hops;
}

int64_t
Fabric::AssignStreams(int64_t stream) const
{
    int64_t used = 0;
    for (const Ptr<FabricSwitch>& fabricSwitch : m_switches)
    {
        used += fabricSwitch->AssignStreams(stream + used);
    }
    for (const Ptr<FabricChannel>& channel : m_channels)
    {
        used += channel->AssignStreams(stream + used);
    }
    for (const Ptr<RoceNetDevice>& nic : m_nics)
    {
        used += nic->AssignStreams(stream + used);
    }
    return used;
}

void
Fabric::SetGraph(const FabricGraph& graph)
{
    m_graph = graph;
    m_paths = std::make_shared<PathView>(*m_graph);
}

void
Fabric::AddHost(Ptr<Node> node, Ptr<RoceNetDevice> nic)
{
    m_hosts.Add(node);
    m_nics.push_back(nic);
}

void
Fabric::AddSwitch(Ptr<Node> node, Ptr<FabricSwitch> fabricSwitch)
{
    m_switchNodes.Add(node);
    m_switches.push_back(fabricSwitch);
}

void
Fabric::AddChannel(Ptr<FabricChannel> channel)
{
    m_channels.push_back(channel);
}

} // namespace aifabric
} // namespace ns3
