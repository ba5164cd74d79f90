/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-net-device.h"

#include "ack-bypass.h"
#include "fixed-control.h"
#include "go-back-n-recovery.h"
#include "loss-oracle.h"
#include "round-robin-scheduler.h"

#include "ns3/abort.h"
#include "ns3/address-plan.h"
#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/fabric-clock.h"
#include "ns3/frame-codec.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/object-vector.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace ns3
{
namespace aifabric
{

NS_LOG_COMPONENT_DEFINE("RoceNetDevice");
NS_OBJECT_ENSURE_REGISTERED(RoceNetDevice);

namespace
{

/// @return a new object of a type  @tparam T its base class  @param type its type
template <typename T>
Ptr<T>
Make(TypeId type)
{
    const bool fits = type == T::GetTypeId() || type.IsChildOf(T::GetTypeId());
    NS_ABORT_MSG_IF(!fits || !type.HasConstructor(),
                    "RoceNetDevice: " << type.GetName() << " is no " << T::GetTypeId().GetName()
                                      << " that can be made");
    ObjectFactory factory;
    factory.SetTypeId(type);
    return factory.Create<T>();
}

} // namespace

TypeId
RoceNetDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::RoceNetDevice")
            .SetParent<FabricNetDevice>()
            .SetGroupName("AiFabric")
            .AddConstructor<RoceNetDevice>()
            .AddAttribute("AckBytes",
                          "Bytes that an acknowledgement takes on the wire, FCS included. Its "
                          "headers add up to 66; the default is that of the load-balancing study.",
                          UintegerValue(64),
                          MakeUintegerAccessor(&RoceNetDevice::m_ackBytes),
                          MakeUintegerChecker<uint32_t>(64, 1500))
            .AddAttribute(
                "ChargeReth",
                "Whether an RETH takes its 16 bytes on the wire: time on links, room in "
                "buffers. If not, every full data packet is charged the same bytes, as in "
                "the load-balancing study; captures show the RETH all the same.",
                BooleanValue(true),
                MakeBooleanAccessor(&RoceNetDevice::m_chargesReth),
                MakeBooleanChecker())
            .AddAttribute(
                "DataRateFraction",
                "Rate at which the ports together send data, that of all queue pairs, as a "
                "fraction of their line rates. Acknowledgements are not held back.",
                DoubleValue(1),
                MakeDoubleAccessor(&RoceNetDevice::SetDataRateFraction,
                                   &RoceNetDevice::GetDataRateFraction),
                MakeDoubleChecker<double>(1e-6, 1))
            .AddAttribute("RecoveryType",
                          "How new queue pairs survive loss and reordering.",
                          TypeIdValue(GoBackNRecovery::GetTypeId()),
                          MakeTypeIdAccessor(&RoceNetDevice::m_recoveryType),
                          MakeTypeIdChecker())
            .AddAttribute("ControlType",
                          "How much and how fast new queue pairs send.",
                          TypeIdValue(FixedControl::GetTypeId()),
                          MakeTypeIdAccessor(&RoceNetDevice::m_controlType),
                          MakeTypeIdChecker())
            .AddAttribute("BalancerType",
                          "By which paths new queue pairs send.",
                          TypeIdValue(HostBalancer::GetTypeId()),
                          MakeTypeIdAccessor(&RoceNetDevice::m_balancerType),
                          MakeTypeIdChecker())
            .AddAttribute("SchedulerType",
                          "Which of the queue pairs that may send at a port sends its next packet. "
                          "It cannot change for ports that the NIC has.",
                          TypeIdValue(RoundRobinScheduler::GetTypeId()),
                          MakeTypeIdAccessor(&RoceNetDevice::m_schedulerType),
                          MakeTypeIdChecker())
            .AddAttribute("QueuePairList",
                          "The queue pairs, in the order of creation.",
                          ObjectVectorValue(),
                          MakeObjectVectorAccessor(&RoceNetDevice::m_queuePairs),
                          MakeObjectVectorChecker<RoceQueuePair>())
            .AddTraceSource("Trimmed",
                            "A data packet arrived without its end and was dropped.",
                            MakeTraceSourceAccessor(&RoceNetDevice::m_trimmedTrace),
                            "ns3::aifabric::FabricPort::FrameTracedCallback")
            .AddTraceSource("QueuePairTimeout",
                            "The retransmission timer of a queue pair expired.",
                            MakeTraceSourceAccessor(&RoceNetDevice::m_timeoutTrace),
                            "ns3::aifabric::RoceNetDevice::QueuePairTimeoutTracedCallback");
    return tid;
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
RoceNetDevice::SetHostCount(uint32_t hosts)
{
    m_hostCount = hosts;
}

uint32_t
RoceNetDevice::GetHostCount() const
{
    return m_hostCount;
}

void
RoceNetDevice::AddPlane(Ptr<FabricPort> port)
{
    AddPort(port, this, m_transmitters.size());
    m_gap = port->GetInterframeGap();
    if (m_transmitters.empty())
    {
        m_lineRate = port->GetDataRate();
    }
    m_schedulers.push_back(Make<QueuePairScheduler>(m_schedulerType));
    m_schedulers.back()->Install(this, 0);
    if (m_schedulers.size() == 2)
    {
        m_together = Make<QueuePairScheduler>(m_schedulerType);
        m_together->Install(this, 0);
    }
    m_transmitters.push_back(&port->GetTransmitter());
    m_transmitters.back()->SetSource(PeekPointer(m_schedulers.back()));
    // A queue pair that sends over several ports couples them: what one port does at a departure
    // concerns the others at that time.
    for (FabricTransmitter* transmitter : m_transmitters)
    {
        transmitter->SetEager(FabricTransmitter::EAGER_OWNER,
                              m_transmitters.size() > 1,
                              FabricClock::Now());
    }
    UpdatePacing();
}

void
RoceNetDevice::SetPaths(std::shared_ptr<const PathView> paths)
{
    m_paths = std::move(paths);
}

const std::shared_ptr<const PathView>&
RoceNetDevice::GetPaths() const
{
    return m_paths;
}

Ptr<RoceQueuePair>
RoceNetDevice::CreateQueuePair()
{
    Ptr<RoceQueuePair> queuePair = CreateObject<RoceQueuePair>();
    AddQueuePair(queuePair);
    return queuePair;
}

Ptr<RoceQueuePair>
RoceNetDevice::MakeQueuePair() const
{
    const Ptr<RoceQueuePair> queuePair = CreateObject<RoceQueuePair>();
    Furnish(queuePair);
    return queuePair;
}

void
RoceNetDevice::Furnish(const Ptr<RoceQueuePair>& queuePair) const
{
    if (!queuePair->HasRecovery())
    {
        queuePair->SetRecovery(Make<LossRecovery>(m_recoveryType));
    }
    if (!queuePair->GetControl())
    {
        queuePair->SetControl(Make<CongestionControl>(m_controlType));
    }
    if (!queuePair->GetBalancer())
    {
        queuePair->SetBalancer(Make<HostBalancer>(m_balancerType));
    }
}

uint32_t
RoceNetDevice::ReserveQueuePair()
{
    return FIRST_QUEUE_PAIR + m_reserved++;
}

void
RoceNetDevice::AddQueuePair(Ptr<RoceQueuePair> queuePair)
{
    NS_LOG_FUNCTION(this << queuePair);
    NS_ABORT_MSG_IF(!queuePair, "RoceNetDevice::AddQueuePair: there is no queue pair");
    NS_ABORT_MSG_IF(m_transmitters.empty(), "RoceNetDevice: a queue pair needs a port");
    Furnish(queuePair);
    if (m_lossOracle && queuePair->GetRecovery().NeedsLossOracle())
    {
        m_lossOracle->Start();
    }
    const std::size_t index = m_queuePairs.size();
    queuePair->Install(this,
                       FIRST_QUEUE_PAIR + index,
                       m_stream < 0 ? -1 : m_stream + static_cast<int64_t>(index) % STREAMS);
    m_queuePairs.push_back(queuePair);
}

void
RoceNetDevice::SetAckBypass(AckBypass* bypass)
{
    m_ackBypass = bypass;
}

void
RoceNetDevice::SetLossOracle(Ptr<LossOracle> oracle)
{
    m_lossOracle = oracle;
}

LossOracle*
RoceNetDevice::GetLossOracle() const
{
    return PeekPointer(m_lossOracle);
}

RoceQueuePair*
RoceNetDevice::FindQueuePair(uint32_t number) const
{
    const std::size_t index = number - FIRST_QUEUE_PAIR;
    return index < m_queuePairs.size() ? PeekPointer(m_queuePairs[index]) : nullptr;
}

std::size_t
RoceNetDevice::GetQueuePairCount() const
{
    return m_queuePairs.size();
}

Ptr<RoceQueuePair>
RoceNetDevice::GetQueuePair(std::size_t index) const
{
    return m_queuePairs.at(index);
}

int64_t
RoceNetDevice::AssignStreams(int64_t stream)
{
    m_stream = stream;
    return STREAMS;
}

const RoceNetDevice::Counters&
RoceNetDevice::GetCounters() const
{
    return m_counters;
}

void
RoceNetDevice::ReceiveFrame(const Ptr<FabricFrame>& frame, uint16_t ingress, int64_t now)
{
    NS_LOG_FUNCTION(this << m_host << frame->source << frame->psn << ingress << now);
    if (frame->destination != m_host)
    {
        DropReceived(*frame);
    }
    else if (frame->kind == FrameKind::ROCE)
    {
        ReceiveRoce(frame, ingress, now);
    }
    else
    {
        ReceiveIp(frame);
    }
}

void
RoceNetDevice::ForeseeFrame(const FabricFrame& frame, uint32_t step) const
{
    const std::size_t index = frame.destinationQp - FIRST_QUEUE_PAIR;
    if (index >= m_queuePairs.size())
    {
        return;
    }
    const auto use =
        frame.opcode == RC_ACK ? RoceQueuePair::Use::ACKNOWLEDGEMENT : RoceQueuePair::Use::ARRIVAL;
    if (step == 1)
    {
        __builtin_prefetch(&m_queuePairs[index]);
    }
    else if (step == 2)
    {
        m_queuePairs[index]->PrefetchState(use);
    }
    else
    {
        m_queuePairs[index]->PrefetchPolicies(use);
    }
}

bool
RoceNetDevice::NeedsForesight() const
{
    return true;
}

bool
RoceNetDevice::IsHost() const
{
    return true;
}

void
RoceNetDevice::ReceiveRoce(const Ptr<FabricFrame>& frame, uint16_t port, int64_t now)
{
    RoceQueuePair* queuePair = FindQueuePair(frame->destinationQp);
    if (!queuePair)
    {
        DropReceived(*frame);
    }
    else if (frame->opcode == RC_ACK)
    {
        ++m_counters.acks;
        BeginChange(now);
        queuePair->ReceiveAck(*frame, now);
        EndChange(queuePair, now);
    }
    else if (frame->flags & FRAME_TRIMMED)
    {
        ++m_counters.trimmed;
        m_trimmedTrace(frame);
        DropReceived(*frame);
    }
    else if (FrameCodec::HasPayload(frame->opcode))
    {
        ++m_counters.data;
        Ptr<FabricFrame> answer = CreateFrame();
        if (queuePair->ReceiveData(*frame, *answer))
        {
            SendAck(std::move(answer), port, now);
        }
    }
    else
    {
        DropReceived(*frame);
    }
}

void
RoceNetDevice::SendAck(Ptr<FabricFrame> ack, uint16_t port, int64_t now)
{
    if (m_ackBypass)
    {
        m_ackBypass->Carry(ack);
        return;
    }
    m_transmitters[port]->Send(std::move(ack), now);
}

void
RoceNetDevice::ReceiveIp(const Ptr<FabricFrame>& frame)
{
    ++m_counters.ip;
    FrameCodec::SyncIpHeader(*frame);
    const uint16_t protocol = frame->flags & FRAME_IPV6 ? 0x86DD : 0x0800;
    m_macRxTrace(frame->GetExtra().packet);
    if (!m_promiscReceive.IsNull())
    {
        m_promiscReceive(this,
                         frame->GetExtra().packet->Copy(),
                         protocol,
                         GetAddress(),
                         GetAddress(),
                         PACKET_HOST);
    }
    if (!m_receive.IsNull())
    {
        m_receive(this, frame->GetExtra().packet, protocol, GetAddress());
    }
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
    FabricTransmitter* transmitter = m_transmitters[frame->flowHash % m_transmitters.size()];
    frame->sentAt = FabricClock::Now();
    if (!transmitter->Send(frame, frame->sentAt))
    {
        m_macTxDropTrace(packet);
        return false;
    }
    return true;
}

void
RoceNetDevice::BeginChange(int64_t now)
{
    for (FabricTransmitter* transmitter : m_transmitters)
    {
        transmitter->Advance(now);
    }
}

void
RoceNetDevice::EndChange(RoceQueuePair* queuePair, int64_t now)
{
    if (queuePair->isReady)
    {
        for (const Ptr<QueuePairScheduler>& scheduler : m_schedulers)
        {
            scheduler->Reorder(queuePair);
        }
        if (m_together)
        {
            m_together->Reorder(queuePair);
        }
        return;
    }
    if (!queuePair->CanSend())
    {
        return;
    }
    Enlist(queuePair, now);
    for (FabricTransmitter* transmitter : m_transmitters)
    {
        transmitter->Resume(now);
    }
}

void
RoceNetDevice::PacketDeparts(RoceQueuePair* queuePair,
                             uint32_t bytes,
                             int64_t now,
                             const QueuePairScheduler* busy)
{
    if (m_pacing)
    {
        const int64_t charged = Spread(GetCharge(*queuePair), m_pacing);
        m_together->SetFreeAt(m_together->GetFreeAt() - charged + Spread(bytes + m_gap, m_pacing));
        ScheduleRelease(now);
    }
    Enlist(queuePair, now, busy);
}

void
RoceNetDevice::Enlist(RoceQueuePair* queuePair, int64_t now, const QueuePairScheduler* busy)
{
    if (queuePair->isReady || !queuePair->CanSend())
    {
        return;
    }
    if (m_transmitters.size() == 1)
    {
        m_schedulers[0]->Enlist(queuePair, now);
        return;
    }
    if (m_pacing)
    {
        m_together->Enlist(queuePair, now);
    }
    else
    {
        EnlistAtPort(queuePair, now, busy);
    }
    if (!m_resumePending)
    {
        m_resumePending = true;
        Simulator::ScheduleNow(&RoceNetDevice::ResumePorts, this);
    }
}

void
RoceNetDevice::EnlistAtPort(RoceQueuePair* queuePair, int64_t now, const QueuePairScheduler* busy)
{
    const uint32_t plane = queuePair->ChoosePlane(m_transmitters.size());
    const bool any = queuePair->TakesAnyPlane();
    const uint32_t port = any ? FindFirst(plane, queuePair->GetClass(), now, busy) : plane;
    m_schedulers[port]->Enlist(queuePair, now);
}

uint32_t
RoceNetDevice::GetCharge(const RoceQueuePair& queuePair) const
{
    return FrameCodec::RoceWireBytes(RC_WRITE_MIDDLE, queuePair.GetMtu(), false) + m_gap;
}

void
RoceNetDevice::Release(int64_t now)
{
    int trafficClass = m_together->GetReadyClass(ALL_CLASSES, now);
    for (; trafficClass >= 0; trafficClass = m_together->GetReadyClass(ALL_CLASSES, now))
    {
        RoceQueuePair* queuePair = m_together->Take(trafficClass);
        m_together->SetFreeAt(now + Spread(GetCharge(*queuePair), m_pacing));
        EnlistAtPort(queuePair, now, nullptr);
    }
    m_releaseAt = m_releaseAt <= now ? NEVER : m_releaseAt;
    ScheduleRelease(now);
}

void
RoceNetDevice::ScheduleRelease(int64_t now)
{
    const int64_t next = std::max(m_together->GetNextTime(ALL_CLASSES), now);
    if (next < m_releaseAt)
    {
        m_releaseAt = next;
        Simulator::Schedule(FabricClock::Until(next), &RoceNetDevice::ResumePorts, this);
    }
}

uint32_t
RoceNetDevice::FindFirst(uint32_t plane,
                         uint8_t trafficClass,
                         int64_t now,
                         const QueuePairScheduler* busy) const
{
    auto wait = [this, trafficClass, now, busy](uint32_t port) {
        const FabricTransmitter& transmitter = *m_transmitters[port];
        const QueuePairScheduler& scheduler = *m_schedulers[port];
        const bool isPaused = transmitter.GetPaused() >> trafficClass & 1;
        const int64_t freeAt = std::max({transmitter.GetFreeAt(), scheduler.GetFreeAt(), now});
        return std::make_tuple(isPaused,
                               scheduler.GetWaiting() + transmitter.GetWaitingFrames(),
                               &scheduler == busy ? NEVER : freeAt);
    };
    uint32_t first = plane;
    for (uint32_t step = 1; step < m_transmitters.size(); ++step)
    {
        const uint32_t other = (plane + step) % m_transmitters.size();
        first = wait(other) < wait(first) ? other : first;
    }
    return first;
}

void
RoceNetDevice::ResumePorts()
{
    m_resumePending = false;
    const int64_t now = FabricClock::Now();
    BeginChange(now);
    Release(now);
    for (FabricTransmitter* transmitter : m_transmitters)
    {
        transmitter->Resume(now);
    }
}

void
RoceNetDevice::ObserveTimeout(Ptr<const RoceQueuePair> queuePair, uint32_t retries)
{
    m_timeoutTrace(queuePair, retries);
}

void
RoceNetDevice::SetDataRateFraction(double fraction)
{
    NS_LOG_FUNCTION(this << fraction);
    m_dataRateFraction = fraction;
    UpdatePacing();
}

double
RoceNetDevice::GetDataRateFraction() const
{
    return m_dataRateFraction;
}

void
RoceNetDevice::DataRateChanged(uint16_t index)
{
    const DataRate rate = GetPort(index)->GetDataRate();
    NS_LOG_FUNCTION(this << index << rate);
    UpdatePacing();
    if (index != 0)
    {
        return;
    }
    m_lineRate = rate;
    for (const Ptr<RoceQueuePair>& queuePair : m_queuePairs)
    {
        queuePair->LineRateChanged(rate);
    }
}

void
RoceNetDevice::UpdatePacing()
{
    double rate = 0;
    for (uint32_t i = 0; i < m_schedulers.size(); ++i)
    {
        rate += GetPort(i)->GetDataRate().GetBitRate();
    }
    const DataRate data(static_cast<uint64_t>(rate * m_dataRateFraction));
    const int64_t pacing = m_dataRateFraction < 1 && !m_schedulers.empty() ? ToPacing(data) : 0;
    const bool isOne = m_schedulers.size() == 1;
    for (const Ptr<QueuePairScheduler>& scheduler : m_schedulers)
    {
        scheduler->SetPacing(isOne ? pacing : 0);
    }
    m_pacing = isOne ? 0 : pacing;
}

int64_t
RoceNetDevice::GetPacing(DataRate rate) const
{
    return rate < m_lineRate ? ToPacing(rate) : 0;
}

int64_t
RoceNetDevice::ToPacing(DataRate rate)
{
    NS_ABORT_MSG_IF(rate.GetBitRate() == 0,
                    "RoceNetDevice: the rate of data is less than 1 bit/s; see RateFraction, "
                    "DataRateFraction, and the DataRate of its port");
    const double pacing = 8e12 * (1 << 16) / rate.GetBitRate();
    return std::ceil(pacing * (1 - 1e-12)); // what is whole may not look so in binary
}

void
RoceNetDevice::DoDispose()
{
    for (const Ptr<RoceQueuePair>& queuePair : m_queuePairs)
    {
        queuePair->Dispose();
    }
    m_queuePairs.clear();
    FabricNetDevice::DoDispose();
    m_transmitters.clear();
    m_schedulers.clear();
    m_together = nullptr;
    m_lossOracle = nullptr;
    m_pool = nullptr;
}

} // namespace aifabric
} // namespace ns3
