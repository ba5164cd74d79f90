/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-queue-pair.h"

#include "rc-framing.h"
#include "roce-net-device.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/fabric-clock.h"
#include "ns3/frame-codec.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{
namespace aifabric
{

NS_LOG_COMPONENT_DEFINE("RoceQueuePair");
NS_OBJECT_ENSURE_REGISTERED(RoceQueuePair);

namespace
{

/**
 * The entropy that Linux gives a queue pair (rdma_calc_flow_label and rdma_flow_label_to_udp_sport
 * of its InfiniBand headers).
 *
 * @param local the local queue pair number
 * @param remote the remote queue pair number
 * @return a UDP source port from 0xC000 on
 */
uint16_t
LinuxSourcePort(uint32_t local, uint32_t remote)
{
    uint64_t mixed = static_cast<uint64_t>(local) * remote;
    mixed ^= mixed >> 20;
    mixed ^= mixed >> 40;
    const uint32_t label = mixed & 0xFFFFF;
    return ((label & 0x3FFF) ^ (label >> 14)) | 0xC000;
}

/// @return the second cache line of an object  @param object the object
const void*
SecondLine(const void* object)
{
    return reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(object) + 64);
}

} // namespace

TypeId
RoceQueuePair::GetTypeId()
{
    static TypeId tid = ControlTraces::AddTraceSources(
        AddTraceSources(AddPolicies(AddTimeouts(
            TypeId("ns3::aifabric::RoceQueuePair")
                .SetParent<Endpoint>()
                .SetGroupName("AiFabric")
                .AddConstructor<RoceQueuePair>()
                .AddAttribute(
                    "Mtu",
                    "Payload of a full packet (bytes); the same at both ends. It cannot change "
                    "once the queue pair belongs to a NIC.",
                    UintegerValue(4096),
                    MakeUintegerAccessor(&RoceQueuePair::SetMtu, &RoceQueuePair::GetMtu),
                    MakeUintegerChecker<uint32_t>(64, 32768))
                .AddAttribute(
                    "FirstPsn",
                    "PSN of the first packet of either direction; the same at both ends. It "
                    "cannot change once the queue pair belongs to a NIC.",
                    UintegerValue(0),
                    MakeUintegerAccessor(&RoceQueuePair::SetFirstPsn, &RoceQueuePair::GetFirstPsn),
                    MakeUintegerChecker<uint32_t>(0, PsnWindow::PSN_MASK))
                .AddAttribute(
                    "Dscp",
                    "DSCP of data packets; its upper three bits are the traffic class.",
                    UintegerValue(26),
                    MakeUintegerAccessor(&RoceQueuePair::SetDscp, &RoceQueuePair::GetDscp),
                    MakeUintegerChecker<uint8_t>(0, 63))
                .AddAttribute(
                    "AckDscp",
                    "DSCP of acknowledgements; its upper three bits are the traffic class.",
                    UintegerValue(26),
                    MakeUintegerAccessor(&RoceQueuePair::SetAckDscp, &RoceQueuePair::GetAckDscp),
                    MakeUintegerChecker<uint8_t>(0, 63))))),
        &RoceQueuePair::FindControlTraces);
    return tid;
}

