/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "selective-recovery.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SelectiveRecovery);

TypeId
SelectiveRecovery::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::SelectiveRecovery")
                            .SetParent<LossRecovery>()
                            .SetGroupName("AiFabric");
    return tid;
}

bool
SelectiveRecovery::HasNext(uint64_t posted) const
{
    return m_sent < posted || HasLost();
}

uint64_t
SelectiveRecovery::GetNext() const
{
    return HasLost() ? *m_lost.begin() : m_sent;
}

LossRecovery::Departure
SelectiveRecovery::TakeNext(int64_t)
{
    const bool isNew = !HasLost();
    ++m_outstanding;
    if (isNew)
    {
        return {m_sent++};
    }
    return {m_lost.extract(m_lost.begin()).value()};
}

std::optional<uint64_t>
SelectiveRecovery::FindUnacknowledged(uint32_t psn) const
{
    const int64_t number = PsnWindow::Unwrap(psn, m_acked.GetBase());
    if (number < 0 || number >= static_cast<int64_t>(m_sent) || m_acked.Contains(number))
    {
        return std::nullopt;
    }
    return number;
}

bool
SelectiveRecovery::Acknowledge(uint64_t number)
{
    if (number >= m_sent || !m_acked.Insert(number))
    {
        return false;
    }
    m_outstanding -= HasLost() && m_lost.erase(number) ? 0 : 1;
    ++m_ackedCount;
    return true;
}

uint64_t
SelectiveRecovery::AcknowledgeBefore(uint64_t end)
{
    const bool hasLost = HasLost();
    const uint64_t fresh = m_acked.InsertBefore(std::min(end, m_sent));
    m_outstanding -= fresh;
    m_ackedCount += fresh;
    while (hasLost && !m_lost.empty() && *m_lost.begin() < end)
    {
        m_lost.erase(m_lost.begin());
        ++m_outstanding; // it was not
    }
    return fresh;
}

bool
SelectiveRecovery::Lose(uint64_t number)
{
    const bool isNew = m_lost.insert(number).second;
    m_outstanding -= isNew ? 1 : 0;
    return isNew;
}

LossRecovery::Feedback
SelectiveRecovery::AckReceived(const AckReport& report)
{
    const int64_t number = PsnWindow::Unwrap(report.psn, m_acked.GetBase());
    return {number >= 0 && Acknowledge(number) ? 1U : 0U, {}};
}

void
SelectiveRecovery::TimerExpired()
{
    for (uint64_t number = m_acked.GetBase(); number < m_sent; ++number)
    {
        if (!m_acked.Contains(number))
        {
            Lose(number);
        }
    }
}

uint64_t
SelectiveRecovery::GetOutstanding() const
{
    return m_outstanding;
}

uint64_t
SelectiveRecovery::GetUnacknowledged() const
{
    return m_acked.GetBase();
}

uint64_t
SelectiveRecovery::GetSent() const
{
    return m_sent;
}

uint64_t
SelectiveRecovery::CountWaiting(uint64_t posted) const
{
    return posted - m_ackedCount - m_outstanding;
}

LossRecovery::Verdict
SelectiveRecovery::PacketReceived(uint32_t psn)
{
    const int64_t number = PsnWindow::Unwrap(psn, m_received.GetBase());
    if (number < 0)
    {
        return {false, Answer::NONE, 0};
    }
    return {m_received.Insert(number), Answer::ACK, static_cast<uint64_t>(number)};
}

uint64_t
SelectiveRecovery::GetExpected() const
{
    return m_received.GetBase();
}

} // namespace aifabric
} // namespace ns3
