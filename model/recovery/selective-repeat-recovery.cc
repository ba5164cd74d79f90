/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "selective-repeat-recovery.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/fabric-facts.h"
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
    static TypeId tid = AddSleekAttributes(
        TypeId("ns3::aifabric::SelectiveRepeatRecovery")
            .SetParent<SelectiveRecovery>()
            .SetGroupName("AiFabric")
            .AddConstructor<SelectiveRepeatRecovery>()
            .AddAttribute("BackOff",
                          "Whether each expiration of the timer doubles AckTimeout until something "
                          "is acknowledged.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&SelectiveRepeatRecovery::m_backsOff),
                          MakeBooleanChecker()));
    return tid;
}

TypeId
SelectiveRepeatRecovery::AddSleekAttributes(TypeId type)
{
    return type
        .AddAttribute("Sleek",
                      "Whether the sender infers losses and sends probes as SLEEK does: Auto, if "
                      "switches do not trim; Always; Never.",
                      EnumValue(AUTO),
                      MakeEnumMemberAccessor<Mode>(&SelectiveRepeatRecovery::m_mode),
                      MakeEnumChecker(AUTO, "Auto", ALWAYS, "Always", NEVER, "Never"))
        .AddAttribute("OutOfOrderLimit",
                      "Packets that arrive out of order and show a loss, also where Sleek does not "
                      "apply (0: OutOfOrderFactor).",
                      UintegerValue(0),
                      MakeUintegerAccessor(&SelectiveRepeatRecovery::m_outOfOrderLimit),
                      MakeUintegerChecker<uint32_t>())
        .AddAttribute("OutOfOrderFactor",
                      "Packets that arrive out of order and show a loss with Sleek (windows; at "
                      "most the largest window so far, at least five packets).",
                      DoubleValue(1.5),
                      MakeDoubleAccessor(&SelectiveRepeatRecovery::m_outOfOrderFactor),
                      MakeDoubleChecker<float>(0, 1e6))
        .AddAttribute("ProbeAfter",
                      "Time without a new acknowledgement after which the sender sends a probe "
                      "with Sleek (base RTTs; 0: it sends none). If nothing is left to be sent: 1 "
                      "+ ProbeDelay.",
                      DoubleValue(3),
                      MakeDoubleAccessor(&SelectiveRepeatRecovery::m_probeAfter),
                      MakeDoubleChecker<float>(0, 1e6))
        .AddAttribute("ProbeInterval",
                      "Time from a probe to the next one (base RTTs).",
                      DoubleValue(5),
                      MakeDoubleAccessor(&SelectiveRepeatRecovery::m_probeInterval),
                      MakeDoubleChecker<float>(0.1, 1e6))
        .AddAttribute("ProbeDelay",
                      "An answer to a probe shows losses if it comes with less delay than this "
                      "(base RTTs beyond the first; the target delay of NSCC).",
                      DoubleValue(1),
                      MakeDoubleAccessor(&SelectiveRepeatRecovery::m_probeDelay),
                      MakeDoubleChecker<float>(0, 1e6));
}

bool
SelectiveRepeatRecovery::Start(const FabricFacts& facts)
{
    m_isSleek = m_mode == ALWAYS || (m_mode == AUTO && !facts.trims);
    m_baseRtt = facts.baseRtt.GetPicoSeconds();
    return m_isSleek;
}

void
SelectiveRepeatRecovery::WindowChanged(uint32_t packets)
{
    m_window = packets;
    m_largestWindow = std::max(m_largestWindow, packets);
}

bool
SelectiveRepeatRecovery::IgnoresWindow() const
{
    return m_isSleek && GetUnacknowledged() < m_suspectEnd && HasNext(0);
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
    Feedback feedback; // a probe names a packet that has not come
    if (report.probe == 0)
    {
        feedback = SelectiveRecovery::AckReceived(report);
    }
    const int64_t cumulative = PsnWindow::Unwrap(report.cumulativePsn, base);
    feedback.newlyAcked += AcknowledgeBefore(std::max<int64_t>(cumulative, 0));
    // Most packets of the bitmap are in earlier reports, too: look at the new ones only.
    constexpr uint64_t BITS = 64;
    const int64_t shown = PsnWindow::Unwrap(report.bitmapPsn, base);
    const uint64_t first = std::max<int64_t>(shown, GetUnacknowledged());
    const uint64_t skipped = first - shown;
    uint64_t bits = skipped < BITS ? report.bitmap >> skipped : 0;
    for (bits &= ~GetAcknowledgedBits(first); bits != 0; bits &= bits - 1)
    {
        feedback.newlyAcked += Acknowledge(first + __builtin_ctzll(bits)) ? 1 : 0;
    }
    Sweep();
    if (m_isSleek || m_outOfOrderLimit > 0)
    {
        feedback.lost = InferLosses(report.outOfOrder);
    }
    return feedback;
}

