/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "fabric-transmitter.h"

#include "fabric-port.h"

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

namespace
{

/// @return the number of the highest set bit  @param mask a mask that is not 0
int
HighestBit(uint8_t mask)
{
    return 31 - __builtin_clz(mask);
}

} // namespace

/**
 * A call of one method of a transmitter at a later time. It may be scheduled more than once: only
 * the earliest call counts as pending, a later one finds nothing to do.
 */
class FabricTransmitter::Timer : public EventImpl
{
  public:
    /// What to call.
    using Method = void (FabricTransmitter::*)();

    /**
     * @param transmitter whom to call
     * @param method what to call
     */
    Timer(FabricTransmitter* transmitter, Method method)
        : m_transmitter(transmitter),
          m_method(method)
    {
    }

    /**
     * Schedule a call, unless one is pending for that time or earlier.
     *
     * @param node the node in whose context it runs
     * @param time when, in picoseconds
     */
    void Arm(uint32_t node, int64_t time)
    {
        if (time >= m_pendingAt)
        {
            return;
        }
        m_pendingAt = time;
        Ref();
        Simulator::ScheduleWithContext(node, FabricClock::Until(time), this);
    }

    /// Never call again.
    void Disarm()
    {
        m_transmitter = nullptr;
    }

  private:
    void Notify() override
    {
        if (!m_transmitter)
        {
            return;
        }
        if (m_pendingAt <= FabricClock::Now())
        {
            m_pendingAt = NEVER;
        }
        (m_transmitter->*m_method)();
    }

    FabricTransmitter* m_transmitter; //!< whom to call
    Method m_method;                  //!< what to call
    int64_t m_pendingAt{NEVER};       //!< the earliest scheduled call, in picoseconds
};

FabricTransmitter::FabricTransmitter()
    : m_scheduled(false),
      m_stale(false),
      m_lossy(false),
      m_observedReceiving(false),
      m_isGhost(false),
      m_foresees(false),
      m_leadsToHost(false),
      m_foreseen(false)
{
}

FabricTransmitter::~FabricTransmitter()
{
}

void
FabricTransmitter::SetPort(FabricPort* owner, uint32_t node)
{
    m_port = owner;
    m_node = node;
}

