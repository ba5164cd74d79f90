/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "queue-pair.h"

#include "roce-net-device.h"
#include "shared-control.h"

#include "ns3/abort.h"
#include "ns3/dispose-of.h"
#include "ns3/fabric-clock.h"
#include "ns3/log.h"
#include "ns3/nic-change.h"
#include "ns3/prefetch-lines.h"
#include "ns3/simulator.h"

#include <limits>

namespace ns3
{
namespace aifabric
{

NS_LOG_COMPONENT_DEFINE("QueuePair");
NS_OBJECT_ENSURE_REGISTERED(QueuePair);

TypeId
QueuePair::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::QueuePair").SetParent<Endpoint>().SetGroupName("AiFabric");
    return tid;
}

QueuePair::QueuePair()
{
}

QueuePair::~QueuePair()
{
}

Ptr<QueuePair>
QueuePair::Fork() const
{
    NS_ABORT_MSG_IF(m_connection.nic || !HasRecovery() || !GetControl() || !GetBalancer(),
                    GetInstanceTypeId().GetName()
                        << "::Fork: it belongs to a NIC, or has no policies");
    return DoFork();
}

QueuePair::QueuePair(const QueuePair& other)
    : Endpoint(other),
      m_connection(other.m_connection),
      m_requestor(other.m_requestor)
{
    m_connection.recovery = other.m_connection.recovery->Fork();
    m_responder.SetAckPolicy(other.GetAckPolicy());
}

void
QueuePair::Install(EndpointNic* endpointNic, uint32_t number, int64_t stream)
{
    RoceNetDevice* nic = RoceNetDevice::From(endpointNic);
    NS_ABORT_MSG_IF(m_connection.nic,
                    "RoceNetDevice::AddQueuePair: the queue pair belongs to a NIC already");
    const uint32_t packet = GetMostIpBytes(*nic);
    NS_ABORT_MSG_IF(packet > nic->GetMtu(),
                    GetInstanceTypeId().GetName()
                        << "::Mtu: with " << GetMtu() << " bytes of payload an IP packet has "
                        << packet << " bytes, and Mtu of the NIC is " << nic->GetMtu());
    QueuePairFactory::CheckPolicies(*this);
    m_connection.nic = nic;
    UpdateClass();
    m_number = number;
    m_requestor.Start(m_connection, stream);
    if (GetControl()->ChangesByItself())
    {
        GetControl()->SetChangeCallback(MakeCallback(&QueuePair::ControlChanged, this));
    }
}

TransportTraits
QueuePair::GetTraits() const
{
    return {};
}

std::optional<Time>
QueuePair::GetRetryBudget(Time timeout, bool backsOff) const
{
    RetransmissionLimits limits = GetLimits();
    limits.timeout = timeout.GetPicoSeconds();
    const std::optional<int64_t> budget = RetransmissionTimer::GetBudget(limits, backsOff);
    return budget ? std::optional<Time>(PicoSeconds(*budget)) : std::nullopt;
}

RetransmissionLimits
QueuePair::GetLimits() const
{
    return m_requestor.limits;
}

uint32_t
QueuePair::GetPacketBytes() const
{
    return GetPacketBytes(*m_connection.nic);
}

void
QueuePair::UpdateClass()
{
    if (m_connection.nic)
    {
        m_connection.trafficClass = m_connection.nic->GetClass(m_connection.dscp);
    }
}

void
QueuePair::Connect(uint32_t host, uint32_t number)
{
    NS_ABORT_MSG_IF(!m_connection.nic,
                    GetInstanceTypeId().GetName() << "::Connect: the queue pair belongs to no NIC");
    NS_ABORT_MSG_IF(host >= m_connection.nic->GetHostCount(),
                    GetInstanceTypeId().GetName() << "::Connect: there is no host " << host);
    NS_ABORT_MSG_IF(GetPendingMessages() > 0,
                    GetInstanceTypeId().GetName() << "::Connect: messages are pending");
    NS_LOG_FUNCTION(this << host << number);
    m_connection.peerHost = host;
    m_connection.peerNumber = number;
    m_requestor.GetPaths().Connect(m_connection, m_connection.GetLinuxPort(m_number));
    m_requestor.GetSendWindow().Join(this, m_connection.nic->FindSharedControl(host), m_connection);
    m_connection.nic->ObserveConnection(this);
}

void
QueuePair::Wake()
{
    ControlChanged();
}

void
QueuePair::Renew()
{
    NS_ABORT_MSG_IF(GetPeerNumber() == 0,
                    GetInstanceTypeId().GetName() << "::Renew: the queue pair is not connected");
    NS_ABORT_MSG_IF(GetPendingMessages() > 0,
                    GetInstanceTypeId().GetName() << "::Renew: messages are pending");
    ++m_lives;
    const uint16_t first = m_connection.GetLinuxPort(m_number);
    m_requestor.Renew(m_connection, PathChoice::FIRST_PORT | (first + m_lives));
    m_connection.nic->ObserveConnection(this);
}

void
QueuePair::PostWrite(uint64_t bytes,
                     MessageCallback done,
                     uint32_t key,
                     std::optional<uint64_t> turn)
{
    NS_ABORT_MSG_IF(bytes > std::numeric_limits<uint32_t>::max(),
                    GetInstanceTypeId().GetName()
                        << "::PostWrite: " << bytes << " bytes; a message has at most 2^32 - 1");
    NS_ABORT_MSG_IF(GetPeerNumber() == 0,
                    GetInstanceTypeId().GetName()
                        << "::PostWrite: the queue pair is not connected");
    NS_LOG_FUNCTION(this << bytes << key);
    const MessageLedger& ledger = m_requestor.GetLedger();
    m_completions.Post(ledger.GetCompleted() + ledger.GetPending(), done);
    Post(bytes, key, turn ? *turn : m_connection.nic->TakeTurn(), 0);
}

void
QueuePair::PostReadRequest(uint32_t bytes, uint32_t key, uint64_t turn)
{
    NS_ABORT_MSG_IF(!m_connection.reads || bytes == 0 || GetPeerNumber() == 0,
                    GetInstanceTypeId().GetName()
                        << "::PostReadRequest: the queue pair is not connected or not for reads, "
                           "or asks for no byte");
    NS_LOG_FUNCTION(this << bytes << key);
    Post(0, key, turn, bytes);
}

void
QueuePair::Post(uint32_t bytes, uint32_t key, uint64_t turn, uint32_t asked)
{
    const int64_t now = FabricClock::Now();
    {
        const NicChange change(*m_connection.nic, this, now);
        m_requestor.Post(bytes, key, turn, m_connection, asked);
        if (m_timer.IsExpired() && !HasFailed())
        {
            m_requestor.StartTimer(now);
            ScheduleTimer();
            WorkBegins();
        }
    }
    m_requestor.GetSendWindow().NotifyShares(false);
    AskForCredit(false, now);
}

void
QueuePair::PrefetchDeparture(uint32_t step) const
{
    if (step == 1)
    {
        PrefetchLine(&m_connection);
        m_requestor.Prefetch();
        return;
    }
    PrefetchLines(PeekPointer(m_connection.recovery), 1);
    PrefetchLines(PeekPointer(m_requestor.GetPaths().GetBalancer()), 2);
}

bool
QueuePair::TakeMoved()
{
    return m_requestor.GetSendWindow().TakeMoved();
}

void
QueuePair::ControlChanged()
{
    const int64_t now = FabricClock::Now();
    const NicChange change(*m_connection.nic, this, now);
    m_requestor.GetSendWindow().Update(m_connection);
}

void
QueuePair::PacketFilled(const Requestor::Departure& departure, int64_t start, uint32_t bytes)
{
    m_requestor.GetSendWindow().Charge(start, bytes + m_connection.nic->GetGap());
    m_requestor.GetPaths().ScheduleCheck(m_connection.nic);
    if (departure.isAgain)
    {
        NS_LOG_LOGIC("host " << m_connection.nic->GetHost() << " queue pair " << m_number
                             << " retransmits packet " << departure.number);
        m_retransmissionTrace(departure.number);
    }
}

bool
QueuePair::AsksForAck(const Requestor::Departure& departure) const
{
    return m_responder.AcksEach() || departure.isAgain ||
           departure.number + 1 == departure.message->GetEnd() || !CanSend() ||
           uint64_t{m_requestor.GetSendWindow().GetPackets()} * GetMtu() <
               m_responder.GetLeastWindow();
}

void
QueuePair::PrefetchState(bool isReport, uint32_t step) const
{
    if (step == 1)
    {
        PrefetchLine(&m_connection);
        isReport ? m_requestor.Prefetch() : m_responder.Prefetch();
        return;
    }
    PrefetchLines(PeekPointer(m_connection.recovery), isReport ? 1 : 2);
    if (isReport)
    {
        PrefetchLines(PeekPointer(m_requestor.GetPaths().GetBalancer()), 1);
        PrefetchLines(PeekPointer(m_requestor.GetSendWindow().GetControl()), 1);
    }
}

ReceivingEnd::Verdict
QueuePair::ReceivePacket(const Responder::Arrival& arrival)
{
    const ReceivingEnd::Verdict verdict = m_responder.Receive(arrival, m_connection);
    if (verdict.accepted)
    {
        CompleteReceived();
    }
    return verdict;
}

void
QueuePair::ReceiveAck(const AckReport& report, int64_t now)
{
    const NicChange change(*m_connection.nic, this, now);
    const bool hadBackedOff = m_requestor.HasBackedOff();
    if (m_requestor.AckReceived(report, m_connection, now))
    {
        CompleteSent();
        if (hadBackedOff)
        {
            RescheduleTimer(); // it was scheduled with the longer timeout
        }
    }
}

void
QueuePair::ReceiveNack(const NackReport& report, int64_t now)
{
    NS_LOG_LOGIC("host " << m_connection.nic->GetHost() << " queue pair " << m_number
                         << " receives a NACK of PSN " << report.psn);
    const NicChange change(*m_connection.nic, this, now);
    if (m_requestor.NackReceived(report, m_connection, now))
    {
        CompleteSent();
    }
}

void
QueuePair::ReceiveCnp(int64_t now)
{
    const NicChange change(*m_connection.nic, this, now);
    m_requestor.GetSendWindow().CnpReceived(m_connection, now);
}

void
QueuePair::ReceiveCredit(uint64_t credit, int64_t now)
{
    const NicChange change(*m_connection.nic, this, now);
    m_requestor.CreditReceived(credit, m_connection, now);
}

void
QueuePair::CompleteReceived()
{
    while (const auto message = m_responder.TakeReceived(*m_connection.recovery))
    {
        m_completions.CompleteReceived(this, message->bytes, message->key);
    }
}

void
QueuePair::ReportLoss(uint32_t psn, uint32_t entropy, int64_t now)
{
    NS_LOG_FUNCTION(this << psn << entropy << now);
    m_requestor.LossReported(m_connection.FromFirst(psn), entropy, m_connection, now);
}

void
QueuePair::CompleteSent()
{
    const uint64_t acknowledged = m_connection.recovery->GetUnacknowledged();
    m_requestor.GetPaths().ForgetBefore(acknowledged);
    if (!m_requestor.GetLedger().IsFirstDone(acknowledged))
    {
        return;
    }
    while (const auto message = m_requestor.TakeCompleted(acknowledged, m_connection))
    {
        const uint64_t completed = m_requestor.GetLedger().GetCompleted();
        NS_LOG_LOGIC("host " << m_connection.nic->GetHost() << " queue pair " << m_number
                             << ": message " << completed << " of " << message->GetLength()
                             << " bytes is acknowledged");
        m_completions.CompleteSent(this, completed - 1, message->GetLength(), message->key);
    }
    if (m_requestor.GetLedger().IsEmpty())
    {
        m_timer.Cancel();
        m_requestor.GetPaths().StopTimers();
        AllAcknowledged();
    }
}

void
QueuePair::CheckTimer()
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
        AskForCredit(found.hasExpired, now);
    }
}

