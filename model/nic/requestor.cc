/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "requestor.h"

#include "pacing.h"
#include "roce-net-device.h"
#include "shared-control.h"

#include "ns3/abort.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

/// @return what a report says about the path of the packet that triggered it
/// @param report the report
PathEvent
ToEvent(const AckReport& report)
{
    if (report.path == PathVerdict::SKIP_ALWAYS)
    {
        return PathEvent::BAD;
    }
    return report.marked || report.path == PathVerdict::SKIP_ONCE ? PathEvent::MARKED
                                                                  : PathEvent::GOOD;
}

/// @return how a loss was found out, if the receiver refused the packet  @param reason why it did
LossReason
ToReason(NackReason reason)
{
    switch (reason)
    {
    case NackReason::TRIMMED:
        return LossReason::TRIMMED;
    case NackReason::TRIMMED_LAST_HOP:
        return LossReason::TRIMMED_LAST_HOP;
    case NackReason::NO_RESOURCES:
        return LossReason::NO_RESOURCES;
    case NackReason::OUT_OF_SEQUENCE:
        break;
    }
    return LossReason::GAP;
}

/// @return what a loss says about the path of the packet  @param reason how it was found out
PathEvent
ToEvent(LossReason reason)
{
    switch (reason)
    {
    case LossReason::TRIMMED:
        return PathEvent::TRIMMED;
    case LossReason::TRIMMED_LAST_HOP:
        return PathEvent::TRIMMED_LAST_HOP;
    case LossReason::PACKET_TIMEOUT:
    case LossReason::TIMEOUT:
        return PathEvent::TIMED_OUT;
    case LossReason::GAP:
    case LossReason::NO_RESOURCES:
        break;
    }
    return PathEvent::LOST;
}

} // namespace

Requestor::Requestor()
{
}

Requestor::~Requestor()
{
}

Requestor::Requestor(const Requestor& other)
    : m_deaggregates(other.m_deaggregates),
      m_control(other.m_control->Fork()),
      m_balancer(other.m_balancer->Fork()),
      limits(other.limits),
      packetTimeout(other.packetTimeout)
{
    SetRearmsOnSend(other.RearmsOnSend());
}

void
Requestor::SetControl(Ptr<CongestionControl> control)
{
    m_control = control;
}

void
Requestor::SetBalancer(Ptr<HostBalancer> balancer)
{
    m_balancer = balancer;
}

void
Requestor::Start(const Connection& connection, int64_t stream)
{
    m_stream = stream;
    if (packetTimeout > 0)
    {
        m_packetTimers = std::make_unique<PacketTimers>(packetTimeout);
        m_timesPackets = true;
    }
    if (m_deaggregates)
    {
        m_deaggregator = std::make_unique<AckDeaggregator>();
    }
    m_timesEach = connection.recovery->TimesEachPacket();
    m_timer.SetBacksOff(connection.recovery->BacksOff());
    m_followsWindow = connection.recovery->Start(connection.nic->GetFacts(connection.mtu));
    StartPolicies(connection);
}

void
Requestor::StartPolicies(const Connection& connection)
{
    const FabricFacts facts = connection.nic->GetFacts(connection.mtu);
    m_balancer->Start(facts, m_stream);
    if (!m_shared)
    {
        m_control->Start(facts); // one that is shared goes on
    }
    m_tellsSent = m_control->WantsSent();
    m_usesCredits = m_control->UsesCredits();
    UpdateIsOrdinary();
    m_hasPath = false;
    UpdateControl(connection);
}

void
Requestor::Connect(const Connection& connection, uint16_t sourcePort)
{
    m_balancer->SetFixedEntropy(sourcePort);
    m_balancer->Connect(connection.nic->GetHost(), connection.peerHost, connection.nic->GetPaths());
}

void
Requestor::Renew(const Connection& connection, uint16_t sourcePort)
{
    m_balancer->SetFixedEntropy(sourcePort);
    StartPolicies(connection);
    m_balancer->Connect(connection.nic->GetHost(), connection.peerHost, connection.nic->GetPaths());
    m_nextTime = 0;
    m_failed = false; // nothing is missing, so an answer came after it had given up
    UpdateIsOrdinary();
    m_timer.Forgive();
}

