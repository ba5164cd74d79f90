/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "roce-queue-pair.h"

#include "psn-window.h"
#include "roce-net-device.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/fabric-clock.h"
#include "ns3/frame-codec.h"
#include "ns3/log.h"
#include "ns3/pointer.h"
#include "ns3/simulator.h"
#include "ns3/trace-source-accessor.h"
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

/// What to do about packets that cannot belong to a connection.
constexpr const char* SAME_FIRST_PSN = "FirstPsn has to be the same at both ends";

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

} // namespace

/**
 * Gives access to a trace source in m_controlTraces, which is made for the first observer.
 *
 * @tparam T type of the traced value
 */
template <typename T>
class RoceQueuePair::ControlTraceAccessor : public TraceSourceAccessor
{
  public:
    using Trace = TracedCallback<T, T>; //!< a trace source

    /// @param trace which one
    explicit ControlTraceAccessor(Trace ControlTraces::*trace)
        : m_trace(trace)
    {
    }

    bool ConnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const override
    {
        return Change(object, [&](Trace& trace) { trace.ConnectWithoutContext(callback); });
    }

    bool Connect(ObjectBase* object,
                 std::string context,
                 const CallbackBase& callback) const override
    {
        return Change(object, [&](Trace& trace) { trace.Connect(callback, context); });
    }

    bool DisconnectWithoutContext(ObjectBase* object, const CallbackBase& callback) const override
    {
        return Change(object, [&](Trace& trace) { trace.DisconnectWithoutContext(callback); });
    }

    bool Disconnect(ObjectBase* object,
                    std::string context,
                    const CallbackBase& callback) const override
    {
        return Change(object, [&](Trace& trace) { trace.Disconnect(callback, context); });
    }

  private:
    /// @return whether it is a queue pair  @param object the object
    /// @param change changes the observers of its trace source
    template <typename F>
    bool Change(ObjectBase* object, F change) const
    {
        auto queuePair = dynamic_cast<RoceQueuePair*>(object);
        if (!queuePair)
        {
            return false;
        }
        if (!queuePair->m_controlTraces)
        {
            queuePair->m_controlTraces = std::make_unique<ControlTraces>();
        }
        ControlTraces& traces = *queuePair->m_controlTraces;
        change(traces.*m_trace);
        queuePair->m_isTraced =
            !traces.window.IsEmpty() || !traces.rate.IsEmpty() || !traces.rtt.IsEmpty();
        return true;
    }

    Trace ControlTraces::*m_trace; //!< the trace source
};