void
FabricTransmitter::SetPeer(FabricPort* peer, FrameHandler* handler, uint16_t ingress, uint32_t node)
{
    m_peer = peer;
    m_handler = handler;
    m_foresees = handler->NeedsForesight();
    m_leadsToHost = handler->IsHost();
    m_ingress = ingress;
    m_stepsPerPs = FabricClock::StepsPerPs();
    m_peerNode = node;
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
FabricTransmitter::SetDelay(int64_t delay)
{
    m_delay = delay;
}

void
FabricTransmitter::SetQueue(uint8_t trafficClass, Ptr<FabricQueue> queue)
{
    m_queues[trafficClass] = queue;
    queue->Bind(m_lanes[trafficClass]);
    uint8_t serving = 0;
    while (!m_queues[serving])
    {
        ++serving;
    }
    for (uint8_t c = 0; c < CLASSES; ++c)
    {
        serving = m_queues[c] ? c : serving;
        m_laneOf[c] = serving;
    }
}

void
FabricTransmitter::SetSource(FrameSource* source)
{
    m_source = source;
}

void
FabricTransmitter::SetCarrier(FrameCarrier* carrier)
{
    m_carrier = carrier;
    m_isDirect = false;
    SetEager(EAGER_REMOTE, true, FabricClock::Now());
}

void
FabricTransmitter::SetGhost()
{
    m_isGhost = true;
}

void
FabricTransmitter::SetHook(DepartureHook* hook)
{
    m_hook = hook;
}

inline void
FabricTransmitter::PutInFlight(const InFlight& flight)
{
    if (m_head)
    {
        m_flight.push_back(flight);
    }
    else
    {
        m_headAt = flight.arrival;
        m_head = flight.frame;
    }
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
        PutInFlight(InFlight{arrival, entry.frame});
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
FabricTransmitter::CountRemoved(uint8_t queue, uint32_t bytes, int64_t time)
{
    Account(time);
    --m_waitingFrames;
    m_waitingBytes -= bytes;
    if (m_lanes[queue].IsEmpty())
    {
        m_backlog &= ~(1 << queue);
    }
}

inline FrameLane::Entry
FabricTransmitter::TakeFromQueue(uint8_t queue, int64_t start)
{
    FrameLane& lane = m_lanes[queue];
    const FrameLane::Entry entry = lane.Pop();
    CountRemoved(queue, entry.bytes, start);
    if (!lane.IsEmpty())
    {
        lane.PrefetchNext();
    }
    if (m_hook)
    {
        m_hook->FrameDeparts(*this, *entry.frame, start);
    }
    return entry;
}

inline FrameLane::Entry
FabricTransmitter::Choose(int64_t start)
{
    if (m_hasControl)
    {
        FabricFrame* frame = GetPointer(m_control.front());
        m_control.pop_front();
        m_hasControl = !m_control.empty();
        m_maxFrames = std::max(m_maxFrames, m_waitingFrames + 1);
        return {frame, frame->wireBytes};
    }
    const uint8_t ready = m_backlog & ~m_paused;
    const int queue = ready ? HighestBit(ready) : -1;
    if (!m_source)
    {
        return TakeFromQueue(queue, start);
    }
    const int source = m_source->GetReadyClass(~m_paused, start);
    const int served = source < 0 ? -1 : m_laneOf[source];
    if (source >= 0 && (served > queue || (served == queue && m_sourceTurn)))
    {
        m_sourceTurn = false;
        FabricFrame* frame = GetPointer(m_source->Pull(source, start));
        m_maxFrames = std::max(m_maxFrames, m_waitingFrames + 1);
        return {frame, frame->wireBytes};
    }
    if (queue < 0)
    {
        return {};
    }
    m_sourceTurn = true;
    return TakeFromQueue(queue, start);
}

inline void
FabricTransmitter::Start(int64_t start)
{
    if (m_paused)
    {
        OpenGates(start);
    }
    if (const FrameLane::Entry entry = Choose(start); entry.frame)
    {
        Transmit(entry, start);
    }
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
    const uint8_t queue = m_laneOf[frame->GetClass()];
    const uint32_t bytes = frame->wireBytes;
    if (!m_lanes[queue].HasRoom(bytes))
    {
        Refuse(frame);
        return false;
    }
    m_lanes[queue].Push(frame);
    Account(now);
    m_waitingBytes += bytes;
    ++m_waitingFrames;
    m_maxFrames = std::max(m_maxFrames, m_waitingFrames + (m_freeAt > now));
    m_maxBytes = std::max(m_maxBytes, m_waitingBytes);
    m_backlog |= 1 << queue;
    Resume(now);
    return true;
}

Ptr<FabricFrame>
FabricTransmitter::TakeLast(uint8_t trafficClass, int64_t now)
{
    Advance(now);
    const uint8_t queue = m_laneOf[trafficClass];
    FrameLane& lane = m_lanes[queue];
    if (lane.IsEmpty())
    {
        return nullptr;
    }
    const FrameLane::Entry entry = lane.PopLast();
    CountRemoved(queue, entry.bytes, now);
    return Ptr<FabricFrame>(entry.frame, false);
}

void
FabricTransmitter::Refuse(const Ptr<FabricFrame>& frame)
{
    m_queues[m_laneOf[frame->GetClass()]]->Refuse(frame);
}

void
FabricTransmitter::SendControl(Ptr<FabricFrame> frame, int64_t now)
{
    Advance(now);
    m_control.push_back(frame);
    m_hasControl = true;
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
    Settle();
}

int64_t
FabricTransmitter::NextOpening() const
{
    int64_t next = NEVER;
    for (uint8_t waiting = m_backlog; waiting; waiting &= waiting - 1)
    {
        next = std::min(next, m_openAt[HighestBit(waiting & -waiting)]);
    }
    if (m_source)
    {
        next = std::min(next, m_source->GetNextTime(~m_paused));
        for (uint8_t closed = m_paused; closed; closed &= closed - 1)
        {
            const uint8_t mask = closed & -closed;
            next =
                std::min(next, std::max(m_openAt[HighestBit(mask)], m_source->GetNextTime(mask)));
        }
    }
    return std::max(next, m_freeAt);
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
    const int64_t now = m_headAt;
    __builtin_prefetch(m_head, 1);
    FabricFrame* frame = TakeFromFlight();
    if (m_head) // nothing that starts later arrives before it
    {
        __builtin_prefetch(m_head, 1);
        m_scheduled = true;
        Ref();
        const Time wait = TimeStep((m_headAt - now) * m_stepsPerPs); // to the same turn
        Simulator::ScheduleWithContext(Simulator::GetContext(), wait, this);
        if (m_foresees && !m_foreseen)
        {
            ForeseeFollowing();
        }
    }
    else
    {
        Advance(now);
        Settle();
        if (m_foresees && !m_foreseen && m_head)
        {
            ForeseeNew();
        }
    }
    m_foreseen = false;
    Deliver(Ptr<FabricFrame>(frame, false), now);
}

void
FabricTransmitter::ForeseeFollowing() const
{
    m_handler->ForeseeFrame(*m_head, 3);
    const uint32_t following = m_flight.size();
    if (following > 0)
    {
        m_handler->ForeseeFrame(*m_flight[0].frame, 2);
    }
    if (following > 1)
    {
        m_handler->ForeseeFrame(*m_flight[1].frame, 1);
    }
    if (following > 2)
    {
        __builtin_prefetch(m_flight[2].frame, 1);
    }
}

void
FabricTransmitter::ForeseeNew() const
{
    for (uint32_t step = 1; step <= 2; ++step)
    {
        m_handler->ForeseeFrame(*m_head, step);
        for (uint32_t i = 0; i + step <= 2 && i < m_flight.size(); ++i)
        {
            m_handler->ForeseeFrame(*m_flight[i].frame, step);
        }
    }
}

void
FabricTransmitter::Foresee(uint32_t step) const
{
    if (step == 0)
    {
        m_foreseen = true;
        __builtin_prefetch(m_head, 1);
        __builtin_prefetch(m_flight.Place());
        return;
    }
    if (m_head)
    {
        m_handler->ForeseeFrame(*m_head, step);
    }
    if (m_source)
    {
        m_source->Foresee(step);
    }
}

FabricFrame*
FabricTransmitter::TakeFromFlight()
{
    FabricFrame* frame = m_head;
    const InFlight next = m_flight.empty() ? InFlight{} : m_flight.pop_front();
    m_head = next.frame;
    m_headAt = next.arrival;
    return frame;
}

void
FabricTransmitter::Deliver(const Ptr<FabricFrame>& frame, int64_t now)
{
    if (m_lossy && m_port->LosesFrame())
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
    NS_ASSERT_MSG(!m_head || arrival >= (m_flight.empty() ? m_headAt : m_flight.back().arrival),
                  "frames of a link that come in disorder");
    frame->Ref();
    PutInFlight(InFlight{arrival, PeekPointer(frame)});
    Settle();
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
    uint8_t queues = 0;
    for (uint8_t c = 0; c < CLASSES; ++c)
    {
        queues |= (classes >> c & 1) << m_laneOf[c];
    }
    for (uint8_t c = 0; c < CLASSES; ++c)
    {
        if (queues >> m_laneOf[c] & 1)
        {
            m_openAt[c] = until;
            m_paused |= 1 << c;
        }
    }
    OpenGates(now);
    Resume(now);
}

void
FabricTransmitter::OpenGates(int64_t now)
{
    for (uint8_t closed = m_paused; closed; closed &= closed - 1)
    {
        const int c = HighestBit(closed & -closed);
        if (m_openAt[c] <= now)
        {
            m_paused &= ~(1 << c);
        }
    }
}

void
FabricTransmitter::SetLinkUp(bool up, int64_t now)
{
    Advance(now);
    m_linkUp = up;
    m_isDirect = up && !m_carrier;
    m_stale = m_stale || (!up && m_scheduled);
    m_cutAt = up ? m_cutAt : now;
    while (!up && m_head)
    {
        const Ptr<FabricFrame> lost(TakeFromFlight(), false);
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
FabricTransmitter::SetLossy(bool lossy)
{
    m_lossy = lossy;
}

void
FabricTransmitter::SetEager(EagerReason reason, bool eager, int64_t now)
{
    Advance(now);
    m_eager = eager ? m_eager | reason : m_eager & ~reason;
    if (eager && reason == EAGER_OWNER && m_startTimer)
    {
        // What the owner does at simultaneous starts of two ports must not depend on which of them
        // somebody observes: scheduling begins anew, now, for both.
        m_startTimer->Disarm();
        m_startTimer = nullptr;
    }
    ScheduleStart();
}

void
FabricTransmitter::SetObserved(bool sending, bool receiving)
{
    m_observedSending = sending;
    m_observedReceiving = receiving;
}

void
FabricTransmitter::Settle()
{
    if (m_scheduled && m_head)
    {
        // the arrival will wake this transmitter soon enough
    }
    else if (m_head)
    {
        m_scheduled = true;
        Ref();
        const Time wait = FabricClock::Until(m_headAt, FabricClock::TurnOfPort(m_ingress));
        Simulator::ScheduleWithContext(m_peerNode, wait, this);
    }
    else if (const int64_t start = NextStart(); start != NEVER)
    {
        if (!m_wakeTimer)
        {
            m_wakeTimer = Create<Timer>(this, &FabricTransmitter::WakeUp);
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
        m_startTimer = Create<Timer>(this, &FabricTransmitter::StartDue);
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
    Settle();
}

uint32_t
FabricTransmitter::GetFlightFrames() const
{
    if (m_carrier)
    {
        return m_carrier->CountFrames(FabricClock::Now());
    }
    return m_isGhost ? 0 : m_flight.size() + (m_head ? 1 : 0);
}

uint64_t
FabricTransmitter::GetFlightBytes() const
{
    if (m_carrier)
    {
        return m_carrier->CountBytes(FabricClock::Now());
    }
    uint64_t bytes = m_head && !m_isGhost ? m_head->wireBytes : 0;
    for (uint32_t i = 0; i < m_flight.size() && !m_isGhost; ++i)
    {
        bytes += m_flight[i].frame->wireBytes;
    }
    return bytes;
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
    while (m_head)
    {
        TakeFromFlight()->Unref();
    }
    m_control.clear();
    m_hasControl = false;
    for (FrameLane& lane : m_lanes)
    {
        lane.Clear();
    }
    m_queues.fill(nullptr);
    m_backlog = 0;
    m_source = nullptr;
    m_hook = nullptr;
    m_carrier = nullptr;
    for (const Ptr<Timer>& timer : {m_startTimer, m_wakeTimer})
    {
        if (timer)
        {
            timer->Disarm();
        }
    }
}

} // namespace aifabric
} // namespace ns3