void
Requestor::Post(uint32_t bytes, uint32_t key, uint64_t turn, const Connection& connection)
{
    const uint64_t packets = connection.CountPackets(bytes);
    const auto unfilled = static_cast<uint32_t>(packets * connection.mtu - bytes);
    m_ledger.Post({m_posted, turn, static_cast<uint32_t>(packets), bytes, unfilled, key});
    connection.recovery->MessagePosted(m_posted, packets);
    m_posted += packets;
}

std::optional<PortChoice>
Requestor::ChoosePort(const PortRequest& ports, const Connection& connection)
{
    const uint64_t number = connection.recovery->GetNext();
    if (!ChoosePath(ports, number, m_ledger.Find(number), connection))
    {
        return std::nullopt;
    }
    return PortChoice{m_path.plane, m_path.anyPlane};
}

bool
Requestor::ChoosePath(const PortRequest& ports,
                      uint64_t number,
                      const PostedMessage& message,
                      const Connection& connection)
{
    const PathRequest request{ports.planes,
                              ports.free,
                              message.GetPayload(number, connection.mtu),
                              connection.GetClass(),
                              number,
                              uint64_t{m_window} * connection.mtu,
                              ports.now};
    const std::optional<PathChoice> choice = m_balancer->Choose(request);
    m_hasPath = choice.has_value();
    NS_ABORT_MSG_IF(!choice && ports.planes == 1,
                    m_balancer->GetInstanceTypeId().GetName()
                        << "::Choose() gave no path; the NIC has one port, so there is no other to "
                           "wait for");
    if (choice)
    {
        m_path = *choice;
    }
    return m_hasPath;
}

Requestor::Departure
Requestor::TakeNext(int64_t start, const Connection& connection)
{
    LossRecovery& recovery = *connection.recovery;
    const uint64_t sent = recovery.GetSent();
    const auto [number, repair] = recovery.TakeNext(start);
    const PostedMessage& message = m_ledger.Find(number);
    if (!m_hasPath)
    {
        ChoosePath({1, 1, start}, number, message, connection);
    }
    m_hasPath = false;
    const uint32_t entropy = m_path.entropy;
    const bool isAgain = number < sent && !repair;
    if (repair)
    {
        ++m_counters.repairs;
    }
    else
    {
        m_timer.PacketSent(start, number == recovery.GetUnacknowledged());
        m_paths.Note(number, entropy);
    }
    if (m_timesPackets)
    {
        m_packetTimers->Start(start, entropy, repair ? message.GetEnd() - 1 : number);
    }
    if (m_tellsSent)
    {
        m_control->PacketSent(message.GetPayload(number, connection.mtu), start);
        UpdateControl(connection);
    }
    m_counters.retransmissions += isAgain ? 1 : 0;
    return {number, repair, &message, entropy, isAgain};
}

void
Requestor::Charge(int64_t start, uint32_t bytes)
{
    m_nextTime = start + Pacing::Spread(bytes, m_stepsPerByte);
}

bool
Requestor::AckReceived(const AckReport& report, const Connection& connection, int64_t now)
{
    LossRecovery& recovery = *connection.recovery;
    int64_t last = PsnWindow::Unwrap(report.psn, recovery.GetUnacknowledged());
    connection.CheckNumber(last, report.psn);
    last -= report.probe == 0 ? 0 : 1; // a probe names the first packet that is missing
    News news = UpdateLedger(recovery.AckReceived(report), last, report.messages, connection);
    if (report.receivedBytes > 0)
    {
        news.bytes = report.receivedBytes - std::min(report.receivedBytes, m_receivedBytes);
        m_receivedBytes += news.bytes;
    }
    if (report.probe != 0)
    {
        AnswerProbe(report, connection, now, news.feedback.lost);
    }
    StopPacketTimers(report, recovery);
    if (m_deaggregates && last >= 0)
    {
        ReportPaths(report, last, recovery, now);
    }
    else
    {
        m_balancer->Feedback(report.entropy, ToEvent(report), now - report.sentAt, now);
    }
    const bool isChanged = Acknowledge(news.bytes, report, now);
    ReportLost(news.feedback.lost, LossReason::GAP, connection.mtu, now);
    if (isChanged || !news.feedback.lost.empty())
    {
        UpdateControl(connection);
    }
    return NoteProgress(news.feedback.news, now);
}

