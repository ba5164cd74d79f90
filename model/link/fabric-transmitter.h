/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FABRIC_TRANSMITTER_H
#define FABRIC_TRANSMITTER_H

#include "frame-carrier.h"
#include "frame-handler.h"
#include "frames-in-flight.h"

#include "ns3/egress-queues.h"
#include "ns3/fabric-frame.h"
#include "ns3/prefetching-event.h"

#include <cstdint>

namespace ns3
{
namespace aifabric
{

class FabricPort;
class TransmitterTimer;

/**
 * @ingroup ai-fabric
 *
 * The sending half of a port: what waits there, with the choice among it (EgressQueues), the
 * serializer, and the frames in flight to the peer (FramesInFlight).
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
 * scheduled only by arrivals, changes and wake-ups, which occur in both modes alike.
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
    void SetHandler(FrameHandler* handler);

    /**
     * @param stepsPerByte time to send one byte, in picoseconds times 2^16
     * @param gap time between two frames, in picoseconds
     */
    void SetTiming(int64_t stepsPerByte, int64_t gap);

    /// @param delay propagation delay, in picoseconds
    void SetDelay(int64_t delay)
    {
        m_delay = delay;
    }

    /// @copydoc EgressQueues::SetClasses
    void SetClasses(uint8_t classes, const QueueSize& size)
    {
        m_queues.SetClasses(classes, size);
    }

    /// @param source where frames come from beside the queues, or nullptr
    void SetSource(FrameSource* source)
    {
        m_queues.SetSource(source);
        m_hasSource = source;
    }

    /// @param hook who acts at departures from the queues, or nullptr
    void SetHook(DepartureHook* hook)
    {
        m_queues.SetHook(hook);
    }

    /**
     * Set which queue sends the next frame.
     *
     * @param scheduler the port's own scheduler; null: strict priority, without a virtual call
     */
    void SetScheduler(Ptr<EgressScheduler> scheduler)
    {
        m_queues.SetScheduler(scheduler);
    }

    /// @return which queue sends the next frame; null: strict priority
    const Ptr<EgressScheduler>& GetScheduler() const
    {
        return m_queues.GetScheduler();
    }

    /// @param carrier who carries frames to a peer that another rank simulates
    void SetCarrier(FrameCarrier* carrier);

    /// Another rank simulates the port: frames come by Expect().
    void SetGhost()
    {
        m_isGhost = true;
    }

    // Sending

    /**
     * Enqueue a frame in the queue of its class.
     *
     * @param now the current time, in picoseconds
     * @return whether the queue accepted it
     */
    bool Send(const Ptr<FabricFrame>& frame, int64_t now);

    /**
     * Take back the frame that came last into the queue of a class, for example to trim it. The
     * owner of the buffer counts it as gone: the hook is not called.
     *
     * @param now the current time, in picoseconds
     * @return the frame; null if none waits
     */
    Ptr<FabricFrame> TakeLast(uint8_t trafficClass, int64_t now);

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
        if (m_freeAt <= now)
        {
            CatchUp(now);
        }
    }

