/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parameter-server.h"

#include "atp-framing.h"

#include "ns3/atp-codec.h"
#include "ns3/boolean.h"
#include "ns3/fabric-clock.h"
#include "ns3/roce-net-device.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <numeric>

namespace ns3
{
namespace aifabric
{

namespace
{

constexpr uint32_t REMINDERS = 2; // of a fragment, before its workers are asked

} // namespace

NS_OBJECT_ENSURE_REGISTERED(ParameterServer);

TypeId
ParameterServer::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::ParameterServer")
            .SetParent<AggregationMember>()
            .SetGroupName("AiFabric")
            .AddConstructor<ParameterServer>()
            .AddAttribute("ServiceRate",
                          "Packets that it processes per second (0: no limit).",
                          UintegerValue(40000000),
                          MakeUintegerAccessor(&ParameterServer::m_rate),
                          MakeUintegerChecker<uint64_t>(0, 1000000000000))
            .AddAttribute("Latency",
                          "Time between the end of the processing of a packet and the "
                          "acknowledgement that it causes.",
                          TimeValue(MicroSeconds(1)),
                          MakeTimeAccessor(&ParameterServer::m_latency),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("ReminderTime",
                          "Time without progress of a fragment after which the server asks for "
                          "what is missing.",
                          TimeValue(MicroSeconds(20)),
                          MakeTimeAccessor(&ParameterServer::m_reminderTime),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Reminders",
                          "Whether the server asks for what is missing.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&ParameterServer::m_reminds),
                          MakeBooleanChecker())
            .AddAttribute("RehashOnCollision",
                          "Whether the acknowledgement of a fragment that has collided names "
                          "another slot for later ones (AggregationHelper: usual for ATP, not for "
                          "ESA).",
                          BooleanValue(true),
                          MakeBooleanAccessor(&ParameterServer::m_rehashes),
                          MakeBooleanChecker());
    return tid;
}

ParameterServer::ParameterServer()
    : m_random(CreateObject<UniformRandomVariable>())
{
}

void
ParameterServer::Join(Ptr<AggregationJob> job)
{
    AggregationMember::Join(job);
    const AggregationPlan& plan = GetPlan();
    m_ring =
        std::make_unique<SlotRing>(plan.number, plan.window, plan.slots, plan.hasDistinctSlots);
    m_candidates.resize(plan.slots);
    std::iota(m_candidates.begin(), m_candidates.end(), 0);
}

void
ParameterServer::Install(EndpointNic* nic, uint32_t number, int64_t stream)
{
    constexpr uint32_t CONTROL_BYTES = 74; // of a frame without values
    AggregationMember::Install(nic, number, stream);
    m_controlTime = GetLineTimeOf(CONTROL_BYTES);
    if (stream >= 0)
    {
        m_random->SetStream(stream);
    }
    for (std::size_t n = m_candidates.size(); n > 1; --n)
    {
        std::swap(m_candidates[n - 1], m_candidates[m_random->GetInteger(0, n - 1)]);
    }
}

bool
ParameterServer::CanSend() const
{
    return false; // what it sends are answers
}

void
ParameterServer::Fill(FabricFrame&, int64_t)
{
}

Endpoint::Reception
ParameterServer::Receive(const Ptr<FabricFrame>& frame, const Outbox& outbox)
{
    const GradientFields& fields = frame->GetExtra().gradients;
    if (frame->GetExtra().values.IsEmpty() || fields.flags & AtpCodec::IS_ACKNOWLEDGED)
    {
        return Reception::UNKNOWN;
    }
    ++m_counters.packets;
    if (IsForgotten(AtpFraming::GetSequence(*frame)))
    {
        ++m_counters.overlaps;
    }
    else if (fields.flags & AtpCodec::IS_OVERFLOW)
    {
        ReceiveFloats(*frame, outbox.GetNow());
    }
    else
    {
        ReceiveIntegers(*frame, outbox.GetNow());
    }
    return Reception::DATA;
}

void
ParameterServer::ReceiveIntegers(const FabricFrame& frame, int64_t now)
{
    using Verdict = SumLedger::Verdict;
    const int64_t served = Serve(now);
    Fragment fragment = AtpFraming::Read(frame);
    const uint32_t sequence = fragment.GetSequence();
    const bool isResent = fragment.isResent;
    const uint32_t bitmap = fragment.bitmap;
    const Verdict verdict = m_ledger.Receive(fragment, GetJob().GetAll());
    switch (verdict)
    {
    case Verdict::ADDED:
        NoteProgress(sequence, now);
        break;
    case Verdict::COMPLETES: {
        const Fragment& sum = m_ledger.Find(KeyOf(sequence))->sum;
        if (FixedPoint::HasSaturated(sum.values))
        {
            NoteProgress(sequence, now);
            Request(sequence, GetJob().GetAll(), AtpCodec::IS_OVERFLOW);
            break;
        }
        const bool isFromSwitch = bitmap == GetJob().GetAll() && !isResent;
        Complete(sequence, served, GetPlan().resultFromSwitch && isFromSwitch);
        break;
    }
    case Verdict::REPEATS:
        if (m_open.count(sequence))
        {
            // Who sent a partial sum that was preempted may be a host of another job.
            Request(sequence, bitmap, AtpCodec::IS_OVERFLOW);
        }
        else if (isResent)
        {
            Simulator::Schedule(FabricClock::Until(served + m_latency.GetPicoSeconds()),
                                &ParameterServer::Acknowledge,
                                this,
                                sequence,
                                frame.source);
        }
        break;
    default:
        ++m_counters.overlaps;
        RequestDropped(sequence, bitmap);
        break;
    }
}

void
ParameterServer::RequestDropped(uint32_t sequence, uint32_t bitmap)
{
    const auto open = m_open.find(sequence);
    if (open != m_open.end())
    {
        const uint32_t dropped = FindMissing(sequence, open->second) & bitmap;
        Request(sequence, dropped & ~open->second.dropped, 0);
        open->second.dropped |= dropped;
    }
}

void
ParameterServer::ReceiveFloats(const FabricFrame& frame, int64_t now)
{
    const int64_t served = Serve(now);
    const uint32_t sequence = AtpFraming::GetSequence(frame);
    const auto open = m_open.find(sequence);
    if (open == m_open.end() || !m_ledger.Find(KeyOf(sequence))->sum.IsComplete())
    {
        if (m_inFloats.count(sequence))
        {
            Acknowledge(sequence, frame.source);
        }
        return;
    }
    auto& floats = open->second.floats;
    floats.try_emplace(GetJob().FindWorker(frame.source), frame.GetExtra().values);
    NoteProgress(sequence, now);
    if (floats.size() == GetPlan().workers.size())
    {
        std::vector<std::vector<int32_t>> ordered;
        for (const auto& [worker, values] : floats)
        {
            ordered.emplace_back(values.begin(), values.end());
        }
        m_ledger.Find(KeyOf(sequence))->sum.values = GradientSource::AddFloats(ordered);
        m_inFloats.insert(sequence);
        ++m_counters.floats;
        Complete(sequence, served, false);
    }
}

int64_t
ParameterServer::Serve(int64_t now)
{
    constexpr int64_t SECOND = 1000000000000; // in picoseconds
    m_busyUntil =
        std::max(m_busyUntil, now) + (m_rate > 0 ? SECOND / static_cast<int64_t>(m_rate) : 0);
    return m_busyUntil;
}

bool
ParameterServer::IsForgotten(uint32_t sequence) const
{
    return sequence + 2 * GetJob().GetReach() + 1 < m_highest;
}

void
ParameterServer::NoteProgress(uint32_t sequence, int64_t now)
{
    const auto [place, isNew] = m_open.try_emplace(sequence);
    place->second.progress = now;
    place->second.asked = 0;
    if (isNew && m_reminds)
    {
        const int64_t due = now + GetWait(place->second);
        m_dues.emplace(due, sequence);
        if (m_timer.IsExpired())
        {
            m_timer = Simulator::Schedule(FabricClock::Until(due),
                                          &ParameterServer::CheckReminders,
                                          this);
        }
    }
}

void
ParameterServer::Complete(uint32_t sequence, int64_t now, bool isSent)
{
    const uint32_t kept = 2 * GetJob().GetReach();
    m_open.erase(sequence);
    ++m_counters.sums;
    for (; m_highest <= sequence; ++m_highest)
    {
        if (m_highest > kept)
        {
            const uint32_t old = m_highest - kept - 1;
            m_ledger.Forget(KeyOf(old));
            m_open.erase(old); // a switch has sent its sum, and the copy to the server was lost
            m_moved.erase(old);
            m_inFloats.erase(old);
        }
    }
    if (m_rehashes && m_ledger.Find(KeyOf(sequence))->sum.hasCollided)
    {
        Rehash(sequence);
    }
    if (isSent)
    {
        return;
    }
    Simulator::Schedule(FabricClock::Until(now + m_latency.GetPicoSeconds()),
                        &ParameterServer::Acknowledge,
                        this,
                        sequence,
                        GetNic().GetHost());
}

void
ParameterServer::Rehash(uint32_t sequence)
{
    for (std::size_t tried = 0; tried < m_candidates.size(); ++tried)
    {
        const uint16_t slot = m_candidates[m_candidate];
        m_candidate = (m_candidate + 1) % m_candidates.size();
        if (!m_ring->Has(slot))
        {
            m_ring->Move(sequence, slot);
            m_moved[sequence] = slot;
            return;
        }
    }
}

void
ParameterServer::Acknowledge(uint32_t sequence, uint32_t receiver)
{
    const SumLedger::Entry* entry = m_ledger.Find(KeyOf(sequence));
    if (!entry)
    {
        return; // a late answer to a packet that was sent again
    }
    const bool isForAll = receiver == GetNic().GetHost();
    Fragment sum = entry->sum;
    const auto moved = m_moved.find(sequence);
    sum.isResent = !isForAll;
    sum.hasCollided = moved != m_moved.end();
    const bool isInFloats = m_inFloats.count(sequence);
    const int64_t now = FabricClock::Now();
    const Ptr<FabricFrame> frame = GetNic().CreateFrame();
    Address(*frame, isForAll ? GetPlan().workers.front() : receiver, now);
    AtpFraming::Write(*frame,
                      GetJob(),
                      std::move(sum),
                      AtpCodec::IS_ACKNOWLEDGED | (isInFloats ? AtpCodec::IS_OVERFLOW : 0));
    frame->Extra().gradients.length = moved != m_moved.end() ? moved->second : 0;
    GetNic().SendAnswer(frame, 0, now);
}

void
ParameterServer::CheckReminders()
{
    const int64_t now = FabricClock::Now();
    while (!m_dues.empty() && m_dues.top().first <= now)
    {
        const uint32_t sequence = m_dues.top().second;
        m_dues.pop();
        const auto open = m_open.find(sequence);
        if (open == m_open.end())
        {
            continue;
        }
        if (open->second.progress + GetWait(open->second) <= now)
        {
            RequestMissing(sequence, open->second);
            open->second.progress = now;
        }
        m_dues.emplace(open->second.progress + GetWait(open->second), sequence);
    }
    if (!m_dues.empty())
    {
        m_timer = Simulator::Schedule(FabricClock::Until(m_dues.top().first),
                                      &ParameterServer::CheckReminders,
                                      this);
    }
}

void
ParameterServer::Request(uint32_t sequence, uint32_t bitmap, uint8_t flags)
{
    for (std::size_t w = 0; w < GetPlan().workers.size(); ++w)
    {
        if (bitmap >> w & 1)
        {
            ++m_counters.requests;
            SendControl(sequence, GetPlan().workers[w], flags, AtpCodec::IS_REQUEST);
        }
    }
}

void
ParameterServer::RequestMissing(uint32_t sequence, Open& open)
{
    const uint32_t missing = FindMissing(sequence, open);
    const bool isInFloats = m_ledger.Find(KeyOf(sequence))->sum.IsComplete();
    if (open.asked < REMINDERS && !isInFloats)
    {
        Remind(sequence, missing);
    }
    else
    {
        Request(sequence, missing, isInFloats ? AtpCodec::IS_OVERFLOW : 0);
    }
    ++open.asked;
}

void
ParameterServer::Remind(uint32_t sequence, uint32_t bitmap)
{
    std::vector<uint32_t> racks;
    for (std::size_t w = 0; w < GetPlan().workers.size(); ++w)
    {
        const uint32_t host = GetPlan().workers[w];
        const uint32_t rack = GetJob().GetRack(host);
        if (bitmap >> w & 1 && std::find(racks.begin(), racks.end(), rack) == racks.end())
        {
            racks.push_back(rack);
            ++m_counters.reminders;
            SendControl(sequence, host, 0, AtpCodec::IS_REMINDER);
        }
    }
}

uint32_t
ParameterServer::FindMissing(uint32_t sequence, const Open& open)
{
    const Fragment& sum = m_ledger.Find(KeyOf(sequence))->sum;
    uint32_t got = sum.bitmap;
    if (sum.IsComplete())
    {
        got = 0;
        for (const auto& [worker, values] : open.floats)
        {
            got |= 1U << worker;
        }
    }
    return GetJob().GetAll() & ~got;
}

void
ParameterServer::SendControl(uint32_t sequence, uint32_t host, uint8_t flags, uint8_t moreFlags)
{
    const Fragment& sum = m_ledger.Find(KeyOf(sequence))->sum;
    Fragment control;
    control.key = sum.key;
    control.bitmap = sum.bitmap;
    control.slot = sum.slot;
    const int64_t now = FabricClock::Now();
    const Ptr<FabricFrame> frame = GetNic().CreateFrame();
    Address(*frame, host, now);
    AtpFraming::Write(*frame, GetJob(), std::move(control), flags, moreFlags);
    GetNic().SendAnswer(frame, 0, now);
}

int64_t
ParameterServer::GetWait(const Open& open) const
{
    constexpr uint32_t MOST_DOUBLINGS = 4;
    const int64_t usual = m_reminderTime.GetPicoSeconds() << std::min(open.asked, MOST_DOUBLINGS);
    const std::size_t asked =
        open.asked < REMINDERS ? GetJob().GetFirstOfRacks().size() : GetPlan().workers.size();
    // The questions of all fragments take no more than the link.
    return std::max(usual, static_cast<int64_t>(asked * m_open.size()) * m_controlTime);
}

uint64_t
ParameterServer::KeyOf(uint32_t sequence) const
{
    return Fragment::MakeKey(GetPlan().number, sequence);
}

bool
ParameterServer::IsPending() const
{
    return false; // a server waits for its workers, which are pending
}

uint64_t
ParameterServer::GetProgress() const
{
    return m_counters.sums;
}

void
ParameterServer::Describe(std::ostream& os) const
{
    os << "parameter server of job " << GetPlan().number << ": " << m_counters.sums << " sums, "
       << m_open.size() << " not complete";
}

void
ParameterServer::DoDispose()
{
    m_timer.Cancel();
    AggregationMember::DoDispose();
}

} // namespace aifabric
} // namespace ns3
