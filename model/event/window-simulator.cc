/*
 * Copyright (c) 2026 The ai-fabric authors
 *
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "window-simulator.h"

#include "ns3/abort.h"
#include "ns3/boolean.h"
#include "ns3/event-id.h"
#include "ns3/event-impl.h"
#include "ns3/make-event.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <string>

namespace ns3
{
namespace aifabric
{

NS_OBJECT_ENSURE_REGISTERED(WindowSimulator);

namespace
{

// As those of all simulators of ns-3
constexpr uint32_t DESTROY_UID = 2; //!< of events of ScheduleDestroy()
constexpr uint32_t FIRST_UID = 4;   //!< of the first other event

} // namespace

TypeId
WindowSimulator::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::aifabric::WindowSimulator")
            .SetParent<SimulatorImpl>()
            .SetGroupName("AiFabric")
            .AddConstructor<WindowSimulator>()
            .AddAttribute("LongestWindow",
                          "A window is no longer than this, nor than the least delay of a link of "
                          "the fabric. Where nodes interact by other channels, too: less than "
                          "their least delay. Zero: that of the links alone.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&WindowSimulator::m_longest),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("Shuffled",
                          "Run the nodes of each window in a random order, to test that it does "
                          "not matter.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&WindowSimulator::m_isShuffled),
                          MakeBooleanChecker());
    return tid;
}

WindowSimulator*
WindowSimulator::Get()
{
    return dynamic_cast<WindowSimulator*>(PeekPointer(Simulator::GetImplementation()));
}

WindowSimulator::WindowSimulator()
    : m_nextUid(FIRST_UID)
{
}

WindowSimulator::~WindowSimulator()
{
}

void
WindowSimulator::DoDispose()
{
    const auto forget = [](Events& events) {
        for (; !events.empty(); events.pop())
        {
            events.top().impl->Unref();
        }
    };
    forget(m_global);
    for (Node& node : m_nodes)
    {
        forget(node.events);
    }
    m_nodes.clear();
    m_next.clear();
    SimulatorImpl::DoDispose();
}

void
WindowSimulator::Destroy()
{
    while (!m_destroy.empty())
    {
        const EventId id = m_destroy.front();
        m_destroy.pop_front();
        if (!id.PeekEventImpl()->IsCancelled())
        {
            id.PeekEventImpl()->Invoke();
        }
    }
}

bool
WindowSimulator::IsFinished() const
{
    return m_isStopped || (m_global.empty() && FindFirst() == WindowNode::NEVER);
}

void
WindowSimulator::Stop()
{
    m_isStopped = true;
}

WindowSimulator::Stopped
WindowSimulator::Stop(const Time& delay)
{
    const uint64_t ts = m_now + delay.GetTimeStep();
    return static_cast<Stopped>(
        Insert(NO_NODE, m_events ? std::max(ts, m_end.m_ts) : ts, MakeEvent(&Simulator::Stop)));
}

EventId
WindowSimulator::Schedule(const Time& delay, EventImpl* event)
{
    return Insert(m_context, m_now + delay.GetTimeStep(), event);
}

void
WindowSimulator::ScheduleWithContext(uint32_t context, const Time& delay, EventImpl* event)
{
    Insert(context, m_now + delay.GetTimeStep(), event);
}

EventId
WindowSimulator::ScheduleNow(EventImpl* event)
{
    return Insert(m_context, m_now, event);
}

EventId
WindowSimulator::ScheduleDestroy(EventImpl* event)
{
    m_destroy.emplace_back(Ptr<EventImpl>(event, false), m_now, NO_NODE, DESTROY_UID);
    return m_destroy.back();
}

EventId
WindowSimulator::Insert(uint32_t context, uint64_t ts, EventImpl* event)
{
    NS_ABORT_MSG_IF(ts < m_now, "an event is scheduled in the past, or after the end of time");
    const Scheduler::Event made{event, {ts, m_nextUid++, context}};
    const uint32_t room = RoomOf(context);
    const bool isOwn = context != NO_NODE && room == m_room;
    if (m_events && !isOwn && ts < m_end.m_ts)
    {
        RefuseEvent(context, ts);
    }
    if (isOwn || (m_events && context != NO_NODE))
    {
        Reserve(context);
        m_nodes[room].events.push(made);
        Wake(room, ts);
    }
    else
    {
        m_global.push(made);
    }
    return EventId(event, ts, context, made.key.m_uid);
}

void
WindowSimulator::RefuseEvent(uint32_t context, uint64_t ts) const
{
    const std::string where = context == NO_NODE ? "an event without a node"
                                                 : "an event at node " + std::to_string(context);
    NS_FATAL_ERROR("node " << m_context << " schedules " << where << " in "
                           << TimeStep(ts - m_now).As(Time::NS) << ", within a window of "
                           << TimeStep(m_length).As(Time::NS)
                           << ": ns3::aifabric::WindowSimulator needs at least that delay "
                              "(LongestWindow shortens windows; another simulator has none)");
}

void
WindowSimulator::TouchOther(uint32_t room)
{
    NS_ABORT_MSG_IF(m_events,
                    "node " << m_context << " acts on node " << room
                            << " without a delay: ns3::aifabric::WindowSimulator cannot run this "
                               "scenario; another simulator can");
    Reserve(room);
    Wake(room, m_now);
}

void
WindowSimulator::Remove(const EventId& id)
{
    if (id.GetUid() == DESTROY_UID)
    {
        m_destroy.remove(id);
        return;
    }
    Cancel(id);
}

void
WindowSimulator::Cancel(const EventId& id)
{
    if (!IsExpired(id))
    {
        id.PeekEventImpl()->Cancel();
    }
}

bool
WindowSimulator::IsExpired(const EventId& id) const
{
    if (!id.PeekEventImpl() || id.PeekEventImpl()->IsCancelled())
    {
        return true;
    }
    if (id.GetUid() == DESTROY_UID)
    {
        return std::find(m_destroy.begin(), m_destroy.end(), id) == m_destroy.end();
    }
    return id.GetTs() < m_now || (id.GetTs() == m_now && id.GetUid() <= m_uid);
}

Time
WindowSimulator::Now() const
{
    return TimeStep(m_now);
}

Time
WindowSimulator::GetDelayLeft(const EventId& id) const
{
    return IsExpired(id) ? TimeStep(0) : TimeStep(id.GetTs() - m_now);
}

Time
WindowSimulator::GetMaximumSimulationTime() const
{
    return TimeStep(INT64_MAX);
}

void
WindowSimulator::SetScheduler(ObjectFactory)
{
}

uint32_t
WindowSimulator::GetSystemId() const
{
    return 0;
}

uint32_t
WindowSimulator::GetContext() const
{
    return m_context;
}

uint64_t
WindowSimulator::GetEventCount() const
{
    return m_eventCount;
}

WindowNode*
WindowSimulator::GetNode(uint32_t node) const
{
    return node < m_nodes.size() ? PeekPointer(m_nodes[node].what) : nullptr;
}

void
WindowSimulator::SetNode(uint32_t node, Ptr<WindowNode> what)
{
    Reserve(node);
    m_nodes[node].what = what;
    m_isPrepared = false;
}

void
WindowSimulator::Join(uint32_t room, uint32_t node)
{
    Reserve(std::max(room, node));
    NS_ABORT_MSG_IF(m_nodes[room].room != room || m_nodes[node].room != node ||
                        !m_nodes[node].events.empty(),
                    "WindowSimulator::Join: node " << node << " is not by itself, or has events");
    m_nodes[node].room = room;
    Wake(room, m_next[node]);
    m_next[node] = WindowNode::NEVER;
}

void
WindowSimulator::SetUnprepared()
{
    NS_ABORT_MSG_IF(m_events,
                    "node " << m_context << " changes links: ns3::aifabric::WindowSimulator needs "
                            << "that in an event without a node, or before the run");
    m_isPrepared = false;
}

void
WindowSimulator::Reserve(uint32_t node)
{
    while (node >= m_nodes.size())
    {
        m_nodes.push_back({nullptr, static_cast<uint32_t>(m_nodes.size()), {}});
        m_next.push_back(WindowNode::NEVER);
    }
}

void
WindowSimulator::RunFirst(Events& events)
{
    const Scheduler::Event event = events.top();
    events.pop();
    m_now = event.key.m_ts;
    m_uid = event.key.m_uid;
    m_context = event.key.m_context;
    ++m_eventCount;
    event.impl->Invoke();
    event.impl->Unref();
}

void
WindowSimulator::RunEvents()
{
    while (!m_events->empty() && m_events->top().key < m_end)
    {
        RunFirst(*m_events);
    }
}

void
WindowSimulator::Prepare()
{
    m_isPrepared = true;
    m_length = m_longest.IsZero() ? WindowNode::NEVER : m_longest.GetTimeStep();
    for (const Node& node : m_nodes)
    {
        m_length = std::min(m_length, node.what ? node.what->Prepare() : WindowNode::NEVER);
    }
    NS_ABORT_MSG_IF(Time::GetResolution() != Time::FS,
                    "ns3::aifabric::WindowSimulator: call Time::SetResolution(Time::FS) before "
                    "anything else");
    if (m_length == WindowNode::NEVER)
    {
        m_length = 1; // nothing is known of how nodes interact
    }
}

uint64_t
WindowSimulator::FindFirst() const
{
    return m_next.empty() ? WindowNode::NEVER : *std::min_element(m_next.begin(), m_next.end());
}

void
WindowSimulator::Run()
{
    m_isStopped = false;
    while (!m_isStopped)
    {
        if (!m_isPrepared)
        {
            Prepare();
        }
        const uint64_t first = FindFirst();
        const uint64_t global = m_global.empty() ? WindowNode::NEVER : m_global.top().key.m_ts;
        if (first == WindowNode::NEVER && m_global.empty())
        {
            break;
        }
        if (first <= global)
        {
            RunWindow(first);
        }
        if (global <= first && !m_isStopped)
        {
            RunGlobal();
        }
    }
}

void
WindowSimulator::RunGlobal()
{
    m_room = RoomOf(m_global.top().key.m_context);
    RunFirst(m_global);
    m_room = NO_NODE;
    m_context = NO_NODE;
}

void
WindowSimulator::RunWindow(uint64_t begin)
{
    m_begin = begin;
    m_end = {begin + std::min(m_length, WindowNode::NEVER - begin), 0, 0};
    if (!m_global.empty() && m_global.top().key < m_end)
    {
        m_end = m_global.top().key;
    }
    const uint64_t last = m_end.m_uid > 0 ? m_end.m_ts : m_end.m_ts - 1;
    m_active.clear();
    for (uint32_t room = 0; room < m_next.size(); ++room)
    {
        if (m_next[room] <= last)
        {
            m_active.push_back(room);
        }
    }
    if (m_isShuffled)
    {
        std::shuffle(m_active.begin(), m_active.end(), m_random);
    }
    uint64_t latest = begin;
    for (std::size_t i = 0; i < m_active.size(); ++i)
    {
        for (std::size_t step = 0; step < 2; ++step)
        {
            const std::size_t later = i + 2 - step;
            if (later < m_active.size() && m_nodes[m_active[later]].what)
            {
                m_nodes[m_active[later]].what->Prefetch(step);
            }
        }
        RunRoom(m_active[i]);
        latest = std::max(latest, m_now);
    }
    m_now = latest;
    m_uid = (latest < m_end.m_ts ? m_nextUid : m_end.m_uid) - 1; // of what has run by then
    m_context = NO_NODE;
    m_room = NO_NODE;
    m_events = nullptr;
}

void
WindowSimulator::RunRoom(uint32_t room)
{
    Node& node = m_nodes[room];
    m_context = room;
    m_room = room;
    m_events = &node.events;
    m_now = m_begin;
    m_uid = 0;
    uint64_t next = WindowNode::NEVER;
    if (node.what)
    {
        next = node.what->Run(*this, m_end.m_ts);
    }
    else
    {
        RunEvents();
    }
    m_next[room] = node.events.empty() ? next : std::min(next, node.events.top().key.m_ts);
}

} // namespace aifabric
} // namespace ns3
