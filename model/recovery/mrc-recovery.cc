/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mrc-recovery.h"

#include "ns3/double.h"
#include "ns3/fabric-clock.h"
#include "ns3/fabric-facts.h"
#include "ns3/fork-object.h"

#include <algorithm>
#include <utility>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(MrcRecovery);

namespace
{

constexpr uint64_t BITS = 64;       //!< of a bitmap
constexpr int64_t OTHER_PLANES = 2; //!< factor of rule (b) if only other planes have delivered
constexpr int64_t NEW_PLANE = 7;    //!< base RTTs that a plane has for its first packet at least

} // namespace

TypeId
MrcRecovery::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::MrcRecovery")
            .SetParent<SelectiveRepeatRecovery>()
            .SetGroupName("AiFabric")
            .AddConstructor<MrcRecovery>()
            .AddAttribute("ReorderSlack",
                          "Time beyond the smoothed round-trip time after which a packet that "
                          "later ones have overtaken is lost (0: the target delay of NSCC, 0.75 "
                          "base RTTs if switches trim packets, else 1).",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&MrcRecovery::m_reorderSlack),
                          MakeTimeChecker(Time(0), Seconds(1000)))
            .AddAttribute("VariationFactor",
                          "Time beyond that, in mean variations of the round-trip time of the "
                          "plane: packets of different paths may wait in different queues.",
                          DoubleValue(4),
                          MakeDoubleAccessor(&MrcRecovery::SetVariationFactor,
                                             &MrcRecovery::GetVariationFactor),
                          MakeDoubleChecker<float>(0, 1000));
    return tid;
}

bool
MrcRecovery::Start(const FabricFacts& facts)
{
    constexpr double TRIMMING_SHARE = 0.75;
    const int64_t baseRtt = facts.baseRtt.GetPicoSeconds();
    int64_t slack = m_reorderSlack.GetPicoSeconds();
    if (slack == 0)
    {
        slack = facts.trims ? static_cast<int64_t>(TRIMMING_SHARE * baseRtt) : baseRtt;
    }
    m_times.Start(baseRtt, slack);
    return false;
}

bool
MrcRecovery::HasNext(uint64_t posted) const
{
    return SelectiveRepeatRecovery::HasNext(std::min(posted, GetUnacknowledged() + m_range));
}

void
MrcRecovery::NotePath(uint64_t number,
                      uint32_t entropy,
                      uint16_t plane,
                      bool isAgain,
                      int64_t start)
{
    if (isAgain)
    {
        for (Suspicion& suspicion : m_suspicions)
        {
            const bool waits = suspicion.number == number && suspicion.again == FAR;
            suspicion.again = waits ? start : suspicion.again;
        }
    }
    const Path path = Path{plane} << PLANE_SHIFT | Path{entropy} << 1 | Path{isAgain};
    m_times.AddPlane(plane);
    const uint64_t index = number - m_pathsFirst;
    if (index == m_paths.size())
    {
        m_paths.push_back(path);
    }
    else
    {
        m_paths[index] = path;
    }
}

void
MrcRecovery::NoteArrival(uint64_t number)
{
    const std::optional<int64_t> start = FindStart(number);
    if (start && number - m_pathsFirst < m_paths.size())
    {
        const Path path = m_paths[number - m_pathsFirst];
        int64_t& latest = m_latest.try_emplace(path, -FAR).first->second;
        latest = std::max(latest, *start);
        m_times.NoteArrival(path >> PLANE_SHIFT, path & 1, *start);
    }
}

void
MrcRecovery::NoteArrivals(const AckReport& report)
{
    const uint64_t base = GetUnacknowledged();
    m_highest = std::max(m_highest, base);
    if (report.probe == 0)
    {
        const std::optional<uint64_t> trigger = FindUnacknowledged(report.psn);
        if (trigger && FindStart(*trigger) == report.sentAt)
        {
            NoteArrival(*trigger);
        }
        m_highest = trigger ? std::max(m_highest, *trigger + 1) : m_highest;
    }
    const int64_t shown = PsnWindow::Unwrap(report.bitmapPsn, base);
    const uint64_t first = std::max<int64_t>(shown, base);
    const uint64_t skipped = first - shown;
    uint64_t bits = skipped < BITS ? report.bitmap >> skipped : 0;
    for (bits &= ~GetAcknowledgedBits(first); bits != 0; bits &= bits - 1)
    {
        const uint64_t number = first + __builtin_ctzll(bits);
        if (number >= GetSent())
        {
            return;
        }
        m_highest = std::max(m_highest, number + 1);
        // Which transmission of a packet has arrived is certain if there was only one.
        if (number - m_pathsFirst < m_paths.size() && !(m_paths[number - m_pathsFirst] & 1))
        {
            NoteArrival(number);
        }
    }
}

