/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-switch.h"

#include "ns3/abort.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-clock.h"
#include "ns3/fabric-net-device.h"
#include "ns3/iwrr-schedule.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/object-vector.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace ns3
{
namespace aifabric
{

NS_LOG_COMPONENT_DEFINE("FabricSwitch");
NS_OBJECT_ENSURE_REGISTERED(FabricSwitch);

const char*
FabricSwitch::GetReasonName(DropReason reason)
{
    static constexpr std::array<const char*, DROP_REASONS> NAMES = {"no_route",
                                                                    "ttl",
                                                                    "no_buffer",
                                                                    "flushed"};
    return NAMES.at(reason);
}

TypeId
FabricSwitch::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::FabricSwitch")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<FabricSwitch>()
            .AddAttribute(
                "Balancer",
                "How the switch chooses among next hops.",
                PointerValue(),
                MakePointerAccessor(&FabricSwitch::SetBalancer, &FabricSwitch::GetBalancer),
                MakePointerChecker<SwitchBalancer>())
            .AddAttribute(
                "Admission",
                "The switch's buffer.",
                PointerValue(),
                MakePointerAccessor(&FabricSwitch::SetAdmission, &FabricSwitch::GetAdmission),
                MakePointerChecker<BufferAdmission>())
            .AddAttribute("Marker",
                          "How the switch marks congestion; null: it does not.",
                          PointerValue(),
                          MakePointerAccessor(&FabricSwitch::SetMarker, &FabricSwitch::GetMarker),
                          MakePointerChecker<EcnMarker>())
            .AddAttribute("Stage",
                          "What looks at frames that arrive before they are forwarded; null: "
                          "nothing.",
                          PointerValue(),
                          MakePointerAccessor(&FabricSwitch::SetStage, &FabricSwitch::GetStage),
                          MakePointerChecker<IngressStage>())
            .AddAttribute(
                "DetectionDelay",
                "How long a link of the switch has to be cut or restored until the switch "
                "knows by itself, and stops or begins to forward there. The longest time that "
                "there is means never.",
                TimeValue(MicroSeconds(100)),
                MakeTimeAccessor(&FabricSwitch::m_detectionDelay),
                MakeTimeChecker(Time(0)))
            .AddAttribute("PortList",
                          "The ports of the switch.",
                          ObjectVectorValue(),
                          MakeObjectVectorAccessor(&FabricSwitch::m_ports),
                          MakeObjectVectorChecker<FabricPort>())
            .AddTraceSource("Drop",
                            "The switch dropped a frame.",
                            MakeTraceSourceAccessor(&FabricSwitch::m_dropTrace),
                            "ns3::aifabric::FabricSwitch::DropTracedCallback");
    return tid;
}

FabricSwitch::FabricSwitch()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

FabricSwitch::~FabricSwitch()
{
}

void
FabricSwitch::AddPort(Ptr<FabricPort> port)
{
    const uint16_t index = m_ports.size();
    m_ports.push_back(port);
    m_alive.push_back(true);
    port->GetDevice()->AddLinkChangeCallback(
        MakeCallback(&FabricSwitch::LinkChanged, this).Bind(index));
}

std::size_t
FabricSwitch::GetPortCount() const
{
    return m_ports.size();
}

const Ptr<FabricPort>&
FabricSwitch::GetPort(std::size_t index) const
{
    return m_ports.at(index);
}

void
FabricSwitch::SetForwarding(const ForwardingRule& rule)
{
    m_firstHost = rule.firstHost;
    m_hostCount = rule.hostCount;
    m_chunk = rule.chunk;
    m_groupPorts = rule.down;
    m_upGroup = m_groupPorts.size();
    m_groupPorts.push_back(rule.up);
    m_groups.resize(m_groupPorts.size());
    m_only = std::make_unique<FabricTransmitter*[]>(m_groups.size());
    m_weights.assign(m_groupPorts.size(), {});
    m_upGroups.clear();
    m_weighted = 0;
    for (uint16_t group = 0; group < m_groups.size(); ++group)
    {
        RebuildGroup(group);
    }
}

void
FabricSwitch::SetSite(const SwitchSite& site)
{
    m_site = site;
}

const SwitchSite&
FabricSwitch::GetSite() const
{
    return m_site;
}

void
FabricSwitch::RebuildGroup(uint16_t group)
{
    EgressGroup& rebuilt = m_groups[group];
    const PortGroup& ports = m_groupPorts[group];
    rebuilt.id = group;
    rebuilt.members.clear();
    rebuilt.ports.clear();
    std::vector<uint32_t> weights = m_weights[group];
    const bool isWeighted = !weights.empty();
    weights.resize(ports.count, 1);
    for (uint32_t i = 0; i < ports.count; ++i)
    {
        weights[i] *= m_alive.at(ports.first + i);
    }
    std::vector<uint32_t> order(ports.count);
    std::iota(order.begin(), order.end(), 0);
    if (isWeighted)
    {
        order = RandomOrder(ports.count,
                            [this](uint32_t bound) { return m_random->GetInteger(0, bound - 1); });
    }
    for (const uint32_t i : InterleavedSchedule(weights, order))
    {
        rebuilt.ports.push_back(ports.first + i);
        rebuilt.members.push_back(&m_ports[ports.first + i]->GetTransmitter());
    }
    if (group < m_upGroup)
    {
        m_only[group] = rebuilt.members.size() == 1 ? rebuilt.members.front() : nullptr;
    }
}

void
FabricSwitch::SetPortAlive(uint16_t port, bool alive)
{
    if (m_alive.at(port) == alive)
    {
        return;
    }
    NS_LOG_FUNCTION(this << port << alive);
    m_alive[port] = alive;
    for (uint16_t group = 0; group < m_groups.size(); ++group)
    {
        const PortGroup& ports = m_groupPorts[group];
        const bool contains = port >= ports.first && port < ports.first + ports.count;
        if (contains && (m_weights[group].empty() || m_weights[group][port - ports.first] > 0))
        {
            RebuildGroup(group);
            m_balancer->GroupChanged(m_groups[group]);
        }
    }
}

void
FabricSwitch::SetWeights(uint32_t waypoint, const std::vector<uint32_t>& weights)
{
    NS_ABORT_MSG_IF(!weights.empty() && weights.size() != m_groupPorts[m_upGroup].count,
                    "FabricSwitch::SetWeights: " << weights.size() << " weights for "
                                                 << m_groupPorts[m_upGroup].count << " uplinks");
    const uint16_t group = weights.empty() ? m_upGroup : GetWeightedGroup(weights);
    m_upGroups.resize(std::max<std::size_t>(m_upGroups.size(), waypoint + 1), m_upGroup);
    m_weighted -= m_upGroups[waypoint] != m_upGroup;
    m_weighted += group != m_upGroup;
    m_upGroups[waypoint] = group;
}

const std::vector<uint32_t>&
FabricSwitch::GetWeights(uint32_t waypoint) const
{
    return m_weights[waypoint < m_upGroups.size() ? m_upGroups[waypoint] : m_upGroup];
}

uint16_t
FabricSwitch::GetWeightedGroup(const std::vector<uint32_t>& weights)
{
    const auto known = std::find(m_weights.begin() + m_upGroup + 1, m_weights.end(), weights);
    const std::size_t group = known - m_weights.begin();
    if (known == m_weights.end())
    {
        NS_ABORT_MSG_IF(group > std::numeric_limits<uint16_t>::max(),
                        "FabricSwitch::SetWeights: more than 65535 groups");
        m_weights.push_back(weights);
        m_groupPorts.push_back(m_groupPorts[m_upGroup]);
        m_groups.emplace_back();
        RebuildGroup(group);
    }
    return group;
}

void
FabricSwitch::LinkChanged(uint16_t port)
{
    NS_LOG_FUNCTION(this << port);
    const int64_t now = FabricClock::Now();
    m_changedAt[port] = now;
    if (m_detectionDelay >= Time::Max() - Simulator::Now())
    {
        return; // never
    }
    Simulator::ScheduleWithContext(m_ports.at(port)->GetDevice()->GetNode()->GetId(),
                                   FabricClock::Until(now + m_detectionDelay.GetPicoSeconds()),
                                   &FabricSwitch::DetectLink,
                                   Ptr<FabricSwitch>(this),
                                   port);
}

void
FabricSwitch::DetectLink(uint16_t port)
{
    const bool settled =
        m_changedAt[port] + m_detectionDelay.GetPicoSeconds() <= FabricClock::Now();
    if (settled && port < m_ports.size())
    {
        SetPortAlive(port, m_ports[port]->GetChannel()->IsUp());
    }
}

void
FabricSwitch::DoInitialize()
{
    NS_ABORT_MSG_IF(!m_balancer, "FabricSwitch::Balancer is not set");
    NS_ABORT_MSG_IF(!m_admission, "FabricSwitch::Admission is not set");
    m_admission->Install(*this);
    m_admission->Initialize();
    m_site.bufferBytes = m_admission->GetPortBytes();
    m_balancer->SetSite(m_site);
    m_balancer->Initialize();
    if (m_marker)
    {
        m_marker->Initialize();
        m_marksAtEnqueue = !m_marker->IsAtDequeue();
        m_marksAtLastHop = m_marker->IsAtLastHop();
    }
    if (m_stage)
    {
        m_stage->Install(*this);
        m_stage->Initialize();
        m_hasStage = true;
    }
    if (m_admission->WantsRelease() || (m_marker && m_marker->IsAtDequeue()))
    {
        for (const Ptr<FabricPort>& port : m_ports)
        {
            port->GetTransmitter().SetHook(this);
        }
    }
    Object::DoInitialize();
}

void
FabricSwitch::DoDispose()
{
    for (const Ptr<Object>& policy : {Ptr<Object>(m_stage),
                                      Ptr<Object>(m_balancer),
                                      Ptr<Object>(m_admission),
                                      Ptr<Object>(m_marker)})
    {
        if (policy)
        {
            policy->Dispose();
        }
    }
    m_groups.clear();
    m_ports.clear();
    m_stage = nullptr;
    m_hasStage = false;
    m_balancer = nullptr;
    m_admission = nullptr;
    m_marker = nullptr;
    Object::DoDispose();
}

const EgressGroup&
FabricSwitch::FindGroup(uint32_t host) const
{
    const uint32_t below = host - m_firstHost;
    if (below < m_hostCount)
    {
        return m_groups[below / m_chunk];
    }
    if (m_weighted == 0)
    {
        return m_groups[m_upGroup];
    }
    const uint32_t waypoint = m_site.WaypointOf(host);
    return m_groups[waypoint < m_upGroups.size() ? m_upGroups[waypoint] : m_upGroup];
}

inline FabricTransmitter*
FabricSwitch::FindOnly(uint32_t host) const
{
    const uint32_t below = host - m_firstHost;
    return below < m_hostCount ? m_only[below / m_chunk] : nullptr;
}

inline FabricTransmitter*
FabricSwitch::ChooseEgress(const FabricFrame& frame, int64_t now)
{
    if (FabricTransmitter* only = FindOnly(frame.destination))
    {
        return only;
    }
    const EgressGroup& group = FindGroup(frame.destination);
    const std::size_t choices = group.members.size();
    if (choices == 0)
    {
        return nullptr;
    }
    return group.members[choices == 1 ? 0 : m_balancer->Choose(frame, group, now)];
}

void
FabricSwitch::ReceiveFrame(const Ptr<FabricFrame>& frame, uint16_t ingress, int64_t now)
{
    NS_LOG_FUNCTION(this << frame->source << frame->destination << frame->psn << ingress << now);
    ++m_received;
    frame->ingress = ingress;
    if (m_hasStage && !m_stage->Passes(frame, now))
    {
        ++m_consumed;
        return;
    }
    if (--frame->ttl == 0)
    {
        Drop(frame, TTL);
        return;
    }
    Forward(frame, now);
}

inline void
FabricSwitch::Forward(const Ptr<FabricFrame>& frame, int64_t now)
{
    FabricTransmitter* const chosen = ChooseEgress(*frame, now);
    if (!chosen)
    {
        Drop(frame, NO_ROUTE);
        return;
    }
    chosen->Prefetch(frame->GetClass());
    Send(frame, *chosen, now);
}

inline void
FabricSwitch::Send(const Ptr<FabricFrame>& frame, FabricTransmitter& egress, int64_t now)
{
    egress.Advance(now);
    switch (m_admission->Admit(*frame, egress, now))
    {
    case AdmissionVerdict::ADMIT:
        Queue(frame, egress, now);
        return;
    case AdmissionVerdict::TRIM:
        Trim(frame, egress, now);
        return;
    case AdmissionVerdict::DROP:
        Refuse(frame, egress);
        return;
    }
}

inline void
FabricSwitch::Queue(const Ptr<FabricFrame>& frame, FabricTransmitter& egress, int64_t now)
{
    if (m_marksAtEnqueue)
    {
        Mark(*frame, egress);
    }
    if (!egress.Send(frame, now))
    {
        m_admission->Release(*frame, now);
        Drop(frame, NO_BUFFER);
        return;
    }
    ++m_forwarded;
}

void
FabricSwitch::Trim(const Ptr<FabricFrame>& frame, FabricTransmitter& egress, int64_t now)
{
    m_admission->Trim(*frame, egress);
    if (m_admission->Admit(*frame, egress, now) == AdmissionVerdict::ADMIT)
    {
        Queue(frame, egress, now);
        return;
    }
    Refuse(frame, egress);
}

void
FabricSwitch::Refuse(const Ptr<FabricFrame>& frame, FabricTransmitter& egress)
{
    egress.Refuse(frame);
    Drop(frame, NO_BUFFER);
}

Ptr<FabricFrame>
FabricSwitch::TakeBack(FabricTransmitter& egress, uint8_t trafficClass, int64_t now)
{
    const Ptr<FabricFrame> frame = egress.TakeLast(trafficClass, now);
    if (frame)
    {
        m_admission->Release(*frame, now);
        --m_forwarded;
    }
    return frame;
}

void
FabricSwitch::TrimLast(FabricTransmitter& egress, uint8_t trafficClass, int64_t now)
{
    Trim(TakeBack(egress, trafficClass, now), egress, now);
}

void
FabricSwitch::Flush(uint16_t port, uint8_t trafficClass, int64_t now)
{
    FabricTransmitter& egress = m_ports.at(port)->GetTransmitter();
    while (const Ptr<FabricFrame> frame = TakeBack(egress, trafficClass, now))
    {
        Drop(frame, FLUSHED);
    }
}

void
FabricSwitch::Originate(const Ptr<FabricFrame>& frame, int64_t now)
{
    ++m_originated;
    Forward(frame, now);
}

void
FabricSwitch::SendBy(const Ptr<FabricFrame>& frame, uint16_t port, int64_t now)
{
    ++m_originated;
    Send(frame, m_ports.at(port)->GetTransmitter(), now);
}

void
FabricSwitch::ForeseeFrame(const FabricFrame& frame, uint32_t step) const
{
    if (step == 1)
    {
        __builtin_prefetch(&m_only[0]);
        __builtin_prefetch(&m_groups[m_upGroup]);
        return;
    }
    if (const FabricTransmitter* only = FindOnly(frame.destination))
    {
        step == 2 ? only->Prefetch(frame.GetClass()) : only->PrefetchPlaces(frame.GetClass());
        return;
    }
    const EgressGroup& group = FindGroup(frame.destination);
    if (step == 2)
    {
        __builtin_prefetch(group.members.data());
        return;
    }
    const int chosen = group.members.size() == 1 ? 0 : m_balancer->Predict(frame, group);
    if (chosen >= 0 && !group.members.empty())
    {
        group.members[chosen]->Prefetch(frame.GetClass());
    }
}

bool
FabricSwitch::NeedsForesight() const
{
    return false;
}

bool
FabricSwitch::IsHost() const
{
    return false;
}

void
FabricSwitch::FrameDeparts(FabricTransmitter& transmitter, FabricFrame& frame, int64_t start)
{
    m_admission->Release(frame, start);
    if (m_marker && m_marker->IsAtDequeue())
    {
        Mark(frame, transmitter);
    }
}

void
FabricSwitch::Mark(FabricFrame& frame, const FabricTransmitter& egress)
{
    if (frame.GetEcn() != ECN_NOT_ECT && !(frame.flags & FRAME_TRIMMED) &&
        (m_marksAtLastHop || !egress.LeadsToHost()) &&
        m_marker->Marks(egress.GetLane(frame.GetClass()).GetBytes(), egress))
    {
        NS_LOG_LOGIC("marks a frame of host " << frame.source << " for host " << frame.destination);
        frame.MarkCongestion();
    }
}

void
FabricSwitch::Drop(const Ptr<FabricFrame>& frame, DropReason reason)
{
    NS_LOG_LOGIC("drops a frame of host " << frame->source << " for host " << frame->destination
                                          << ": " << GetReasonName(reason));
    ++m_dropped[reason];
    m_dropTrace(frame, reason);
}

void
FabricSwitch::CatchUp(int64_t now)
{
    for (const Ptr<FabricPort>& port : m_ports)
    {
        port->GetTransmitter().Advance(now);
    }
}

int64_t
FabricSwitch::AssignStreams(int64_t stream)
{
    int64_t used = m_balancer->AssignStreams(stream);
    if (m_marker)
    {
        used += m_marker->AssignStreams(stream + used);
    }
    m_random->SetStream(stream + used);
    ++used;
    used += m_admission->AssignStreams(stream + used);
    if (m_stage)
    {
        used += m_stage->AssignStreams(stream + used);
    }
    return used;
}

void
FabricSwitch::SetBalancer(Ptr<SwitchBalancer> balancer)
{
    m_balancer = balancer;
}

Ptr<SwitchBalancer>
FabricSwitch::GetBalancer() const
{
    return m_balancer;
}

void
FabricSwitch::SetAdmission(Ptr<BufferAdmission> admission)
{
    m_admission = admission;
}

Ptr<BufferAdmission>
FabricSwitch::GetAdmission() const
{
    return m_admission;
}

void
FabricSwitch::SetMarker(Ptr<EcnMarker> marker)
{
    m_marker = marker;
}

Ptr<EcnMarker>
FabricSwitch::GetMarker() const
{
    return m_marker;
}

uint64_t
FabricSwitch::GetReceived() const
{
    return m_received;
}

void
FabricSwitch::SetStage(Ptr<IngressStage> stage)
{
    m_stage = stage;
}

Ptr<IngressStage>
FabricSwitch::GetStage() const
{
    return m_stage;
}

uint64_t
FabricSwitch::GetOriginated() const
{
    return m_originated;
}

uint64_t
FabricSwitch::GetConsumed() const
{
    return m_consumed;
}

uint64_t
FabricSwitch::GetForwarded() const
{
    return m_forwarded;
}

uint64_t
FabricSwitch::GetDropped(DropReason reason) const
{
    return m_dropped.at(reason);
}

void
FabricSwitch::CountDrops(PolicyCounters& counters) const
{
    for (uint8_t i = 0; i < DROP_REASONS; ++i)
    {
        const auto reason = static_cast<DropReason>(i);
        counters[GetReasonName(reason)] += GetDropped(reason);
    }
}

} // namespace aifabric
} // namespace ns3
