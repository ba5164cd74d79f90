/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "clos-helper.h"

#include "ns3/abort.h"
#include "ns3/address-plan.h"
#include "ns3/clos-forwarder.h"
#include "ns3/data-rate.h"
#include "ns3/ecmp-balancer.h"
#include "ns3/egress-stage.h"
#include "ns3/fabric-clock.h"
#include "ns3/fabric-remote-channel.h"
#include "ns3/global-value.h"
#include "ns3/host-balancer.h"
#include "ns3/loss-oracle.h"
#include "ns3/map-scheduler.h"
#include "ns3/monotone-scheduler.h"
#include "ns3/path-label-balancer.h"
#include "ns3/pointer.h"
#include "ns3/port-buffer.h"
#include "ns3/rank-transport.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/switch-port-net-device.h"
#include "ns3/wecmp-table.h"
#include "ns3/window-simulator.h"

#include <algorithm>
#include <cmath>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return an ns-3 address  @param bytes the address
Mac48Address
ToMac(const addressplan::MacBytes& bytes)
{
    Mac48Address address;
    address.CopyFrom(bytes.data());
    return address;
}

/// Refuse a factory of other objects.  @param base what it has to make
void
RequireChild(const ObjectFactory& factory, TypeId base)
{
    NS_ABORT_MSG_IF(!factory.GetTypeId().IsChildOf(base),
                    "ClosHelper: " << factory.GetTypeId().GetName() << " is no " << base.GetName());
}

} // namespace

ClosHelper::ClosHelper()
{
    m_port.SetTypeId(FabricPort::GetTypeId());
    m_channel.SetTypeId(FabricChannel::GetTypeId());
    m_switch.SetTypeId(FabricSwitch::GetTypeId());
    m_nic.SetTypeId(RoceNetDevice::GetTypeId());
    m_balancer.SetTypeId(EcmpBalancer::GetTypeId());
    m_forwarder.SetTypeId(ClosForwarder::GetTypeId());
    m_admission.SetTypeId(PortBuffer::GetTypeId());
}

void
ClosHelper::PrepareSimulator()
{
    if (Time::GetResolution() != Time::PS && Time::GetResolution() != Time::FS)
    {
        StringValue simulator;
        GlobalValue::GetValueByName("SimulatorImplementationType", simulator);
        const bool isInWindows = simulator.Get() == WindowSimulator::GetTypeId().GetName();
        Time::SetResolution(isInWindows ? Time::FS : Time::PS);
    }
    TypeIdValue scheduler;
    GlobalValue::GetValueByName("SchedulerType", scheduler);
    if (scheduler.Get() == MapScheduler::GetTypeId())
    {
        Simulator::SetScheduler(ObjectFactory("ns3::aifabric::MonotoneScheduler"));
    }
}

void
ClosHelper::SetPortAttribute(const std::string& name, const AttributeValue& value)
{
    m_port.Set(name, value);
}

void
ClosHelper::SetNicPortAttribute(const std::string& name, const AttributeValue& value)
{
    m_nicPort[name] = value.Copy();
}

void
ClosHelper::SetFabricRate(DataRate rate)
{
    m_fabricRate = rate;
}

void
ClosHelper::SetChannelAttribute(const std::string& name, const AttributeValue& value)
{
    m_channel.Set(name, value);
}

void
ClosHelper::SetSwitchAttribute(const std::string& name, const AttributeValue& value)
{
    m_switch.Set(name, value);
}

void
ClosHelper::SetNicAttribute(const std::string& name, const AttributeValue& value)
{
    m_nic.Set(name, value);
    if (name == "BalancerType")
    {
        m_hasHostBalancer = true;
        m_hostBalancer.reset();
    }
}

void
ClosHelper::SetBalancer(const ObjectFactory& factory)
{
    RequireChild(factory, SwitchBalancer::GetTypeId());
    m_balancer = factory;
}

