/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-switch.h"

#include "reorder-queues.h"

#include "ns3/abort.h"
#include "ns3/fabric-net-device.h"
#include "ns3/log.h"
#include "ns3/object-vector.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_LOG_COMPONENT_DEFINE("FabricSwitch");
NS_OBJECT_ENSURE_REGISTERED(FabricSwitch);

namespace
{

/// @return whether a PfcWatchdog keeps the queue of a frame empty  @param egress its port
[[gnu::noinline, gnu::cold]] bool
IsShut(const FabricTransmitter& egress, const FabricFrame& frame)
{
    return egress.GetLane(frame.GetClass()).GetMaxSize() == QueueSize(QueueSizeUnit::BYTES, 1);
}

} // namespace

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
        SwitchPolicies::AddTo(TypeId("ns3::aifabric::FabricSwitch")
                                  .SetParent<Object>()
                                  .SetGroupName("AiFabric")
                                  .AddConstructor<FabricSwitch>())
            .AddAttribute(
                "DetectionDelay",
                "How long a link of the switch has to be cut or restored until the switch "
                "knows by itself, and stops or begins to forward there. The longest time that "
                "there is means never.",
                TimeValue(MicroSeconds(100)),
                MakeTimeAccessor(&FabricSwitch::m_detectionDelay),
                MakeTimeChecker(Time(0)))
            .AddAttribute("Latency",
                          "Time between the arrival of the last bit of a frame and its being "
                          "offered to the queue of the port that sends it. Set it before the "
                          "simulation begins. Above 0 it costs an event a frame.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&FabricSwitch::m_latency),
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
    : m_groups(m_hops),
      m_detector(*this)
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
    m_setsClasses |= !port->GetDscpTable()->IsUsual();
    m_groups.AddPort(port->GetTransmitter());
    port->GetDevice()->AddLinkChangeCallback(
        MakeCallback(&LinkDetector::LinkChanged, &m_detector).Bind(index));
}

void
FabricSwitch::SetPortAlive(uint16_t port, bool alive)
{
    NS_LOG_FUNCTION(this << port << alive);
    for (const uint16_t group : m_groups.SetAlive(port, alive))
    {
        m_balancer->GroupChanged(m_groups.GetGroup(group));
    }
}

void
FabricSwitch::DoInitialize()
{
    m_policies.Initialize(*this, m_site);
    m_marksAtEnqueue = m_policies.congestion.MarksAtEnqueue();
    m_classifier.Install(m_ports);
    m_showsFrames = m_balancer->SeesFrames();
    if (m_showsFrames)
    {
        m_reorder = std::make_unique<ReorderQueues>(*this);
        m_balancer->SetHost(*m_reorder);
    }
    m_inspects =
        m_classifier.IsNeeded() || m_policies.stage || m_policies.forwarder || m_showsFrames;
    QueueFactorChanged();
    m_held = FrameDelayLine::Insert(m_ports, *this, m_latency);
    m_actsAtDequeue =
        m_policies.congestion.MarksAtDequeue() || m_policies.egressStage || m_showsFrames;
    if (m_admission->WantsRelease() || m_actsAtDequeue)
    {
        for (const Ptr<FabricPort>& port : m_ports)
        {
            port->GetTransmitter().GetQueues().SetHook(this);
        }
    }
    Object::DoInitialize();
}

void
FabricSwitch::DoDispose()
{
    m_policies.Dispose();
    m_admission = nullptr;
    m_balancer = nullptr;
    if (m_held)
    {
        m_held->Dispose();
    }
    m_reorder = nullptr;
    m_groups.Dispose();
    m_ports.clear();
    m_inspects = false;
    Object::DoDispose();
}

[[gnu::always_inline]] inline FabricTransmitter*
FabricSwitch::ChooseEgress(const FabricFrame& frame, uint32_t target, int64_t now)
{
    if (FabricTransmitter* only = m_hops.FindOnly(target))
    {
        return only;
    }
    const EgressGroup& group = m_hops.FindGroup(target, m_site);
    const std::size_t choices = group.members.size();
    if (choices == 0)
    {
        return nullptr;
    }
    const std::size_t index = choices == 1 ? 0 : m_balancer->Choose(frame, group, now);
    NS_ABORT_MSG_IF(index >= choices,
                    m_balancer->GetInstanceTypeId().GetName()
                        << "::Choose() gave next hop " << index << ", of 0 to " << choices - 1);
    return group.members[index];
}

FabricTransmitter*
FabricSwitch::AskForwarder(SwitchForwarder& forwarder, const FabricFrame& frame, int64_t now)
{
    return forwarder.HasDetours() ? ChooseEgress(frame, forwarder.FindTarget(frame), now)
                                  : forwarder.Find(frame);
}

void
FabricSwitch::ReceiveFrame(const Ptr<FabricFrame>& frame, uint16_t ingress, int64_t now)
{
    NS_LOG_FUNCTION(this << frame->source << frame->destination << frame->psn << ingress << now);
    ++m_received;
    frame->ingress = ingress;
    const bool inspects = m_inspects;
    if (inspects && !Inspect(frame, now))
    {
        return;
    }
    if (--frame->ttl == 0)
    {
        Drop(frame, TTL);
        return;
    }
    Forward(frame, inspects ? PeekPointer(m_policies.forwarder) : nullptr, now);
}