void
MrcRecovery::NoteRtt(const AckReport& report)
{
    const int64_t sample = m_now - report.sentAt;
    m_times.NoteLeast(sample);
    if (report.probe != 0 || m_plane)
    {
        // The report names the transmission, so that it may be one of several.
        const uint16_t plane = report.probe != 0 ? GetPlane(report) : *m_plane;
        m_times.AddPlane(plane);
        m_times.AddSample(plane, sample);
        return;
    }
    const std::optional<uint64_t> trigger = FindUnacknowledged(report.psn);
    if (trigger && *trigger - m_pathsFirst < m_paths.size() && FindStart(*trigger) == report.sentAt)
    {
        m_times.AddSample(m_paths[*trigger - m_pathsFirst] >> PLANE_SHIFT, sample);
    }
}

int64_t
MrcRecovery::GetSmoothedRtt(uint16_t plane) const
{
    return m_times.GetSmoothed(plane);
}

void
MrcRecovery::Suspect(const std::vector<uint64_t>& lost, int64_t since, int64_t now)
{
    for (const uint64_t number : lost)
    {
        if (number - m_pathsFirst < m_paths.size())
        {
            const Path path = m_paths[number - m_pathsFirst];
            ForgetOldest(number);
            m_suspicions.push_back({number,
                                    static_cast<uint32_t>(path >> 1),
                                    static_cast<uint16_t>(path >> PLANE_SHIFT),
                                    FindStart(number).value_or(since),
                                    now,
                                    FAR});
        }
    }
}

void
MrcRecovery::ForgetOldest(uint64_t number)
{
    constexpr auto MOST = 8; // older ones hardly ever prove to be wrong
    const auto isOfPacket = [number](const Suspicion& suspicion) {
        return suspicion.number == number;
    };
    if (std::count_if(m_suspicions.begin(), m_suspicions.end(), isOfPacket) == MOST)
    {
        m_suspicions.erase(std::find_if(m_suspicions.begin(), m_suspicions.end(), isOfPacket));
    }
}

int64_t
MrcRecovery::GetLostStart(uint64_t number) const
{
    const auto last =
        std::find_if(m_suspicions.rbegin(),
                     m_suspicions.rend(),
                     [number](const Suspicion& suspicion) { return suspicion.number == number; });
    return last == m_suspicions.rend() ? 0 : last->start;
}

void
MrcRecovery::Review(const AckReport& report)
{
    const int64_t trigger =
        report.probe == 0 ? PsnWindow::Unwrap(report.psn, GetUnacknowledged()) : -1;
    const auto isResolved = [&](const Suspicion& suspicion) {
        const bool isTrigger = static_cast<int64_t>(suspicion.number) == trigger;
        if (!isTrigger && !IsAcknowledged(suspicion.number))
        {
            return false;
        }
        const int64_t latest = isTrigger ? report.sentAt : m_now - m_times.GetLeast();
        if (latest < suspicion.again)
        {
            m_found.push_back({suspicion.entropy, suspicion.inferredAt});
            m_times.LengthenSlack(suspicion.plane, m_now - suspicion.start);
        }
        else
        {
            m_times.ShortenSlack();
        }
        return true;
    };
    m_suspicions.erase(std::remove_if(m_suspicions.begin(), m_suspicions.end(), isResolved),
                       m_suspicions.end());
}

std::vector<MrcRecovery::FalseLoss>
MrcRecovery::TakeFalseLosses()
{
    m_false += m_found.size();
    return std::exchange(m_found, {});
}

std::vector<uint64_t>
MrcRecovery::ExpireSentUntil(int64_t since)
{
    const int64_t slower = since - m_times.GetSlowness();
    std::vector<uint64_t> lost = SelectiveRepeatRecovery::ExpireSentUntil(slower);
    Suspect(lost, slower, FabricClock::Now());
    return lost;
}

int64_t
MrcRecovery::GetOldestStart() const
{
    const int64_t oldest = SelectiveRepeatRecovery::GetOldestStart();
    return oldest + std::min(m_times.GetSlowness(), FAR - std::min(oldest, FAR));
}

LossRecovery::Feedback
MrcRecovery::AckReceived(const AckReport& report)
{
    NoteArrivals(report);
    NoteRtt(report);
    m_unanswered = 0;
    const bool isNewest = IsNewest(report);
    Feedback feedback = SelectiveRepeatRecovery::AckReceived(report);
    if (!m_suspicions.empty())
    {
        Review(report);
    }
    const uint64_t base = GetUnacknowledged();
    for (; m_pathsFirst < base && !m_paths.empty(); ++m_pathsFirst)
    {
        m_paths.pop_front();
    }
    if (m_highest <= base)
    {
        m_latest.clear(); // there is no gap
    }
    else if (isNewest)
    {
        feedback.lost = FindOvertaken(report);
        Suspect(feedback.lost, m_now, m_now);
        DeclareLost(feedback.lost);
    }
    const std::vector<uint64_t> late = FindLate(report);
    Suspect(late, m_now, m_now);
    NoteSilence(late);
    DeclareLost(late);
    feedback.lost.insert(feedback.lost.end(), late.begin(), late.end());
    m_inferred += feedback.lost.size();
    m_late += late.size();
    return feedback;
}