TypeId
RoceQueuePair::AddTimeouts(TypeId type)
{
    return type
        .AddAttribute(
            "AckTimeout",
            "Time without acknowledgement after which the sender retransmits.",
            TimeValue(MicroSeconds(500)),
            MakeTimeAccessor(&RoceQueuePair::SetAckTimeout, &RoceQueuePair::GetAckTimeout),
            MakeTimeChecker(NanoSeconds(1), Seconds(1000)))
        .AddAttribute(
            "PacketTimeout",
            "Time after its transmission until a packet that no acknowledgement has "
            "answered or covered is reported to the balancer as timed out (0: "
            "never). It retransmits nothing.",
            TimeValue(Time(0)),
            MakeTimeAccessor(&RoceQueuePair::SetPacketTimeout, &RoceQueuePair::GetPacketTimeout),
            MakeTimeChecker(Time(0), Seconds(1000)))
        .AddAttribute(
            "RearmOnSend",
            "Whether each packet that is sent starts the timer anew, as each "
            "acknowledgement does; else only the first missing one.",
            BooleanValue(false),
            MakeBooleanAccessor(&RoceQueuePair::SetRearmsOnSend, &RoceQueuePair::RearmsOnSend),
            MakeBooleanChecker())
        .AddAttribute(
            "RetryLimit",
            "Timeouts in a row after which the queue pair fails.",
            UintegerValue(7),
            MakeUintegerAccessor(&RoceQueuePair::SetRetryLimit, &RoceQueuePair::GetRetryLimit),
            MakeUintegerChecker<uint32_t>())
        .AddAttribute(
            "VainLimit",
            "How many times AckTimeout the queue pair sends its first missing packet "
            "again and again, told of each loss and without any news, until it "
            "fails. Long enough to survive the worst congestion.",
            UintegerValue(200),
            MakeUintegerAccessor(&RoceQueuePair::SetVainLimit, &RoceQueuePair::GetVainLimit),
            MakeUintegerChecker<uint32_t>());
}

TypeId
RoceQueuePair::AddPolicies(TypeId type)
{
    return type
        .AddAttribute(
            "Recovery",
            "How it survives loss and reordering.",
            PointerValue(),
            MakePointerAccessor(&RoceQueuePair::SetRecovery, &RoceQueuePair::GetRecoveryPolicy),
            MakePointerChecker<LossRecovery>())
        .AddAttribute(
            "AckPolicy",
            "When it acknowledges packets that it has accepted; the same at both ends.",
            PointerValue(),
            MakePointerAccessor(&RoceQueuePair::SetAckPolicy, &RoceQueuePair::GetAckPolicy),
            MakePointerChecker<AckPolicy>())
        .AddAttribute("Control",
                      "How much and how fast it sends.",
                      PointerValue(),
                      MakePointerAccessor(&RoceQueuePair::SetControl, &RoceQueuePair::GetControl),
                      MakePointerChecker<CongestionControl>())
        .AddAttribute("Balancer",
                      "By which paths it sends.",
                      PointerValue(),
                      MakePointerAccessor(&RoceQueuePair::SetBalancer, &RoceQueuePair::GetBalancer),
                      MakePointerChecker<HostBalancer>());
}

TypeId
RoceQueuePair::AddTraceSources(TypeId type)
{
    return type
        .AddTraceSource("Retransmission",
                        "A packet is sent again.",
                        MakeTraceSourceAccessor(&RoceQueuePair::m_retransmissionTrace),
                        "ns3::aifabric::RoceQueuePair::RetransmissionTracedCallback")
        .AddTraceSource("Timeout",
                        "The retransmission timer expired.",
                        MakeTraceSourceAccessor(&RoceQueuePair::m_timeoutTrace),
                        "ns3::aifabric::RoceQueuePair::TimeoutTracedCallback")
        .AddTraceSource("Failed",
                        "It has given up: its messages, and those to come, are never done.",
                        MakeTraceSourceAccessor(&RoceQueuePair::m_failedTrace),
                        "ns3::aifabric::RoceQueuePair::FailedTracedCallback");
}

ControlTraces*
RoceQueuePair::FindControlTraces(ObjectBase* object)
{
    auto queuePair = dynamic_cast<RoceQueuePair*>(object);
    return queuePair ? &queuePair->m_requestor.ObserveControl() : nullptr;
}

RoceQueuePair::RoceQueuePair()
{
}

RoceQueuePair::~RoceQueuePair()
{
}

Ptr<RoceQueuePair>
RoceQueuePair::Fork() const
{
    NS_ABORT_MSG_IF(m_connection.nic || !HasRecovery() || !GetControl() || !GetBalancer(),
                    "RoceQueuePair::Fork: it belongs to a NIC, or has no policies");
    return Ptr<RoceQueuePair>(new RoceQueuePair(*this), false);
}