void
QueuePair::ExpireTimer(bool isInVain, int64_t now)
{
    const uint32_t retries = m_requestor.CountTimeout(isInVain, m_connection, now);
    NS_LOG_LOGIC("host " << m_connection.nic->GetHost() << " queue pair " << m_number
                         << ": timeout " << retries << (HasFailed() ? ", gives up" : ""));
    m_timeoutTrace(retries);
    m_connection.nic->ObserveTimeout(this, retries);
    if (HasFailed())
    {
        m_requestor.GetSendWindow().NotifyShares(true);
        m_failedTrace();
        return;
    }
    m_requestor.TimerExpired(m_connection, now);
    ScheduleTimer();
}

void
QueuePair::Fail()
{
    m_requestor.GetSendWindow().SetFailed(true);
    m_requestor.GetPaths().StopTimers();
    m_timer.Cancel();
    m_requestor.GetSendWindow().NotifyShares(true);
    m_failedTrace();
}

void
QueuePair::Abort()
{
    const int64_t now = FabricClock::Now();
    SendWindow& window = m_requestor.GetSendWindow();
    const NicChange change(*m_connection.nic, this, now);
    m_hasGivenUp = HasGivenUp();
    m_isAborted = true;
    window.SetFailed(true);
    m_requestor.GetPaths().StopTimers();
    m_timer.Cancel();
    window.Leave(this);
}

