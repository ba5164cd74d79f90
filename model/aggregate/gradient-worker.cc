/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "gradient-worker.h"

#include "ns3/abort.h"
#include "ns3/fabric-clock.h"
#include "ns3/nic-change.h"
#include "ns3/power-of-two.h"
#include "ns3/roce-net-device.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr double LEAST_LATE = 0.25; // share of overtaken sums that come by themselves, to wait

} // namespace

NS_OBJECT_ENSURE_REGISTERED(GradientWorker);

TypeId
GradientWorker::GetTypeId()
{
    static TypeId tid = TypeId("ns3::aifabric::GradientWorker")
                            .SetParent<AggregationMember>()
                            .SetGroupName("AiFabric");
    return tid;
}

TypeId
GradientWorker::AddTimeout(TypeId type, Time usual, uint32_t expiries)
{
    return type
        .AddAttribute("Timeout",
                      "Time without its sum after which a fragment is sent again (0: never), but "
                      "not before three round trips.",
                      TimeValue(usual),
                      MakeTimeAccessor(&GradientWorker::m_timeout),
                      MakeTimeChecker(Time(0), Seconds(10)))
        .AddAttribute("Doubling",
                      "Expiries of a fragment's timer that double its time, at most six times.",
                      UintegerValue(expiries),
                      MakeUintegerAccessor(&GradientWorker::m_doubling),
                      MakeUintegerChecker<uint32_t>(1));
}

void
GradientWorker::Join(Ptr<AggregationJob> job)
{
    AggregationMember::Join(job);
    NS_ABORT_MSG_IF(GetPlan().window == 0, "GradientWorker: a window of 0 fragments");
    m_reach = GetJob().GetReach();
    m_window = GetPlan().window;
    m_places.resize(PowerOfTwo(m_reach));
    m_placeMask = m_places.size() - 1;
}

void
GradientWorker::SetCompleted(Callback<void, uint32_t> completed)
{
    m_completed = completed;
}

void
GradientWorker::Post(uint32_t fragments, uint8_t priority)
{
    const int64_t now = FabricClock::Now();
    m_number = GetJob().FindWorker(GetNic().GetHost());
    m_usualWait = m_timeout.GetPicoSeconds();
    const NicChange change(GetNic(), this, now);
    m_awaitsFirst = m_awaitsFirst || m_base == m_posted;
    m_posted += fragments;
    m_runs.push_back({m_posted, priority});
}

bool
GradientWorker::CanSend() const
{
    return !m_resends.empty() || (m_next < m_posted && m_next < m_base + m_reach &&
                                  m_next - m_base - m_doneAhead < m_window);
}

void
GradientWorker::Fill(FabricFrame& frame, int64_t start)
{
    const bool isResent = !m_resends.empty();
    const uint32_t sequence = isResent ? m_resends.front() : m_next;
    if (isResent && !IsOutstanding(sequence))
    {
        m_resends.pop_front();
        ++m_resent;
        Write(frame, sequence, 0, true, start);
        return;
    }
    Place& place = At(sequence);
    if (isResent)
    {
        m_resends.pop_front();
        place.isQueued = false;
        ++m_resent;
    }
    else
    {
        ++m_next;
        place = Place();
    }
    place.latest = m_order.Send(sequence);
    place.first = isResent ? place.first : place.latest;
    place.since = isResent ? place.since : start;
    place.isLate = false;
    place.due = NEVER;
    if (m_usualWait > 0)
    {
        place.due = start + GetWait(place);
        ScheduleTimer(place.due);
    }
    Write(frame, sequence, FindPriority(sequence), isResent, start);
}

void
GradientWorker::TakeSum(uint32_t sequence, const GradientVector& values, int64_t now)
{
    Place& place = At(sequence);
    NoteSum(sequence, now);
    if (place.isQueued)
    {
        m_resends.erase(std::find(m_resends.begin(), m_resends.end(), sequence));
        place.isQueued = false;
    }
    place.isDone = true;
    ++m_doneAhead;
    SendOvertaken(now);
    while (m_base < m_next && At(m_base).isDone)
    {
        At(m_base).isDone = false;
        ++m_base;
        --m_doneAhead;
    }
    while (!m_runs.empty() && m_runs.front().end <= m_base)
    {
        m_runs.pop_front();
    }
    GetNic().EndChange(this, now);
    GetJob().Check(sequence, values);
    if (m_base == m_posted)
    {
        CancelTimer();
        if (!m_completed.IsNull())
        {
            m_completed(m_number);
        }
    }
}

void
GradientWorker::NoteSum(uint32_t sequence, int64_t now)
{
    const Place& place = At(sequence);
    EndFirstTimeout(now);
    m_order.NoteSum(place.first);
    if (place.overtaken > 0)
    {
        constexpr double WEIGHT = 0.125;                        // as of the mean round trip
        const bool isLate = now - place.overtaken < GetGrace(); // sent again, it takes a round trip
        m_lateShare += WEIGHT * ((isLate ? 1 : 0) - m_lateShare);
    }
    if (place.expiries == 0 && place.latest == place.first) // it was sent once
    {
        NoteRoundTrip(now - place.since, sequence >= m_firstWhole);
    }
}

