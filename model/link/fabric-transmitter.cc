/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-transmitter.h"

#include "fabric-port.h"
#include "linked-node.h"
#include "transmitter-timer.h"

#include "ns3/assert.h"
#include "ns3/fabric-clock.h"
#include "ns3/object-lock.h"
#include "ns3/prefetch-lines.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

FabricTransmitter::FabricTransmitter(FabricPort* owner)
    : m_scheduled(false),
      m_stale(false),
      m_prefetched(false),
      m_hasSource(false),
      m_observedSending(false),
      m_eager(0),
      m_direction(owner)
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
    const ObjectLock lock;
    Ptr<FabricQueue> queue = CreateObject<FabricQueue>();
    queue->SetWatcher([this]() { GetPort()->UpdateObservers(); });
    m_queues.SetQueue(trafficClass, queue);
}

void
FabricTransmitter::SetPeer(FabricPort* peer, FrameHandler* handler, uint16_t ingress, uint32_t node)
{
    m_direction.SetReceiver(peer);
    m_wire->SetReceiver(handler, ingress, node);
    m_stepsPerPs = FabricClock::StepsPerPs();
    if (WindowSimulator* windows = WindowSimulator::Get())
    {
        m_home = &LinkedNode::Of(*windows, m_node);
        m_sender = m_home->AddSender(this);
        m_receiver = &LinkedNode::Of(*windows, node);
        m_receiver->AddLink(this, ingress);
    }
}

void
FabricTransmitter::SetDelay(int64_t delay)
{
    m_wire->SetDelay(delay);
    m_inbox->SetDelay(delay);
    if (m_home)
    {
        m_home->ChangeLinks(); // windows may be longer or have to be shorter
    }
}

void
FabricTransmitter::SetCarrier(FrameCarrier* carrier)
{
    m_direction.SetCarrier(carrier);
    m_wire->SetDirect(false);
    SetEager(EAGER_REMOTE, true, FabricClock::Now());
}

inline void
FabricTransmitter::Transmit(const FrameLane::Entry& entry, int64_t start)
{
    const int64_t end = m_serializer.Send(entry.bytes, start);
    if (m_observedSending)
    {
        ObserveSending(entry.frame, end - start);
    }
    const int64_t arrival = m_wire->GetArrivalOf(end);
    if (m_wire->IsDirect())
    {
        m_wire->Push(entry.frame, arrival);
    }
    else
    {
        SendElsewhere(entry.frame, start, arrival);
    }
}

void
FabricTransmitter::ObserveSending(FabricFrame* frame, int64_t duration)
{
    GetPort()->ObserveSending(frame, duration);
}