void
ClosHelper::SetBalancerType(TypeId type)
{
    const TypeId host = HostBalancer::GetTypeId();
    ObjectFactory factory;
    factory.SetTypeId(type);
    m_hostBalancer.reset();
    if (type == host || type.IsChildOf(host))
    {
        m_hostBalancer = type;
        factory.SetTypeId(factory.Create<HostBalancer>()->GetSwitchBalancer());
    }
    SetBalancer(factory);
}

void
ClosHelper::SetUpgrade(const std::vector<uint32_t>& switches, const ObjectFactory& factory)
{
    RequireChild(factory, SwitchBalancer::GetTypeId());
    m_upgraded = {switches.begin(), switches.end()};
    m_upgrade = factory;
}

void
ClosHelper::SetForwarder(const ObjectFactory& factory)
{
    RequireChild(factory, SwitchForwarder::GetTypeId());
    m_forwarder = factory;
}

void
ClosHelper::SetAdmission(const ObjectFactory& factory)
{
    RequireChild(factory, BufferAdmission::GetTypeId());
    m_admission = factory;
}

void
ClosHelper::SetSpineAdmission(const ObjectFactory& factory)
{
    RequireChild(factory, BufferAdmission::GetTypeId());
    m_spineAdmission = factory;
}

void
ClosHelper::SetMarker(const ObjectFactory& factory)
{
    RequireChild(factory, EcnMarker::GetTypeId());
    m_marker = factory;
}

void
ClosHelper::SetEgressStage(const ObjectFactory& factory)
{
    RequireChild(factory, EgressStage::GetTypeId());
    m_egressStage = factory;
}

void
ClosHelper::SetRankPlan(const RankPlan& plan)
{
    m_plan = plan;
}

void
ClosHelper::CheckShape(const FabricGraph& graph) const
{
    const std::string obstacle = m_balancer.Create<SwitchBalancer>()->FindObstacle(graph);
    NS_ABORT_MSG_IF(!obstacle.empty(),
                    "ClosHelper: " << m_balancer.GetTypeId().GetName() << " refuses a fabric with "
                                   << obstacle);
    if (graph.IsClos())
    {
        return;
    }
    const auto check = [](const auto& balancer) {
        const std::string need = balancer->GetClosNeed();
        NS_ABORT_MSG_IF(!need.empty(),
                        "ClosHelper: " << balancer->GetInstanceTypeId().GetName()
                                       << " refuses a fabric that has no tiers: " << need);
    };
    if (m_hostBalancer)
    {
        check(ObjectFactory(m_hostBalancer->GetName()).Create<HostBalancer>());
    }
    check(m_balancer.Create<SwitchBalancer>());
    if (!m_upgraded.empty())
    {
        check(m_upgrade.Create<SwitchBalancer>());
    }
    NS_ABORT_MSG_IF(m_plan && m_plan->GetRanks() > 1,
                    "ClosHelper: a fabric that has no tiers is simulated on one rank");
}

Ptr<Fabric>
ClosHelper::Install(const FabricGraph& graph) const
{
    CheckResolution();
    CheckShape(graph);
    Ptr<Fabric> fabric = CreateObject<Fabric>();
    fabric->SetGraph(graph);
    NS_ABORT_MSG_IF(!m_upgraded.empty() && *m_upgraded.rbegin() >= graph.Switches().size(),
                    "ClosHelper: there is no switch " << *m_upgraded.rbegin() << " to be upgraded");
    ObjectFactory ports = m_port; // which share the table of DSCPs
    ports.Set("DscpTable", PointerValue(m_port.Create<FabricPort>()->GetDscpTable()));
    InstallHosts(*fabric, ports);
    InstallSwitches(*fabric, ports);
    InstallChannels(*fabric);
    for (uint32_t id = 0; id < graph.Switches().size(); ++id)
    {
        fabric->GetSwitch(id)->SetForwarding(graph.Switches()[id].forwarding);
        fabric->GetSwitch(id)->SetSite(SwitchSite::Of(graph, id));
    }
    InstallRoutes(*fabric);
    InstallForwarders(*fabric);
    InstallFacts(*fabric);
    PrepareOracle(*fabric);
    return fabric;
}

