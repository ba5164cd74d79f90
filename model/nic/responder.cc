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
    const LossRecovery::Verdict verdict =
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
    return verdict;
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