RoceQueuePair::RoceQueuePair(const RoceQueuePair& other)
    : Endpoint(other),
      m_connection(other.m_connection),
      m_requestor(other.m_requestor)
{
    m_connection.recovery = other.m_connection.recovery->Fork();
    m_responder.SetAckPolicy(other.GetAckPolicy());
}

void
RoceQueuePair::Install(RoceNetDevice* nic, uint32_t number, int64_t stream)
{
    NS_ABORT_MSG_IF(m_connection.nic,
                    "RoceNetDevice::AddQueuePair: the queue pair belongs to a NIC already");
    const uint32_t packet = FrameCodec::RoceWireBytes(RC_WRITE_ONLY, GetMtu(), false) -
                            FrameCodec::ETHERNET_SIZE - FrameCodec::FCS_SIZE;
    NS_ABORT_MSG_IF(packet > nic->GetMtu(),
                    "RoceQueuePair::Mtu: with " << GetMtu() << " bytes of payload an IP packet has "
                                                << packet << " bytes, and Mtu of the NIC is "
                                                << nic->GetMtu());
    NS_ABORT_MSG_IF(!m_responder.AcksEach() && GetRecovery().NeedsAckPerPacket(),
                    "RoceQueuePair::AckPolicy: "
                        << GetRecovery().GetInstanceTypeId().GetName()
                        << " needs an acknowledgement of each packet: PerPacketAckPolicy");
    m_connection.nic = nic;
    m_number = number;
    m_requestor.Start(m_connection, stream);
    if (GetControl()->ChangesByItself())
    {
        GetControl()->SetChangeCallback(MakeCallback(&RoceQueuePair::ControlChanged, this));
    }
}

void
RoceQueuePair::SetRecovery(Ptr<LossRecovery> recovery)
{
    m_connection.recovery = recovery;
}

void
RoceQueuePair::SetAckPolicy(Ptr<AckPolicy> policy)
{
    m_responder.SetAckPolicy(policy);
}

Ptr<AckPolicy>
RoceQueuePair::GetAckPolicy() const
{
    return m_responder.GetAckPolicy();
}

void
RoceQueuePair::SetControl(Ptr<CongestionControl> control)
{
    m_requestor.SetControl(control);
}

void
RoceQueuePair::SetBalancer(Ptr<HostBalancer> balancer)
{
    m_requestor.SetBalancer(balancer);
}

void
RoceQueuePair::Connect(uint32_t host, uint32_t number)
{
    NS_ABORT_MSG_IF(!m_connection.nic, "RoceQueuePair::Connect: the queue pair belongs to no NIC");
    NS_ABORT_MSG_IF(host >= m_connection.nic->GetHostCount(),
                    "RoceQueuePair::Connect: there is no host " << host);
    NS_ABORT_MSG_IF(GetPendingMessages() > 0, "RoceQueuePair::Connect: messages are pending");
    NS_LOG_FUNCTION(this << host << number);
    m_connection.peerHost = host;
    m_connection.peerNumber = number;
    m_requestor.Connect(m_connection, LinuxSourcePort(m_number, number));
}

void
RoceQueuePair::Renew()
{
    NS_ABORT_MSG_IF(GetPeerNumber() == 0, "RoceQueuePair::Renew: the queue pair is not connected");
    NS_ABORT_MSG_IF(GetPendingMessages() > 0, "RoceQueuePair::Renew: messages are pending");
    ++m_lives;
    const uint16_t first = LinuxSourcePort(m_number, GetPeerNumber());
    m_requestor.Renew(m_connection, HostBalancer::FIRST_PORT | (first + m_lives));
}

void
RoceQueuePair::SetReceiveCallback(KeyCallback received)
{
    m_received = received;
}

void
RoceQueuePair::SetSendCallback(KeyCallback sent)
{
    m_sent = sent;
}