void
ClosHelper::InstallRoutes(const Fabric& fabric)
{
    const FabricGraph& graph = fabric.GetGraph();
    if (graph.IsClos())
    {
        return; // switches have a rule
    }
    const WecmpTable table(graph);
    for (uint32_t id = 0; id < fabric.GetSwitchCount(); ++id)
    {
        for (const WecmpTable::Route& route : table.GetRoutes(id))
        {
            fabric.GetSwitch(id)->SetWeights(route.waypoint, table.GetWeights(id, route));
        }
    }
}

void
ClosHelper::SetLinkRate(FabricPort& port, const FabricGraph& graph, const FabricEnd& end)
{
    if (const uint64_t rate = graph.Links()[graph.LinkAt(end)].rate)
    {
        port.SetAttribute("DataRate", DataRateValue(DataRate(rate)));
    }
}

void
ClosHelper::InstallForwarders(const Fabric& fabric) const
{
    const FabricGraph& graph = fabric.GetGraph();
    const Ptr<SwitchForwarder> usual = m_forwarder.Create<SwitchForwarder>();
    const std::string obstacle = usual->FindObstacle(graph);
    NS_ABORT_MSG_IF(!obstacle.empty(),
                    "ClosHelper: " << m_forwarder.GetTypeId().GetName() << " refuses a fabric with "
                                   << obstacle);
    fabric.GetPool()->SetPlan(usual->MakePlan(graph));
    for (uint32_t host = 0; usual->GetOuterBytes() > 0 && host < graph.HostCount(); ++host)
    {
        const Ptr<RoceNetDevice>& nic = fabric.GetNic(host);
        NS_ABORT_MSG_IF(!nic->SendsIpv6(),
                        "ClosHelper: " << m_forwarder.GetTypeId().GetName()
                                       << " needs RoceNetDevice::IpVersion of 6");
        nic->SetOuterBytes(usual->GetOuterBytes());
    }
    const bool isIdle = usual->UsesClosRule() && !usual->HasDetours();
    for (uint32_t id = 0; !isIdle && id < fabric.GetSwitchCount(); ++id)
    {
        const Ptr<FabricSwitch>& fabricSwitch = fabric.GetSwitch(id);
        std::vector<FabricTransmitter*> ports;
        for (std::size_t port = 0; port < fabricSwitch->GetPortCount(); ++port)
        {
            ports.push_back(&fabricSwitch->GetPort(port)->GetTransmitter());
        }
        const Ptr<SwitchForwarder> forwarder = m_forwarder.Create<SwitchForwarder>();
        forwarder->Install(graph.Switches()[id].forwarding, fabricSwitch->GetSite(), ports);
        forwarder->InstallDetours(graph, id);
        fabricSwitch->SetForwarder(forwarder);
    }
}

void
ClosHelper::CheckResolution() const
{
    FabricClock::Check();
    const DataRate hosts = m_port.Create<FabricPort>()->GetDataRate();
    for (const DataRate rate : {hosts, m_fabricRate.value_or(hosts)})
    {
        const double ps = 8e12 / rate.GetBitRate();
        NS_ABORT_MSG_IF(std::abs(ps - std::round(ps)) > 1e-6 * ps,
                        "ClosHelper: a byte at " << rate << " takes " << ps
                                                 << " ps; the rate must be one at which it takes "
                                                    "a whole number of picoseconds");
    }
}

ObjectFactory
ClosHelper::MakeNicFactory(uint16_t planes) const
{
    ObjectFactory factory = m_nic;
    if (m_hostBalancer)
    {
        factory.Set("BalancerType", TypeIdValue(*m_hostBalancer));
    }
    else if (planes > 1 && !m_hasHostBalancer)
    {
        TypeIdValue usual;
        m_nic.Create<RoceNetDevice>()->GetAttribute("BalancerType", usual);
        if (usual.Get() == HostBalancer::GetTypeId())
        {
            const TypeId type = m_balancer.Create<SwitchBalancer>()->GetHostBalancer();
            factory.Set("BalancerType", TypeIdValue(type));
        }
    }
    return factory;
}

