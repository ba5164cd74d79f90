/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PFC_WATCHDOG_H
#define PFC_WATCHDOG_H

#include "ns3/event-id.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/pause-meter.h"
#include "ns3/queue-size.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <vector>

namespace ns3
{
namespace aifabric
{

class FabricSwitch;
class FabricTransmitter;

/**
 * @ingroup ai-fabric
 *
 * Watches the queues of a switch that PFC may pause, and breaks pauses that do not end: those of a
 * broken NIC (a storm), or of switches that wait for each other (a deadlock).
 *
 * **Rule.** A queue was stuck in a poll interval if frames wait in it at its end, none was sent,
 * and its class was paused for more than PausedShare of the interval. A queue that was stuck in
 * consecutive intervals of DetectionTime together has a storm. It is restored when consecutive
 * intervals of RestorationTime together had no pause.
 *
 * **Action.** In between, with Drop the queue is emptied, and frames that come for it are dropped
 * (FabricSwitch::FLUSHED, both). With Forward the gate of the class stays open, whatever the peer
 * says; the peer may then have to drop lossless frames.
 *
 * **Time.** The watchdog costs nothing while no class is paused: it polls from the first PFC frame
 * on that pauses a class, until no class is paused and no queue has a storm. So an interval begins
 * with a pause, and not at a multiple of PollInterval.
 */
class PfcWatchdog : public Object
{
  public:
    /// What is done about a storm.
    enum Action
    {
        DROP,   //!< the queue drops its frames, and those that come
        FORWARD //!< the pause is ignored
    };

    /// What has happened to a queue.
    struct Counters
    {
        uint64_t storms{0};   //!< storms detected
        uint64_t restored{0}; //!< of these, ended
        uint64_t drops{0};    //!< frames dropped
    };

    /**
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    PfcWatchdog();
    ~PfcWatchdog() override;

    /**
     * Watch a switch. To be called once, when its ports are all there.
     *
     * @param fabricSwitch the switch, which outlives the use of the watchdog
     * @param classes its lossless classes (bit c set: class c)
     */
    void Install(FabricSwitch& fabricSwitch, uint8_t classes);

    /// @return what has happened to a queue, drops of a storm that goes on included
    /// @param trafficClass the class, which is watched
    Counters GetCounters(uint16_t port, uint8_t trafficClass) const;

    /// @return the same, summed over all queues
    Counters GetCounters() const;

    /**
     * Signature of the trace sources.
     *
     * @param port the port whose queue has a storm, or has one no longer
     */
    typedef void (*StormTracedCallback)(uint16_t port, uint8_t trafficClass);

  protected:
    void DoDispose() override;

  private:
    /// A queue that is watched.
    struct Queue
    {
        uint16_t port{0};        //!< its port
        uint8_t trafficClass{0}; //!< its class
        PauseMeter meter;        //!< how long it is paused
        uint32_t departed{0};    //!< frames that had left it at the last poll, modulo 2^32
        int64_t pausedTime{0};   //!< all pauses until the last poll, in picoseconds
        uint32_t polls{0};       //!< intervals in a row that were stuck, or without pause
        bool hasStorm{false};    //!< it has a storm
        uint64_t refused{0};     //!< frames refused when the storm was detected
        ns3::QueueSize size;     //!< what it holds without a storm
        Counters counters;       //!< what has happened
    };

    /// A PFC frame has arrived.  @param classes bit c set: class c
    /// @param duration how long they are paused; zero: they resume
    void PauseReceived(uint16_t port, uint8_t classes, Time duration);

    /// @return the queue of a class at a port; null: it is not watched
    const Queue* Find(uint16_t port, uint8_t trafficClass) const;

    /// @return frames that have left a queue, modulo 2^32
    uint32_t CountDeparted(const Queue& queue) const;

    /// @return frames that a storm has dropped after the queue was emptied
    uint64_t CountRefused(const Queue& queue) const;

    /// @return the sending half of the port of a queue
    FabricTransmitter& GetTransmitter(const Queue& queue) const;

    /// Begin an interval.  @param now the time, in picoseconds
    void TakeStock(Queue& queue, int64_t now) const;

    /// Schedule the next poll.
    void Schedule();

    /// An interval is over.
    void Poll();

    /// Look at a queue at the end of an interval.  @param now the time, in picoseconds
    void Review(Queue& queue, int64_t now);

    /// A queue has a storm.  @param now the time, in picoseconds
    void Detect(Queue& queue, int64_t now);

    /// A storm is over.
    void Restore(Queue& queue);

    Action m_action{DROP};           //!< what is done about a storm
    Time m_poll;                     //!< length of an interval
    Time m_detection;                //!< how long a queue has to be stuck
    Time m_restoration;              //!< how long it has to be without pause
    double m_share{0};               //!< of an interval, for which a stuck queue is paused
    FabricSwitch* m_switch{nullptr}; //!< the switch
    std::vector<Queue> m_queues;     //!< by port, then class
    EventId m_event;                 //!< the next poll

    TracedCallback<uint16_t, uint8_t> m_detectedTrace; //!< a queue has a storm
    TracedCallback<uint16_t, uint8_t> m_restoredTrace; //!< a storm is over
};

} // namespace aifabric
} // namespace ns3

#endif /* PFC_WATCHDOG_H */