void
QueuePair::ScheduleTimer()
{
    const int64_t due = m_requestor.GetTimerDue(*m_connection.recovery);
    m_timer = Simulator::Schedule(FabricClock::Until(due), &QueuePair::CheckTimer, this);
}

void
QueuePair::RescheduleTimer()
{
    if (!m_timer.IsExpired())
    {
        m_timer.Cancel();
        ScheduleTimer();
    }
}

void
QueuePair::DoDispose()
{
    NS_LOG_FUNCTION(this);
    m_timer.Cancel();
    m_requestor.Dispose();
    DisposeOf(m_connection.recovery);
    m_connection.nic = nullptr;
    m_completions.Dispose();
    Endpoint::DoDispose();
}

void
QueuePair::SetMtu(uint32_t mtu)
{
    NS_ABORT_MSG_IF(m_connection.nic,
                    GetInstanceTypeId().GetName()
                        << "::Mtu cannot change: the queue pair belongs to a NIC");
    m_connection.mtu = mtu;
}

void
QueuePair::SetFirstPsn(uint32_t psn)
{
    NS_ABORT_MSG_IF(m_connection.nic,
                    GetInstanceTypeId().GetName()
                        << "::FirstPsn cannot change: the queue pair belongs to a NIC");
    m_connection.firstPsn = psn;
}

QueuePair::Counters
QueuePair::GetCounters() const
{
    return {m_requestor.GetCounters(), m_responder.GetCounters(), m_connection.recovery->GetSent()};
}

void
QueuePair::CountPolicies(PolicyCounters& counters) const
{
    m_requestor.Count(counters, m_requestor.GetSendWindow().StandsForControl(this));
    m_connection.recovery->Count(counters);
}

} // namespace aifabric
} // namespace ns3