void
ClosHelper::InstallFacts(const Fabric& fabric) const
{
    const FabricGraph& graph = fabric.GetGraph();
    FabricFacts facts;
    facts.telemetry =
        m_egressStage.IsTypeIdSet() && m_egressStage.Create<EgressStage>()->WritesTelemetry();
    if (facts.telemetry)
    {
        fabric.GetPool()->CarryTelemetry();
    }
    for (uint32_t host = 0; facts.telemetry && host < graph.HostCount(); ++host)
    {
        fabric.GetNic(host)->CarryTelemetry();
    }
    facts.baseRtt = fabric.GetRoundTripTime(fabric.GetNic(0)->GetUsualMtu());
    facts.uplinks = {graph.Uplinks(0), graph.Uplinks(1)};
    facts.trims = m_admission.Create<BufferAdmission>()->Trims();
    for (uint32_t host = 0; host < graph.HostCount(); ++host)
    {
        fabric.GetNic(host)->SetFacts(facts);
    }
    for (const Ptr<FabricSwitch>& fabricSwitch : fabric.GetSwitchList())
    {
        fabricSwitch->GetBalancer()->SetFacts(facts);
    }
}

void
ClosHelper::PrepareOracle(const Fabric& fabric) const
{
    if (RankTransport::GetRanks() > 1)
    {
        return;
    }
    const std::vector<Ptr<RoceNetDevice>>& nics = fabric.GetNicList();
    const std::vector<Ptr<FabricSwitch>>& switches = fabric.GetSwitchList();
    const std::vector<Ptr<FabricChannel>>& channels = fabric.GetChannelList();
    Ptr<LossOracle> oracle = CreateObject<LossOracle>();
    TypeId::AttributeInformation roundTrip;
    LossOracle::GetTypeId().LookupAttributeByName("RoundTripTime", &roundTrip);
    if (roundTrip.initialValue == roundTrip.originalInitialValue) // no Config::SetDefault()
    {
        oracle->SetAttribute("RoundTripTime",
                             TimeValue(fabric.GetRoundTripTime(nics[0]->GetUsualMtu())));
    }
    oracle->Prepare(nics, switches, channels);
}

void
ClosHelper::InstallHosts(Fabric& fabric, ObjectFactory ports) const
{
    const FabricGraph& graph = fabric.GetGraph();
    const ObjectFactory nics = MakeNicFactory(graph.Planes());
    for (const auto& [name, value] : m_nicPort)
    {
        ports.Set(name, *value);
    }
    for (uint32_t host = 0; host < graph.HostCount(); ++host)
    {
        Ptr<Node> node = CreateObject<Node>(m_plan ? m_plan->RankOfHost(host) : 0);
        Ptr<RoceNetDevice> nic = nics.Create<RoceNetDevice>();
        nic->Install(host, fabric.GetPool());
        nic->SetHostCount(graph.HostCount());
        nic->SetPaths(fabric.GetPaths());
        nic->SetAddress(ToMac(addressplan::HostMac(host, 0)));
        node->AddDevice(nic);
        for (uint16_t plane = 0; plane < graph.Planes(); ++plane)
        {
            Ptr<FabricPort> port = ports.Create<FabricPort>();
            SetLinkRate(*port, graph, {true, host, plane});
            nic->AddPlane(port);
        }
        fabric.AddHost(node, nic);
    }
}

