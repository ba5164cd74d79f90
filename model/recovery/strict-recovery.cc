/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "strict-recovery.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(StrictRecovery);

TypeId
StrictRecovery::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::StrictRecovery")
                            .SetParent<LossRecovery>()
                            .SetGroupName("AiFabric")
                            .AddConstructor<StrictRecovery>();
    return tid;
}

void
StrictRecovery::MessagePosted(uint64_t first, uint64_t packets)
{
    m_posted.push_back(Block{first, first + packets, packets});
    m_postedEnd = first + packets;
}

bool
StrictRecovery::HasNext(uint64_t posted) const
{
    return m_acked.GetBase() < posted;
}

const StrictRecovery::Block&
StrictRecovery::NextRepaired() const
{
    const auto isMissing = [](const Block& block) { return block.missing > 0; };
    const auto isNext = [this](const Block& block) {
        return block.first >= m_turn && block.missing > 0;
    };
    const auto block = std::find_if(m_posted.begin(), m_posted.end(), isNext);
    return block != m_posted.end() ? *block
                                   : *std::find_if(m_posted.begin(), m_posted.end(), isMissing);
}

uint64_t
StrictRecovery::GetNext() const
{
    return m_sent < m_postedEnd ? m_sent : NextRepaired().first;
}

LossRecovery::Departure
StrictRecovery::TakeNext(int64_t)
{
    ++m_outstanding;
    if (m_sent < m_postedEnd)
    {
        return {m_sent++};
    }
    const Block& block = NextRepaired();
    m_turn = block.end;
    return {block.first, ++m_repairsSent};
}

StrictRecovery::Block*
StrictRecovery::Find(std::deque<Block>& blocks, uint64_t number)
{
    const auto after =
        std::upper_bound(blocks.begin(), blocks.end(), number, [](uint64_t n, const Block& block) {
            return n < block.first;
        });
    return after == blocks.begin() || number >= (after - 1)->end ? nullptr : &*(after - 1);
}

bool
StrictRecovery::Acknowledge(uint64_t number)
{
    if (!m_acked.Insert(number))
    {
        return false;
    }
    --Find(m_posted, number)->missing;
    while (!m_posted.empty() && m_posted.front().end <= m_acked.GetBase())
    {
        m_posted.pop_front();
    }
    return true;
}

LossRecovery::Feedback
StrictRecovery::AckReceived(const AckReport& report)
{
    m_outstanding -= std::min<uint64_t>(m_outstanding, 1);
    const int64_t number = PsnWindow::Unwrap(report.psn, m_acked.GetBase());
    const bool sent = number >= 0 && number < static_cast<int64_t>(m_sent);
    return {sent && Acknowledge(number) ? 1U : 0U, {}};
}

LossRecovery::Feedback
StrictRecovery::MessagesReceived(uint64_t end)
{
    uint64_t newlyAcked = 0;
    for (uint64_t number = m_acked.GetBase(); number < std::min(end, m_sent); ++number)
    {
        newlyAcked += Acknowledge(number) ? 1 : 0;
    }
    return {newlyAcked, {}};
}

void
StrictRecovery::TimerExpired()
{
    m_outstanding = 0;
}

uint64_t
StrictRecovery::GetOutstanding() const
{
    return m_outstanding;
}

uint64_t
StrictRecovery::GetUnacknowledged() const
{
    return m_acked.GetBase();
}

uint64_t
StrictRecovery::GetSent() const
{
    return m_sent;
}

LossRecovery::Verdict
StrictRecovery::PacketReceived(uint32_t psn)
{
    const int64_t signedNumber = PsnWindow::Unwrap(psn, m_received.GetBase());
    if (signedNumber < 0)
    {
        return {false, Answer::NONE, 0};
    }
    const auto number = static_cast<uint64_t>(signedNumber);
    if (m_received.Insert(number))
    {
        return {true, Answer::ACK, number};
    }
    if (m_borrowed.erase(number) == 0)
    {
        return {false, Answer::ACK, number}; // it came before
    }
    return FillFirstGap(Find(m_repaired, number), number);
}

LossRecovery::Verdict
StrictRecovery::RepairReceived(uint32_t psn, uint64_t packets, uint64_t repair)
{
    const int64_t signedNumber = PsnWindow::Unwrap(psn, m_received.GetBase());
    if (signedNumber < 0)
    {
        return {false, Answer::NONE, 0};
    }
    const auto first = static_cast<uint64_t>(signedNumber);
    if (first + packets <= m_received.GetBase() || !m_repairsReceived.Insert(repair - 1))
    {
        return {false, Answer::ACK, first};
    }
    if (!Find(m_repaired, first))
    {
        const auto after =
            std::find_if(m_repaired.begin(), m_repaired.end(), [first](const Block& block) {
                return block.first > first;
            });
        m_repaired.insert(after, Block{first, first + packets, 0});
    }
    return FillFirstGap(Find(m_repaired, first), first);
}

LossRecovery::Verdict
StrictRecovery::FillFirstGap(const Block* block, uint64_t number)
{
    if (!block)
    {
        return {false, Answer::ACK, number};
    }
    uint64_t place = std::max(block->first, m_received.GetBase());
    while (place < block->end && m_received.Contains(place))
    {
        ++place;
    }
    if (place >= block->end)
    {
        return {false, Answer::ACK, number};
    }
    m_received.Insert(place);
    m_borrowed.insert(place);
    while (!m_repaired.empty() && m_repaired.front().end <= m_received.GetBase())
    {
        m_borrowed.erase(m_borrowed.begin(), m_borrowed.lower_bound(m_repaired.front().end));
        m_repaired.pop_front();
    }
    return {true, Answer::ACK, place};
}

uint64_t
StrictRecovery::GetExpected() const
{
    return m_received.GetBase();
}

RecoveryTraits
StrictRecovery::GetTraits() const
{
    RecoveryTraits traits = LossRecovery::GetTraits();
    traits.sendsUntilAcked = true;
    traits.isIdeal = true;
    return traits;
}

} // namespace aifabric
} // namespace ns3
