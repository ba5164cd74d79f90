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

LossRecovery::Verdict
Responder::Receive(const Arrival& arrival, const Connection& connection)
{
    LossRecovery& recovery = *connection.recovery;
    const uint64_t expected = recovery.GetExpected();
    const int64_t number = PsnWindow::Unwrap(arrival.psn, expected);
    connection.CheckNumber(number, arrival.psn);
    LossRecovery::Verdict verdict =
        arrival.repair ? recovery.RepairReceived(arrival.psn,
                                                 connection.CountPackets(arrival.announced->length),
                                                 arrival.repair)
                       : recovery.PacketReceived(arrival.psn);
    if (number != static_cast<int64_t>(expected))
    {
        ++m_counters.outOfSequence;
    }
    if (!verdict.accepted)
    {
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
        const uint64_t end = number + connection.CountPackets(arrival.announced->length);
        m_arrivals.Announce({end, arrival.announced->length, arrival.announced->remoteKey});
    }
    if (!m_acksEach && verdict.answer == LossRecovery::Answer::ACK &&
        !IsAckDue(arrival, number == static_cast<int64_t>(expected)))
    {
        verdict.answer = LossRecovery::Answer::NONE;
    }
    return verdict;
}

bool
Responder::IsAckDue(const Arrival& arrival, bool isInOrder)
{
    m_unreported += arrival.payload;
    const bool isDue =
        m_ackPolicy->IsDue({m_unreported, isInOrder, arrival.isMarked, arrival.isRequested});
    m_unreported = isDue ? 0 : m_unreported;
    return isDue;
}

void
Responder::SetAckPolicy(const Ptr<AckPolicy>& policy)
{
    m_ackPolicy = policy;
    m_acksEach = !policy || policy->IsEach();
}

std::optional<ArrivingMessage>
Responder::TakeReceived(const LossRecovery& recovery)
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
