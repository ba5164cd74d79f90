/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "pfc-watchdog.h"

#include "ns3/abort.h"
#include "ns3/double.h"
#include "ns3/enum-accessor.h"
#include "ns3/fabric-clock.h"
#include "ns3/fabric-switch.h"
#include "ns3/simulator.h"

#include <algorithm>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(PfcWatchdog);

TypeId
PfcWatchdog::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::PfcWatchdog")
            .SetParent<Object>()
            .SetGroupName("AiFabric")
            .AddConstructor<PfcWatchdog>()
            .AddAttribute("Action",
                          "What is done about a storm: Drop or Forward.",
                          EnumValue(DROP),
                          MakeEnumMemberAccessor<Action>(&PfcWatchdog::m_action),
                          MakeEnumChecker(DROP, "Drop", FORWARD, "Forward"))
            .AddAttribute("PollInterval",
                          "Time between two looks at the queues.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&PfcWatchdog::m_poll),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("DetectionTime",
                          "How long a queue has to be stuck until it has a storm; rounded up to "
                          "whole poll intervals.",
                          TimeValue(MilliSeconds(2)),
                          MakeTimeAccessor(&PfcWatchdog::m_detection),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("RestorationTime",
                          "How long there has to be no pause until a storm is over; rounded up to "
                          "whole poll intervals.",
                          TimeValue(MilliSeconds(2)),
                          MakeTimeAccessor(&PfcWatchdog::m_restoration),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("PausedShare",
                          "A queue is stuck in a poll interval only if its class was paused for "
                          "more than this share of it.",
                          DoubleValue(0.99),
                          MakeDoubleAccessor(&PfcWatchdog::m_share),
                          MakeDoubleChecker<double>(0, 0.9999))
            .AddTraceSource("Detected",
                            "A queue has a storm.",
                            MakeTraceSourceAccessor(&PfcWatchdog::m_detectedTrace),
                            "ns3::aifabric::PfcWatchdog::StormTracedCallback")
            .AddTraceSource("Restored",
                            "A storm is over.",
                            MakeTraceSourceAccessor(&PfcWatchdog::m_restoredTrace),
                            "ns3::aifabric::PfcWatchdog::StormTracedCallback");
    return tid;
}

PfcWatchdog::PfcWatchdog()
{
}

PfcWatchdog::~PfcWatchdog()
{
}

void
PfcWatchdog::DoDispose()
{
    m_event.Cancel();
    m_queues.clear();
    m_switch = nullptr;
    Object::DoDispose();
}

void
PfcWatchdog::Install(FabricSwitch& fabricSwitch, uint8_t classes)
{
    NS_ABORT_MSG_IF(m_switch, "PfcWatchdog::Install: it watches a switch already");
    m_switch = &fabricSwitch;
    for (uint16_t port = 0; port < fabricSwitch.GetPortCount(); ++port)
    {
        for (uint8_t rest = classes; rest; rest &= rest - 1)
        {
            Queue queue;
            queue.port = port;
            queue.trafficClass = __builtin_ctz(rest);
            m_queues.push_back(queue);
        }
        fabricSwitch.GetPort(port)->TraceConnectWithoutContext(
            "Pause",
            MakeCallback(&PfcWatchdog::PauseReceived, this).Bind(port));
    }
}

const PfcWatchdog::Queue*
PfcWatchdog::Find(uint16_t port, uint8_t trafficClass) const
{
    const auto found =
        std::find_if(m_queues.begin(), m_queues.end(), [port, trafficClass](const Queue& queue) {
            return queue.port == port && queue.trafficClass == trafficClass;
        });
    return found == m_queues.end() ? nullptr : &*found;
}

FabricTransmitter&
PfcWatchdog::GetTransmitter(const Queue& queue) const
{
    return m_switch->GetPort(queue.port)->GetTransmitter();
}

uint32_t
PfcWatchdog::CountDeparted(const Queue& queue) const
{
    const FrameLane& lane = GetTransmitter(queue).GetLane(queue.trafficClass);
    return lane.GetEnqueuedFrames() - lane.GetFrames();
}

uint64_t
PfcWatchdog::CountRefused(const Queue& queue) const
{
    return GetTransmitter(queue).GetQueue(queue.trafficClass)->GetTotalDroppedPackets() -
           queue.refused;
}

PfcWatchdog::Counters
PfcWatchdog::GetCounters(uint16_t port, uint8_t trafficClass) const
{
    const Queue* queue = Find(port, trafficClass);
    NS_ABORT_MSG_IF(!queue,
                    "PfcWatchdog::GetCounters: class " << +trafficClass << " of port " << port
                                                       << " is not watched");
    Counters counters = queue->counters;
    counters.drops += queue->hasStorm && m_action == DROP ? CountRefused(*queue) : 0;
    return counters;
}

PfcWatchdog::Counters
PfcWatchdog::GetCounters() const
{
    Counters sum;
    for (const Queue& queue : m_queues)
    {
        const Counters counters = GetCounters(queue.port, queue.trafficClass);
        sum.storms += counters.storms;
        sum.restored += counters.restored;
        sum.drops += counters.drops;
    }
    return sum;
}

void
PfcWatchdog::PauseReceived(uint16_t port, uint8_t classes, Time duration)
{
    const int64_t now = FabricClock::Now();
    for (Queue& queue : m_queues)
    {
        if (queue.port != port || !(classes >> queue.trafficClass & 1))
        {
            continue;
        }
        if (m_event.IsExpired() && duration.IsStrictlyPositive())
        {
            for (Queue& each : m_queues)
            {
                TakeStock(each, now);
                each.polls = 0;
            }
            Schedule();
        }
        queue.meter.Receive(now, duration.GetPicoSeconds());
        if (queue.hasStorm && m_action == FORWARD)
        {
            GetTransmitter(queue).Pause(1 << queue.trafficClass, now, now);
        }
    }
}

void
PfcWatchdog::TakeStock(Queue& queue, int64_t now) const
{
    GetTransmitter(queue).Advance(now);
    queue.departed = CountDeparted(queue);
    queue.pausedTime = queue.meter.GetPausedTime(now);
}

void
PfcWatchdog::Schedule()
{
    const int64_t next = FabricClock::Now() + m_poll.GetPicoSeconds();
    m_event = Simulator::Schedule(FabricClock::Until(next, FabricClock::REVIEW_TURN),
                                  &PfcWatchdog::Poll,
                                  this);
}

void
PfcWatchdog::Poll()
{
    const int64_t now = FabricClock::Now();
    m_switch->CatchUp(now);
    for (Queue& queue : m_queues)
    {
        Review(queue, now);
        TakeStock(queue, now);
    }
    if (std::any_of(m_queues.begin(), m_queues.end(), [now](const Queue& queue) {
            return queue.hasStorm || queue.meter.IsPaused(now);
        }))
    {
        Schedule();
    }
}

void
PfcWatchdog::Review(Queue& queue, int64_t now)
{
    const Time wanted = queue.hasStorm ? m_restoration : m_detection;
    const int64_t paused = queue.meter.GetPausedTime(now) - queue.pausedTime;
    const double share = static_cast<double>(paused) / m_poll.GetPicoSeconds();
    const bool isStuck = !GetTransmitter(queue).GetLane(queue.trafficClass).IsEmpty() &&
                         CountDeparted(queue) == queue.departed && share > m_share;
    queue.polls = (queue.hasStorm ? paused == 0 : isStuck) ? queue.polls + 1 : 0;
    if (queue.polls * m_poll.GetPicoSeconds() < wanted.GetPicoSeconds() || queue.polls == 0)
    {
        return;
    }
    queue.polls = 0;
    queue.hasStorm ? Restore(queue) : Detect(queue, now);
}

void
PfcWatchdog::Detect(Queue& queue, int64_t now)
{
    FabricTransmitter& transmitter = GetTransmitter(queue);
    const Ptr<FabricQueue>& lane = transmitter.GetQueue(queue.trafficClass);
    queue.hasStorm = true;
    ++queue.counters.storms;
    if (m_action == DROP)
    {
        queue.counters.drops += transmitter.GetLane(queue.trafficClass).GetFrames();
        m_switch->Flush(queue.port, queue.trafficClass, now);
        queue.refused = lane->GetTotalDroppedPackets();
        queue.size = lane->GetMaxSize();
        lane->SetMaxSize(QueueSize(QueueSizeUnit::BYTES, 1)); // less than any frame
    }
    else
    {
        transmitter.Pause(1 << queue.trafficClass, now, now);
    }
    m_detectedTrace(queue.port, queue.trafficClass);
}

void
PfcWatchdog::Restore(Queue& queue)
{
    if (m_action == DROP)
    {
        queue.counters.drops += CountRefused(queue);
        GetTransmitter(queue).GetQueue(queue.trafficClass)->SetMaxSize(queue.size);
    }
    queue.hasStorm = false;
    ++queue.counters.restored;
    m_restoredTrace(queue.port, queue.trafficClass);
}

} // namespace aifabric
} // namespace ns3
