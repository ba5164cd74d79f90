/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "responder.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

ReceivingEnd::Verdict
Responder::Receive(const Arrival& arrival, const Connection& connection)
{
    ReceivingEnd& recovery = *connection.recovery;
    const uint64_t expected = recovery.GetExpected();
    const int64_t number = PsnWindow::Unwrap(arrival.psn, expected);
    connection.CheckNumber(number, arrival.psn);
    ReceivingEnd::Verdict verdict =
        arrival.repair ? recovery.RepairReceived(arrival.psn,
                                                 connection.CountPackets(arrival.announced->length),
                                                 arrival.repair)
                       : recovery.PacketReceived(arrival.psn);
    m_counters.marked += arrival.isMarked;
    if (number != static_cast<int64_t>(expected))
    {
        ++m_counters.outOfSequence;
    }
    if (!verdict.accepted)
    {
        const bool isDuplicate =
            number < static_cast<int64_t>(expected) || verdict.answer == ReceivingEnd::Answer::ACK;
        m_counters.duplicates += isDuplicate;
        ++m_counters.packetsDiscarded;
        m_unreported = 0;
        return verdict;
    }
    ++m_counters.packetsAccepted;
    m_counters.bytesAccepted += arrival.payload;
    m_counters.maxReordering =
        std::max<uint64_t>(m_counters.maxReordering, verdict.number - expected);
    if (arrival.announced)
    {
        const uint64_t first = number - arrival.offset;
        const uint64_t end = first + connection.CountPackets(arrival.announced->length);
        m_arrivals.Announce({end, arrival.announced->length, arrival.announced->remoteKey});
    }
    if (!m_acksEach && verdict.answer == ReceivingEnd::Answer::ACK)
    {
        const uint64_t accepted = m_counters.packetsAccepted;
        const bool isInOrder = number == static_cast<int64_t>(expected);
        const bool isDue = IsAckDue(arrival,
                                    isInOrder,
                                    {accepted - 1 - expected, accepted - recovery.GetExpected()});
        verdict.answer = isDue ? ReceivingEnd::Answer::ACK : ReceivingEnd::Answer::NONE;
    }
    return verdict;
}

ReceivingEnd::Verdict
Responder::ReceiveTrimmed(uint32_t psn, const Connection& connection)
{
    ReceivingEnd& recovery = *connection.recovery;
    connection.CheckNumber(PsnWindow::Unwrap(psn, recovery.GetExpected()), psn);
    const ReceivingEnd::Verdict verdict = recovery.TrimmedReceived(psn);
    m_unreported = verdict.answer == ReceivingEnd::Answer::ACK ? 0 : m_unreported;
    return verdict;
}

void
Responder::FillReport(AckReport& report, const ReceivingEnd& recovery) const
{
    constexpr uint64_t BITS = 64; // of the bitmap
    const uint64_t expected = recovery.GetExpected();
    const uint64_t trigger = PsnWindow::Unwrap(report.psn, expected);
    report.cumulativePsn = expected & PsnWindow::PSN_MASK;
    report.receivedBytes = m_counters.bytesAccepted;
    report.outOfOrder = m_counters.packetsAccepted - expected;
    recovery.FillReport(report, std::max(expected, trigger + 1 - std::min(trigger + 1, BITS)));
}

bool
Responder::IsAckDue(const Arrival& arrival, bool isInOrder, const uint64_t (&outOfOrder)[2])
{
    m_unreported += std::max(arrival.payload + arrival.headers, m_leastCount);
    m_isAsked = (m_isAsked || arrival.isRequested) && (outOfOrder[0] > 0 || outOfOrder[1] > 0);
    const bool isDue = m_ackPolicy->IsDue({m_unreported,
                                           isInOrder,
                                           arrival.isMarked,
                                           arrival.isRequested,
                                           m_counters.packetsAccepted == 1,
                                           m_isAsked && outOfOrder[1] == 0});
    m_unreported = isDue ? 0 : m_unreported;
    m_isAsked = m_isAsked && outOfOrder[1] > 0;
    return isDue;
}

void
Responder::SetAckPolicy(const Ptr<AckPolicy>& policy)
{
    m_ackPolicy = policy;
    m_acksEach = !policy || policy->IsEach();
    m_leastWindow = policy ? policy->GetLeastWindow() : 0;
    m_leastCount = policy ? policy->GetLeastCount() : 0;
}

std::optional<ArrivingMessage>
Responder::TakeReceived(const ReceivingEnd& recovery)
{
    if (m_arrivals.IsEmpty() || !m_arrivals.IsFirstWhole(recovery.GetExpected()))
    {
        return std::nullopt;
    }
    ++m_counters.messages;
    return m_arrivals.TakeFirst();
}

} // namespace aifabric
} // namespace ns3