void
RoceQueuePair::PostWrite(uint64_t bytes,
                         MessageCallback done,
                         uint32_t key,
                         std::optional<uint64_t> turn)
{
    NS_ABORT_MSG_IF(bytes > std::numeric_limits<uint32_t>::max(),
                    "RoceQueuePair::PostWrite: " << bytes
                                                 << " bytes; a message has at most 2^32 - 1");
    NS_ABORT_MSG_IF(GetPeerNumber() == 0,
                    "RoceQueuePair::PostWrite: the queue pair is not connected");
    NS_LOG_FUNCTION(this << bytes << key);
    const int64_t now = FabricClock::Now();
    m_connection.nic->BeginChange(now);
    const MessageLedger& ledger = m_requestor.GetLedger();
    if (!done.IsNull())
    {
        m_done.push_back(Appointment{ledger.GetCompleted() + ledger.GetPending(), done});
    }
    m_requestor.Post(bytes, key, turn ? *turn : m_connection.nic->TakeTurn(), m_connection);
    if (m_timer.IsExpired() && !HasFailed())
    {
        m_requestor.StartTimer(now);
        ScheduleTimer();
    }
    m_connection.nic->EndChange(this, now);
}

bool
RoceQueuePair::CanSend() const
{
    return m_requestor.CanSend(*m_connection.recovery);
}

int64_t
RoceQueuePair::GetNextTime() const
{
    return m_requestor.GetNextTime();
}

uint32_t
RoceQueuePair::GetPacketBytes() const
{
    return FrameCodec::RoceWireBytes(RC_WRITE_MIDDLE, m_connection.mtu, false);
}

void
RoceQueuePair::ForeseeDeparture(uint32_t step) const
{
    if (step == 1)
    {
        __builtin_prefetch(&m_connection, 1);
        m_requestor.Prefetch();
        return;
    }
    const void* balancer = PeekPointer(m_requestor.GetBalancer());
    __builtin_prefetch(PeekPointer(m_connection.recovery), 1);
    __builtin_prefetch(balancer, 1);
    __builtin_prefetch(SecondLine(balancer), 1);
}

void
RoceQueuePair::ForeseeArrival(const FabricFrame& frame, uint32_t step) const
{
    const bool isAnswer = frame.opcode == RC_ACK;
    if (step == 1)
    {
        __builtin_prefetch(&m_connection, 1);
        isAnswer ? m_requestor.Prefetch() : m_responder.Prefetch();
        return;
    }
    const void* recovery = PeekPointer(m_connection.recovery);
    __builtin_prefetch(recovery, 1);
    if (isAnswer)
    {
        __builtin_prefetch(PeekPointer(m_requestor.GetBalancer()), 1);
        __builtin_prefetch(PeekPointer(m_requestor.GetControl()), 1);
        return;
    }
    __builtin_prefetch(SecondLine(recovery), 1);
}

uint8_t
RoceQueuePair::GetClass() const
{
    return m_connection.GetClass();
}

std::optional<PortChoice>
RoceQueuePair::ChoosePort(const PortRequest& ports)
{
    return m_requestor.ChoosePort(ports, m_connection);
}

void
RoceQueuePair::PortsChanged(uint32_t local)
{
    m_requestor.PortsChanged(local);
}

void
RoceQueuePair::ControlChanged()
{
    const int64_t now = FabricClock::Now();
    m_connection.nic->BeginChange(now);
    m_requestor.ControlChanged(m_connection);
    m_connection.nic->EndChange(this, now);
}

uint64_t
RoceQueuePair::GetTurn() const
{
    return m_requestor.GetLedger().Find(m_connection.recovery->GetNext()).turn;
}

void
RoceQueuePair::Address(FabricFrame& frame, uint32_t entropy) const
{
    frame.source = m_connection.nic->GetHost();
    frame.destination = m_connection.peerHost;
    frame.destinationQp = m_connection.peerNumber;
    FrameCodec::SetFlow(frame, entropy);
}

