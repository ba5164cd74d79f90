/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "endpoint-nic.h"

#include "pcie-reader.h"
#include "round-robin-scheduler.h"

#include "ns3/abort.h"
#include "ns3/address-plan.h"
#include "ns3/double.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-clock.h"
#include "ns3/frame-codec.h"
#include "ns3/host-balancer.h"
#include "ns3/log.h"
#include "ns3/make-object.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"

#include <utility>

namespace ns3
{
namespace aifabric
{

NS_LOG_COMPONENT_DEFINE("EndpointNic");
NS_OBJECT_ENSURE_REGISTERED(EndpointNic);

TypeId
EndpointNic::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::EndpointNic")
            .SetParent<FabricNetDevice>()
            .SetGroupName("AiFabric")
            .AddTraceSource("Trimmed",
                            "A data packet arrived without its end and was dropped.",
                            MakeTraceSourceAccessor(&EndpointNic::m_trimmedTrace),
                            "ns3::aifabric::FabricPort::FrameTracedCallback");
    return tid;
}

TypeId
EndpointNic::AddNicAttributes(TypeId type)
{
    return type
        .AddAttribute("DataRateFraction",
                      "Rate at which the ports together send data, that of all endpoints, as a "
                      "fraction of their line rates. Answers are not held back.",
                      DoubleValue(1),
                      MakeDoubleAccessor(&EndpointNic::SetDataRateFraction,
                                         &EndpointNic::GetDataRateFraction),
                      MakeDoubleChecker<double>(1e-6, 1))
        .AddAttribute("SchedulerType",
                      "Which of the endpoints that may send at a port sends its next packet. "
                      "It cannot change for ports that the NIC has.",
                      TypeIdValue(RoundRobinScheduler::GetTypeId()),
                      MakeTypeIdAccessor(&EndpointNic::m_schedulerType),
                      MakeTypeIdChecker())
        .AddAttribute("Latency",
                      "Time between the arrival of the last bit of a frame and its being "
                      "received by its endpoint, or by the IP stack. Set it before the "
                      "simulation begins. Above 0 it costs an event a frame.",
                      TimeValue(Time(0)),
                      MakeTimeAccessor(&EndpointNic::m_latency),
                      MakeTimeChecker(Time(0)))
        .AddAttribute("ReceiveRate",
                      "Rate at which endpoints and IP stack receive frames, in bytes of frames; "
                      "others wait, without limit (0: as they come). Set it before the "
                      "simulation begins. Above 0 it costs an event a frame.",
                      DataRateValue(DataRate(0)),
                      MakeDataRateAccessor(&EndpointNic::m_receiveRate),
                      MakeDataRateChecker());
}

EndpointNic::EndpointNic()
{
}

EndpointNic::~EndpointNic()
{
}

void
EndpointNic::Install(uint32_t host, Ptr<FabricFramePool> pool)
{
    m_host = host;
    m_pool = pool;
}

void
EndpointNic::AddPlane(Ptr<FabricPort> port)
{
    const std::size_t planes = m_arbiter.GetPorts();
    NS_ABORT_MSG_IF(planes > 0 && !port->GetDscpTable()->IsEqual(*GetPort(0)->GetDscpTable()),
                    GetInstanceTypeId().GetName()
                        << ": its ports need equal values of DscpTable::Classes");
    AddPort(port, this, planes);
    m_isSpecial = m_answerCarrier || SetsClasses();
    if (planes == 0)
    {
        m_lineRate = port->GetDataRate();
        m_arbiter.Install(m_pool, port->GetInterframeGap());
    }
    if (planes == 1)
    {
        m_arbiter.SetCommonLine(MakeLine());
    }
    const Ptr<EndpointScheduler> line = MakeLine();
    m_arbiter.AddPort(port, line);
    PcieReader::Insert(this, *line);
}

Ptr<EndpointScheduler>
EndpointNic::MakeLine() const
{
    return MakeObject<EndpointScheduler>(
        m_schedulerType,
        (GetInstanceTypeId().GetName() + "::SchedulerType").c_str());
}

uint32_t
EndpointNic::AddEndpoint(Ptr<Endpoint> endpoint, std::optional<uint32_t> reserved)
{
    NS_ABORT_MSG_IF(m_arbiter.GetPorts() == 0,
                    GetInstanceTypeId().GetName() << ": an endpoint needs a port");
    return InstallEndpoint(endpoint, this, reserved);
}

void
EndpointNic::AddMember(uint16_t job, Ptr<Endpoint> endpoint)
{
    NS_ABORT_MSG_IF(FindMember(job),
                    GetInstanceTypeId().GetName() << ": the host has a member of job " << job);
    AddEndpoint(endpoint);
    NameMember(job, endpoint);
}

void
EndpointNic::SetAnswerCarrier(AnswerCarrier* carrier)
{
    m_answerCarrier = carrier;
    m_isSpecial = m_answerCarrier || SetsClasses();
}

void
EndpointNic::ReceiveFrame(const Ptr<FabricFrame>& frame, uint16_t ingress, int64_t now)
{
    NS_LOG_FUNCTION(this << m_host << frame->source << frame->psn << ingress << now);
    if (frame->destination != m_host)
    {
        DropReceived(*frame);
    }
    else if (frame->kind != FrameKind::IP)
    {
        ReceiveTransport(frame, ingress, now);
    }
    else
    {
        ReceiveIp(frame);
    }
}

void
EndpointNic::PrefetchFrame(const FabricFrame& frame, uint32_t step) const
{
    PrefetchEndpoint(frame, step);
}

void
EndpointNic::ReceiveTransport(const Ptr<FabricFrame>& frame, uint16_t port, int64_t now)
{
    Endpoint* endpoint = FindReceiver(*frame);
    const auto made =
        endpoint ? endpoint->Receive(frame, Outbox(*this, port, now, frame->GetExtra().heldFor))
                 : Endpoint::Reception::UNKNOWN;
    switch (made)
    {
    case Endpoint::Reception::DATA:
        ++m_counters.data;
        break;
    case Endpoint::Reception::REPORT:
        ++m_counters.acks;
        break;
    case Endpoint::Reception::TRIMMED:
        ++m_counters.trimmed;
        m_trimmedTrace(frame);
        DropReceived(*frame);
        break;
    default:
        DropReceived(*frame);
    }
}

void
EndpointNic::SendAnswer(Ptr<FabricFrame> frame, uint16_t port, int64_t now)
{
    if (m_isSpecial)
    {
        SendSpecially(frame, port, now);
        return;
    }
    m_arbiter.GetTransmitter(port).Send(std::move(frame), now);
}

void
EndpointNic::SendSpecially(const Ptr<FabricFrame>& frame, uint16_t port, int64_t now)
{
    if (m_answerCarrier)
    {
        m_answerCarrier->Carry(frame);
        return;
    }
    frame->SetClass(GetClass(frame->GetTos() >> 2));
    m_arbiter.GetTransmitter(port).Send(frame, now);
}

void
EndpointNic::ReceiveIp(const Ptr<FabricFrame>& frame)
{
    ++m_counters.ip;
    FrameCodec::SyncIpHeader(*frame);
    HandUp(frame->GetExtra().packet, frame->flags & FRAME_IPV6 ? 0x86DD : 0x0800);
}

void
EndpointNic::DropReceived(const FabricFrame& frame)
{
    NS_LOG_LOGIC("host " << m_host << " drops a frame of host " << frame.source << " for host "
                         << frame.destination);
    ++m_counters.dropped;
    if (!m_macRxDropTrace.IsEmpty())
    {
        m_macRxDropTrace(MakeBytes(*GetPort(0), frame, false));
    }
}

bool
EndpointNic::SendFrom(Ptr<Packet> packet, const Address&, const Address&, uint16_t)
{
    NS_LOG_FUNCTION(this << packet);
    m_macTxTrace(packet);
    Ptr<FabricFrame> frame = FrameCodec::MakeIpFrame(packet->Copy(), *m_pool);
    if (!frame || frame->destination == addressplan::INVALID_HOST ||
        frame->GetExtra().packet->GetSize() > GetMtu() || !IsLinkUp())
    {
        m_macTxDropTrace(packet);
        return false;
    }
    FabricTransmitter& transmitter =
        m_arbiter.GetTransmitter(HostBalancer::AddRunSalt(frame->flowHash) % m_arbiter.GetPorts());
    frame->sentAt = FabricClock::Now();
    frame->SetClass(GetClass(frame->GetTos() >> 2));
    if (!transmitter.Send(frame, frame->sentAt))
    {
        m_macTxDropTrace(packet);
        return false;
    }
    return true;
}

uint8_t
EndpointNic::GetClass(uint8_t dscp) const
{
    return GetPort(0)->GetDscpTable()->GetClass(dscp);
}

bool
EndpointNic::SetsClasses() const
{
    return GetPortCount() > 0 && !GetPort(0)->GetDscpTable()->IsUsual();
}

bool
EndpointNic::IsPaused(uint8_t trafficClass) const
{
    for (std::size_t port = 0; port < m_arbiter.GetPorts(); ++port)
    {
        if (m_arbiter.GetTransmitter(port).GetPaused() >> trafficClass & 1)
        {
            return true;
        }
    }
    return false;
}

void
EndpointNic::SetDataRateFraction(double fraction)
{
    NS_LOG_FUNCTION(this << fraction);
    m_arbiter.SetRateFraction(fraction);
}

void
EndpointNic::DataRateChanged(uint16_t index)
{
    const DataRate rate = GetPort(index)->GetDataRate();
    NS_LOG_FUNCTION(this << index << rate);
    m_arbiter.SetRateFraction(m_arbiter.GetRateFraction());
    if (index != 0)
    {
        return;
    }
    m_lineRate = rate;
    for (const Ptr<Endpoint>& endpoint : m_endpoints)
    {
        endpoint->LineRateChanged(rate);
    }
}

void
EndpointNic::DoInitialize()
{
    const bool isLimited = m_receiveRate.GetBitRate() > 0;
    m_held = FrameDelayLine::Insert(GetPorts(),
                                    *this,
                                    m_latency,
                                    isLimited ? Pacing::Of(m_receiveRate) : 0);
    FabricNetDevice::DoInitialize();
}

uint32_t
EndpointNic::FindAlivePorts() const
{
    uint32_t alive = 0;
    for (std::size_t port = 0; port < GetPortCount(); ++port)
    {
        const Ptr<FabricChannel> channel = GetPort(port)->GetChannel();
        alive |= uint32_t{!channel || channel->IsUp()} << port;
    }
    return alive;
}

void
EndpointNic::NotifyLinkChange()
{
    FabricNetDevice::NotifyLinkChange();
    const int64_t now = FabricClock::Now();
    BeginChange(now);
    const uint32_t alive = FindAlivePorts();
    for (const Ptr<Endpoint>& endpoint : m_endpoints)
    {
        endpoint->PortsChanged(alive);
    }
    m_arbiter.PlaceWaiting(now);
}

void
EndpointNic::NotifyPauseChange()
{
    m_arbiter.PlaceWaiting(FabricClock::Now());
}

void
EndpointNic::DoDispose()
{
    if (m_held)
    {
        m_held->Dispose();
    }
    DisposeEndpoints();
    FabricNetDevice::DoDispose();
    m_arbiter.Dispose();
    m_pool = nullptr;
}

} // namespace aifabric
} // namespace ns3
