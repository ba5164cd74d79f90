/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-transmitter.h"

#include "fabric-port.h"
#include "transmitter-timer.h"

#include "ns3/abort.h"
#include "ns3/assert.h"
#include "ns3/fabric-clock.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <limits>

namespace ns3
{
namespace aifabric
{

FabricTransmitter::FabricTransmitter(FabricPort* owner)
    : m_scheduled(false),
      m_stale(false),
      m_lossy(false),
      m_observedReceiving(false),
      m_isGhost(false),
      m_prefetches(false),
      m_leadsToHost(false),
      m_prefetched(false),
      m_isDirect(true),
      m_hasSource(false),
      m_port(owner)
{
}

FabricTransmitter::~FabricTransmitter()
{
}

void
FabricTransmitter::SetNode(uint32_t node)
{
    m_node = node;
}

void
FabricTransmitter::MakeQueue(uint8_t trafficClass)
{
    Ptr<FabricQueue> queue = CreateObject<FabricQueue>();
    queue->SetWatcher([this]() { m_port->UpdateObservers(); });
    m_queues.SetQueue(trafficClass, queue);
}

void
FabricTransmitter::SetPeer(FabricPort* peer, FrameHandler* handler, uint16_t ingress, uint32_t node)
{
    m_peer = peer;
    SetHandler(handler);
    m_ingress = ingress;
    m_stepsPerPs = FabricClock::StepsPerPs();
    m_peerNode = node;
}

void
FabricTransmitter::SetHandler(FrameHandler* handler)
{
    m_handler = handler;
    m_prefetches = handler->NeedsPrefetch();
    m_leadsToHost = handler->IsHost();
}

void
FabricTransmitter::SetTiming(int64_t stepsPerByte, int64_t gap)
{
    constexpr int64_t most = std::numeric_limits<int64_t>::max() >> 16; // of the largest frame
    NS_ABORT_MSG_IF(stepsPerByte > most,
                    "FabricTransmitter: too slow to tell when a frame is sent");
    NS_ABORT_MSG_IF(gap > std::numeric_limits<uint32_t>::max(),
                    "FabricTransmitter: a gap of " << gap << " picoseconds; the most is 2^32 - 1");
    m_stepsPerByte = stepsPerByte;
    m_gap = gap;
}

void
FabricTransmitter::SetCarrier(FrameCarrier* carrier)
{
    m_carrier = carrier;
    m_isDirect = false;
    SetEager(EAGER_REMOTE, true, FabricClock::Now());
}

inline void
FabricTransmitter::Transmit(const FrameLane::Entry& entry, int64_t start)
{
    const int64_t duration = GetTransmissionTime(entry.bytes);
    m_freeAt = start + duration + m_gap;
    m_busyTime += duration + m_gap;
    ++m_sentFrames;
    m_sentBytes += entry.bytes;
    m_lastBytes = entry.bytes;
    if (m_observedSending)
    {
        m_port->ObserveSending(entry.frame, duration);
    }
    const int64_t arrival = start + duration + m_delay;
    if (!m_isDirect)
    {
        TransmitElsewhere(Ptr<FabricFrame>(entry.frame, false), start, arrival);
    }
    else
    {
        m_flight.Push(entry.frame, arrival);
    }
}

void
FabricTransmitter::TransmitElsewhere(const Ptr<FabricFrame>& frame, int64_t start, int64_t arrival)
{
    if (m_linkUp)
    {
        m_carrier->Carry(frame, start, arrival);
    }
    else
    {
        Lose(frame);
    }
}

inline void
FabricTransmitter::Start(int64_t start)
{
    if (m_queues.IsPaused())
    {
        OpenGates(start);
    }
    const FrameLane::Entry entry =
        m_queues.IsSpecial() ? TakeSpecial(start) : m_queues.TakeHighest(start, *this);
    if (entry.frame)
    {
        Transmit(entry, start);
    }
}

int64_t
FabricTransmitter::NextOpening() const
{
    return std::max(m_queues.GetOpening(), m_freeAt);
}

void
FabricTransmitter::OpenGates(int64_t start)
{
    m_queues.OpenGates(start);
}

FrameLane::Entry
FabricTransmitter::TakeSpecial(int64_t start)
{
    return m_queues.TakeSpecial(start, *this);
}

void
FabricTransmitter::PrefetchFlight(bool areNew) const
{
    areNew ? m_flight.PrefetchNew(*m_handler) : m_flight.Prefetch(*m_handler);
}

void
FabricTransmitter::CatchUp(int64_t now)
{
    for (int64_t start = NextStart(); start <= now; start = NextStart())
    {
        Start(start);
    }
}

bool
FabricTransmitter::Send(const Ptr<FabricFrame>& frame, int64_t now)
{
    Advance(now);
    if (!m_queues.Push(frame, now, m_freeAt > now))
    {
        Refuse(frame);
        return false;
    }
    Resume(now);
    return true;
}

Ptr<FabricFrame>
FabricTransmitter::TakeLast(uint8_t trafficClass, int64_t now)
{
    Advance(now);
    return m_queues.TakeLast(trafficClass, now);
}

void
FabricTransmitter::SendControl(Ptr<FabricFrame> frame, int64_t now)
{
    Advance(now);
    m_queues.PushControl(frame);
    Resume(now);
}

void
FabricTransmitter::Resume(int64_t now)
{
    if (m_freeAt <= now)
    {
        m_freeAt = now;
        CatchUp(now);
    }
    ScheduleNextEvent();
}

void
FabricTransmitter::Notify()
{
    m_scheduled = false;
    if (m_stale)
    {
        m_stale = false;
        WakeUp();
        return;
    }
    const int64_t now = m_flight.GetArrival();
    __builtin_prefetch(m_flight.First(), 1);
    FabricFrame* frame = m_flight.Pop();
    if (m_flight.First()) // nothing that starts later arrives before it
    {
        __builtin_prefetch(m_flight.First(), 1);
        m_scheduled = true;
        Ref();
        const Time wait = TimeStep((m_flight.GetArrival() - now) * m_stepsPerPs); // the same turn
        Simulator::ScheduleWithContext(m_peerNode, wait, this);
        if (m_prefetches && !m_prefetched)
        {
            PrefetchFlight(false);
        }
    }
    else
    {
        Advance(now);
        ScheduleNextEvent();
        if (m_prefetches && !m_prefetched && m_flight.First())
        {
            PrefetchFlight(true);
        }
    }
    m_prefetched = false;
    Deliver(Ptr<FabricFrame>(frame, false), now);
}

void
FabricTransmitter::Prefetch(uint32_t step) const
{
    if (step == 0)
    {
        m_prefetched = true;
        m_flight.Prefetch();
        return;
    }
    if (m_flight.First())
    {
        m_handler->PrefetchFrame(*m_flight.First(), step);
    }
    if (m_hasSource) // most ports have none, and an arrival does not touch their queues
    {
        m_queues.GetSource()->Prefetch(step);
    }
}

void
FabricTransmitter::Deliver(const Ptr<FabricFrame>& frame, int64_t now)
{
    if (m_lossy && m_port->LosesFrame(*frame))
    {
        Lose(frame);
        return;
    }
    if (m_observedReceiving)
    {
        m_peer->ObserveReceiving(frame);
    }
    if (frame->kind >= FrameKind::PAUSE)
    {
        m_peer->ReceivePause(frame->GetExtra().pause, frame->kind, now);
        return;
    }
    m_handler->ReceiveFrame(frame, m_ingress, now);
}

void
FabricTransmitter::Expect(const Ptr<FabricFrame>& frame, int64_t start, int64_t arrival)
{
    if (start <= m_cutAt)
    {
        return; // the port that sent it has counted it as lost
    }
    NS_ASSERT_MSG(!m_flight.First() || arrival >= m_flight.GetLastArrival(),
                  "frames of a link that come in disorder");
    frame->Ref();
    m_flight.Push(PeekPointer(frame), arrival);
    ScheduleNextEvent();
}

void
FabricTransmitter::Lose(const Ptr<FabricFrame>& frame)
{
    ++m_lostFrames;
    m_lostBytes += frame->wireBytes;
    m_port->ObserveLoss(frame);
}

void
FabricTransmitter::Pause(uint8_t classes, int64_t until, int64_t now)
{
    Advance(now);
    m_queues.Pause(classes, until, now);
    Resume(now);
}

void
FabricTransmitter::SetLinkUp(bool up, int64_t now)
{
    Advance(now);
    m_linkUp = up;
    m_isDirect = up && !m_carrier;
    m_stale = m_stale || (!up && m_scheduled);
    m_cutAt = up ? m_cutAt : now;
    while (!up && m_flight.First())
    {
        const Ptr<FabricFrame> lost(m_flight.Pop(), false);
        if (!m_isGhost) // or else the port that sent it counts it
        {
            Lose(lost);
        }
    }
    while (Ptr<FabricFrame> lost = up || !m_carrier ? nullptr : m_carrier->TakeLost(now))
    {
        Lose(lost);
    }
    Resume(now);
}

void
FabricTransmitter::SetEager(EagerReason reason, bool eager, int64_t now)
{
    Advance(now);
    m_eager = eager ? m_eager | reason : m_eager & ~reason;
    if (eager && reason == EAGER_OWNER && m_startTimer)
    {
        // What the owner does at simultaneous starts of two ports must not depend on which of them
        // an observer is connected: scheduling begins anew, now, for both.
        m_startTimer->Disarm();
        m_startTimer = nullptr;
    }
    ScheduleStart();
}

void
FabricTransmitter::ScheduleNextEvent()
{
    if (m_scheduled && m_flight.First())
    {
        // the arrival will wake this transmitter soon enough
    }
    else if (m_flight.First())
    {
        m_scheduled = true;
        Ref();
        const Time wait =
            FabricClock::Until(m_flight.GetArrival(), FabricClock::TurnOfPort(m_ingress));
        Simulator::ScheduleWithContext(m_peerNode, wait, this);
    }
    else if (const int64_t start = NextStart(); start != NEVER)
    {
        if (!m_wakeTimer)
        {
            m_wakeTimer = Create<TransmitterTimer>(this, &FabricTransmitter::WakeUp);
        }
        m_wakeTimer->Arm(m_node, start);
    }
    if (m_eager)
    {
        ScheduleStart();
    }
}

void
FabricTransmitter::ScheduleStart()
{
    const int64_t start = m_eager ? NextStart() : NEVER;
    if (start == NEVER)
    {
        return;
    }
    if (!m_startTimer)
    {
        m_startTimer = Create<TransmitterTimer>(this, &FabricTransmitter::StartDue);
    }
    m_startTimer->Arm(m_node, start);
}

void
FabricTransmitter::StartDue()
{
    const int64_t now = FabricClock::Now();
    Advance(now);
    ScheduleStart();
}

void
FabricTransmitter::WakeUp()
{
    const int64_t now = FabricClock::Now();
    Advance(now);
    ScheduleNextEvent();
}

uint32_t
FabricTransmitter::GetFlightFrames() const
{
    if (m_carrier)
    {
        return m_carrier->CountFrames(FabricClock::Now());
    }
    return m_isGhost ? 0 : m_flight.CountFrames();
}

uint64_t
FabricTransmitter::GetFlightBytes() const
{
    if (m_carrier)
    {
        return m_carrier->CountBytes(FabricClock::Now());
    }
    return m_isGhost ? 0 : m_flight.CountBytes();
}

FabricTransmitter::Counters
FabricTransmitter::GetCounters() const
{
    Counters counters;
    counters.sentFrames = m_sentFrames;
    counters.sentBytes = m_sentBytes;
    counters.lostFrames = m_lostFrames;
    counters.lostBytes = m_lostBytes;
    counters.deliveredFrames = m_sentFrames - m_lostFrames - GetFlightFrames();
    counters.deliveredBytes = m_sentBytes - m_lostBytes - GetFlightBytes();
    return counters;
}

void
FabricTransmitter::Dispose()
{
    while (FabricFrame* frame = m_flight.Pop())
    {
        frame->Unref();
    }
    m_queues.Dispose();
    m_carrier = nullptr;
    for (const Ptr<TransmitterTimer>& timer : {m_startTimer, m_wakeTimer})
    {
        if (timer)
        {
            timer->Disarm();
        }
    }
}

} // namespace aifabric
} // namespace ns3
