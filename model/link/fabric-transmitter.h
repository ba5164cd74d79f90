/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_TRANSMITTER_H
#define FABRIC_TRANSMITTER_H

#include "link-direction.h"
#include "serializer.h"
#include "wire-end.h"

#include "ns3/egress-queues.h"
#include "ns3/fabric-frame.h"
#include "ns3/prefetch-lines.h"
#include "ns3/prefetching-event.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace ns3
{
namespace aifabric
{

class FabricPort;
class LinkedNode;
class TransmitterTimer;

/**
 * @ingroup ai-fabric
 *
 * The sending half of a port: what waits there, with the choice among it (EgressQueues), when it
 * is sent (Serializer), the frames in flight to the peer (WireEnd), and what becomes of those that
 * do not simply arrive (LinkDirection). These four know no event: this class decides when each
 * acts.
 *
 * **One event a hop.** A transmitter decides which frame starts when, but does not schedule it: it
 * catches up with Advance() whenever something touches it. The only event it needs is the arrival
 * of the head of its frames in flight, and the transmitter itself is that event. When it fires, the
 * transmitter schedules itself for the next arrival, and hands the frame to the peer. It has to
 * catch up only where nothing else is in flight, and that is soon enough: a frame that starts at s
 * arrives after s + delay, and the frame before it arrived no later than s + delay.
 *
 * **The law of late decisions.** A frame that starts at s is chosen from what was there before s
 * (or at s, if nothing was there before). So whatever changes what could be sent (a new frame, a
 * gate, a source) stands between Advance(now) and Resume(now). Then the choices do not depend on
 * when they are computed, and an **eager** transmitter, which also schedules each start because
 * an observer must see it, sends the same frames at the same times in the same order. Arrivals are
 * scheduled only by arrivals, changes and wake-ups, which occur in both modes alike; a transmitter
 * whose owner acts at departures (EAGER_OWNER) has its scheduled starts in the place of wake-ups.
 *
 * **In windows** (WindowSimulator) no arrival is an event: the frames in flight lie at the peer's
 * LinkedNode, which takes them, and the port's own LinkedNode has it decide up to a window's end.
 *
 * **Conservation**, at any time after Advance(now): frames accepted or pulled = sent + waiting;
 * sent = delivered + lost + in flight; the same for bytes.
 */
class alignas(64) FabricTransmitter final : public PrefetchingEvent
{
  public:
    static constexpr uint8_t CLASSES = EgressQueues::CLASSES; //!< traffic classes

    /// Why a transmitter is eager; the reasons are independent bits.
    enum EagerReason : uint8_t
    {
        EAGER_OBSERVED = 0x01, //!< departures are observed
        EAGER_OWNER = 0x02,    //!< the owner must act at departures
        EAGER_REMOTE = 0x04,   //!< the peer is on another rank
    };

    /// Frames and bytes since the start; all monotone.
    struct Counters
    {
        uint64_t sentFrames{0};      //!< transmissions begun
        uint64_t sentBytes{0};       //!< their bytes on the wire, gaps not counted
        uint64_t deliveredFrames{0}; //!< frames handed to the peer
        uint64_t deliveredBytes{0};  //!< their bytes
        uint64_t lostFrames{0};      //!< frames lost on the link
        uint64_t lostBytes{0};       //!< their bytes
    };

    /// @param owner the port whose sending half this is
    explicit FabricTransmitter(FabricPort* owner);
    ~FabricTransmitter() override;

    // Set-up

    /// @param node the node of the port
    void SetNode(uint32_t node);

    /**
     * @param peer the port at the other end
     * @param handler who receives there
     * @param ingress the port's index there
     */
    void SetPeer(FabricPort* peer, FrameHandler* handler, uint16_t ingress, uint32_t node);

    /// @param handler who receives at the other end from now on
    void SetHandler(FrameHandler* handler)
    {
        m_inbox->SetHandler(handler);
    }

    /// @copydoc Serializer::SetTiming
    void SetTiming(int64_t stepsPerByte, int64_t gap)
    {
        m_serializer.SetTiming(stepsPerByte, gap);
    }

    /// @param delay propagation delay, in picoseconds
    void SetDelay(int64_t delay);

    /// @param source where frames come from beside the queues, or nullptr
    void SetSource(FrameSource* source)
    {
        m_queues.SetSource(source);
        m_hasSource = source;
    }

    /// @return what waits, for its set-up
    EgressQueues& GetQueues()
    {
        return m_queues;
    }

    /// @param carrier who carries frames to a peer that another rank simulates
    void SetCarrier(FrameCarrier* carrier);

    /// Another rank simulates the port: frames come by Expect().
    void SetGhost()
    {
        m_direction.SetGhost();
    }

    // Sending

    /**
     * Enqueue a frame in the queue of its class.
     *
     * @param now the current time, in picoseconds
     * @return whether the queue accepted it
     */
    bool Send(const Ptr<FabricFrame>& frame, int64_t now)
    {
        Advance(now);
        return SendAdvanced(frame, now);
    }

    /// As Send(), where Advance(now) was called, and nothing has changed since that could be sent.
    bool SendAdvanced(const Ptr<FabricFrame>& frame, int64_t now);

    /**
     * Take back the frame that came last into the queue of a class, for example to trim it. The
     * owner of the buffer counts it as gone: the hook is not called.
     *
     * @param now the current time, in picoseconds
     * @return the frame; null if none waits
     */
    Ptr<FabricFrame> TakeLast(uint8_t trafficClass, int64_t now);

    /**
     * Count a frame that waits for this port and that another object holds, until EndHold(): it may
     * not be sent yet.
     *
     * @param bytes of the frame
     * @param now the current time, in picoseconds
     */
    void BeginHold(uint32_t bytes, int64_t now);

    /// Such a frame is not held any more.  @param bytes of the frame
    /// @param now the current time, in picoseconds
    void EndHold(uint32_t bytes, int64_t now);

    /**
     * Send a MAC control frame: before all others, whatever is paused.
     *
     * @param now the current time, in picoseconds
     */
    void SendControl(Ptr<FabricFrame> frame, int64_t now);

    /**
     * Decide every start up to now. To be called before anything changes that could be sent.
     *
     * @param now the current time, in picoseconds
     */
    void Advance(int64_t now)
    {
        if (m_serializer.GetFreeAt() <= now && m_queues.MayHaveFrames())
        {
            CatchUp(now); // what is in flight since is announced with the next window of the node
        }
    }

    /// Decide every start up to the end of a window.  @param last the time, in picoseconds
    /// @return the time of the next start, as NextStart() has it
    int64_t Settle(int64_t last)
    {
        const int64_t start = m_serializer.GetFreeAt() <= last ? CatchUp(last) : NextStart();
        m_isTouched = false;
        return start;
    }

    /**
     * Go on after a change: start what may start now, and schedule what is needed.
     *
     * @param now the current time, in picoseconds
     */
    void Resume(int64_t now)
    {
        if (GetFreeAt() <= now)
        {
            m_serializer.SkipTo(now);
            CatchUp(now);
        }
        Announce();
    }

    void Prefetch(uint32_t step) const override;

    /**
     * The port has sent a frame on its own rank, which is to arrive here. Calls are in the order of
     * their arrivals.
     *
     * @param start when its transmission began, in picoseconds
     * @param arrival when its last bit arrives, in picoseconds
     */
    void Expect(const Ptr<FabricFrame>& frame, int64_t start, int64_t arrival);

    /// Get what Send() will touch into the cache.  @param trafficClass class of the frame
    void Prefetch(uint8_t trafficClass) const
    {
        PrefetchLine(this);
        PrefetchLine(&m_wire);
        m_queues.Prefetch(trafficClass);
    }

    /// Get the places where Send() will put a frame into the cache, when what Prefetch() fetched
    /// has come.  @param trafficClass class of the frame
    void PrefetchPlaces(uint8_t trafficClass) const
    {
        m_queues.PrefetchPlace(trafficClass);
        m_wire->PrefetchPlace();
    }

    // Gates, link state, observers

    /**
     * Close the gates of classes, or open them. Classes that share a queue share its gate.
     *
     * @param classes bit c set: class c
     * @param until when the gates open by themselves, in picoseconds; not after now: open
     * @param now the current time, in picoseconds
     */
    void Pause(uint8_t classes, int64_t until, int64_t now);

    /**
     * Cut the link or restore it. What is in flight when it is cut is lost, and so is what is sent
     * while it is cut.
     *
     * @param up whether frames reach the peer
     * @param now the current time, in picoseconds
     */
    void SetLinkUp(bool up, int64_t now);

    /**
     * @param lossy whether the port is to be asked about each arriving frame if it is lost
     */
    void SetLossy(bool lossy)
    {
        m_inbox->SetLossy(lossy);
    }

    /**
     * @param eager whether it holds
     * @param now the current time, in picoseconds
     */
    void SetEager(EagerReason reason, bool eager, int64_t now);

    /**
     * @param sending whether the port observes transmissions
     * @param receiving whether the peer observes arrivals
     */
    void SetObserved(bool sending, bool receiving)
    {
        m_observedSending = sending;
        m_inbox->SetObserved(receiving);
    }

    /// @return whether the port observes transmissions
    bool IsObservedSending() const
    {
        return m_observedSending;
    }

    /// Forget all frames and events: the simulation ends.
    void Dispose();

    // State

    /// @return frames in the queues, the one in transmission not counted
    uint32_t GetWaitingFrames() const
    {
        return m_queues.GetWaitingFrames();
    }

    /// @return bytes in the queues, the frame in transmission not counted
    uint32_t GetWaitingBytes() const
    {
        return m_queues.GetWaitingBytes();
    }

    /**
     * @param now the current time, in picoseconds, after Advance(now)
     * @return bytes in the queues and in transmission, the frame in transmission whole
     */
    uint64_t GetQueuedBytes(int64_t now) const
    {
        return m_queues.GetWaitingBytes() + m_serializer.GetBytesAt(now);
    }

    /// @return the queue that serves a class, as ns-3 sees it; the first call makes it
    const Ptr<FabricQueue>& GetQueue(uint8_t trafficClass)
    {
        if (!m_queues.GetQueue(trafficClass))
        {
            MakeQueue(trafficClass);
        }
        return m_queues.GetQueue(trafficClass);
    }

    /// @return what waits
    const EgressQueues& GetQueues() const
    {
        return m_queues;
    }

    /// @return the frames that wait in the queue of a class
    const FrameLane& GetLane(uint8_t trafficClass) const
    {
        return m_queues.GetLane(trafficClass);
    }

    /// Drop a frame that there is no room for.
    void Refuse(const Ptr<FabricFrame>& frame)
    {
        GetQueue(frame->GetClass())->Refuse(frame);
    }

    /// @return when the wire is free for the next frame, in picoseconds; maybe in the past
    int64_t GetFreeAt() const
    {
        return m_serializer.GetFreeAt();
    }

    /// @copydoc LinkDirection::CountFrames
    uint32_t GetFlightFrames() const
    {
        return m_direction.CountFrames(*m_inbox) + (m_wire == m_inbox ? 0 : m_wire->CountFrames());
    }

    /// @return bytes in flight
    uint64_t GetFlightBytes() const
    {
        return m_direction.CountBytes(*m_inbox) + (m_wire == m_inbox ? 0 : m_wire->CountBytes());
    }

    /// @return the counters
    Counters GetCounters() const;

    /// @return the longest that the queue was, in frames, with the one in transmission
    uint32_t GetMaxFrames() const
    {
        return m_queues.GetMaxFrames();
    }

    /**
     * @param now the current time, in picoseconds, after Advance(now)
     * @return the integral over time of the frames in the queues and in transmission, in frames
     * times picoseconds
     */
    double GetFrameTime(int64_t now) const
    {
        const int64_t sending = GetBusyTime() - m_serializer.GetBusyAfter(now);
        return static_cast<double>(m_queues.GetWaitingTime(now)) + static_cast<double>(sending);
    }

    /// @return bytes on the wire of all transmissions that were begun
    uint64_t GetSentBytes() const
    {
        return m_serializer.GetSentBytes();
    }

    /// @return the rate at which it sends now, in bits per second
    double GetRate() const
    {
        return m_serializer.GetRate();
    }

    /// @return the time spent sending, gaps included, in picoseconds
    int64_t GetBusyTime() const
    {
        return m_serializer.GetBusyTime();
    }

    /// @return the mask of classes whose gate is closed
    uint8_t GetPaused() const
    {
        return m_queues.GetPaused();
    }

    /// @return when a frame can start that finds no other one waiting, in picoseconds; maybe in the
    /// past
    int64_t GetOpenAt(uint8_t trafficClass) const
    {
        const bool isPaused = GetPaused() >> trafficClass & 1;
        return isPaused ? std::max(GetFreeAt(), m_queues.GetGateOpening(trafficClass))
                        : GetFreeAt();
    }

    /// @param factor the fraction that is left of the room and of the marking thresholds of the
    /// queues, in (0, 1]
    void SetQueueFactor(double factor)
    {
        m_queueFactor = factor;
    }

    /// @return the fraction that is left of the room and of the marking thresholds of the queues
    double GetQueueFactor() const
    {
        return m_queueFactor;
    }

    /// @return what is left of a limit of the queues, rounded down
    uint64_t ScaleLimit(uint64_t limit) const
    {
        return static_cast<uint64_t>(static_cast<double>(limit) * m_queueFactor);
    }

    /// @return whether frames reach the peer
    bool IsLinkUp() const
    {
        return m_direction.IsUp();
    }

    /// @return whether the port at the other end is that of a host
    bool LeadsToHost() const
    {
        return m_wire->LeadsToHost();
    }

    /// @return the port at the other end
    FabricPort* GetPeer() const
    {
        return m_direction.GetReceiver();
    }

    /// @return the port whose sending half this is
    FabricPort* GetPort() const
    {
        return m_direction.GetSender();
    }

    /// @return time to send a frame, in picoseconds  @param bytes its bytes on the wire
    int64_t GetTransmissionTime(uint32_t bytes) const
    {
        return m_serializer.GetTransmissionTime(bytes);
    }

    // Windows

    /// @return the node of the port
    uint32_t GetNode() const
    {
        return m_node;
    }

    /**
     * Keep the frames in flight elsewhere from now on. Where another worker runs the receiver, what
     * is sent in a window stays here, until HandOver().
     *
     * @param inbox where
     */
    void MoveWire(WireEnd& inbox);

    /// Put the frames that are still here into the inbox.
    void HandOver();

    /// @return the frames in flight, or those that have to be handed over
    const WireEnd& GetWire() const
    {
        return *m_wire;
    }

    /// @return what becomes of frames that do not simply arrive
    LinkDirection& GetDirection()
    {
        return m_direction;
    }

    /// @return the node of the peer, where there are windows
    LinkedNode& GetReceiver() const
    {
        return *m_receiver;
    }

    /// @return the time of the next start, in picoseconds, as far as is known now; or NEVER
    int64_t NextStart() const
    {
        if (m_queues.IsReady())
        {
            return GetFreeAt();
        }
        return m_queues.MayBeReady() ? std::max(m_queues.GetOpening(), GetFreeAt()) : NEVER;
    }

  private:
    /// Make the queue of a class, which notifies the port when it is watched.
    [[gnu::noinline]] void MakeQueue(uint8_t trafficClass);

    /// The head of the frames in flight arrives.
    void Notify() override;

    /// Decide every start up to now.  @param now the current time, in picoseconds
    /// @return the time of the next start
    int64_t CatchUp(int64_t now)
    {
        return m_queues.IsPlain() ? CatchUpPlainly(now) : CatchUpSpecially(now);
    }

    /// The same, where all frames come from the queues and no gate is closed.
    int64_t CatchUpPlainly(int64_t now);

    /// The same in all other cases.
    int64_t CatchUpSpecially(int64_t now);

    // These call another object each. Inlined, they would have their callers keep its address for
    // nothing most of the time.

    /// Open the gates whose pause has ended.  @param start the time, in picoseconds
    [[gnu::noinline]] void OpenGates(int64_t start);

    /// @return the next frame where EgressQueues::IsSpecial()  @param start the time
    [[gnu::noinline]] FrameLane::Entry TakeSpecial(int64_t start);

    /// Begin a transmission.  @param start its time, in picoseconds
    void Start(int64_t start);

    /// Send a frame that has passed the queues.  @param now the current time, in picoseconds
    void Pass(const Ptr<FabricFrame>& frame, int64_t now);

    /// Put a frame on the wire.  @param entry the frame  @param start the time, in picoseconds
    void Transmit(const FrameLane::Entry& entry, int64_t start);

    /// Have someone see to what can be sent next.
    void Announce()
    {
        if (!m_isTouched)
        {
            AnnounceNew();
        }
    }

    /// The same, where the node may not know of it yet.
    [[gnu::noinline]] void AnnounceNew();

    /// Have the port observe a transmission.  @param duration how long it takes, in picoseconds
    [[gnu::noinline]] void ObserveSending(FabricFrame* frame, int64_t duration);

    /// Send a frame that does not simply arrive.  @param frame the frame, with a reference to it
    /// @param start of its transmission, in picoseconds  @param arrival when it would arrive
    [[gnu::noinline]] void SendElsewhere(FabricFrame* frame, int64_t start, int64_t arrival);

    /// Schedule this event, the next arrival.  @param wait the time until then
    void ScheduleArrival(Time wait);

    /// Schedule the next arrival, or else a wake-up for the next start.
    void ScheduleNextEvent();

    /// Schedule the next start, if eager.
    void ScheduleStart();

    /// A scheduled start is due.
    void StartDue();

    /// A scheduled wake-up is due.
    void WakeUp();

    // What each hop touches, by cache line: the first one, what follows, the first one of queues,
    // and that of a lane. Where there are no windows, an arrival touches the first one and the
    // wire.

    bool m_scheduled : 1;          //!< an arrival is scheduled
    bool m_stale : 1;              //!< the link was cut since: that frame is lost
    mutable bool m_prefetched : 1; //!< the scheduler has prefetched for it, at a better time
    bool m_hasSource : 1;          //!< frames come from a source beside the queues, too
    bool m_observedSending : 1;    //!< the port observes transmissions
    uint8_t m_eager : 3;           //!< EagerReason bits
    uint16_t m_stepsPerPs{1};      //!< time steps of a picosecond
    Serializer m_serializer;       //!< when frames are sent

    WireEnd* m_wire{&m_ownWire};  //!< where frames are put that are sent
    Ptr<LinkedNode> m_home;       //!< node of the port, where there are windows
    Ptr<LinkedNode> m_receiver;   //!< node of the peer, where there are windows
    uint32_t m_sender{0};         //!< number of the port at m_home
    bool m_isTouched{false};      //!< the node will see to it in this window, and no one else
    WireEnd* m_inbox{&m_ownWire}; //!< the frames in flight
    double m_queueFactor{1};      //!< what is left of the limits of the queues

    EgressQueues m_queues; //!< what waits
    WireEnd m_ownWire;     //!< frames in flight that are events, or to be handed over

    // The rest

    uint32_t m_node{0};                 //!< node of the port
    LinkDirection m_direction;          //!< frames that do not simply reach the peer
    Ptr<TransmitterTimer> m_startTimer; //!< scheduled starts (eager)
    Ptr<TransmitterTimer> m_wakeTimer;  //!< scheduled wake-ups
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_TRANSMITTER_H */