    /**
     * Go on after a change: start what may start now, and schedule what is needed.
     *
     * @param now the current time, in picoseconds
     */
    void Resume(int64_t now);

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
        __builtin_prefetch(this, 1);
        __builtin_prefetch(&m_freeAt, 1);
        m_queues.Prefetch(trafficClass);
    }

    /// Get the places where Send() will put a frame into the cache, when what Prefetch() fetched
    /// has come.  @param trafficClass class of the frame
    void PrefetchPlaces(uint8_t trafficClass) const
    {
        m_queues.PrefetchPlace(trafficClass);
        m_flight.PrefetchPlace();
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
        m_lossy = lossy;
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
        m_observedReceiving = receiving;
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
        return m_queues.GetWaitingBytes() + (m_freeAt > now ? m_lastBytes : 0);
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

    /// @copydoc EgressQueues::SharesQueue
    bool SharesQueue(uint8_t one, uint8_t other) const
    {
        return m_queues.SharesQueue(one, other);
    }

    /// @return whether an observer sees each change of a queue
    bool IsWatched() const
    {
        return m_queues.IsWatched();
    }

    /// @return frames that the queues had no room for
    uint64_t CountRefused() const
    {
        return m_queues.CountRefused();
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
        return m_freeAt;
    }

    /// @return frames in flight; those of a ghost are counted by the port that sent them
    uint32_t GetFlightFrames() const;

    /// @return bytes in flight
    uint64_t GetFlightBytes() const;

    /// @return the counters
    Counters GetCounters() const;

    /// @return the longest that the queue was, in frames, with the one in transmission
    uint32_t GetMaxFrames() const
    {
        return m_queues.GetMaxFrames();
    }

    /// @return the most bytes that were in the queues, a frame that could start at once included
    uint32_t GetMaxBytes() const
    {
        return m_queues.GetMaxBytes();
    }

    /**
     * @return the integral over time of the frames in the queues and in transmission, in frames
     * times picoseconds, up to the last change
     */
    double GetFrameTime() const
    {
        return static_cast<double>(m_queues.GetWaitingTime()) + static_cast<double>(m_busyTime);
    }

    /**
     * @param now the current time, in picoseconds, after Advance(now)
     * @return the same up to now
     */
    double GetFrameTime(int64_t now) const
    {
        const int64_t waiting = m_queues.GetWaitingTime(now);
        const int64_t unsent = m_freeAt > now ? m_freeAt - now : 0;
        return static_cast<double>(waiting) + static_cast<double>(m_busyTime - unsent);
    }

    /// @return the time spent sending, gaps included, in picoseconds
    int64_t GetBusyTime() const
    {
        return m_busyTime;
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
        return isPaused ? std::max(m_freeAt, m_queues.GetGateOpening(trafficClass)) : m_freeAt;
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
        return m_linkUp;
    }

    /// @return whether the port at the other end is that of a host
    bool LeadsToHost() const
    {
        return m_leadsToHost;
    }

    /// @return the index of the port at the other end
    uint16_t GetPeerIndex() const
    {
        return m_ingress;
    }

    /// @return the port at the other end
    FabricPort* GetPeer() const
    {
        return m_peer;
    }

    /// @return the port whose sending half this is
    FabricPort* GetPort() const
    {
        return m_port;
    }

    /// @return time to send a frame, in picoseconds  @param bytes its bytes on the wire
    int64_t GetTransmissionTime(uint32_t bytes) const
    {
        return (bytes * m_stepsPerByte + (1 << 15)) >> 16;
    }

  private:
    /// Make the queue of a class, which notifies the port when it is watched.
    [[gnu::noinline]] void MakeQueue(uint8_t trafficClass);

    /// The head of the frames in flight arrives.
    void Notify() override;

    /// Decide every start up to now.  @param now the current time, in picoseconds
    void CatchUp(int64_t now);

    /// @return the time of the next start, in picoseconds, as far as is known now
    int64_t NextStart() const
    {
        if (m_queues.IsReady())
        {
            return m_freeAt;
        }
        return m_queues.MayBeReady() ? NextOpening() : NEVER;
    }

    // These call another object each. Inlined, they would have CatchUp() and Notify() keep its
    // address for nothing most of the time.

    /// @return the time of the next start where nothing in the queues may be sent now
    [[gnu::noinline]] int64_t NextOpening() const;

    /// Open the gates whose pause has ended.  @param start the time, in picoseconds
    [[gnu::noinline]] void OpenGates(int64_t start);

    /// @return the next frame where EgressQueues::IsSpecial()  @param start the time
    [[gnu::noinline]] FrameLane::Entry TakeSpecial(int64_t start);

    /// Prefetch what frames in flight will touch.  @param areNew whether all are new in flight
    [[gnu::noinline]] void PrefetchFlight(bool areNew) const;

    /// Begin a transmission.  @param start its time, in picoseconds
    void Start(int64_t start);

    /// Put a frame on the wire.  @param entry the frame  @param start the time, in picoseconds
    void Transmit(const FrameLane::Entry& entry, int64_t start);

    /// Send a frame that does not simply reach the peer: the link is cut, or leads to another rank.
    /// @param start the time  @param arrival when it would arrive
    void TransmitElsewhere(const Ptr<FabricFrame>& frame, int64_t start, int64_t arrival);

    /// Hand a frame to the peer.  @param now the time, in picoseconds
    void Deliver(const Ptr<FabricFrame>& frame, int64_t now);

    /// Count a frame as lost on the link.
    void Lose(const Ptr<FabricFrame>& frame);

    /// Schedule the next arrival, or else a wake-up for the next start.
    void ScheduleNextEvent();

    /// Schedule the next start, if eager.
    void ScheduleStart();

    /// A scheduled start is due.
    void StartDue();

    /// A scheduled wake-up is due.
    void WakeUp();

    // What each hop touches, by cache line. First all that an arrival needs.

    bool m_scheduled : 1;          //!< an arrival is scheduled
    bool m_stale : 1;              //!< the link was cut since: that frame is lost
    bool m_lossy : 1;              //!< frames may be lost at random
    bool m_observedReceiving : 1;  //!< the peer observes arrivals
    bool m_isGhost : 1;            //!< another rank simulates the port
    bool m_prefetches : 1;         //!< the handler prefetches for frames before they arrive
    bool m_leadsToHost : 1;        //!< the port at the other end is that of a host
    mutable bool m_prefetched : 1; //!< the scheduler has seen to that, at a better time
    uint16_t m_ingress{0};         //!< index of the port at the other end
    uint16_t m_stepsPerPs{1};      //!< time steps of a picosecond
    bool m_isDirect : 1;           //!< frames reach the peer without a carrier
    bool m_hasSource : 1;          //!< frames come from a source beside the queues, too
    bool m_observedSending{false}; //!< the port observes transmissions
    uint16_t m_lastBytes{0};       //!< bytes of the last transmission that was begun
    uint8_t m_eager{0};            //!< EagerReason bits
    bool m_linkUp{true};           //!< the link is not cut
    FramesInFlight m_flight;       //!< frames on their way to the peer

    // Then what a start needs.

    FrameHandler* m_handler{nullptr}; //!< who receives at the other end
    int64_t m_freeAt{0};              //!< the earliest time of the next start
    int64_t m_stepsPerByte{0};        //!< time to send a byte, times 2^16
    int64_t m_delay{0};               //!< propagation delay
    uint32_t m_gap{0};                //!< time between two frames
    uint32_t m_peerNode{0};           //!< node at the other end
    int64_t m_busyTime{0};            //!< time of all transmissions, gaps included
    uint64_t m_sentFrames{0};         //!< transmissions begun
    uint64_t m_sentBytes{0};          //!< their bytes

    EgressQueues m_queues; //!< what waits, with a cache line of its own

    // The rest

    uint64_t m_lostFrames{0};           //!< frames lost on the link
    uint64_t m_lostBytes{0};            //!< their bytes
    int64_t m_cutAt{-1};                //!< when the link was cut last
    double m_queueFactor{1};            //!< what is left of the limits of the queues
    FrameCarrier* m_carrier{nullptr};   //!< who carries frames to another rank
    FabricPort* const m_port;           //!< the port whose sending half this is
    FabricPort* m_peer{nullptr};        //!< the port at the other end
    uint32_t m_node{0};                 //!< node of the port
    Ptr<TransmitterTimer> m_startTimer; //!< scheduled starts (eager)
    Ptr<TransmitterTimer> m_wakeTimer;  //!< scheduled wake-ups
};

} // namespace aifabric
} // namespace ns3

#endif /* FABRIC_TRANSMITTER_H */
