/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "requestor.h"

#include "roce-net-device.h"

#include "ns3/abort.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

namespace
{

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

/// A probe is answered.  @param recovery of the queue pair  @param report the answer
/// @param [in,out] lost packets that are lost
[[gnu::noinline]] void
AddProbeAnswer(LossRecovery& recovery,
               const AckReport& report,
               int64_t now,
               std::vector<uint64_t>& lost)
{
    const std::vector<uint64_t> more = recovery.ProbeAnswered(report, now);
    lost.insert(lost.end(), more.begin(), more.end());
}

} // namespace

Requestor::Requestor(const Requestor& other)
    : m_sendWindow(other.m_sendWindow),
      m_paths(other.m_paths),
      limits(other.limits)
{
    SetRearmsOnSend(other.RearmsOnSend());
}

void
Requestor::Start(const Connection& connection, int64_t stream)
{
    const FabricFacts facts = connection.nic->GetFacts(connection.mtu);
    m_timer.SetBacksOff(connection.recovery->GetTraits().backsOff);
    m_sendWindow.SetFollowed(connection.recovery->Start(facts));
    m_paths.Start(facts, stream);
    m_sendWindow.Start(facts, connection);
}

void
Requestor::Renew(const Connection& connection, uint16_t sourcePort)
{
    const FabricFacts facts = connection.nic->GetFacts(connection.mtu);
    m_paths.Renew(facts, connection, sourcePort);
    m_sendWindow.Renew(facts, connection); // if it had failed, the answer came after all
    m_timer.ResetRetries();
}

void
Requestor::Post(uint32_t bytes,
                uint32_t key,
                uint64_t turn,
                const Connection& connection,
                uint32_t asked)
{
    const uint64_t packets = connection.CountPackets(bytes);
    const auto unfilled = static_cast<uint32_t>(packets * connection.mtu - bytes);
    PostedMessage message(m_posted, turn, packets, asked > 0 ? asked : bytes, unfilled, key);
    message.isRequest = asked > 0;
    m_ledger.Post(message);
    connection.recovery->MessagePosted(m_posted, packets);
    m_posted += packets;
}

inline PathRequest
Requestor::MakeRequest(const PortRequest& ports,
                       uint64_t number,
                       uint32_t payload,
                       const Connection& connection) const
{
    const uint64_t window = uint64_t{m_sendWindow.GetPackets()} * connection.mtu;
    return {ports.planes, ports.free, payload, connection.GetClass(), number, window, ports.now};
}

std::optional<PortChoice>
Requestor::ChoosePort(const PortRequest& ports, const Connection& connection)
{
    m_paths.UpdatePeerPorts(connection);
    const uint64_t number = connection.recovery->GetNext();
    const uint32_t payload = m_ledger.Find(number).GetPayload(number, connection.mtu);
    if (!m_paths.Choose(MakeRequest(ports, number, payload, connection)))
    {
        return std::nullopt;
    }
    return PortChoice{m_paths.GetPath().plane, m_paths.GetPath().anyPlane};
}

Requestor::Departure
Requestor::TakeNext(int64_t start, const Connection& connection)
{
    LossRecovery& recovery = *connection.recovery;
    const uint64_t sent = recovery.GetSent();
    const auto [number, repair] = recovery.TakeNext(start);
    const PostedMessage& message = m_ledger.Find(number);
    const uint32_t payload = message.GetPayload(number, connection.mtu);
    if (!m_paths.HasPath())
    {
        m_paths.Choose(MakeRequest({1, 1, start}, number, payload, connection));
    }
    const uint32_t entropy = m_paths.Take();
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
    m_paths.StartTimer(start, entropy, repair ? message.GetEnd() - 1 : number);
    m_sendWindow.PacketSent(payload, start, connection);
    if (isAgain)
    {
        ++m_counters.retransmissions;
    }
    return {number, repair, &message, entropy, isAgain};
}

bool
Requestor::AckReceived(const AckReport& report, const Connection& connection, int64_t now)
{
    LossRecovery& recovery = *connection.recovery;
    int64_t last = PsnWindow::Unwrap(report.psn, recovery.GetUnacknowledged());
    connection.CheckNumber(last, report.psn);
    last -= report.probe == 0 ? 0 : 1; // a probe names the first packet that is missing
    Acknowledgement acked =
        UpdateLedger(recovery.AckReceived(report), last, report.messages, connection);
    if (report.receivedBytes > 0)
    {
        acked.bytes = report.receivedBytes - std::min(report.receivedBytes, m_receivedBytes);
        m_receivedBytes += acked.bytes;
    }
    if (report.probe != 0)
    {
        m_awaitsReport = m_awaitsReport && report.sentAt < m_requestedAt; // else it was lost
        AddProbeAnswer(recovery, report, now, acked.feedback.lost);
    }
    m_paths.Acknowledged(report, last, recovery, now);
    const bool isChanged = m_sendWindow.Acknowledged(acked.bytes, report, now);
    ReportLost(acked.feedback.lost, LossReason::GAP, connection, now);
    if (isChanged || !acked.feedback.lost.empty())
    {
        m_sendWindow.Update(connection);
    }
    return NoteProgress(acked.feedback.newlyAcked, now);
}