TypeId
RoceQueuePair::GetTypeId()
{
    static TypeId tid = AddControlTraces(AddTraceSources(AddPolicies(
        TypeId("ns3::aifabric::RoceQueuePair")
            .SetParent<Object>()
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
            .AddAttribute("Dscp",
                          "DSCP of data packets; its upper three bits are the traffic class.",
                          UintegerValue(26),
                          MakeUintegerAccessor(&RoceQueuePair::m_dscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("AckDscp",
                          "DSCP of acknowledgements; its upper three bits are the traffic class.",
                          UintegerValue(26),
                          MakeUintegerAccessor(&RoceQueuePair::m_ackDscp),
                          MakeUintegerChecker<uint8_t>(0, 63))
            .AddAttribute("AckTimeout",
                          "Time without acknowledgement after which the sender retransmits.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&RoceQueuePair::m_ackTimeout),
                          MakeTimeChecker(NanoSeconds(1), Seconds(1000)))
            .AddAttribute("PacketTimeout",
                          "Time after its transmission until a packet that no acknowledgement has "
                          "answered or covered is reported to the balancer as timed out (0: "
                          "never). It retransmits nothing.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&RoceQueuePair::m_packetTimeout),
                          MakeTimeChecker(Time(0), Seconds(1000)))
            .AddAttribute("RearmOnSend",
                          "Whether each packet that is sent starts the timer anew, as each "
                          "acknowledgement does; else only the first missing one.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&RoceQueuePair::m_rearmsOnSend),
                          MakeBooleanChecker())
            .AddAttribute("RetryLimit",
                          "Timeouts in a row after which the queue pair fails.",
                          UintegerValue(7),
                          MakeUintegerAccessor(&RoceQueuePair::m_retryLimit),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("VainLimit",
                          "How many times AckTimeout the queue pair sends its first missing packet "
                          "again and again, told of each loss and without any news, until it "
                          "fails. Long enough to survive the worst congestion.",
                          UintegerValue(200),
                          MakeUintegerAccessor(&RoceQueuePair::m_vainLimit),
                          MakeUintegerChecker<uint32_t>()))));
    return tid;
}

TypeId
RoceQueuePair::AddPolicies(TypeId type)
{
    return type
        .AddAttribute("Recovery",
                      "How it survives loss and reordering.",
                      PointerValue(),
                      MakePointerAccessor(&RoceQueuePair::m_recovery),
                      MakePointerChecker<LossRecovery>())
        .AddAttribute("Control",
                      "How much and how fast it sends.",
                      PointerValue(),
                      MakePointerAccessor(&RoceQueuePair::m_control),
                      MakePointerChecker<CongestionControl>())
        .AddAttribute("Balancer",
                      "By which paths it sends.",
                      PointerValue(),
                      MakePointerAccessor(&RoceQueuePair::m_balancer),
                      MakePointerChecker<HostBalancer>());
}

TypeId
RoceQueuePair::AddControlTraces(TypeId type)
{
    return type
        .AddTraceSource("CongestionWindow",
                        "The window of the congestion control changed (bytes).",
                        Create<ControlTraceAccessor<uint64_t>>(&ControlTraces::window),
                        "ns3::TracedValueCallback::Uint64")
        .AddTraceSource("Rate",
                        "The rate of the congestion control changed; the line rate or more: no "
                        "pacing.",
                        Create<ControlTraceAccessor<DataRate>>(&ControlTraces::rate),
                        "ns3::TracedValueCallback::DataRate")
        .AddTraceSource("RTT",
                        "Time between a packet and its acknowledgement, at each acknowledgement.",
                        Create<ControlTraceAccessor<Time>>(&ControlTraces::rtt),
                        "ns3::TracedValueCallback::Time");
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

RoceQueuePair::RoceQueuePair()
{
}

RoceQueuePair::~RoceQueuePair()
{
}

Ptr<RoceQueuePair>
RoceQueuePair::Fork() const
{
    NS_ABORT_MSG_IF(m_nic || !m_recovery || !m_control || !m_balancer,
                    "RoceQueuePair::Fork: it belongs to a NIC, or has no policies");
    return Ptr<RoceQueuePair>(new RoceQueuePair(*this), false);
}

RoceQueuePair::RoceQueuePair(const RoceQueuePair& other)
    : Object(other),
      m_dscp(other.m_dscp),
      m_ackDscp(other.m_ackDscp),
      m_recovery(other.m_recovery->Fork()),
      m_firstPsn(other.m_firstPsn),
      m_mtu(other.m_mtu),
      m_rearmsOnSend(other.m_rearmsOnSend),
      m_control(other.m_control->Fork()),
      m_balancer(other.m_balancer->Fork()),
      m_ackTimeout(other.m_ackTimeout),
      m_retryLimit(other.m_retryLimit),
      m_vainLimit(other.m_vainLimit),
      m_packetTimeout(other.m_packetTimeout)
{
}

void
RoceQueuePair::SetMtu(uint32_t mtu)
{
    NS_ABORT_MSG_IF(m_nic, "RoceQueuePair::Mtu cannot change: the queue pair belongs to a NIC");
    m_mtu = mtu;
}

uint32_t
RoceQueuePair::GetMtu() const
{
    return m_mtu;
}

void
RoceQueuePair::SetFirstPsn(uint32_t psn)
{
    NS_ABORT_MSG_IF(m_nic,
                    "RoceQueuePair::FirstPsn cannot change: the queue pair belongs to a NIC");
    m_firstPsn = psn;
}

uint32_t
RoceQueuePair::GetFirstPsn() const
{
    return m_firstPsn;
}

void
RoceQueuePair::Install(RoceNetDevice* nic, uint32_t number, int64_t stream)
{
    NS_ABORT_MSG_IF(m_nic, "RoceNetDevice::AddQueuePair: the queue pair belongs to a NIC already");
    const uint32_t packet = FrameCodec::RoceWireBytes(RC_WRITE_ONLY, m_mtu, false) -
                            FrameCodec::ETHERNET_SIZE - FrameCodec::FCS_SIZE;
    NS_ABORT_MSG_IF(packet > nic->GetMtu(),
                    "RoceQueuePair::Mtu: with " << m_mtu << " bytes of payload an IP packet has "
                                                << packet << " bytes, and Mtu of the NIC is "
                                                << nic->GetMtu());
    m_nic = nic;
    m_number = number;
    m_stream = stream;
    m_timesPackets = m_packetTimeout.IsStrictlyPositive();
    if (m_timesPackets)
    {
        m_packetTimers = std::make_unique<PacketTimers>(m_packetTimeout.GetPicoSeconds());
    }
    m_balancer->Start(stream);
    m_control->Start(nic->GetPort(0)->GetDataRate(), m_mtu);
    UpdateControl();
}

void
RoceQueuePair::SetRecovery(Ptr<LossRecovery> recovery)
{
    m_recovery = recovery;
}

void
RoceQueuePair::SetControl(Ptr<CongestionControl> control)
{
    m_control = control;
}

void
RoceQueuePair::SetBalancer(Ptr<HostBalancer> balancer)
{
    m_balancer = balancer;
}

void
RoceQueuePair::Connect(uint32_t host, uint32_t number)
{
    NS_ABORT_MSG_IF(!m_nic, "RoceQueuePair::Connect: the queue pair belongs to no NIC");
    NS_ABORT_MSG_IF(host >= m_nic->GetHostCount(),
                    "RoceQueuePair::Connect: there is no host " << host);
    NS_ABORT_MSG_IF(!m_messages.empty(), "RoceQueuePair::Connect: messages are pending");
    NS_LOG_FUNCTION(this << host << number);
    m_peerHost = host;
    m_peerNumber = number;
    m_balancer->SetFixedEntropy(LinuxSourcePort(m_number, m_peerNumber));
    m_balancer->Connect(m_nic->GetHost(), host, m_nic->GetPaths());
}

void
RoceQueuePair::Renew()
{
    NS_ABORT_MSG_IF(m_peerNumber == 0, "RoceQueuePair::Renew: the queue pair is not connected");
    NS_ABORT_MSG_IF(!m_messages.empty(), "RoceQueuePair::Renew: messages are pending");
    ++m_lives;
    const uint16_t first = LinuxSourcePort(m_number, m_peerNumber);
    m_balancer->SetFixedEntropy(HostBalancer::FIRST_PORT | (first + m_lives));
    m_balancer->Start(m_stream);
    m_balancer->Connect(m_nic->GetHost(), m_peerHost, m_nic->GetPaths());
    m_control->Start(m_nic->GetPort(0)->GetDataRate(), m_mtu);
    UpdateControl();
    m_nextTime = 0;
    m_failed = false; // nothing is missing, so an answer came after it had given up
    m_retries = 0;
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
    NS_ABORT_MSG_IF(m_peerNumber == 0, "RoceQueuePair::PostWrite: the queue pair is not connected");
    NS_LOG_FUNCTION(this << bytes << key);
    const int64_t now = FabricClock::Now();
    m_nic->BeginChange(now);
    const uint64_t packets = CountPackets(bytes);
    const auto unfilled = static_cast<uint32_t>(packets * m_mtu - bytes);
    const Message message{m_posted,
                          turn ? *turn : m_nic->TakeTurn(),
                          static_cast<uint32_t>(packets),
                          static_cast<uint32_t>(bytes),
                          unfilled,
                          key};
    if (!done.IsNull())
    {
        m_done.push_back(Appointment{m_sentMessages + m_messages.size(), done});
    }
    m_messages.push_back(message);
    m_recovery->MessagePosted(m_posted, packets);
    m_posted += packets;
    if (m_timer.IsExpired() && !m_failed)
    {
        m_progressAt = now;
        ScheduleTimer(now + m_ackTimeout.GetPicoSeconds());
    }
    m_nic->EndChange(this, now);
}

bool
RoceQueuePair::CanSend() const
{
    return !m_failed && m_recovery->HasNext(m_posted) && m_recovery->GetOutstanding() < m_window;
}

void
RoceQueuePair::PrefetchState(Use use) const
{
    __builtin_prefetch(&m_nic, 1);
    if (use == Use::ARRIVAL)
    {
        __builtin_prefetch(&m_counters.packetsAccepted, 1);
        __builtin_prefetch(&m_arrivals, 1);
        return;
    }
    __builtin_prefetch(&m_control, 1);
    __builtin_prefetch(&m_messages, 1);
    __builtin_prefetch(&m_paths, 1);
}

void
RoceQueuePair::PrefetchPolicies(Use use) const
{
    constexpr auto secondLine = [](const auto& policy) {
        return reinterpret_cast<const void*>(reinterpret_cast<uintptr_t>(PeekPointer(policy)) + 64);
    };
    __builtin_prefetch(PeekPointer(m_recovery), 1);
    if (use == Use::ARRIVAL)
    {
        __builtin_prefetch(secondLine(m_recovery), 1);
        return;
    }
    __builtin_prefetch(PeekPointer(m_balancer), 1);
    if (use == Use::DEPARTURE)
    {
        __builtin_prefetch(secondLine(m_balancer), 1);
        return;
    }
    __builtin_prefetch(PeekPointer(m_control), 1);
}

uint8_t
RoceQueuePair::GetClass() const
{
    return m_dscp >> 3;
}

bool
RoceQueuePair::TakesAnyPlane() const
{
    return m_balancer->TakesAnyPlane();
}

uint32_t
RoceQueuePair::ChoosePlane(uint32_t planes)
{
    return m_balancer->NextPlane(planes);
}

uint64_t
RoceQueuePair::CountPackets(uint64_t bytes) const
{
    return std::max<uint64_t>(1, (bytes + m_mtu - 1) / m_mtu);
}

uint64_t
RoceQueuePair::GetTurn() const
{
    return m_messages[FindMessage(m_recovery->GetNext())].turn;
}

uint32_t
RoceQueuePair::FindMessage(uint64_t number) const
{
    uint32_t first = 0;
    for (uint32_t after = m_messages.size(); after - first > 1;)
    {
        const uint32_t middle = first + (after - first) / 2;
        (m_messages[middle].firstPacket <= number ? first : after) = middle;
    }
    return first;
}

RoceOpcode
RoceQueuePair::WriteOpcode(uint64_t index, uint64_t packets)
{
    if (packets == 1)
    {
        return RC_WRITE_ONLY;
    }
    if (index == 0)
    {
        return RC_WRITE_FIRST;
    }
    return index + 1 == packets ? RC_WRITE_LAST : RC_WRITE_MIDDLE;
}

void
RoceQueuePair::Address(FabricFrame& frame, uint16_t sourcePort) const
{
    frame.source = m_nic->GetHost();
    frame.destination = m_peerHost;
    frame.destinationQp = m_peerNumber;
    frame.sourcePort = sourcePort;
    frame.flowHash = FrameCodec::FlowHash(frame.source, frame.destination, sourcePort);
}

void
RoceQueuePair::FillPacket(FabricFrame& frame, const Message& message, uint64_t index) const
{
    frame.opcode = WriteOpcode(index, message.packets);
    frame.payload = std::min<uint64_t>(m_mtu, message.bytes - index * m_mtu);
    if (FrameCodec::HasReth(frame.opcode))
    {
        frame.Extra().reth = Reth{0, message.key, static_cast<uint32_t>(message.bytes)};
    }
}

void
RoceQueuePair::FillRepair(FabricFrame& frame, const Message& message, uint64_t repair) const
{
    frame.opcode = RC_WRITE_ONLY;
    frame.payload = std::min<uint64_t>(m_mtu, message.bytes); // as the longest packet of all
    frame.Extra().reth = Reth{repair, message.key, static_cast<uint32_t>(message.bytes)};
}

void
RoceQueuePair::FillFrame(FabricFrame& frame, int64_t start)
{
    const uint64_t sent = m_recovery->GetSent();
    const auto [number, repair] = m_recovery->TakeNext(start);
    const Message& message = m_messages[FindMessage(number)];
    ++m_counters.dataPackets;
    if (repair)
    {
        FillRepair(frame, message, repair);
        ++m_counters.repairs;
    }
    else
    {
        FillPacket(frame, message, number - message.firstPacket);
        if (number == m_recovery->GetUnacknowledged())
        {
            m_progressAt = start; // the packet that the retransmission timer is about
            m_triedSince = std::min(m_triedSince, start);
        }
        else if (m_rearmsOnSend)
        {
            m_progressAt = start;
        }
    }
    frame.flags = BTH_MIG_REQ | BTH_ACK_REQ;
    frame.tos = m_dscp << 2 | ECN_ECT0;
    frame.psn = (number + m_firstPsn) & PsnWindow::PSN_MASK;
    frame.sentAt = start;
    const uint8_t charged = m_nic->ChargesReth() ? frame.opcode : uint8_t{RC_WRITE_MIDDLE};
    frame.wireBytes = FrameCodec::RoceWireBytes(charged, frame.payload, false);
    const uint16_t sourcePort = m_balancer->NextEntropy();
    Address(frame, sourcePort);
    if (m_timesPackets)
    {
        const uint64_t last = message.firstPacket + message.packets - 1;
        m_packetTimers->Start(start, sourcePort, repair ? last : number);
        SchedulePacketTimer();
    }
    if (!repair)
    {
        NotePath(number, sourcePort);
    }
    m_nextTime = start + RoceNetDevice::Spread(frame.wireBytes + m_nic->GetGap(), m_stepsPerByte);
    if (number < sent && !repair)
    {
        NS_LOG_LOGIC("host " << m_nic->GetHost() << " queue pair " << m_number
                             << " retransmits packet " << number);
        ++m_counters.retransmissions;
        m_retransmissionTrace(number);
    }
}

void
RoceQueuePair::NotePath(uint64_t number, uint16_t sourcePort)
{
    const uint64_t index = number - m_pathsFirst;
    if (index == m_paths.size())
    {
        m_paths.push_back(sourcePort);
    }
    else
    {
        m_paths[index] = sourcePort;
    }
}

void
RoceQueuePair::CheckNumber(int64_t number, uint32_t psn) const
{
    NS_ABORT_MSG_IF(number < 0,
                    "RoceQueuePair: host " << m_nic->GetHost() << " received PSN " << psn
                                           << " from host " << m_peerHost << ", and FirstPsn is "
                                           << m_firstPsn << "; " << SAME_FIRST_PSN);
}

LossRecovery::Verdict
RoceQueuePair::Offer(const FabricFrame& frame, uint32_t psn)
{
    if (frame.opcode == RC_WRITE_ONLY)
    {
        const Reth& reth = frame.GetExtra().reth;
        if (reth.virtualAddress)
        {
            return m_recovery->RepairReceived(psn, CountPackets(reth.length), reth.virtualAddress);
        }
    }
    return m_recovery->PacketReceived(psn);
}

bool
RoceQueuePair::ReceiveData(const FabricFrame& frame, FabricFrame& answer)
{
    const uint64_t expected = m_recovery->GetExpected();
    const uint32_t psn = (frame.psn - m_firstPsn) & PsnWindow::PSN_MASK;
    const int64_t number = PsnWindow::Unwrap(psn, expected);
    CheckNumber(number, frame.psn);
    const LossRecovery::Verdict verdict = Offer(frame, psn);
    if (number != static_cast<int64_t>(expected))
    {
        ++m_counters.outOfSequence;
    }
    if (verdict.accepted)
    {
        ++m_counters.packetsAccepted;
        m_counters.bytesAccepted += frame.payload;
        m_counters.maxReordering =
            std::max<uint64_t>(m_counters.maxReordering, verdict.number - expected);
        Place(frame, number);
    }
    else
    {
        ++m_counters.packetsDiscarded;
    }
    if (verdict.answer == LossRecovery::Answer::NONE)
    {
        return false;
    }
    const bool nak = verdict.answer == LossRecovery::Answer::NAK;
    ++(nak ? m_counters.naksSent : m_counters.acksSent);
    answer.opcode = RC_ACK;
    answer.syndrome = nak ? AETH_NAK_PSN_SEQUENCE : AETH_ACK;
    answer.msn = m_counters.messages & PsnWindow::PSN_MASK;
    answer.psn = (verdict.number + m_firstPsn) & PsnWindow::PSN_MASK;
    answer.flags = BTH_MIG_REQ | (frame.GetEcn() == ECN_CE ? BTH_BECN : 0);
    answer.tos = m_ackDscp << 2;
    answer.sentAt = frame.sentAt;
    answer.wireBytes = m_nic->GetAckBytes();
    Address(answer, frame.sourcePort);
    return true;
}

void
RoceQueuePair::Place(const FabricFrame& frame, uint64_t number)
{
    if (FrameCodec::HasReth(frame.opcode))
    {
        NS_ABORT_MSG_IF(frame.opcode == RC_WRITE_FIRST && frame.payload != m_mtu,
                        "RoceQueuePair::Mtu is " << m_mtu << " at one end and " << frame.payload
                                                 << " at the other");
        const Reth& reth = frame.GetExtra().reth;
        const uint64_t end = number + CountPackets(reth.length);
        Announce({end, reth.length, reth.remoteKey});
    }
    CompleteReceived();
}

void
RoceQueuePair::Announce(const Arrival& message)
{
    uint32_t place = m_arrivals.size();
    for (; place > 0 && m_arrivals[place - 1].end >= message.end; --place)
    {
        if (m_arrivals[place - 1].end == message.end)
        {
            return; // by a repair packet
        }
    }
    m_arrivals.push_back(message);
    for (uint32_t i = m_arrivals.size() - 1; i > place; --i)
    {
        std::swap(m_arrivals[i], m_arrivals[i - 1]);
    }
}

void
RoceQueuePair::CompleteReceived()
{
    while (!m_arrivals.empty() && m_arrivals.front().end <= m_recovery->GetExpected())
    {
        const Arrival message = m_arrivals.pop_front();
        ++m_counters.messages;
        if (!m_received.IsNull())
        {
            m_received(this, message.bytes, message.key);
        }
    }
}

RoceQueuePair::News
RoceQueuePair::Hear(const FabricFrame& frame)
{
    const bool nak = frame.syndrome == AETH_NAK_PSN_SEQUENCE;
    const uint32_t psn = (frame.psn - m_firstPsn) & PsnWindow::PSN_MASK;
    const int64_t named = PsnWindow::Unwrap(psn, m_recovery->GetUnacknowledged()) - (nak ? 1 : 0);
    CheckNumber(named + (nak ? 1 : 0), frame.psn);
    LossRecovery::Feedback feedback =
        nak ? m_recovery->NakReceived(psn) : m_recovery->AckReceived(psn);
    uint64_t bytes = feedback.news > 0 ? feedback.news * m_mtu - TakeUnfilled(named) : 0;
    const int64_t messages = PsnWindow::Unwrap(frame.msn, m_sentMessages) - m_sentMessages;
    m_heardMessages =
        std::max<uint64_t>(m_heardMessages, m_sentMessages + std::max<int64_t>(0, messages));
    if (messages > 0 && messages <= static_cast<int64_t>(m_messages.size()))
    {
        const Message& last = m_messages[messages - 1];
        const auto more = m_recovery->MessagesReceived(last.firstPacket + last.packets);
        bytes += more.news * m_mtu;
        feedback.news += more.news;
        feedback.lost.insert(feedback.lost.end(), more.lost.begin(), more.lost.end());
    }
    return {std::move(feedback), bytes - TakeUnfilled()};
}

uint64_t
RoceQueuePair::TakeUnfilled(uint64_t number)
{
    Message& message = m_messages[FindMessage(number)];
    const bool isLast = number + 1 == message.firstPacket + message.packets;
    return isLast ? std::exchange(message.unfilled, 0) : 0;
}

uint64_t
RoceQueuePair::TakeUnfilled()
{
    uint64_t bytes = 0;
    const uint64_t acknowledged = m_recovery->GetUnacknowledged();
    for (uint32_t i = 0; i < m_messages.size(); ++i)
    {
        Message& message = m_messages[i];
        if (message.firstPacket + message.packets > acknowledged)
        {
            break;
        }
        bytes += std::exchange(message.unfilled, 0);
    }
    return bytes;
}

void
RoceQueuePair::ReceiveAck(const FabricFrame& frame, int64_t now)
{
    const bool marked = frame.flags & BTH_BECN;
    const auto [feedback, bytes] = Hear(frame);
    if (m_timesPackets)
    {
        const uint64_t unacknowledged = m_recovery->GetUnacknowledged();
        const uint32_t psn = (frame.psn - m_firstPsn) & PsnWindow::PSN_MASK;
        m_packetTimers->Stop(frame.sentAt,
                             frame.sourcePort,
                             PsnWindow::Unwrap(psn, unacknowledged));
        m_packetTimers->Acknowledge(unacknowledged);
    }
    if (frame.syndrome == AETH_NAK_PSN_SEQUENCE)
    {
        NS_LOG_LOGIC("host " << m_nic->GetHost() << " queue pair " << m_number
                             << " receives a NAK of PSN " << frame.psn);
        ++m_counters.naksReceived;
    }
    else
    {
        m_balancer->PacketAcked(frame.sourcePort, marked, frame.sentAt, now);
    }
    if (feedback.news || frame.syndrome != AETH_NAK_PSN_SEQUENCE)
    {
        m_control->PacketAcked(std::min<uint64_t>(bytes, UINT32_MAX), marked, frame.sentAt, now);
        if (m_isTraced)
        {
            TraceRtt(now - frame.sentAt);
        }
    }
    for (const uint64_t number : feedback.lost)
    {
        m_balancer->PacketLost(m_paths[number - m_pathsFirst], now);
    }
    if (!feedback.lost.empty())
    {
        m_control->PacketLost(now);
    }
    UpdateControl();
    if (feedback.news)
    {
        m_progressAt = now;
        m_retries = 0;
        m_triedSince = NEVER;
        CompleteSent();
    }
}

void
RoceQueuePair::ReportLoss(uint32_t psn, uint16_t sourcePort, int64_t now)
{
    NS_LOG_FUNCTION(this << psn << sourcePort << now);
    if (m_recovery->LossReported((psn - m_firstPsn) & PsnWindow::PSN_MASK))
    {
        m_balancer->PacketLost(sourcePort, now);
        m_control->PacketLost(now);
        UpdateControl();
    }
}

void
RoceQueuePair::CompleteSent()
{
    const uint64_t acknowledged = m_recovery->GetUnacknowledged();
    for (; m_pathsFirst < acknowledged; ++m_pathsFirst)
    {
        m_paths.pop_front();
    }
    while (!m_messages.empty() &&
           m_messages.front().firstPacket + m_messages.front().packets <= acknowledged)
    {
        const Message message = m_messages.pop_front();
        ++m_sentMessages;
        NS_LOG_LOGIC("host " << m_nic->GetHost() << " queue pair " << m_number << ": message "
                             << m_sentMessages << " of " << message.bytes
                             << " bytes is acknowledged");
        NS_ABORT_MSG_IF(m_sentMessages > m_heardMessages,
                        "RoceQueuePair: host "
                            << m_peerHost << " acknowledged all packets of a message of host "
                            << m_nic->GetHost() << " and has not got it whole; " << SAME_FIRST_PSN);
        if (!m_done.empty() && m_done.front().message + 1 == m_sentMessages)
        {
            m_done.pop_front().done(this, message.bytes);
        }
        if (!m_sent.IsNull())
        {
            m_sent(this, message.bytes, message.key);
        }
    }
    if (m_messages.empty())
    {
        m_timer.Cancel();
        m_packetTimer.Cancel();
        if (m_timesPackets)
        {
            m_packetTimers->StopAll();
        }
    }
}

void
RoceQueuePair::LineRateChanged(DataRate lineRate)
{
    m_control->LineRateChanged(lineRate);
    UpdateControl();
}

void
RoceQueuePair::UpdateControl()
{
    m_window = std::clamp<uint64_t>(m_control->GetWindow() / m_mtu, 1, UINT32_MAX);
    m_stepsPerByte = m_nic->GetPacing(m_control->GetRate());
    if (m_isTraced)
    {
        TraceControl();
    }
}

// Not inline: what nobody observes should take no room among what all packets need.
[[gnu::noinline, gnu::cold]] void
RoceQueuePair::TraceControl()
{
    ControlTraces& traces = *m_controlTraces;
    const uint64_t window = m_control->GetWindow();
    if (window != traces.lastWindow)
    {
        traces.window(std::exchange(traces.lastWindow, window), window);
    }
    const DataRate rate = m_control->GetRate();
    if (rate != traces.lastRate)
    {
        traces.rate(std::exchange(traces.lastRate, rate), rate);
    }
}

[[gnu::noinline, gnu::cold]] void
RoceQueuePair::TraceRtt(int64_t rtt)
{
    const Time time = PicoSeconds(rtt);
    m_controlTraces->rtt(std::exchange(m_controlTraces->lastRtt, time), time);
}

void
RoceQueuePair::CheckTimer()
{
    const int64_t now = FabricClock::Now();
    m_nic->BeginChange(now);
    if (m_recovery->GetOutstanding() == 0)
    {
        m_progressAt = now; // it waits for its turn, and not for an acknowledgement
    }
    const bool hasLost = ExpirePackets(now);
    const int64_t due = m_progressAt + m_ackTimeout.GetPicoSeconds();
    // A recovery that is told of each loss sends again before the timer expires, perhaps in vain.
    const bool inVain = m_triedSince < now && (now - m_triedSince) / m_ackTimeout.GetPicoSeconds() >
                                                  static_cast<int64_t>(m_vainLimit);
    if (due <= now || inVain)
    {
        Expire(now, inVain);
        m_nic->EndChange(this, now);
        return;
    }
    ScheduleTimer(due);
    if (hasLost)
    {
        m_nic->EndChange(this, now);
    }
}

bool
RoceQueuePair::ExpirePackets(int64_t now)
{
    const std::vector<uint64_t> lost =
        m_recovery->ExpireSentUntil(now - m_ackTimeout.GetPicoSeconds());
    if (lost.empty())
    {
        return false;
    }
    for (const uint64_t number : lost)
    {
        m_balancer->PacketLost(m_paths[number - m_pathsFirst], now);
    }
    m_control->PacketLost(now);
    UpdateControl();
    return true;
}

void
RoceQueuePair::Expire(int64_t now, bool inVain)
{
    ++m_counters.timeouts;
    m_failed = ++m_retries > m_retryLimit || inVain;
    NS_LOG_LOGIC("host " << m_nic->GetHost() << " queue pair " << m_number << ": timeout "
                         << m_retries << (m_failed ? ", gives up" : ""));
    m_timeoutTrace(m_retries);
    m_nic->ObserveTimeout(this, m_retries);
    m_progressAt = now;
    if (m_failed)
    {
        m_failedTrace();
        return;
    }
    m_recovery->TimerExpired();
    m_control->TimerExpired(now);
    m_balancer->TimerExpired(now);
    UpdateControl();
    ScheduleTimer(now + m_ackTimeout.GetPicoSeconds());
}

void
RoceQueuePair::ScheduleTimer(int64_t due)
{
    const int64_t timeout = m_ackTimeout.GetPicoSeconds();
    const int64_t first = std::min(due - timeout, m_recovery->GetOldestStart()) + timeout;
    m_timer = Simulator::Schedule(FabricClock::Until(first), &RoceQueuePair::CheckTimer, this);
}

void
RoceQueuePair::SchedulePacketTimer()
{
    const int64_t next = m_packetTimers->GetNextExpiry();
    if (next != PacketTimers::NEVER && m_packetTimer.IsExpired())
    {
        m_packetTimer =
            Simulator::Schedule(FabricClock::Until(next), &RoceQueuePair::CheckPacketTimers, this);
    }
}

void
RoceQueuePair::CheckPacketTimers()
{
    const int64_t now = FabricClock::Now();
    m_nic->BeginChange(now); // packets that started before now take their labels first
    for (const uint16_t sourcePort : m_packetTimers->Expire(now))
    {
        m_balancer->PacketTimedOut(sourcePort, now);
    }
    SchedulePacketTimer();
}

void
RoceQueuePair::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_isTraced = false;
    m_controlTraces.reset();
    m_timer.Cancel();
    m_packetTimer.Cancel();
    m_messages = {};
    m_done = {};
    for (const Ptr<Object>& policy :
         {Ptr<Object>(m_recovery), Ptr<Object>(m_control), Ptr<Object>(m_balancer)})
    {
        if (policy)
        {
            policy->Dispose();
        }
    }
    m_recovery = nullptr;
    m_control = nullptr;
    m_balancer = nullptr;
    m_sent = KeyCallback();
    m_received = KeyCallback();
    m_nic = nullptr;
    Object::DoDispose();
}

uint32_t
RoceQueuePair::GetNumber() const
{
    return m_number;
}

uint32_t
RoceQueuePair::GetPeerHost() const
{
    return m_peerHost;
}

uint32_t
RoceQueuePair::GetPeerNumber() const
{
    return m_peerNumber;
}

const RoceQueuePair::Counters&
RoceQueuePair::GetCounters() const
{
    return m_counters;
}

uint64_t
RoceQueuePair::GetPosted() const
{
    return m_posted;
}

std::size_t
RoceQueuePair::GetPendingMessages() const
{
    return m_messages.size();
}

bool
RoceQueuePair::HasRecovery() const
{
    return m_recovery != nullptr;
}

Ptr<CongestionControl>
RoceQueuePair::GetControl() const
{
    return m_control;
}

Ptr<HostBalancer>
RoceQueuePair::GetBalancer() const
{
    return m_balancer;
}

const LossRecovery&
RoceQueuePair::GetRecovery() const
{
    return *m_recovery;
}

void
RoceQueuePair::CountPolicies(PolicyCounters& counters) const
{
    m_balancer->Count(counters);
    m_recovery->Count(counters);
    m_control->Count(counters);
    if (m_timesPackets)
    {
        counters["packet_timeouts"] += m_packetTimers->GetExpirations();
    }
}

bool
RoceQueuePair::HasFailed() const
{
    return m_failed;
}

} // namespace aifabric
} // namespace ns3