void
RoceQueuePair::Fill(FabricFrame& frame, int64_t start)
{
    const Requestor::Departure departure = m_requestor.TakeNext(start, m_connection);
    if (departure.repair)
    {
        RcFraming::WriteRepair(frame, *departure.message, departure.repair, m_connection.mtu);
    }
    else
    {
        const uint64_t index = departure.number - departure.message->firstPacket;
        RcFraming::WritePacket(frame, *departure.message, index, m_connection.mtu);
    }
    frame.flags = BTH_MIG_REQ | (AsksForAck(departure) ? BTH_ACK_REQ : 0);
    frame.SetTos(m_connection.dscp << 2 | ECN_ECT0);
    frame.psn = m_connection.ToPsn(departure.number);
    frame.sentAt = start;
    const RoceNetDevice& nic = *m_connection.nic;
    const uint8_t charged = nic.ChargesReth() ? frame.opcode : uint8_t{RC_WRITE_MIDDLE};
    frame.wireBytes = FrameCodec::RoceWireBytes(charged, frame.payload, false);
    Address(frame, departure.entropy);
    m_requestor.Charge(start, frame.wireBytes + nic.GetGap());
    if (m_requestor.TimesPackets())
    {
        SchedulePacketTimer();
    }
    if (departure.isAgain)
    {
        NS_LOG_LOGIC("host " << nic.GetHost() << " queue pair " << m_number
                             << " retransmits packet " << departure.number);
        m_retransmissionTrace(departure.number);
    }
}

bool
RoceQueuePair::AsksForAck(const Requestor::Departure& departure) const
{
    return m_responder.AcksEach() || departure.isAgain ||
           departure.number + 1 == departure.message->GetEnd() || !CanSend();
}

Endpoint::Reception
RoceQueuePair::Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox)
{
    if (frame->opcode == RC_ACK)
    {
        m_connection.nic->BeginChange(outbox.GetNow());
        ReceiveAnswer(*frame, outbox.GetNow());
        m_connection.nic->EndChange(this, outbox.GetNow());
        return Reception::REPORT;
    }
    if (frame->flags & FRAME_TRIMMED)
    {
        return Reception::TRIMMED;
    }
    if (frame->opcode == ROCE_CNP)
    {
        m_connection.nic->BeginChange(outbox.GetNow());
        m_requestor.CnpReceived(m_connection, outbox.GetNow());
        m_connection.nic->EndChange(this, outbox.GetNow());
        return Reception::REPORT;
    }
    if (!FrameCodec::HasPayload(frame->opcode))
    {
        return Reception::UNKNOWN;
    }
    ReceiveData(*frame, outbox);
    return Reception::DATA;
}

void
RoceQueuePair::ReceiveData(const FabricFrame& frame, const Outbox& outbox)
{
    NS_ABORT_MSG_IF(frame.opcode == RC_WRITE_FIRST && frame.payload != GetMtu(),
                    "RoceQueuePair::Mtu is " << GetMtu() << " at one end and " << frame.payload
                                             << " at the other");
    Responder::Arrival arrival{m_connection.FromFirst(frame.psn),
                               frame.payload,
                               0,
                               nullptr,
                               frame.GetEcn() == ECN_CE,
                               (frame.flags & BTH_ACK_REQ) != 0};
    if (FrameCodec::HasReth(frame.opcode))
    {
        arrival.announced = &frame.GetExtra().reth;
        arrival.repair = RcFraming::GetRepair(frame);
    }
    const LossRecovery::Verdict verdict = m_responder.Receive(arrival, m_connection);
    if (verdict.accepted)
    {
        CompleteReceived();
    }
    if (verdict.answer == LossRecovery::Answer::NONE)
    {
        return;
    }
    const ResponderReport report{static_cast<uint32_t>(verdict.number) & PsnWindow::PSN_MASK,
                                 m_responder.GetMsn(),
                                 frame.entropy,
                                 arrival.isMarked,
                                 frame.sentAt};
    const bool isNak = verdict.answer == LossRecovery::Answer::NAK;
    m_responder.CountAnswer(isNak);
    Ptr<FabricFrame> answer = outbox.CreateFrame();
    RcFraming::WriteAnswer(*answer, report, isNak ? AETH_NAK_PSN_SEQUENCE : AETH_ACK, m_connection);
    answer->wireBytes = m_connection.nic->GetAckBytes();
    Address(*answer, frame.entropy);
    outbox.Send(std::move(answer));
}