bool
Requestor::NackReceived(const NackReport& report, const Connection& connection, int64_t now)
{
    LossRecovery& recovery = *connection.recovery;
    const int64_t expected = PsnWindow::Unwrap(report.psn, recovery.GetUnacknowledged());
    connection.CheckNumber(expected, report.psn);
    const Acknowledgement acked =
        UpdateLedger(recovery.NackReceived(report), expected - 1, report.messages, connection);
    m_paths.Refused(report, recovery, now);
    ++m_counters.naksReceived;
    if (acked.feedback.newlyAcked > 0)
    {
        m_sendWindow.Acknowledged(acked.bytes, {report}, now);
    }
    ReportLost(acked.feedback.lost, ToReason(report.reason), connection, now, report);
    m_sendWindow.Update(connection);
    return NoteProgress(acked.feedback.newlyAcked, now);
}

Requestor::Acknowledgement
Requestor::UpdateLedger(LossRecovery::Feedback feedback,
                        uint64_t last,
                        uint32_t msn,
                        const Connection& connection)
{
    uint64_t bytes = feedback.newlyAcked > 0
                         ? feedback.newlyAcked * connection.mtu - m_ledger.TakeUnfilled(last)
                         : 0;
    if (const PostedMessage* message = m_ledger.Confirm(msn))
    {
        const auto more = connection.recovery->MessagesReceived(message->GetEnd());
        bytes += more.newlyAcked * connection.mtu;
        feedback.newlyAcked += more.newlyAcked;
        feedback.lost.insert(feedback.lost.end(), more.lost.begin(), more.lost.end());
    }
    bytes -= m_ledger.TakeUnfilledBefore(connection.recovery->GetUnacknowledged());
    return {std::move(feedback), bytes};
}

void
Requestor::ReportLost(const std::vector<uint64_t>& lost,
                      LossReason reason,
                      const Connection& connection,
                      int64_t now,
                      const NackReport& refusal)
{
    if (!lost.empty())
    {
        m_paths.Lost(lost, reason, refusal.marked, *connection.recovery, now);
        m_sendWindow.GetControl()->Lost({lost.size() * connection.mtu, reason, refusal.sentAt},
                                        now);
    }
}

void
Requestor::CreditReceived(uint64_t credit, const Connection& connection, int64_t now)
{
    if (m_sendWindow.CreditReceived(credit, connection, now))
    {
        m_timer.Restart(now); // credit alone is no progress: nothing may ever be acknowledged
    }
}

uint64_t
Requestor::CountOnTheWay(const Connection& connection) const
{
    const LossRecovery& recovery = *connection.recovery;
    const uint64_t outstanding = recovery.GetOutstanding();
    const uint64_t acknowledged = m_posted - recovery.CountWaiting(m_posted) - outstanding;
    const uint64_t received = m_receivedBytes / connection.mtu; // a short packet counts as less
    return outstanding - std::min(outstanding, received - std::min(received, acknowledged));
}

bool
Requestor::TakeReportRequest(uint32_t least, const Connection& connection, int64_t now)
{
    const LossRecovery& recovery = *connection.recovery;
    const auto first = static_cast<uint32_t>(recovery.GetUnacknowledged());
    const bool hasUnasked = static_cast<int32_t>(m_unaskedEnd - first) > 0;
    if (m_awaitsReport || !hasUnasked || recovery.GetOutstanding() == 0 || HasFailed() ||
        !recovery.HasNext(m_posted) || m_sendWindow.HasRoom(recovery) ||
        CountOnTheWay(connection) * connection.mtu >= least)
    {
        return false;
    }
    m_awaitsReport = true;
    m_requestedAt = now;
    ++m_counters.reportRequests;
    return true;
}

CreditDemand
Requestor::GetDemand(const Connection& connection) const
{
    return m_sendWindow.GetControl()->GetDemand(connection.recovery->CountWaiting(m_posted) *
                                                connection.mtu);
}

bool
Requestor::NoteProgress(uint64_t acked, int64_t now)
{
    if (acked > 0)
    {
        m_timer.Acknowledged(now);
    }
    return acked > 0;
}

void
Requestor::LossReported(uint32_t psn, uint32_t entropy, const Connection& connection, int64_t now)
{
    if (connection.recovery->LossReported(psn))
    {
        m_paths.Report(entropy, PathEvent::LOST, now);
        m_sendWindow.GetControl()->Lost({connection.mtu, LossReason::GAP}, now);
        m_sendWindow.Update(connection);
    }
}