void
FabricTransmitter::SendElsewhere(FabricFrame* frame, int64_t start, int64_t arrival)
{
    m_direction.SendElsewhere(Ptr<FabricFrame>(frame, false), start, arrival);
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

int64_t
FabricTransmitter::CatchUpPlainly(int64_t now)
{
    while (m_queues.IsPlain())
    {
        if (!m_queues.HasBacklog())
        {
            return NEVER;
        }
        const int64_t start = GetFreeAt();
        if (start > now)
        {
            return start;
        }
        Transmit(m_queues.TakeWaiting(start, *this), start);
    }
    return CatchUpSpecially(now);
}

int64_t
FabricTransmitter::CatchUpSpecially(int64_t now)
{
    int64_t start = NextStart();
    for (; start <= now; start = NextStart())
    {
        Start(start);
    }
    return start;
}

inline void
FabricTransmitter::Pass(const Ptr<FabricFrame>& frame, int64_t now)
{
    frame->Ref();
    m_serializer.SkipTo(now);
    Transmit({PeekPointer(frame), frame->wireBytes}, now);
    Announce();
}

bool
FabricTransmitter::SendAdvanced(const Ptr<FabricFrame>& frame, int64_t now)
{
    const bool isBusy = GetFreeAt() > now;
    if (!isBusy && m_queues.Pass(frame, now, *this))
    {
        Pass(frame, now);
        return true;
    }
    if (!m_queues.Push(frame, now, isBusy))
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
FabricTransmitter::BeginHold(uint32_t bytes, int64_t now)
{
    Advance(now);
    m_queues.BeginHold(bytes, now, GetFreeAt() > now);
}

void
FabricTransmitter::EndHold(uint32_t bytes, int64_t now)
{
    Advance(now);
    m_queues.EndHold(bytes, now);
}

void
FabricTransmitter::SendControl(Ptr<FabricFrame> frame, int64_t now)
{
    Advance(now);
    m_queues.PushControl(frame);
    Resume(now);
}

void
FabricTransmitter::AnnounceNew()
{
    if (!m_home)
    {
        ScheduleNextEvent();
        return;
    }
    const bool isRunning = m_home->Touch(m_sender); // which sees to the rest
    m_isTouched = isRunning && !m_eager;
    if (m_eager)
    {
        ScheduleStart();
    }
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
    const int64_t now = m_ownWire.GetArrival();
    PrefetchLine(m_ownWire.First());
    FabricFrame* frame = m_ownWire.Pop();
    if (m_ownWire.First()) // nothing that starts later arrives before it
    {
        PrefetchLine(m_ownWire.First());
        ScheduleArrival(TimeStep((m_ownWire.GetArrival() - now) * m_stepsPerPs)); // the same turn
        if (m_ownWire.NeedsPrefetch() && !m_prefetched)
        {
            m_ownWire.PrefetchNext();
        }
    }
    else
    {
        Advance(now);
        ScheduleNextEvent();
        if (m_ownWire.NeedsPrefetch() && !m_prefetched && m_ownWire.First())
        {
            m_ownWire.PrefetchNew();
        }
    }
    m_prefetched = false;
    m_ownWire.Deliver(Ptr<FabricFrame>(frame, false), m_direction, now);
}

void
FabricTransmitter::Prefetch(uint32_t step) const
{
    if (step == 0)
    {
        m_prefetched = true;
        m_ownWire.Prefetch();
        return;
    }
    m_ownWire.PrefetchFirst(step);
    if (m_hasSource) // most ports have none, and an arrival does not touch their queues
    {
        m_queues.GetSource()->Prefetch(step);
    }
}

void
FabricTransmitter::Expect(const Ptr<FabricFrame>& frame, int64_t start, int64_t arrival)
{
    if (m_direction.WasCutSince(start))
    {
        return; // the port that sent it has counted it as lost
    }
    NS_ASSERT_MSG(!m_wire->First() || arrival >= m_wire->GetLastArrival(),
                  "frames of a link that come in disorder");
    frame->Ref();
    m_wire->Push(PeekPointer(frame), arrival);
    ScheduleNextEvent();
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
    if (m_receiver)
    {
        m_receiver->Wake(); // what is in flight to it is lost at once
    }
    m_stale = m_stale || (!up && m_scheduled);
    if (!up)
    {
        HandOver();
    }
    m_direction.SetUp(up, *m_inbox, now);
    m_wire->SetDirect(m_inbox->IsDirect());
    Resume(now);
}

void
FabricTransmitter::SetEager(EagerReason reason, bool eager, int64_t now)
{
    Advance(now);
    m_eager = eager ? m_eager | reason : m_eager & ~reason;
    m_isTouched = false;
    if (eager && reason == EAGER_OWNER && m_startTimer)
    {
        // What the owner does at simultaneous starts of two ports must not depend on which of them
        // an observer is connected: scheduling begins anew, now, for both.
        m_startTimer->Disarm();
        m_startTimer = nullptr;
    }
    ScheduleStart();
    if (!eager && reason == EAGER_OWNER && !m_home)
    {
        ScheduleNextEvent(); // there was no wake-up
    }
}

inline void
FabricTransmitter::ScheduleArrival(Time wait)
{
    m_scheduled = true;
    Ref();
    Simulator::ScheduleWithContext(m_wire->GetNode(), wait, this);
}

void
FabricTransmitter::ScheduleNextEvent()
{
    if (m_scheduled && m_wire->First())
    {
        // the arrival will wake this transmitter soon enough
    }
    else if (m_wire->First())
    {
        ScheduleArrival(FabricClock::Until(m_wire->GetArrival(),
                                           FabricClock::TurnOfPort(m_wire->GetIngress())));
    }
    else if (const int64_t start = NextStart(); start != NEVER && !(m_eager & EAGER_OWNER))
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
    if (m_eager & EAGER_OWNER && !m_home)
    {
        ScheduleNextEvent(); // in the place of wake-ups: starts of two ports have one order
        return;
    }
    ScheduleStart();
}

void
FabricTransmitter::WakeUp()
{
    const int64_t now = FabricClock::Now();
    Advance(now);
    ScheduleNextEvent();
}

void
FabricTransmitter::MoveWire(WireEnd& inbox)
{
    HandOver();
    inbox = std::move(*m_inbox);
    m_inbox = &inbox;
    m_wire = &inbox;
    if (m_home && m_home->GetWorker() != m_receiver->GetWorker())
    {
        m_ownWire = inbox.MakeEmpty();
        m_wire = &m_ownWire;
    }
}

void
FabricTransmitter::HandOver()
{
    while (m_wire != m_inbox && m_wire->First())
    {
        const int64_t arrival = m_wire->GetArrival();
        m_inbox->Push(m_wire->Pop(), arrival);
    }
}

FabricTransmitter::Counters
FabricTransmitter::GetCounters() const
{
    Counters counters;
    counters.sentFrames = m_serializer.GetSentFrames();
    counters.sentBytes = m_serializer.GetSentBytes();
    counters.lostFrames = m_direction.GetLostFrames();
    counters.lostBytes = m_direction.GetLostBytes();
    counters.deliveredFrames = counters.sentFrames - counters.lostFrames - GetFlightFrames();
    counters.deliveredBytes = counters.sentBytes - counters.lostBytes - GetFlightBytes();
    return counters;
}

void
FabricTransmitter::Dispose()
{
    HandOver();
    while (FabricFrame* frame = m_inbox->Pop())
    {
        frame->Unref();
    }
    m_queues.Dispose();
    m_hasSource = false; // an event that is left may still be prefetched
    if (m_home)
    {
        m_home->RemoveSender(m_sender);
        m_receiver->RemoveLink(m_inbox->GetIngress());
        if (m_inbox != &m_ownWire)
        {
            m_ownWire = std::move(*m_inbox); // which lasts as long as this
            m_inbox = &m_ownWire;
            m_wire = &m_ownWire;
        }
        m_home = nullptr;
        m_receiver = nullptr;
        m_isTouched = false;
    }
    m_direction.SetCarrier(nullptr);
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