void
RoceQueuePair::CompleteReceived()
{
    while (const auto message = m_responder.TakeReceived(*m_connection.recovery))
    {
        if (!m_received.IsNull())
        {
            m_received(this, message->bytes, message->key);
        }
    }
}

void
RoceQueuePair::ReceiveAnswer(const FabricFrame& frame, int64_t now)
{
    bool hasNews = false;
    if (RcFraming::IsNak(frame))
    {
        NS_LOG_LOGIC("host " << m_connection.nic->GetHost() << " queue pair " << m_number
                             << " receives a NAK of PSN " << frame.psn);
        hasNews =
            m_requestor.NackReceived(RcFraming::ReadNak(frame, m_connection), m_connection, now);
    }
    else
    {
        hasNews =
            m_requestor.AckReceived(RcFraming::ReadAck(frame, m_connection), m_connection, now);
    }
    if (hasNews)
    {
        CompleteSent();
    }
}

void
RoceQueuePair::ReportLoss(uint32_t psn, uint32_t entropy, int64_t now)
{
    NS_LOG_FUNCTION(this << psn << entropy << now);
    m_requestor.LossReported(m_connection.FromFirst(psn), entropy, m_connection, now);
}

void
RoceQueuePair::CompleteSent()
{
    const uint64_t acknowledged = m_connection.recovery->GetUnacknowledged();
    m_requestor.ForgetBefore(acknowledged);
    if (!m_requestor.GetLedger().IsFirstDone(acknowledged))
    {
        return;
    }
    while (const auto message = m_requestor.TakeCompleted(acknowledged, m_connection))
    {
        const uint64_t completed = m_requestor.GetLedger().GetCompleted();
        NS_LOG_LOGIC("host " << m_connection.nic->GetHost() << " queue pair " << m_number
                             << ": message " << completed << " of " << message->bytes
                             << " bytes is acknowledged");
        if (!m_done.empty() && m_done.front().message + 1 == completed)
        {
            m_done.pop_front().done(this, message->bytes);
        }
        if (!m_sent.IsNull())
        {
            m_sent(this, message->bytes, message->key);
        }
    }
    if (m_requestor.GetLedger().IsEmpty())
    {
        m_timer.Cancel();
        m_packetTimer.Cancel();
    }
}

void
RoceQueuePair::LineRateChanged(DataRate lineRate)
{
    m_requestor.LineRateChanged(lineRate, m_connection);
}

void
RoceQueuePair::CheckTimer()
{
    const int64_t now = FabricClock::Now();
    m_connection.nic->BeginChange(now);
    const Requestor::TimerCheck found = m_requestor.CheckTimer(m_connection, now);
    if (found.hasExpired)
    {
        ExpireTimer(found.isInVain, now);
    }
    else
    {
        ScheduleTimer();
    }
    if (found.hasExpired || found.hasLost)
    {
        m_connection.nic->EndChange(this, now);
    }
}

void
RoceQueuePair::ExpireTimer(bool isInVain, int64_t now)
{
    const uint32_t retries = m_requestor.CountTimeout(isInVain, now);
    NS_LOG_LOGIC("host " << m_connection.nic->GetHost() << " queue pair " << m_number
                         << ": timeout " << retries << (HasFailed() ? ", gives up" : ""));
    m_timeoutTrace(retries);
    m_connection.nic->ObserveTimeout(this, retries);
    if (HasFailed())
    {
        m_failedTrace();
        return;
    }
    m_requestor.TimerExpired(m_connection, now);
    ScheduleTimer();
}

