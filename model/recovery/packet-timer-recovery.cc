/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "packet-timer-recovery.h"

#include "ns3/fork-object.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PacketTimerRecovery);

TypeId
PacketTimerRecovery::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::PacketTimerRecovery")
                            .SetParent<SelectiveRecovery>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<PacketTimerRecovery>();
    return tid;
}

LossRecovery::Departure
PacketTimerRecovery::TakeNext(int64_t start)
{
    const Departure departure = SelectiveRecovery::TakeNext(start);
    m_order.push_back(Transmission{departure.number, start});
    return departure;
}

LossRecovery::Feedback
PacketTimerRecovery::AckReceived(const AckReport& report)
{
    Feedback feedback = SelectiveRecovery::AckReceived(report);
    Sweep();
    return feedback;
}

void
PacketTimerRecovery::Sweep()
{
    while (!m_order.empty() && IsAcknowledged(m_order.front().number))
    {
        m_order.pop_front();
    }
}

std::vector<uint64_t>
PacketTimerRecovery::ExpireSentUntil(int64_t since)
{
    std::vector<uint64_t> lost;
    while (!m_order.empty() && m_order.front().start <= since)
    {
        lost.push_back(m_order.pop_front().number);
        Lose(lost.back());
        Sweep();
    }
    m_expirations += lost.size();
    return lost;
}

int64_t
PacketTimerRecovery::GetOldestStart() const
{
    return m_order.empty() ? SelectiveRecovery::GetOldestStart() : m_order.front().start;
}

void
PacketTimerRecovery::TimerExpired()
{
}

void
PacketTimerRecovery::Count(PolicyCounters& counters) const
{
    counters["packet_timer_expirations"] += m_expirations;
}

Ptr<LossRecovery>
PacketTimerRecovery::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
