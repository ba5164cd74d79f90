/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "oracle-recovery.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(OracleRecovery);

TypeId
OracleRecovery::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::OracleRecovery")
                            .SetParent<LossRecovery>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<OracleRecovery>();
    return tid;
}

bool
OracleRecovery::HasNext(uint64_t posted) const
{
    return m_sent < posted || !m_lost.empty();
}

uint64_t
OracleRecovery::TakeNext()
{
    if (m_lost.empty())
    {
        return m_sent++;
    }
    return m_lost.extract(m_lost.begin()).value();
}

bool
OracleRecovery::AckReceived(uint32_t psn)
{
    const int64_t number = PsnWindow::Unwrap(psn, m_acked.GetBase());
    if (number < 0 || number >= static_cast<int64_t>(m_sent) || !m_acked.Insert(number))
    {
        return false;
    }
    m_lost.erase(number);
    ++m_ackedCount;
    return true;
}

bool
OracleRecovery::NakReceived(uint32_t)
{
    return false; // the receiving end never sends one
}

bool
OracleRecovery::LossReported(uint32_t psn)
{
    const int64_t number = PsnWindow::Unwrap(psn, m_acked.GetBase());
    if (number < 0 || number >= static_cast<int64_t>(m_sent) || m_acked.Contains(number))
    {
        return false;
    }
    return m_lost.insert(number).second;
}

void
OracleRecovery::TimerExpired()
{
    for (uint64_t number = m_acked.GetBase(); number < m_sent; ++number)
    {
        if (!m_acked.Contains(number))
        {
            m_lost.insert(number);
        }
    }
}

uint64_t
OracleRecovery::GetOutstanding() const
{
    return m_sent - m_ackedCount - m_lost.size();
}

uint64_t
OracleRecovery::GetUnacknowledged() const
{
    return m_acked.GetBase();
}

uint64_t
OracleRecovery::GetSent() const
{
    return m_sent;
}

LossRecovery::Verdict
OracleRecovery::PacketReceived(uint32_t psn)
{
    const int64_t number = PsnWindow::Unwrap(psn, m_received.GetBase());
    if (number < 0)
    {
        return {false, Answer::NONE, 0};
    }
    return {m_received.Insert(number), Answer::ACK, static_cast<uint64_t>(number)};
}

uint64_t
OracleRecovery::GetExpected() const
{
    return m_received.GetBase();
}

} // namespace aifabric
} // namespace ns3