void
RoceQueuePair::ScheduleTimer()
{
    const int64_t due = m_requestor.GetTimerDue(*m_connection.recovery);
    m_timer = Simulator::Schedule(FabricClock::Until(due), &RoceQueuePair::CheckTimer, this);
}

void
RoceQueuePair::SchedulePacketTimer()
{
    const int64_t due = m_requestor.GetPacketTimerDue();
    if (due != NEVER && m_packetTimer.IsExpired())
    {
        m_packetTimer =
            Simulator::Schedule(FabricClock::Until(due), &RoceQueuePair::CheckPacketTimers, this);
    }
}

void
RoceQueuePair::CheckPacketTimers()
{
    const int64_t now = FabricClock::Now();
    m_connection.nic->BeginChange(now); // packets that started before now take their labels first
    m_requestor.CheckPacketTimers(now);
    SchedulePacketTimer();
}

void
RoceQueuePair::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_timer.Cancel();
    m_packetTimer.Cancel();
    m_done = {};
    m_requestor.Dispose();
    if (m_connection.recovery)
    {
        m_connection.recovery->Dispose();
    }
    m_connection.recovery = nullptr;
    m_connection.nic = nullptr;
    m_sent = KeyCallback();
    m_received = KeyCallback();
    Endpoint::DoDispose();
}

void
RoceQueuePair::SetMtu(uint32_t mtu)
{
    NS_ABORT_MSG_IF(m_connection.nic,
                    "RoceQueuePair::Mtu cannot change: the queue pair belongs to a NIC");
    m_connection.mtu = mtu;
}

uint32_t
RoceQueuePair::GetMtu() const
{
    return m_connection.mtu;
}

void
RoceQueuePair::SetFirstPsn(uint32_t psn)
{
    NS_ABORT_MSG_IF(m_connection.nic,
                    "RoceQueuePair::FirstPsn cannot change: the queue pair belongs to a NIC");
    m_connection.firstPsn = psn;
}

uint32_t
RoceQueuePair::GetFirstPsn() const
{
    return m_connection.firstPsn;
}

void
RoceQueuePair::SetDscp(uint8_t dscp)
{
    m_connection.dscp = dscp;
}

uint8_t
RoceQueuePair::GetDscp() const
{
    return m_connection.dscp;
}

void
RoceQueuePair::SetAckDscp(uint8_t dscp)
{
    m_connection.ackDscp = dscp;
}

uint8_t
RoceQueuePair::GetAckDscp() const
{
    return m_connection.ackDscp;
}

void
RoceQueuePair::SetAckTimeout(Time timeout)
{
    m_requestor.limits.timeout = timeout.GetPicoSeconds();
}

Time
RoceQueuePair::GetAckTimeout() const
{
    return PicoSeconds(m_requestor.limits.timeout);
}

void
RoceQueuePair::SetPacketTimeout(Time timeout)
{
    m_requestor.packetTimeout = timeout.GetPicoSeconds();
}

Time
RoceQueuePair::GetPacketTimeout() const
{
    return PicoSeconds(m_requestor.packetTimeout);
}

void
RoceQueuePair::SetRearmsOnSend(bool rearms)
{
    m_requestor.SetRearmsOnSend(rearms);
}

bool
RoceQueuePair::RearmsOnSend() const
{
    return m_requestor.RearmsOnSend();
}

void
RoceQueuePair::SetRetryLimit(uint32_t retries)
{
    m_requestor.limits.retries = retries;
}

uint32_t
RoceQueuePair::GetRetryLimit() const
{
    return m_requestor.limits.retries;
}

void
RoceQueuePair::SetVainLimit(uint32_t timeouts)
{
    m_requestor.limits.vain = timeouts;
}

uint32_t
RoceQueuePair::GetVainLimit() const
{
    return m_requestor.limits.vain;
}