std::optional<PostedMessage>
Requestor::TakeCompleted(uint64_t acknowledged, const Connection& connection)
{
    if (!m_ledger.IsFirstDone(acknowledged))
    {
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

Requestor::TimerCheck
Requestor::CheckTimer(const Connection& connection, int64_t now)
{
    LossRecovery& recovery = *connection.recovery;
    if (recovery.GetOutstanding() == 0 && !m_sendWindow.IsStarved(recovery, m_posted))
    {
        m_timer.Restart(now); // it waits for its turn, and not for an acknowledgement or credit
    }
    const std::vector<uint64_t> lost = recovery.ExpireSentUntil(now - m_timer.GetTimeout(limits));
    if (!lost.empty())
    {
        const bool timesEach = connection.recovery->GetTraits().timesEachPacket;
        m_counters.timeouts += timesEach ? lost.size() : 0;
        const LossReason reason = timesEach ? LossReason::PACKET_TIMEOUT : LossReason::GAP;
        ReportLost(lost, reason, connection, now);
        m_sendWindow.Update(connection);
    }
    const bool isInVain = m_timer.IsInVain(now, limits);
    const bool hasExpired = m_timer.GetDue(limits) <= now || isInVain;
    m_awaitsReport = m_awaitsReport && lost.empty() && !hasExpired; // it may be lost, too
    if (hasExpired && lost.empty() && connection.recovery->GetTraits().timesEachPacket &&
        m_sendWindow.IsStarved(recovery, m_posted))
    {
        ++m_counters.timeouts; // of no packet: it has waited for credit
    }
    return {hasExpired, isInVain, !lost.empty()};
}

uint32_t
Requestor::CountTimeout(bool isInVain, const Connection& connection, int64_t now)
{
    // CheckTimer() has counted the packets
    m_counters.timeouts += connection.recovery->GetTraits().timesEachPacket ? 0 : 1;
    const uint32_t retries = m_timer.Expire(now);
    m_sendWindow.SetFailed(m_timer.HasRunOut(now, limits) || isInVain);
    return retries;
}

void
Requestor::TimerExpired(const Connection& connection, int64_t now)
{
    const uint64_t unacknowledged = connection.recovery->GetOutstanding() * connection.mtu;
    connection.recovery->TimerExpired();
    if (connection.recovery->GetTraits().timesEachPacket)
    {
        return; // CheckTimer() has reported the packets
    }
    m_sendWindow.GetControl()->Lost({unacknowledged, LossReason::TIMEOUT}, now);
    m_paths.Report(m_paths.GetOldestEntropy(), PathEvent::TIMED_OUT, now);
    m_sendWindow.Update(connection);
}

int64_t
Requestor::GetTimerDue(const LossRecovery& recovery) const
{
    const int64_t timeout = m_timer.GetTimeout(limits);
    return std::min(m_timer.GetDue(limits) - timeout, recovery.GetOldestStart()) + timeout;
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
    m_paths.Count(counters);
    if (countsControl)
    {
        m_sendWindow.GetControl()->Count(counters);
    }
}

void
Requestor::Describe(std::ostream& os, const Connection& connection) const
{
    const LossRecovery& recovery = *connection.recovery;
    const RoceNetDevice& nic = *connection.nic;
    os << "to host-" << connection.peerHost << ": " << recovery.GetUnacknowledged() << " of "
       << m_posted << " packets acknowledged, ";
    if (HasFailed())
    {
        os << "has given up after " << m_counters.timeouts << " timeouts, "
           << m_counters.retransmissions << " packets sent again";
        return;
    }
    if (m_sendWindow.IsStarved(recovery, m_posted))
    {
        os << "waits for credit of the receiver and for acknowledgements of "
           << recovery.GetOutstanding() << " packets, or for its timer";
    }
    else if (!CanSend(recovery))
    {
        os << (recovery.HasNext(m_posted) ? "its window is full; " : "")
           << "waits for acknowledgements of " << recovery.GetOutstanding()
           << " packets or for its timer";
    }
    else if (nic.IsPaused(connection.GetClass()))
    {
        os << "its port is paused";
    }
    else
    {
        os << (m_counters.retransmissions > 0 ? "sends again what is lost"
                                              : "waits for its rate or its turn at the port");
    }
    os << "; " << m_counters.retransmissions << " packets sent again, " << m_counters.timeouts
       << " timeouts so far" << (nic.IsLinkUp() ? "" : "; its link is dead");
}

void
Requestor::Dispose()
{
    m_ledger = {};
    m_sendWindow.Dispose();
    m_paths.Dispose();
}

} // namespace aifabric
} // namespace ns3
