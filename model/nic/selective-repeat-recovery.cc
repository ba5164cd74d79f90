/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "selective-repeat-recovery.h"

#include "ns3/boolean.h"
#include "ns3/fork-object.h"
#include "ns3/uinteger.h"

#include <algorithm>

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
                          MakeBooleanChecker())
            .AddAttribute("OutOfOrderLimit",
                          "Packets that have come before a missing one by which that one is lost "
                          "(0: never). SLEEK has 1.5 windows, at least five packets.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&SelectiveRepeatRecovery::m_outOfOrderLimit),
                          MakeUintegerChecker<uint32_t>());
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
    if (m_outOfOrderLimit > 0)
    {
        feedback.lost = InferLosses(report.outOfOrder);
    }
    return feedback;
}

std::vector<uint64_t>
SelectiveRepeatRecovery::InferLosses(uint64_t outOfOrder)
{
    const uint64_t first = GetUnacknowledged();
    if (first >= m_suspectEnd)
    {
        if (outOfOrder < m_outOfOrderLimit || HasNext(0))
        {
            return {}; // no loss, or one that is known
        }
        m_suspectEnd = GetSent();
        m_inferredEnd = first;
    }
    const uint64_t share = std::max<uint64_t>(1, uint64_t{2} * m_outOfOrderLimit / 3);
    const uint64_t end = std::min(m_suspectEnd, first + share);
    std::vector<uint64_t> lost;
    for (uint64_t number = std::max(first, m_inferredEnd); number < end; ++number)
    {
        if (!IsAcknowledged(number) && MarkLost(number))
        {
            lost.push_back(number);
        }
    }
    m_inferredEnd = std::max(m_inferredEnd, end);
    m_inferred += lost.size();
    Sweep();
    return lost;
}

LossRecovery::Feedback
SelectiveRepeatRecovery::NackReceived(const NackReport& report)
{
    const std::optional<uint64_t> number = FindUnacknowledged(report.psn);
    if (!number || m_starts[*number - m_startsFirst] != report.sentAt)
    {
        return {}; // of an earlier transmission, or one that is known to be lost
    }
    MarkLost(*number);
    Sweep();
    return {0, {*number}};
}

bool
SelectiveRepeatRecovery::MarkLost(uint64_t number)
{
    m_starts[number - m_startsFirst] = LOST;
    return Lose(number);
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
        MarkLost(lost.back());
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

double
SelectiveRepeatRecovery::GetUsualTimeoutPs(double empty, double drain, double) const
{
    constexpr double LEAST_PS = 5e8; // NACKs tell of most losses
    return std::max({LEAST_PS, 3 * empty, empty + drain});
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

void
SelectiveRepeatRecovery::Count(PolicyCounters& counters) const
{
    if (m_outOfOrderLimit > 0)
    {
        counters["inferred_losses"] += m_inferred;
    }
}

Ptr<LossRecovery>
SelectiveRepeatRecovery::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