void
Requestor::AnswerProbe(const AckReport& report,
                       const Connection& connection,
                       int64_t now,
                       std::vector<uint64_t>& lost)
{
    const std::vector<uint64_t> more = connection.recovery->ProbeAnswered(report, now);
    lost.insert(lost.end(), more.begin(), more.end());
}

bool
Requestor::NackReceived(const NackReport& report, const Connection& connection, int64_t now)
{
    LossRecovery& recovery = *connection.recovery;
    const int64_t expected = PsnWindow::Unwrap(report.psn, recovery.GetUnacknowledged());
    connection.CheckNumber(expected, report.psn);
    const News news =
        UpdateLedger(recovery.NackReceived(report), expected - 1, report.messages, connection);
    StopPacketTimers(report, recovery);
    if (m_deaggregates)
    {
        ReportGood(m_deaggregator->Take(recovery.GetUnacknowledged()), now);
    }
    ++m_counters.naksReceived;
    if (news.feedback.news > 0)
    {
        Acknowledge(news.bytes, {report}, now);
    }
    ReportLost(news.feedback.lost, ToReason(report.reason), connection.mtu, now, report.sentAt);
    UpdateControl(connection);
    return NoteProgress(news.feedback.news, now);
}

Requestor::News
Requestor::UpdateLedger(LossRecovery::Feedback feedback,
                        uint64_t last,
                        uint32_t msn,
                        const Connection& connection)
{
    uint64_t bytes =
        feedback.news > 0 ? feedback.news * connection.mtu - m_ledger.TakeUnfilled(last) : 0;
    if (const PostedMessage* message = m_ledger.Confirm(msn))
    {
        const auto more = connection.recovery->MessagesReceived(message->GetEnd());
        bytes += more.news * connection.mtu;
        feedback.news += more.news;
        feedback.lost.insert(feedback.lost.end(), more.lost.begin(), more.lost.end());
    }
    bytes -= m_ledger.TakeUnfilledBefore(connection.recovery->GetUnacknowledged());
    return {std::move(feedback), bytes};
}

void
Requestor::ReportPaths(const AckReport& report,
                       uint64_t trigger,
                       const LossRecovery& recovery,
                       int64_t now)
{
    std::vector<uint64_t> before =
        m_deaggregator->Take(recovery.GetUnacknowledged(), recovery.GetSent(), trigger, report);
    const auto middle = std::lower_bound(before.begin(), before.end(), trigger);
    const std::vector<uint64_t> after(middle, before.end());
    before.erase(middle, before.end());
    ReportGood(before, now);
    m_balancer->Feedback(report.entropy, ToEvent(report), now - report.sentAt, now);
    ReportGood(after, now);
}

void
Requestor::ReportGood(const std::vector<uint64_t>& numbers, int64_t now)
{
    for (const uint64_t number : numbers)
    {
        m_balancer->Feedback(m_paths.Get(number), PathEvent::GOOD, 0, now);
    }
}

void
Requestor::StopPacketTimers(const ResponderReport& report, const LossRecovery& recovery)
{
    if (m_timesPackets)
    {
        const uint64_t unacknowledged = recovery.GetUnacknowledged();
        m_packetTimers->Stop(report.sentAt,
                             report.entropy,
                             PsnWindow::Unwrap(report.psn, unacknowledged));
        m_packetTimers->Acknowledge(unacknowledged);
    }
}

bool
Requestor::Acknowledge(uint64_t bytes, const AckReport& report, int64_t now)
{
    const bool isChanged =
        m_control->Acknowledged(std::min<uint64_t>(bytes, UINT32_MAX), report, now);
    if (m_isTraced)
    {
        m_traces->AddRtt(PicoSeconds(now - report.sentAt));
    }
    return isChanged || m_isTraced; // who has just connected to a trace source wants the values
}