void
GradientWorker::NoteRoundTrip(int64_t took, bool isWhole)
{
    constexpr int64_t ROUND_TRIPS = 3;
    constexpr int64_t WEIGHT = 8; // of the mean, as TCP's
    if (isWhole)
    {
        m_meanRtt += m_meanRtt == 0 ? took : (took - m_meanRtt) / WEIGHT;
        m_leastWait = ROUND_TRIPS * m_meanRtt;
    }
    else if (m_meanRtt == 0) // other workers may have computed: not more than for the first sum
    {
        m_leastWait = std::min(ROUND_TRIPS * took, m_firstTimeout.GetPicoSeconds());
    }
}

void
GradientWorker::SendOvertaken(int64_t now)
{
    const int64_t grace = m_lateShare < LEAST_LATE ? 0 : GetGrace();
    SentOrder::Packet packet{};
    while (m_order.TakeOvertaken(packet))
    {
        Place& place = At(packet.sequence);
        if (!IsOutstanding(packet.sequence) || place.latest != packet.turn)
        {
            continue;
        }
        place.overtaken = place.overtaken > 0 ? place.overtaken : now;
        if (grace == 0)
        {
            Queue(packet.sequence);
            continue;
        }
        place.isLate = place.isLate || now + grace < place.due;
        place.due = std::min(place.due, now + grace);
        ScheduleTimer(place.due);
    }
}

void
GradientWorker::EndFirstTimeout(int64_t now)
{
    if (!m_awaitsFirst)
    {
        return;
    }
    m_awaitsFirst = false;
    m_firstWhole = m_next;
    if (m_timeout.IsZero() || m_firstTimeout <= m_timeout)
    {
        return;
    }
    for (uint32_t sequence = m_base; sequence < m_next; ++sequence)
    {
        Place& place = At(sequence);
        place.expiries = 0; // others computed
        place.due = std::min(place.due, now + GetWait(place));
        ScheduleTimer(place.due);
    }
}

void
GradientWorker::WatchOrder(uint32_t packets, double grace)
{
    m_order = SentOrder(packets);
    m_grace = grace;
}

void
GradientWorker::SetFirstTimeout(Time timeout)
{
    m_firstTimeout = timeout;
}

void
GradientWorker::Resend(uint32_t sequence, int64_t now)
{
    if (IsOutstanding(sequence))
    {
        const NicChange change(GetNic(), this, now);
        Queue(sequence);
    }
}

void
GradientWorker::Repeat(uint32_t sequence, int64_t now)
{
    const NicChange change(GetNic(), this, now);
    if (sequence < m_next && !IsOutstanding(sequence) &&
        std::find(m_resends.begin(), m_resends.end(), sequence) == m_resends.end())
    {
        m_resends.push_back(sequence);
    }
}

void
GradientWorker::NoteRequest(uint32_t sequence, uint32_t others, int64_t now)
{
    const NicChange change(GetNic(), this, now); // so that m_next is that of now
    // Others send what is behind the window, or the next iteration, only after a sum.
    const bool isBehind = sequence >= std::min(m_posted, m_base + GetPlan().window);
    const bool isOnlyOne = sequence >= m_base && (others | 1U << m_number) == GetJob().GetAll();
    if (IsPending() && (isBehind || isOnlyOne))
    {
        EndFirstTimeout(now);
    }
}

void
GradientWorker::Queue(uint32_t sequence)
{
    if (!At(sequence).isQueued)
    {
        At(sequence).isQueued = true;
        m_resends.push_back(sequence);
    }
}

void
GradientWorker::CheckTimer()
{
    m_timerDue = NEVER;
    const int64_t now = FabricClock::Now();
    GetNic().BeginChange(now); // so that m_next is that of now
    int64_t next = NEVER;
    for (uint32_t sequence = m_base; sequence < m_next; ++sequence)
    {
        Place& place = At(sequence);
        if (place.isDone || place.isQueued)
        {
            continue;
        }
        if (place.due <= now)
        {
            place.expiries += place.isLate ? 0 : 1;
            Queue(sequence);
        }
        else
        {
            next = std::min(next, place.due);
        }
    }
    GetNic().EndChange(this, now);
    if (next != NEVER)
    {
        ScheduleTimer(next);
    }
}

void
GradientWorker::StartTimer(int64_t due)
{
    m_timer.Cancel();
    m_timerDue = due;
    const Time delay = FabricClock::Until(std::max(due, FabricClock::Now() + 1));
    m_timer = Simulator::Schedule(delay, &GradientWorker::CheckTimer, this);
}

void
GradientWorker::CancelTimer()
{
    m_timer.Cancel();
    m_timerDue = NEVER;
}

uint8_t
GradientWorker::FindPriority(uint32_t sequence) const
{
    for (const Run& run : m_runs)
    {
        if (sequence < run.end)
        {
            return run.priority;
        }
    }
    return 0;
}

uint64_t
GradientWorker::GetResent() const
{
    return m_resent;
}

bool
GradientWorker::IsPending() const
{
    return m_base < m_posted;
}

uint64_t
GradientWorker::GetProgress() const
{
    return m_base + m_doneAhead;
}

void
GradientWorker::Describe(std::ostream& os) const
{
    os << "worker " << m_number << " of job " << GetPlan().number << ": sums of " << m_base
       << " of " << m_posted << " fragments, " << m_next << " sent";
}

void
GradientWorker::DoDispose()
{
    CancelTimer();
    m_completed = Callback<void, uint32_t>();
    AggregationMember::DoDispose();
}

} // namespace aifabric
} // namespace ns3