Ptr<LossRecovery>
RoceQueuePair::GetRecoveryPolicy() const
{
    return m_connection.recovery;
}

uint64_t
RoceQueuePair::GetPosted() const
{
    return m_requestor.GetPosted();
}

std::size_t
RoceQueuePair::GetPendingMessages() const
{
    return m_requestor.GetLedger().GetPending();
}

uint32_t
RoceQueuePair::GetNumber() const
{
    return m_number;
}

uint32_t
RoceQueuePair::GetPeerHost() const
{
    return m_connection.peerHost;
}

uint32_t
RoceQueuePair::GetPeerNumber() const
{
    return m_connection.peerNumber;
}

RoceQueuePair::Counters
RoceQueuePair::GetCounters() const
{
    Counters counters{m_requestor.GetCounters(), m_responder.GetCounters(), 0};
    counters.dataPackets =
        m_connection.recovery->GetSent() + counters.retransmissions + counters.repairs;
    return counters;
}

uint64_t
RoceQueuePair::CountPackets(uint64_t bytes) const
{
    return m_connection.CountPackets(bytes);
}

bool
RoceQueuePair::HasRecovery() const
{
    return m_connection.recovery != nullptr;
}

Ptr<CongestionControl>
RoceQueuePair::GetControl() const
{
    return m_requestor.GetControl();
}

Ptr<HostBalancer>
RoceQueuePair::GetBalancer() const
{
    return m_requestor.GetBalancer();
}

const LossRecovery&
RoceQueuePair::GetRecovery() const
{
    return *m_connection.recovery;
}

void
RoceQueuePair::Count(PolicyCounters& counters) const
{
    const Counters counted = GetCounters();
    MergeCounters(counters,
                  {{"data_packets", counted.dataPackets},
                   {"retransmissions", counted.retransmissions},
                   {"repair_packets", counted.repairs},
                   {"discarded_packets", counted.packetsDiscarded},
                   {"out_of_sequence", counted.outOfSequence},
                   {"max_reordering_packets", counted.maxReordering},
                   {"acks", counted.acksSent},
                   {"naks", counted.naksSent},
                   {"timeouts", counted.timeouts}});
}

void
RoceQueuePair::CountPolicies(PolicyCounters& counters) const
{
    m_requestor.Count(counters);
    m_connection.recovery->Count(counters);
}

bool
RoceQueuePair::HasFailed() const
{
    return m_requestor.HasFailed();
}

bool
RoceQueuePair::IsPending() const
{
    return GetPendingMessages() > 0;
}

uint64_t
RoceQueuePair::GetProgress() const
{
    return m_connection.recovery->GetUnacknowledged();
}

void
RoceQueuePair::Describe(std::ostream& os) const
{
    const LossRecovery& recovery = *m_connection.recovery;
    const Requestor::Counters& counters = m_requestor.GetCounters();
    const RoceNetDevice& nic = *m_connection.nic;
    os << "to host-" << GetPeerHost() << ": " << recovery.GetUnacknowledged() << " of "
       << GetPosted() << " packets acknowledged, ";
    if (HasFailed())
    {
        os << "has given up after " << counters.timeouts << " timeouts, "
           << counters.retransmissions << " packets sent again";
        return;
    }
    if (!CanSend())
    {
        os << (recovery.HasNext(GetPosted()) ? "its window is full; " : "")
           << "waits for acknowledgements of " << recovery.GetOutstanding()
           << " packets or for its timer";
    }
    else if (nic.IsPaused(GetClass()))
    {
        os << "its port is paused";
    }
    else
    {
        os << (counters.retransmissions > 0 ? "sends again what is lost"
                                            : "waits for its rate or its turn at the port");
    }
    os << "; " << counters.retransmissions << " packets sent again, " << counters.timeouts
       << " timeouts so far" << (nic.HasPath() ? "" : "; its link is dead");
}

} // namespace aifabric
} // namespace ns3