void
Requestor::ReportLost(const std::vector<uint64_t>& lost,
                      LossReason reason,
                      uint32_t mtu,
                      int64_t now,
                      int64_t sentAt)
{
    const PathEvent event = ToEvent(reason);
    for (const uint64_t number : lost)
    {
        m_balancer->Feedback(m_paths.Get(number), event, 0, now);
    }
    if (!lost.empty())
    {
        m_control->Lost({lost.size() * mtu, reason, sentAt}, now);
    }
}

bool
Requestor::CanSendSpecially(const LossRecovery& recovery) const
{
    if (m_failed || !recovery.HasNext(m_posted) || (m_usesCredits && m_control->GetCredit() == 0))
    {
        return false;
    }
    return (m_followsWindow && recovery.IgnoresWindow()) ||
           (m_shared ? m_shared->MaySend(recovery) : recovery.GetOutstanding() < m_window);
}

bool
Requestor::IsStarved(const LossRecovery& recovery) const
{
    return m_usesCredits && !m_failed && recovery.HasNext(m_posted) && m_control->GetCredit() == 0;
}

void
Requestor::UpdateIsOrdinary()
{
    m_isOrdinary = !m_failed && !m_followsWindow && !m_usesCredits && !m_shared;
}

void
Requestor::Share(Ptr<SharedControl> shared, const Connection& connection)
{
    m_shared = shared;
    m_control = shared;
    UpdateIsOrdinary();
    UpdateControl(connection);
}

void
Requestor::CreditReceived(uint64_t credit, const Connection& connection, int64_t now)
{
    if (m_control->CreditReceived(credit, now))
    {
        m_timer.Acknowledged(now);
        UpdateControl(connection);
    }
}

CreditDemand
Requestor::GetDemand(const Connection& connection) const
{
    return m_control->GetDemand(connection.recovery->CountWaiting(m_posted) * connection.mtu);
}

void
Requestor::CnpReceived(const Connection& connection, int64_t now)
{
    m_control->CnpReceived(now);
    UpdateControl(connection);
}

bool
Requestor::NoteProgress(uint64_t news, int64_t now)
{
    if (news > 0)
    {
        m_timer.Acknowledged(now);
    }
    return news > 0;
}

void
Requestor::LossReported(uint32_t psn, uint32_t entropy, const Connection& connection, int64_t now)
{
    if (connection.recovery->LossReported(psn))
    {
        m_balancer->Feedback(entropy, PathEvent::LOST, 0, now);
        m_control->Lost({connection.mtu, LossReason::GAP}, now);
        UpdateControl(connection);
    }
}

std::optional<PostedMessage>
Requestor::TakeCompleted(uint64_t acknowledged, const Connection& connection)
{
    if (!m_ledger.IsFirstDone(acknowledged))
    {
        if (m_ledger.IsEmpty() && m_timesPackets)
        {
            m_packetTimers->StopAll();
        }
        return std::nullopt;
    }
    NS_ABORT_MSG_IF(!m_ledger.IsFirstConfirmed(),
                    "QueuePair: host " << connection.peerHost
                                       << " acknowledged all packets of a message of host "
                                       << connection.nic->GetHost()
                                       << " and has not got it whole; FirstPsn has to be the "
                                          "same at both ends");
    return m_ledger.Complete();
}

void
Requestor::ControlChanged(const Connection& connection)
{
    UpdateControl(connection);
}

void
Requestor::PortsChanged(uint32_t local)
{
    m_balancer->PortsChanged(local, ALL_PORTS);
}

void
Requestor::LineRateChanged(DataRate lineRate, const Connection& connection)
{
    m_control->LineRateChanged(lineRate);
    UpdateControl(connection);
}

void
Requestor::UpdateControl(const Connection& connection)
{
    const uint64_t window = m_control->GetWindow();
    const DataRate rate = m_control->GetRate();
    m_window = std::clamp<uint64_t>(window / connection.mtu, 1, UINT32_MAX);
    m_stepsPerByte = connection.nic->GetPacing(rate);
    if (m_followsWindow)
    {
        connection.recovery->WindowChanged(m_window);
    }
    if (m_isTraced)
    {
        m_traces->Update(window, rate);
    }
}