double
SelectiveRepeatRecovery::GetLimit() const
{
    constexpr double LEAST = 5;
    if (m_outOfOrderLimit > 0)
    {
        return m_outOfOrderLimit;
    }
    const double windows = static_cast<double>(m_outOfOrderFactor) * m_window;
    return std::max(LEAST, std::min<double>(windows, m_largestWindow));
}

std::vector<uint64_t>
SelectiveRepeatRecovery::InferLosses(uint64_t outOfOrder)
{
    const uint64_t first = GetUnacknowledged();
    if (first >= m_suspectEnd)
    {
        if (outOfOrder == 0 || outOfOrder < GetLimit() || HasNext(0))
        {
            return {}; // no loss, or one that is known
        }
        Suspect(FAR);
    }
    return LoseSuspects();
}

void
SelectiveRepeatRecovery::Suspect(int64_t until)
{
    m_suspectEnd = GetSent();
    m_suspectUntil = until;
    m_inferredEnd = GetUnacknowledged();
}

std::vector<uint64_t>
SelectiveRepeatRecovery::LoseSuspects()
{
    const uint64_t first = GetUnacknowledged();
    const uint64_t share =
        m_outOfOrderLimit > 0 ? std::max(1U, m_outOfOrderLimit * 2 / 3) : m_window;
    const uint64_t end = std::min(m_suspectEnd, first + share);
    std::vector<uint64_t> lost;
    for (uint64_t number = std::max(first, m_inferredEnd); number < end; ++number)
    {
        if (!IsAcknowledged(number) && m_starts[number - m_startsFirst] <= m_suspectUntil &&
            MarkLost(number))
        {
            lost.push_back(number);
        }
    }
    m_inferredEnd = std::max(m_inferredEnd, end);
    m_inferred += lost.size();
    Sweep();
    return lost;
}

std::optional<int64_t>
SelectiveRepeatRecovery::FindStart(uint64_t number) const
{
    const int64_t start = m_starts[number - m_startsFirst];
    return start == LOST ? std::nullopt : std::optional(start);
}

void
SelectiveRepeatRecovery::DeclareLost(const std::vector<uint64_t>& numbers)
{
    for (const uint64_t number : numbers)
    {
        MarkLost(number);
    }
    Sweep();
}

int64_t
SelectiveRepeatRecovery::ToPicoseconds(float rtts) const
{
    return static_cast<int64_t>(static_cast<double>(rtts) * m_baseRtt);
}

int64_t
SelectiveRepeatRecovery::GetProbeDue(int64_t since, bool isLast) const
{
    if (!m_isSleek || m_baseRtt == 0 || m_probeAfter == 0)
    {
        return LossRecovery::GetProbeDue(since, isLast);
    }
    const float wait = isLast ? std::min(m_probeAfter, 1 + m_probeDelay) : m_probeAfter;
    return std::max(since + ToPicoseconds(wait), m_probedAt + ToPicoseconds(m_probeInterval));
}

uint8_t
SelectiveRepeatRecovery::TakeProbe(int64_t now)
{
    ++m_probes;
    m_probedAt = now;
    constexpr uint8_t LAST = UINT8_MAX - 1; // SprayCodec::REPORT_REQUEST has no number
    m_probe = m_probe == LAST ? 1 : m_probe + 1;
    return m_probe;
}

std::vector<uint64_t>
SelectiveRepeatRecovery::ProbeAnswered(const AckReport& report, int64_t now)
{
    const int64_t longest = m_baseRtt + ToPicoseconds(m_probeDelay);
    if (report.probe != m_probe || now - report.sentAt >= longest)
    {
        return {};
    }
    Suspect(now - longest); // later packets may be under way
    return LoseSuspects();
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
    m_order.PopWhile([this](const Transmission& sent) { return !IsOutstanding(sent); });
    m_starts.Pop(GetUnacknowledged() - m_startsFirst);
    m_startsFirst = GetUnacknowledged();
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

uint64_t
SelectiveRepeatRecovery::GetOldest() const
{
    return m_order.empty() ? SelectiveRecovery::GetOldest() : m_order.front().number;
}

RecoveryTraits
SelectiveRepeatRecovery::GetTraits() const
{
    RecoveryTraits traits = SelectiveRecovery::GetTraits();
    traits.needsReports = true;
    traits.needsAckPerPacket = false;
    traits.timesEachPacket = true;
    traits.backsOff = m_backsOff;
    return traits;
}

double
SelectiveRepeatRecovery::GetUsualTimeoutPs(double empty, double drain, double) const
{
    constexpr double LEAST_PS = 5e8; // NACKs report most losses
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
    if (m_isSleek || m_outOfOrderLimit > 0)
    {
        counters["inferred_losses"] += m_inferred;
    }
    if (m_isSleek)
    {
        counters["probes"] += m_probes;
    }
}

Ptr<LossRecovery>
SelectiveRepeatRecovery::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
