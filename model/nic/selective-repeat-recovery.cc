/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "selective-repeat-recovery.h"

#include "ns3/boolean.h"
#include "ns3/fork-object.h"

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(SelectiveRepeatRecovery);

namespace
{

constexpr int64_t LOST = -1; //!< instead of the start of a packet that waits to be sent again

} // namespace

TypeId
SelectiveRepeatRecovery::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::SelectiveRepeatRecovery")
            .SetParent<SelectiveRecovery>()
            .SetGroupName("AiFabric")
            .AddConstructor<SelectiveRepeatRecovery>()
            .AddAttribute("BackOff",
                          "Whether each expiration of the timer doubles AckTimeout until something "
                          "is acknowledged.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&SelectiveRepeatRecovery::m_backsOff),
                          MakeBooleanChecker());
    return tid;
}

LossRecovery::Departure
SelectiveRepeatRecovery::TakeNext(int64_t start)
{
    const Departure departure = SelectiveRecovery::TakeNext(start);
    m_order.push_back(Transmission{departure.number, start});
    const uint64_t index = departure.number - m_startsFirst;
    if (index == m_starts.size())
    {
        m_starts.push_back(start);
    }
    else
    {
        m_starts[index] = start;
    }
    return departure;
}

LossRecovery::Feedback
SelectiveRepeatRecovery::AckReceived(const AckReport& report)
{
    const uint64_t base = GetUnacknowledged();
    Feedback feedback = SelectiveRecovery::AckReceived(report);
    const auto acknowledge = [this, &feedback](uint64_t number) {
        if (number < GetSent() && !IsAcknowledged(number))
        {
            Acknowledge(number);
            ++feedback.news;
        }
    };
    const int64_t cumulative = PsnWindow::Unwrap(report.cumulativePsn, base);
    for (auto number = static_cast<int64_t>(base); number < cumulative; ++number)
    {
        acknowledge(number);
    }
    const int64_t first = PsnWindow::Unwrap(report.bitmapPsn, base);
    for (uint64_t bits = report.bitmap; bits != 0; bits &= bits - 1)
    {
        acknowledge(first + __builtin_ctzll(bits));
    }
    Sweep();
    return feedback;
}

LossRecovery::Feedback
SelectiveRepeatRecovery::NackReceived(const NackReport& report)
{
    const std::optional<uint64_t> number = FindUnacknowledged(report.psn);
    if (!number || m_starts[*number - m_startsFirst] != report.sentAt)
    {
        return {}; // of an earlier transmission, or one that is known to be lost
    }
    Lose(*number);
    m_starts[*number - m_startsFirst] = LOST;
    Sweep();
    return {0, {*number}};
}

bool
SelectiveRepeatRecovery::IsOutstanding(const Transmission& transmission) const
{
    return !IsAcknowledged(transmission.number) &&
           m_starts[transmission.number - m_startsFirst] == transmission.start;
}

void
SelectiveRepeatRecovery::Sweep()
{
    while (!m_order.empty() && !IsOutstanding(m_order.front()))
    {
        m_order.pop_front();
    }
    for (; m_startsFirst < GetUnacknowledged(); ++m_startsFirst)
    {
        m_starts.pop_front();
    }
}

std::vector<uint64_t>
SelectiveRepeatRecovery::ExpireSentUntil(int64_t since)
{
    std::vector<uint64_t> lost;
    while (!m_order.empty() && m_order.front().start <= since)
    {
        lost.push_back(m_order.pop_front().number);
        Lose(lost.back());
        m_starts[lost.back() - m_startsFirst] = LOST;
        Sweep();
    }
    return lost;
}

int64_t
SelectiveRepeatRecovery::GetOldestStart() const
{
    return m_order.empty() ? SelectiveRecovery::GetOldestStart() : m_order.front().start;
}

void
SelectiveRepeatRecovery::TimerExpired()
{
}

bool
SelectiveRepeatRecovery::NeedsReports() const
{
    return true;
}

bool
SelectiveRepeatRecovery::NeedsAckPerPacket() const
{
    return false;
}

bool
SelectiveRepeatRecovery::TimesEachPacket() const
{
    return true;
}

bool
SelectiveRepeatRecovery::BacksOff() const
{
    return m_backsOff;
}

LossRecovery::Verdict
SelectiveRepeatRecovery::TrimmedReceived(uint32_t psn)
{
    const int64_t number = PsnWindow::Unwrap(psn, GetExpected());
    if (number < 0)
    {
        return {false, Answer::NONE, 0};
    }
    return {false, HasReceived(number) ? Answer::ACK : Answer::NAK, static_cast<uint64_t>(number)};
}

void
SelectiveRepeatRecovery::FillReport(AckReport& report, uint64_t wanted) const
{
    report.bitmapPsn = wanted & PsnWindow::PSN_MASK;
    report.bitmap = GetReceivedBits(wanted);
}

Ptr<LossRecovery>
SelectiveRepeatRecovery::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