ControlTraces&
Requestor::ObserveControl()
{
    if (!m_traces)
    {
        m_traces = std::make_unique<ControlTraces>();
        m_isTraced = true;
    }
    return *m_traces;
}

Requestor::TimerCheck
Requestor::CheckTimer(const Connection& connection, int64_t now)
{
    LossRecovery& recovery = *connection.recovery;
    if (recovery.GetOutstanding() == 0 && !IsStarved(recovery))
    {
        m_timer.Restart(now); // it waits for its turn, and not for an acknowledgement or credit
    }
    const std::vector<uint64_t> lost = recovery.ExpireSentUntil(now - m_timer.GetTimeout(limits));
    if (!lost.empty())
    {
        m_counters.timeouts += m_timesEach ? lost.size() : 0;
        const LossReason reason = m_timesEach ? LossReason::PACKET_TIMEOUT : LossReason::GAP;
        ReportLost(lost, reason, connection.mtu, now);
        UpdateControl(connection);
    }
    const bool isInVain = m_timer.IsInVain(now, limits);
    return {m_timer.GetDue(limits) <= now || isInVain, isInVain, !lost.empty()};
}

uint32_t
Requestor::CountTimeout(bool isInVain, int64_t now)
{
    m_counters.timeouts += m_timesEach ? 0 : 1; // CheckTimer() has counted the packets
    const uint32_t retries = m_timer.Expire(now);
    m_failed = retries > limits.retries || isInVain;
    UpdateIsOrdinary();
    return retries;
}

void
Requestor::TimerExpired(const Connection& connection, int64_t now)
{
    const uint64_t unacknowledged = connection.recovery->GetOutstanding() * connection.mtu;
    connection.recovery->TimerExpired();
    if (m_timesEach)
    {
        return; // CheckTimer() has reported the packets
    }
    m_control->Lost({unacknowledged, LossReason::TIMEOUT}, now);
    m_balancer->Feedback(m_paths.GetOldest(), PathEvent::TIMED_OUT, 0, now);
    UpdateControl(connection);
}

int64_t
Requestor::GetTimerDue(const LossRecovery& recovery) const
{
    const int64_t timeout = m_timer.GetTimeout(limits);
    return std::min(m_timer.GetDue(limits) - timeout, recovery.GetOldestStart()) + timeout;
}

int64_t
Requestor::GetPacketTimerDue() const
{
    return m_timesPackets ? m_packetTimers->GetNextExpiry() : NEVER;
}

void
Requestor::CheckPacketTimers(int64_t now)
{
    for (const uint32_t entropy : m_packetTimers->Expire(now))
    {
        m_balancer->Feedback(entropy, PathEvent::OVERDUE, 0, now);
    }
}

int64_t
Requestor::GetProbeDue(const LossRecovery& recovery) const
{
    return recovery.GetProbeDue(m_timer.GetStart(), !recovery.HasNext(m_posted));
}

int64_t
Requestor::GetProbeCheck(const LossRecovery& recovery, int64_t now) const
{
    const int64_t earliest = recovery.GetProbeDue(m_timer.GetStart(), true);
    return earliest > now ? earliest : GetProbeDue(recovery);
}

void
Requestor::Count(PolicyCounters& counters, bool countsControl) const
{
    m_balancer->Count(counters);
    if (countsControl)
    {
        m_control->Count(counters);
    }
    if (m_timesPackets)
    {
        counters["packet_timeouts"] += m_packetTimers->GetExpirations();
    }
}

void
Requestor::Dispose()
{
    m_isTraced = false;
    m_traces.reset();
    m_ledger = {};
    for (const Ptr<Object>& policy : {Ptr<Object>(m_control), Ptr<Object>(m_balancer)})
    {
        if (policy)
        {
            policy->Dispose();
        }
    }
    m_control = nullptr;
    m_shared = nullptr;
    m_balancer = nullptr;
}

} // namespace aifabric
} // namespace ns3