void
MrcRecovery::NoteSilence(const std::vector<uint64_t>& late)
{
    for (const uint64_t number : late)
    {
        const uint16_t plane = m_paths[number - m_pathsFirst] >> PLANE_SHIFT;
        const int64_t start = *FindStart(number);
        const int64_t latest =
            std::max(m_times.GetLatest(plane, false), m_times.GetLatest(plane, true));
        if (start > latest && m_times.NoteVanished(plane, start))
        {
            m_silentPlanes.push_back({plane, start});
        }
    }
}

bool
MrcRecovery::IsNewest(const AckReport& report)
{
    const int64_t cumulative = PsnWindow::Unwrap(report.cumulativePsn, GetUnacknowledged());
    const uint64_t received = cumulative + report.outOfOrder;
    const bool isNewest = received >= m_reported;
    m_reported = std::max(m_reported, received);
    return isNewest;
}

std::vector<uint64_t>
MrcRecovery::FindLate(const AckReport& report) const
{
    const int64_t since = std::min(m_now - m_times.GetShortestPatience(), report.sentAt) - 1;
    // A plane of which nothing has come is dead, or slower than the others.
    const int64_t unknown =
        std::max(OTHER_PLANES * m_times.GetLongestPatience(), NEW_PLANE * m_times.GetBase());
    // A packet is not late if the probe took as long.
    const int64_t probed = report.probe != 0 ? m_now - report.sentAt + m_times.GetSlack() : 0;
    return FindSentUntil(since, [this, &report, unknown, probed](uint64_t number, int64_t start) {
        const Path path = m_paths[number - m_pathsFirst];
        const uint16_t plane = path >> PLANE_SHIFT;
        const bool isOvertaken = report.probe != 0 || start < m_times.GetLatest(plane, path & 1);
        const int64_t patience = m_times.IsSampled(plane)
                                     ? (isOvertaken ? 1 : OTHER_PLANES) * m_times.GetPatience(plane)
                                     : unknown;
        return m_now - start > std::max(probed, patience);
    });
}

std::vector<uint64_t>
MrcRecovery::FindOvertaken(const AckReport& report) const
{
    const uint64_t base = GetUnacknowledged();
    // Without this, a report that is still under way may cover any packet that this one does not.
    const bool showsAll = GetSent() - GetOutstanding() - CountWaiting(GetSent()) == m_reported;
    const uint64_t shown = PsnWindow::Unwrap(report.bitmapPsn, base);
    const uint64_t cumulative = PsnWindow::Unwrap(report.cumulativePsn, base);
    std::vector<uint64_t> lost;
    for (uint64_t first = base; first < m_highest; first += BITS)
    {
        for (uint64_t gaps = ~GetAcknowledgedBits(first); gaps != 0; gaps &= gaps - 1)
        {
            const uint64_t number = first + __builtin_ctzll(gaps);
            if (number >= m_highest)
            {
                return lost;
            }
            if (!showsAll && number != cumulative && number - shown >= BITS)
            {
                continue;
            }
            const std::optional<int64_t> start = FindStart(number);
            const auto latest = m_latest.find(m_paths[number - m_pathsFirst]);
            if (start && latest != m_latest.end() && *start < latest->second)
            {
                lost.push_back(number);
            }
        }
    }
    return lost;
}

int64_t
MrcRecovery::GetProbeDue(int64_t since, bool) const
{
    constexpr uint32_t MOST_DOUBLINGS = 6;
    if (m_times.GetBase() == 0)
    {
        return LossRecovery::GetProbeDue(since, false);
    }
    const int64_t roundTrip = m_times.GetBase() + m_times.GetSlowness();
    const int64_t patience =
        std::min(m_times.GetSackPatience(), std::max(m_mostPatience, roundTrip));
    const int64_t interval = patience << std::min(m_unanswered, MOST_DOUBLINGS);
    return std::max(since + patience, m_probedAt + interval);
}

uint8_t
MrcRecovery::TakeProbe(int64_t now)
{
    m_probedAt = now;
    ++m_unanswered;
    return TakeRequest();
}

uint8_t
MrcRecovery::TakeRequest()
{
    ++m_probes;
    return 1 + m_probes % UINT8_MAX;
}

std::vector<uint64_t>
MrcRecovery::ProbeAnswered(const AckReport&, int64_t)
{
    return {}; // AckReceived() has inferred losses
}

double
MrcRecovery::GetUsualTimeoutPs(double empty, double, double) const
{
    constexpr double UNIT_PS = 1.024e6;
    double timeout = UNIT_PS * (1U << 6U); // exponent 6
    while (timeout < 3 * empty)
    {
        timeout *= 2;
    }
    return timeout;
}

void
MrcRecovery::Count(PolicyCounters& counters) const
{
    counters["inferred_losses"] += m_inferred;
    counters["late_losses"] += m_late;
    counters["false_losses_found"] += m_false;
    counters["probes"] += m_probes;
}

RecoveryTraits
MrcRecovery::GetTraits() const
{
    RecoveryTraits traits = SelectiveRepeatRecovery::GetTraits();
    traits.needsPaths = true;
    return traits;
}

Ptr<LossRecovery>
MrcRecovery::Fork() const
{
    return ForkObject(*this);
}

} // namespace aifabric
} // namespace ns3