bool
FabricSwitch::Inspect(const Ptr<FabricFrame>& frame, int64_t now)
{
    ArrivalVerdict verdict;
    if (m_showsFrames)
    {
        verdict = m_balancer->FrameArrives(*frame, now);
    }
    m_classifier.Classify(*frame);
    const bool passes = verdict.action != ArrivalVerdict::CONSUME &&
                        (!m_policies.stage || m_policies.stage->Passes(frame, now));
    m_consumed += !passes;
    if (verdict.action == ArrivalVerdict::HOLD && passes)
    {
        Hold(frame, verdict.queue, now);
        return false;
    }
    if (verdict.action == ArrivalVerdict::RELEASE)
    {
        if (passes && --frame->ttl == 0)
        {
            Drop(frame, TTL);
        }
        else if (passes)
        {
            Forward(frame, PeekPointer(m_policies.forwarder), now);
        }
        m_reorder->Release(verdict.queue, now);
        return false;
    }
    return passes;
}

FabricTransmitter*
FabricSwitch::FindEgress(const FabricFrame& frame, int64_t now)
{
    return m_policies.forwarder ? AskForwarder(*m_policies.forwarder, frame, now)
                                : ChooseEgress(frame, frame.destination, now);
}

void
FabricSwitch::Hold(const Ptr<FabricFrame>& frame, uint32_t queue, int64_t now)
{
    FabricTransmitter* const egress = --frame->ttl == 0 ? nullptr : FindEgress(*frame, now);
    if (!egress)
    {
        Drop(frame, frame->ttl == 0 ? TTL : NO_ROUTE);
        return;
    }
    egress->Advance(now);
    switch (m_admission->Admit(*frame, *egress, now))
    {
    case AdmissionVerdict::ADMIT:
        m_reorder->Hold(frame, queue, *egress, now);
        return;
    case AdmissionVerdict::TRIM:
        Trim(frame, *egress, now);
        return;
    case AdmissionVerdict::DROP:
        Refuse(frame, *egress);
        return;
    }
}

void
FabricSwitch::SendHeld(const Ptr<FabricFrame>& frame, FabricTransmitter& egress, int64_t now)
{
    egress.Advance(now);
    Queue(frame, egress, now);
}

uint32_t
FabricSwitch::GetReordering() const
{
    return m_reorder ? m_reorder->GetFrames() : 0;
}

[[gnu::always_inline]] inline void
FabricSwitch::Forward(const Ptr<FabricFrame>& frame, SwitchForwarder* forwarder, int64_t now)
{
    FabricTransmitter* const chosen = forwarder ? AskForwarder(*forwarder, *frame, now)
                                                : ChooseEgress(*frame, frame->destination, now);
    if (!chosen)
    {
        Drop(frame, NO_ROUTE);
        return;
    }
    Send(frame, *chosen, now);
}

inline void
FabricSwitch::Send(const Ptr<FabricFrame>& frame, FabricTransmitter& egress, int64_t now)
{
    egress.Advance(now);
    const AdmissionVerdict verdict = m_admission->Admit(*frame, egress, now);
    if (verdict == AdmissionVerdict::ADMIT)
    {
        Queue(frame, egress, now);
    }
    else if (verdict == AdmissionVerdict::TRIM)
    {
        Trim(frame, egress, now);
    }
    else
    {
        Refuse(frame, egress);
    }
}

inline void
FabricSwitch::Queue(const Ptr<FabricFrame>& frame, FabricTransmitter& egress, int64_t now)
{
    if (m_marksAtEnqueue)
    {
        m_policies.congestion.Mark(*frame, egress);
    }
    if (!egress.SendAdvanced(frame, now))
    {
        m_admission->Release(*frame, now);
        Drop(frame, IsShut(egress, *frame) ? FLUSHED : NO_BUFFER);
        return;
    }
    ++m_forwarded;
}

void
FabricSwitch::Trim(const Ptr<FabricFrame>& frame, FabricTransmitter& egress, int64_t now)
{
    m_admission->Trim(*frame, egress);
    m_classifier.Classify(*frame); // by its new DSCP
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
FabricSwitch::DropLast(FabricTransmitter& egress, uint8_t trafficClass, int64_t now)
{
    Refuse(TakeBack(egress, trafficClass, now), egress);
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
    m_classifier.Classify(*frame);
    Forward(frame, PeekPointer(m_policies.forwarder), now);
}

void
FabricSwitch::SendBy(const Ptr<FabricFrame>& frame, uint16_t port, int64_t now)
{
    ++m_originated;
    m_classifier.Classify(*frame);
    Send(frame, m_ports.at(port)->GetTransmitter(), now);
}

void
FabricSwitch::QueueFactorChanged()
{
    double least = 1;
    for (const Ptr<FabricPort>& port : m_ports)
    {
        least = std::min(least, port->GetTransmitter().GetQueueFactor());
    }
    if (m_admission)
    {
        m_admission->SetLeastFactor(least);
    }
    m_policies.congestion.SetLeastFactor(least);
}

void
FabricSwitch::FrameDeparts(FabricTransmitter& transmitter, FabricFrame& frame, int64_t start)
{
    m_admission->Release(frame, start);
    if (m_actsAtDequeue)
    {
        ActAtDequeue(frame, transmitter, start);
    }
}

void
FabricSwitch::ActAtDequeue(FabricFrame& frame, FabricTransmitter& egress, int64_t start)
{
    if (m_policies.congestion.MarksAtDequeue())
    {
        m_policies.congestion.Mark(frame, egress);
    }
    if (m_policies.egressStage)
    {
        m_policies.egressStage->FrameDeparts(frame, egress, start);
    }
    if (m_showsFrames)
    {
        m_balancer->FrameDeparts(frame, egress, start);
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
    return m_policies.AssignStreams(stream, m_groups);
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