void
ClosHelper::InstallSwitches(Fabric& fabric, const ObjectFactory& ports) const
{
    const FabricGraph& graph = fabric.GetGraph();
    const bool obeysHosts = m_forwarder.Create<SwitchForwarder>()->ObeysHosts();
    const ObjectFactory labels(PathLabelBalancer::GetTypeId().GetName());
    for (uint32_t id = 0; id < graph.Switches().size(); ++id)
    {
        Ptr<Node> node = CreateObject<Node>(m_plan ? m_plan->RankOfSwitch(id) : 0);
        Ptr<FabricSwitch> fabricSwitch = m_switch.Create<FabricSwitch>();
        const ObjectFactory& balancer = obeysHosts                 ? labels
                                        : m_upgraded.count(id) > 0 ? m_upgrade
                                                                   : m_balancer;
        fabricSwitch->SetBalancer(balancer.Create<SwitchBalancer>());
        const bool isDeep =
            m_spineAdmission.IsTypeIdSet() && graph.Switches()[id].tier > graph.LeafTier();
        const ObjectFactory& admission = isDeep ? m_spineAdmission : m_admission;
        fabricSwitch->SetAdmission(admission.Create<BufferAdmission>());
        if (m_marker.IsTypeIdSet())
        {
            fabricSwitch->SetMarker(m_marker.Create<EcnMarker>());
        }
        if (m_egressStage.IsTypeIdSet())
        {
            fabricSwitch->SetEgressStage(m_egressStage.Create<EgressStage>());
        }
        node->AggregateObject(fabricSwitch);
        for (uint16_t index = 0; index < graph.Switches()[id].portCount; ++index)
        {
            Ptr<SwitchPortNetDevice> device = CreateObject<SwitchPortNetDevice>();
            device->SetAddress(ToMac(addressplan::SwitchMac(id, index)));
            node->AddDevice(device);
            Ptr<FabricPort> port = ports.Create<FabricPort>();
            if (m_fabricRate && !graph.PeerOf({false, id, index}).isHost)
            {
                port->SetAttribute("DataRate", DataRateValue(*m_fabricRate));
            }
            SetLinkRate(*port, graph, {false, id, index});
            device->AddPort(port, PeekPointer(fabricSwitch), index);
            fabricSwitch->AddPort(port);
        }
        fabric.AddSwitch(node, fabricSwitch);
    }
}

void
ClosHelper::InstallChannels(Fabric& fabric) const
{
    Ptr<FrameFerry> ferry;
    if (m_plan && m_plan->GetRanks() > 1)
    {
        ferry = Create<FrameFerry>(m_channel.Create<FabricChannel>()->GetDelay(), fabric.GetPool());
    }
    for (uint32_t link = 0; link < fabric.GetGraph().Links().size(); ++link)
    {
        fabric.AddChannel(MakeChannel(fabric, link, ferry));
    }
}

Ptr<FabricChannel>
ClosHelper::MakeChannel(const Fabric& fabric, uint32_t link, const Ptr<FrameFerry>& ferry) const
{
    const FabricLinkSpec& spec = fabric.GetGraph().Links()[link];
    const uint32_t mine = RankTransport::GetRank();
    const bool isCut = m_plan && m_plan->IsCut(link) &&
                       (m_plan->RankOf(spec.a) == mine || m_plan->RankOf(spec.b) == mine);
    if (!isCut)
    {
        Ptr<FabricChannel> channel = m_channel.Create<FabricChannel>();
        if (spec.delayPs)
        {
            channel->SetAttribute("Delay", TimeValue(PicoSeconds(*spec.delayPs)));
        }
        channel->Connect(fabric.GetPort(spec.a), fabric.GetPort(spec.b));
        return channel;
    }
    ObjectFactory factory = m_channel;
    factory.SetTypeId(FabricRemoteChannel::GetTypeId());
    Ptr<FabricRemoteChannel> channel = factory.Create<FabricRemoteChannel>();
    channel->Connect(fabric.GetPort(spec.a), fabric.GetPort(spec.b));
    const std::size_t end = m_plan->RankOf(spec.a) == mine ? 0 : 1;
    channel->Split(end, link, m_plan->RankOf(end == 0 ? spec.b : spec.a), ferry);
    return channel;
}

} // namespace aifabric
} // namespace ns3
