/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-net-device.h"

#include "credit-pacer.h"
#include "pcie-reader.h"
#include "policy-misfit.h"
#include "round-robin-scheduler.h"
#include "shared-control.h"

#include "ns3/abort.h"
#include "ns3/address-plan.h"
#include "ns3/boolean.h"
#include "ns3/dispose-of.h"
#include "ns3/double.h"
#include "ns3/fabric-channel.h"
#include "ns3/fabric-clock.h"
#include "ns3/frame-codec.h"
#include "ns3/host-balancer.h"
#include "ns3/log.h"
#include "ns3/make-object.h"
#include "ns3/object-vector.h"
#include "ns3/rank-transport.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"

namespace ns3
{
namespace aifabric
{

NS_LOG_COMPONENT_DEFINE("RoceNetDevice");
NS_OBJECT_ENSURE_REGISTERED(RoceNetDevice);

namespace
{

/// Abort if a fabric does not give a queue pair what its policies need.
/// @param queuePair has all its policies
void
CheckFabric(const QueuePair& queuePair, const PolicyMisfit::Fabric& fabric)
{
    for (const PolicyMisfit& misfit : PolicyMisfit::Find(queuePair, fabric))
    {
        NS_ABORT_MSG(queuePair.GetInstanceTypeId().GetName()
                     << "::" << misfit.attribute << ": " << misfit.why);
    }
}

} // namespace

TypeId
RoceNetDevice::GetTypeId()
{
    static TypeId tid =
        QueuePairFactory::AddTypes(
            AddSendAttributes(AddFormat(TypeId("ns3::aifabric::RoceNetDevice")
                                            .SetParent<FabricNetDevice>()
                                            .SetGroupName("AiFabric")
                                            .AddConstructor<RoceNetDevice>())))
            .AddAttribute("SharesControl",
                          "Whether all queue pairs to the same host share one congestion control, "
                          "whose window holds for the packets of all of them together. They need "
                          "the same Mtu. Set it before queue pairs are connected.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RoceNetDevice::m_sharesControl),
                          MakeBooleanChecker())
            .AddAttribute("Latency",
                          "Time between the arrival of the last bit of a frame and its being "
                          "received by its endpoint, or by the IP stack. Set it before the "
                          "simulation begins. Above 0 it costs an event a frame.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RoceNetDevice::m_latency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "QueuePairList",
                "The queue pairs and other endpoints, in the order of creation.",
                ObjectVectorValue(),
                MakeObjectVectorAccessor(static_cast<std::vector<Ptr<Endpoint>> RoceNetDevice::*>(
                    &RoceNetDevice::m_endpoints)),
                MakeObjectVectorChecker<Endpoint>())
            .AddTraceSource("Trimmed",
                            "A data packet arrived without its end and was dropped.",
                            MakeTraceSourceAccessor(&RoceNetDevice::m_trimmedTrace),
                            "ns3::aifabric::FabricPort::FrameTracedCallback")
            .AddTraceSource("QueuePairTimeout",
                            "The retransmission timer of a queue pair expired.",
                            MakeTraceSourceAccessor(&RoceNetDevice::m_timeoutTrace),
                            "ns3::aifabric::RoceNetDevice::QueuePairTimeoutTracedCallback")
            .AddTraceSource("QueuePairConnected",
                            "A queue pair was connected, or begins anew.",
                            MakeTraceSourceAccessor(&RoceNetDevice::m_connectionTrace),
                            "ns3::aifabric::RoceNetDevice::QueuePairConnectedTracedCallback");
    return tid;
}

TypeId
RoceNetDevice::AddSendAttributes(TypeId type)
{
    return type
        .AddAttribute("DataRateFraction",
                      "Rate at which the ports together send data, that of all queue pairs, as a "
                      "fraction of their line rates. Acknowledgements are not held back.",
                      DoubleValue(1),
                      MakeDoubleAccessor(&RoceNetDevice::SetDataRateFraction,
                                         &RoceNetDevice::GetDataRateFraction),
                      MakeDoubleChecker<double>(1e-6, 1))
        .AddAttribute("SchedulerType",
                      "Which of the queue pairs that may send at a port sends its next packet. "
                      "It cannot change for ports that the NIC has.",
                      TypeIdValue(RoundRobinScheduler::GetTypeId()),
                      MakeTypeIdAccessor(&RoceNetDevice::m_schedulerType),
                      MakeTypeIdChecker());
}

RoceNetDevice::RoceNetDevice()
{
}

RoceNetDevice::~RoceNetDevice()
{
}

void
RoceNetDevice::Install(uint32_t host, Ptr<FabricFramePool> pool)
{
    m_host = host;
    m_pool = pool;
}

void
RoceNetDevice::AddPlane(Ptr<FabricPort> port)
{
    const std::size_t planes = m_arbiter.GetPorts();
    NS_ABORT_MSG_IF(planes > 0 && !port->GetDscpTable()->IsEqual(*GetPort(0)->GetDscpTable()),
                    "RoceNetDevice: its ports need equal values of DscpTable::Classes");
    AddPort(port, this, planes);
    m_isSpecial = m_answerCarrier || SetsClasses();
    if (planes == 0)
    {
        m_lineRate = port->GetDataRate();
        m_arbiter.Install(m_pool, port->GetInterframeGap());
    }
    if (planes == 1)
    {
        m_arbiter.SetCommonLine(
            MakeObject<QueuePairScheduler>(m_schedulerType, "RoceNetDevice::SchedulerType"));
    }
    const auto line =
        MakeObject<QueuePairScheduler>(m_schedulerType, "RoceNetDevice::SchedulerType");
    m_arbiter.AddPort(port, line);
    PcieReader::Insert(this, *line);
}

FabricFacts
RoceNetDevice::GetFacts(uint32_t mtu) const
{
    FabricFacts facts = m_facts;
    facts.portRate = GetPort(0)->GetDataRate();
    facts.planes = GetPortCount();
    facts.mtu = mtu;
    return facts;
}

Ptr<QueuePair>
RoceNetDevice::CreateQueuePair()
{
    const Ptr<QueuePair> queuePair = MakeQueuePair();
    AddQueuePair(queuePair);
    return queuePair;
}

void
RoceNetDevice::AddQueuePair(Ptr<QueuePair> queuePair)
{
    NS_LOG_FUNCTION(this << queuePair);
    NS_ABORT_MSG_IF(!queuePair, "RoceNetDevice::AddQueuePair: there is no queue pair");
    CreateMissingPolicies(queuePair);
    if (queuePair->GetRecovery().NeedsLossOracle())
    {
        // On a single rank the sender would wait for its timer; the ranks would differ.
        NS_ABORT_MSG_IF(!m_lossReporter && RankTransport::GetRanks() > 1,
                        "RoceNetDevice: " << queuePair->GetRecovery().GetInstanceTypeId().GetName()
                                          << " needs a LossOracle, which a script on several "
                                             "ranks installs on all of them");
        if (m_lossReporter)
        {
            m_lossReporter->Start();
        }
    }
    if (GetPortCount() > 0)
    {
        CheckFabric(*queuePair,
                    {GetPort(0)->GetDscpTable(),
                     m_facts.trims,
                     m_answerCarrier == nullptr,
                     m_paths ? &m_paths->GetGraph() : nullptr});
    }
    AddEndpoint(queuePair);
}

uint32_t
RoceNetDevice::AddEndpoint(Ptr<Endpoint> endpoint)
{
    NS_ABORT_MSG_IF(m_arbiter.GetPorts() == 0, "RoceNetDevice: a queue pair needs a port");
    return InstallEndpoint(endpoint, this);
}

void
RoceNetDevice::AddMember(uint16_t job, Ptr<Endpoint> endpoint)
{
    NS_ABORT_MSG_IF(FindMember(job), "RoceNetDevice: the host has a member of job " << job);
    AddEndpoint(endpoint);
    NameMember(job, endpoint);
}

void
RoceNetDevice::SetAnswerCarrier(AnswerCarrier* carrier)
{
    m_answerCarrier = carrier;
    m_isSpecial = m_answerCarrier || SetsClasses();
}

void
RoceNetDevice::ReceiveFrame(const Ptr<FabricFrame>& frame, uint16_t ingress, int64_t now)
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
RoceNetDevice::PrefetchFrame(const FabricFrame& frame, uint32_t step) const
{
    PrefetchEndpoint(frame, step);
}

void
RoceNetDevice::ReceiveTransport(const Ptr<FabricFrame>& frame, uint16_t port, int64_t now)
{
    Endpoint* endpoint = FindReceiver(*frame);
    const auto made = endpoint ? endpoint->Receive(frame, Outbox(*this, port, now))
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
RoceNetDevice::SendAnswer(Ptr<FabricFrame> frame, uint16_t port, int64_t now)
{
    if (m_isSpecial)
    {
        SendSpecially(frame, port, now);
        return;
    }
    m_arbiter.GetTransmitter(port).Send(std::move(frame), now);
}

void
RoceNetDevice::SendSpecially(const Ptr<FabricFrame>& frame, uint16_t port, int64_t now)
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
RoceNetDevice::ReceiveIp(const Ptr<FabricFrame>& frame)
{
    ++m_counters.ip;
    FrameCodec::SyncIpHeader(*frame);
    HandUp(frame->GetExtra().packet, frame->flags & FRAME_IPV6 ? 0x86DD : 0x0800);
}

void
RoceNetDevice::DropReceived(const FabricFrame& frame)
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
RoceNetDevice::SendFrom(Ptr<Packet> packet, const Address&, const Address&, uint16_t)
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

const Ptr<CreditPacer>&
RoceNetDevice::GetCreditPacer()
{
    if (!m_creditPacer)
    {
        m_creditPacer = CreateObject<CreditPacer>();
        m_creditPacer->Install(this);
    }
    return m_creditPacer;
}

Ptr<SharedControl>
RoceNetDevice::FindSharedControl(uint32_t host)
{
    if (!m_sharesControl)
    {
        return nullptr;
    }
    Ptr<SharedControl>& shared = m_sharedControls[host];
    shared = shared ? shared : CreateObject<SharedControl>(*this);
    return shared;
}

uint8_t
RoceNetDevice::GetClass(uint8_t dscp) const
{
    return GetPort(0)->GetDscpTable()->GetClass(dscp);
}

bool
RoceNetDevice::SetsClasses() const
{
    return GetPortCount() > 0 && !GetPort(0)->GetDscpTable()->IsUsual();
}

bool
RoceNetDevice::IsPaused(uint8_t trafficClass) const
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
RoceNetDevice::SetDataRateFraction(double fraction)
{
    NS_LOG_FUNCTION(this << fraction);
    m_arbiter.SetRateFraction(fraction);
}

void
RoceNetDevice::DataRateChanged(uint16_t index)
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
RoceNetDevice::DoInitialize()
{
    m_held = FrameDelayLine::Insert(GetPorts(), *this, m_latency);
    FabricNetDevice::DoInitialize();
}

uint32_t
RoceNetDevice::FindAlivePorts() const
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
RoceNetDevice::NotifyLinkChange()
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
    if (m_creditPacer)
    {
        m_creditPacer->Resume();
    }
}

void
RoceNetDevice::NotifyPauseChange()
{
    m_arbiter.PlaceWaiting(FabricClock::Now());
}

void
RoceNetDevice::DoDispose()
{
    if (m_held)
    {
        m_held->Dispose();
    }
    DisposeEndpoints();
    m_sharedControls.clear();
    DisposeOf(m_creditPacer);
    FabricNetDevice::DoDispose();
    m_arbiter.Dispose();
    m_lossReporter = nullptr;
    m_pool = nullptr;
}

} // namespace aifabric
} // namespace ns3
