/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "go-back-n-recovery.h"

#include "psn-window.h"

#include "ns3/fork-object.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(GoBackNRecovery);

TypeId
GoBackNRecovery::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::GoBackNRecovery")
                            .SetParent<LossRecovery>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<GoBackNRecovery>();
    return tid;
}

bool
GoBackNRecovery::HasNext(uint64_t posted) const
{
    return m_next < posted;
}

uint64_t
GoBackNRecovery::GetNext() const
{
    return m_next;
}

LossRecovery::Departure
GoBackNRecovery::TakeNext(int64_t)
{
    const uint64_t number = m_next++;
    m_sent = std::max(m_sent, m_next);
    return {number};
}

uint64_t
GoBackNRecovery::Acknowledge(int64_t number)
{
    if (number <= static_cast<int64_t>(m_unacknowledged) || number > static_cast<int64_t>(m_sent))
    {
        return 0;
    }
    const uint64_t packets = number - m_unacknowledged;
    m_unacknowledged = number;
    m_next = std::max(m_next, m_unacknowledged);
    return packets;
}

LossRecovery::Feedback
GoBackNRecovery::AckReceived(const AckReport& report)
{
    return {Acknowledge(PsnWindow::Unwrap(report.psn, m_unacknowledged) + 1), {}};
}

LossRecovery::Feedback
GoBackNRecovery::NackReceived(const NackReport& report)
{
    const int64_t expected = PsnWindow::Unwrap(report.psn, m_unacknowledged);
    const uint64_t newlyAcked = Acknowledge(expected);
    if (expected != static_cast<int64_t>(m_unacknowledged) || m_unacknowledged == m_sent)
    {
        return {newlyAcked, {}}; // an old one
    }
    m_next = m_unacknowledged;
    return {newlyAcked, {m_unacknowledged}};
}

void
GoBackNRecovery::TimerExpired()
{
    m_next = m_unacknowledged;
}

uint64_t
GoBackNRecovery::GetOutstanding() const
{
    return m_next - m_unacknowledged;
}

uint64_t
GoBackNRecovery::GetUnacknowledged() const
{
    return m_unacknowledged;
}

uint64_t
GoBackNRecovery::GetSent() const
{
    return m_sent;
}

LossRecovery::Verdict
GoBackNRecovery::PacketReceived(uint32_t psn)
{
    const int64_t number = PsnWindow::Unwrap(psn, m_expected);
    if (number == static_cast<int64_t>(m_expected))
    {
        m_nakSent = false;
        return {true, Answer::ACK, m_expected++};
    }
    if (number < static_cast<int64_t>(m_expected))
    {
        return {false, Answer::ACK, m_expected - 1}; // a duplicate: its acknowledgement was lost
    }
    const Answer answer = m_nakSent ? Answer::NONE : Answer::NAK;
    m_nakSent = true;
    return {false, answer, m_expected};
}

uint64_t
GoBackNRecovery::GetExpected() const
{
    return m_expected;
}

RecoveryTraits
GoBackNRecovery::GetTraits() const
{
    RecoveryTraits traits = LossRecovery::GetTraits();
    traits.needsAckPerPacket = false;
    return traits;
}

Ptr<LossRecovery>
GoBackNRecovery::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
